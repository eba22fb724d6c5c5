// SPDX-License-Identifier: MIT
// Runs a kernel on one SM under both bookkeepers of warp states, and under the reference of fetch.
#pragma once

#include "sim/model/stats/stall.h"
#include "sim/model/trace/kernel.h"

#include "tests/support/one_sm.h"

namespace gpusim::test {

/// Checks that the ledger and the accountant name the same state for the same number of cycles, for each warp and each
/// instruction, that a reference which fetches in every cycle finds the same instructions in the buffers, and that no
/// sub-core issues twice in a cycle. The cycles of each state, over all warps.
[[nodiscard]] stats::StallCycles agreed_states(OneSmSetup setup, const trace::Kernel& kernel);

/// State by state.
[[nodiscard]] stats::StallCycles sum_of(const stats::StallCycles& a, const stats::StallCycles& b);

}  // namespace gpusim::test

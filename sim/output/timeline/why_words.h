// SPDX-License-Identifier: MIT
// What the answer to --why says of its facts, in words.
#pragma once

#include <string>

#include "sim/output/timeline/why.h"

namespace gpusim::timeline {

/// "barrier 0x1 of the CTA" of a BAR; that of the cluster otherwise.
[[nodiscard]] std::string barrier_text(const stats::PcResult& barrier);

/// What is in the warp's way: a register, a barrier, a queue, a pipe.
[[nodiscard]] std::string obstacle_text(const stats::Result& result, const Reason& reason);

/// What ends the wait: an instruction, a warp, a unit.
[[nodiscard]] std::string releaser_text(const stats::Result& result, const Reason& reason);

/// What the warp does when the state of the cycle has ended.
[[nodiscard]] std::string next_text(const stats::Result& result, const Reason& reason);

/// "line 24: FFMA R7, R2, R3, R7", in full.
[[nodiscard]] std::string whole_text(const stats::PcResult& pc);

}  // namespace gpusim::timeline

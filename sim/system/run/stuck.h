// SPDX-License-Identifier: MIT
// Why a run cannot go on: which threads wait for which.
#pragma once

#include <string>

#include "sim/system/run/binding.h"
#include "sim/system/run/ranks.h"

namespace gpusim::run {

class HostSide;

/// A line for each thread that waits, with the place of its call, then the threads that wait for each other in a
/// circle, if any.
[[nodiscard]] std::string why_stuck(const Binding& binding, const HostSide& host, const Ranks& ranks);

}  // namespace gpusim::run

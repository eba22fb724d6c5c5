// SPDX-License-Identifier: MIT
// What an application must be beyond its form. For loader.cc, and for whoever builds one.
#pragma once

#include "sim/system/application/application.h"

namespace gpusim::application {

/// More calls than one run may do: a file of a few lines must not keep a computer busy for days.
inline constexpr double kMostCalls = 2e6;

/// Nodes of the graph that a call launches.
[[nodiscard]] double count_calls(const Application& application, const LaunchGraph& launch);

/// Throws InputError: for graphs with calls that no graph can hold, for too many calls, and when every thread is one in
/// the background.
void check(const Application& application);

}  // namespace gpusim::application

// SPDX-License-Identifier: MIT
// How large a launch is: its grid, CTAs, clusters and shared memory, and how often it is made.
#pragma once

#include "sim/code/launch/names.h"
#include "sim/code/launch/plan.h"
#include "sim/code/launch/request.h"
#include "sim/code/launch/signature.h"

namespace gpusim::launch {

/// Throws InputError about what is missing, what no GPU has, and what the kernel does not allow.
void set_sizes(const LaunchText& text, const Signature& signature, const Names& names, bool from_command_line,
               Launch& launch);

}  // namespace gpusim::launch

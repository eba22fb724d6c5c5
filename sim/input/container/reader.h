// SPDX-License-Identifier: MIT
// Reads a container. What its kernels are is read at once; what their warps do when a walker asks for it, a group of
// CTAs at a time, so that memory does not grow with the number of CTAs.
#pragma once

#include <filesystem>

#include "sim/model/trace/trace.h"

namespace gpusim::container {

/// Throws InputError for anything that is not a whole container, before it takes memory for what the file claims: each
/// size is checked against the file's, and each part against its checksum. A walk throws InputError when a group that
/// it comes to says what no recording can be.
[[nodiscard]] trace::Trace load(const std::filesystem::path& path);

}  // namespace gpusim::container

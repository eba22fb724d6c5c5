// SPDX-License-Identifier: MIT
// Calls as profilers name them, and the streams they are for.
#pragma once

#include <string>
#include <string_view>

#include "sim/system/application/application.h"

namespace gpusim::run {

/// "cudaLaunchKernel"; of work its name, of queues "put batches".
[[nodiscard]] std::string name_of(const application::Call& call, const application::Application& application);

/// "[CUDA memcpy Host-to-Device]", as nsys names the work of a copy.
[[nodiscard]] std::string_view name_of(application::Way way);

/// The stream that a call gives work to; the default stream of calls that give none.
[[nodiscard]] application::Index stream_of(const application::Call& call);

}  // namespace gpusim::run

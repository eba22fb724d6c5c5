// SPDX-License-Identifier: MIT
// What all generated steps have: rounds, streams, and a thread for each GPU.
#pragma once

#include <cstdint>
#include <string>

#include "sim/system/application/application.h"
#include "sim/system/generate/request.h"

namespace gpusim::generate {

/// Streams of a step: kernels, and collectives beside them.
inline constexpr application::Index kCompute = 0;
inline constexpr application::Index kComm = 1;

/// An application without calls. `comm`: whether it has the stream of that name.
[[nodiscard]] application::Application begin_step(std::string name, std::string description, bool comm);

/// The calls launched as one CUDA graph of the application.
[[nodiscard]] application::Calls as_graph(application::Application& application, application::Calls calls);

/// Threads rank0 and so on, or main, that do the same calls and then wait for their GPUs.
void add_ranks(application::Application& application, application::Calls calls, std::uint32_t gpus);

}  // namespace gpusim::generate

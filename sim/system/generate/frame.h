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

/// The calls as the mode launches them: as one CUDA graph of the application where it is one, behind what the call of a
/// compiled function takes of the CPU.
[[nodiscard]] application::Calls as_launched(Mode mode, application::Application& application,
                                             application::Calls calls);

/// Threads for `count` GPUs from the `first` on that do the same calls, and then wait for their GPUs: rank0 and so on,
/// or main where it is `alone`.
struct Threads {
  std::uint32_t first = 0;
  std::uint32_t count = 1;
  bool alone = true;
};
void add_threads(application::Application& application, const Threads& threads, application::Calls setup,
                 application::Calls calls);

}  // namespace gpusim::generate

// SPDX-License-Identifier: MIT
// A trace of PyTorch's profiler as an application that does the same: replays, and what-ifs on other systems.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sim/system/application/application.h"
#include "sim/system/kineto/events.h"

namespace gpusim::kineto {

struct Imported {
  application::Application application;
  std::string gpu;                         ///< as its driver names it; empty: not known
  std::string arch;                        ///< its architecture by name; empty: no file is of it
  std::uint64_t kernels = 0;               ///< launches
  std::uint64_t with_shapes = 0;           ///< launches of kernels of which it is known what they do (Recorded::does)
  bool has_shapes = false;                 ///< whether the trace has shapes of any operators
  std::uint64_t orphans = 0;               ///< work left out, since its call is not in the trace
  std::uint64_t negative = 0;              ///< events with a negative duration, which count as lasting 0
  std::string first_negative;              ///< the name of one of them
  std::uint64_t recorded_collectives = 0;  ///< kernels of NCCL whose sizes are not known: they last as recorded
  std::uint64_t collectives = 0;  ///< that are timed anew, not as recorded: their records hold waits for other ranks
};

/// The threads of the trace with their calls: the CPU's time between calls as recorded, kernels with their recorded
/// times, streams, copies with their bytes, collectives of as many ranks as took part. Throws InputError for what
/// cannot be read, and for a thread that uses several GPUs.
[[nodiscard]] Imported import_trace(const std::filesystem::path& file);
/// The same for the text of a trace; `name` stands for the file in messages.
[[nodiscard]] Imported import_text(const std::string& text, const std::string& name);

/// The same for events that come from another format.
[[nodiscard]] Imported import_events(Events events, const std::filesystem::path& file, const std::string& description);

}  // namespace gpusim::kineto

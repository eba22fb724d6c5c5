// SPDX-License-Identifier: MIT
// A tape on a GPU: what the allocator holds over time, its peak and who has it, or where memory ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/system/memory/allocator.h"
#include "sim/system/memory/tape.h"

namespace gpusim::memory {

/// What is allocated at a moment, blocks with their rounding.
struct Moment {
  std::string operation;
  std::uint64_t allocated = 0;
  std::uint64_t reserved = 0;
  Shares shares{};
};

/// A request that could not be served.
struct OutOfMemory {
  Moment moment;                  ///< before it
  std::uint64_t wanted = 0;       ///< bytes of the tensor
  std::uint64_t driver_free = 0;  ///< after cached segments went back
};

struct Replay {
  AllocatorStats stats;
  Moment peak;  ///< the first moment with the most allocated
  std::vector<Moment> milestones;
  std::optional<OutOfMemory> out_of_memory;  ///< the tape ends there
};

/// Gives the events of a tape to an allocator that has `driver_bytes` to take from.
[[nodiscard]] Replay replay(const Tape& tape, std::uint64_t driver_bytes);

}  // namespace gpusim::memory

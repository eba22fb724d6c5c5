// SPDX-License-Identifier: MIT
// Work in a process of its own, with limits: what a student's file makes the simulator do can neither take the machine
// nor this process down.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace gpusim::lab {

struct Limits {
  std::uint32_t seconds = 10;         ///< limit of processor time
  std::uint64_t bytes = 500'000'000;  ///< limit of memory; none under the address sanitizer, which reserves terabytes
  double wall_seconds = 60;           ///< limit of wall-clock time, for a process that gets no processor; above zero
  /// Other programs that it starts end with it. They have the same limits, each for itself, and write files of at most
  /// so many bytes; 0: it starts none.
  std::uint64_t bytes_of_files = 0;
};

struct LimitedEnd {
  enum class Kind : std::uint8_t { kDone, kOutOfTime, kOutOfWallTime, kOutOfMemory, kCrashed };
  Kind kind = Kind::kDone;
  std::string said;  ///< all that the work said, also where it did not come to its end
  double cpu_seconds = 0;
  double wall_seconds = 0;
};

using Say = std::function<void(std::string_view)>;

/// Runs `work` in a copy of this process, which must have one thread, and waits for its end. Nothing that it changes in
/// memory is seen here; what it passes to `say` is. Throws InputError when no process can be made.
[[nodiscard]] LimitedEnd run_limited(const Limits& limits, const std::function<void(const Say& say)>& work);

}  // namespace gpusim::lab

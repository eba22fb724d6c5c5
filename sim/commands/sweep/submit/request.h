// SPDX-License-Identifier: MIT
// How much to ask a cluster for, from what one point took. The factors are guesses, on the safe side: a task that
// runs out of time or memory is resumed, so a bad estimate costs a wait, not work.
#pragma once

#include <cstdint>

namespace gpusim::sweep {

/// Slurm's default MaxArraySize is 1001, and indices begin at 1 here.
inline constexpr std::uint64_t kMostShards = 1000;

/// Shards of `points` that take one core so many seconds together, so that a task of `cores` cores takes about a
/// quarter of an hour: 1 to kMostShards.
[[nodiscard]] std::uint64_t shards_for(std::uint64_t points, double seconds, std::uint64_t cores);

/// Seconds that one core is expected to take for the points of a task.
struct TaskTime {
  double all = 0;
  double slowest = 0;  ///< a point, which has one core when the others have ended
};

/// Minutes to ask for: thrice what is expected, because the estimate knows the work of a point and one point's pace; at
/// least ten, in steps of five.
[[nodiscard]] std::uint64_t minutes_for(const TaskTime& time, std::uint64_t cores);

/// MiB to ask for: twice the pilot's for each core, at least 512, in steps of 256.
[[nodiscard]] std::uint64_t mebibytes_for(std::uint64_t pilot_bytes, std::uint64_t cores);

}  // namespace gpusim::sweep

// SPDX-License-Identifier: MIT
// How much to ask a cluster for, from what points took so far. The factors are guesses, on the safe side: a task that
// runs out of time or memory is resumed, so a bad estimate costs a wait, not work.
#pragma once

#include <cstdint>

namespace gpusim::sweep {

/// What points of the study took where they ran: the pilot's, and those that a database held.
struct PointCost {
  double mean_seconds = 0;
  double slowest_seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< of the process that ran the pilot
};

/// Slurm's default MaxArraySize is 1001, and indices begin at 1 here.
inline constexpr std::uint64_t kMostShards = 1000;

/// Shards of `points`, so that a task of `cores` cores takes about a quarter of an hour: 1 to kMostShards.
[[nodiscard]] std::uint64_t shards_for(std::uint64_t points, const PointCost& cost, std::uint64_t cores);

/// Minutes to ask for: thrice what the points of the largest task should take, because points differ; at least ten, in
/// steps of five.
[[nodiscard]] std::uint64_t minutes_for(std::uint64_t points_of_task, const PointCost& cost, std::uint64_t cores);

/// MiB to ask for: twice the pilot's for each core, at least 512, in steps of 256.
[[nodiscard]] std::uint64_t mebibytes_for(const PointCost& cost, std::uint64_t cores);

}  // namespace gpusim::sweep

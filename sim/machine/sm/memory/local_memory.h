// SPDX-License-Identifier: MIT
// Local memory in L1: what is written stays there, dirty, until its line has to leave. Owns where the frames of warps
// lie (local_frames.h) and the counters; the tags are the L1's.
#pragma once

#include <optional>

#include "sim/machine/mem/cache/tag_array.h"
#include "sim/machine/sm/memory/coalescer.h"
#include "sim/machine/sm/memory/local_frames.h"
#include "sim/model/stats/counters.h"

namespace gpusim::sm {

class LocalMemory {
 public:
  /// `tags` are those of L1.
  LocalMemory(mem::cache::TagArray& tags, LocalFrames frames) : tags_(tags), frames_(std::move(frames)) {}
  LocalMemory(const LocalMemory&) = delete;
  LocalMemory& operator=(const LocalMemory&) = delete;

  [[nodiscard]] LocalFrames& frames() { return frames_; }

  /// A line of a store by the warp. Never waits for what the line held before. Returns the line that had to leave for
  /// it, if any.
  mem::cache::LineState store(std::uint32_t warp, const LineAccess& line);
  /// A line of a load that found `hits`. The last load of its words (LDL.LU) spares them from being written back.
  void load(const LineAccess& line, std::uint8_t hits, bool is_last);
  void count_fill(std::uint8_t sectors);
  void count_request(bool is_store) { ++(is_store ? counters_.store_requests : counters_.load_requests); }
  /// What a dirty line that leaves L1 has to write back: nothing, if its warp has left.
  [[nodiscard]] std::optional<LineAccess> write_back(const mem::cache::LineState& left);

  /// Once the kernel is over.
  [[nodiscard]] stats::LocalCounters counters() const;

 private:
  void drop(mem::cache::LineNumber line, mem::cache::SectorMask sectors);

  mem::cache::TagArray& tags_;
  LocalFrames frames_;
  stats::LocalCounters counters_;
};

}  // namespace gpusim::sm

// SPDX-License-Identifier: MIT
// The lines of a slice: its tags, when a line leaves, and what of a line that leaves goes to DRAM. Owns the tags and
// the counts of what left; writes to the partition's side of DRAM.
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/machine/mem/l2/functional_access.h"
#include "sim/machine/mem/l2/sectors.h"
#include "sim/machine/mem/l2/slice_tags.h"
#include "sim/machine/msg/message.h"
#include "sim/model/stats/counters.h"

namespace gpusim::arch {
struct L2Config;
}  // namespace gpusim::arch
namespace gpusim::mem::map {
class AddressMap;
}  // namespace gpusim::mem::map

namespace gpusim::mem::l2 {

struct AccessWindow;
class DramSide;

class LineStore {
 public:
  /// What it works with; all of it outlives the slice.
  struct Around {
    const arch::L2Config& config;
    const map::AddressMap& map;
    const AccessWindow& window;
    DramSide& dram;
  };
  /// `local` counts in the partition, `global` in the GPU.
  LineStore(const Around& around, std::uint16_t local, std::uint32_t global);

  /// Which of `sectors` are missing. A present line becomes the most recently used.
  [[nodiscard]] std::uint8_t missing(cache::LineNumber line, std::uint8_t sectors) {
    return without(sectors, tags_.look_up(line, sectors));
  }
  /// Whether an eviction has its place: l2.queue_entries may wait for their channel.
  [[nodiscard]] bool has_write_place() const;
  /// A write waits until there is a place, unless it needs none for certain.
  [[nodiscard]] bool takes_write(cache::LineNumber line) const { return has_write_place() || tags_.takes_write(line); }

  /// `sectors` arrive.
  void fill(cache::LineNumber line, std::uint8_t sectors, Cycle now);
  /// The message's sectors are written, those in `full` completely; returns whether the other half may have a copy of
  /// the line.
  [[nodiscard]] bool write(const msg::Message& message, cache::LineNumber line, std::uint8_t full, Cycle now);
  /// The other half has a copy of a present line from now on; or has none any more.
  void set_copy(cache::LineNumber line, bool has_copy) { tags_.set_copy(line, has_copy); }
  void invalidate(cache::LineNumber line, std::uint8_t sectors) { tags_.invalidate(line, sectors); }
  /// The message has used a present line: what is read or written for the last time soon leaves before other lines; of
  /// others keep_by_window() says when they leave.
  void age(const msg::Message& message, cache::LineNumber line);
  /// The kernel's access policy window, if the address lies in it, says when the line leaves.
  void keep_by_window(const msg::Message& message, cache::LineNumber line);

  FunctionalResult access_functionally(const FunctionalRequest& request);
  /// For the host's speed alone: fetches what any use of the line may take.
  void prefetch(cache::LineNumber line) const { tags_.prefetch(line); }
  void clear() { tags_.clear(); }
  void restart() { counters_ = {}; }
  /// Sectors evicted, cleaned, and written to DRAM.
  [[nodiscard]] const stats::L2Counters& counters() const { return counters_; }

 private:
  /// Sends what a line had that was dirty to DRAM, and counts it with others that went there for the same cause.
  void write_back_if_dirty(const cache::LineState& line, std::uint64_t& sectors, Cycle now) {
    if (line.dirty != 0) {
      write_back(line, sectors, now);
    }
  }
  void write_back(const cache::LineState& line, std::uint64_t& sectors, Cycle now);

  Around around_;
  std::uint16_t local_;
  std::uint32_t global_;
  SliceTags tags_;
  stats::L2Counters counters_;
};

}  // namespace gpusim::mem::l2

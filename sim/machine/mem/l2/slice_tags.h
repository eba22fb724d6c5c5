// SPDX-License-Identifier: MIT
// A slice's tags: a TagArray, and which written sectors are only partly so. Owns them, and which
// line was looked up last.
#pragma once

#include <cstdint>

#include "sim/base/address_space.h"
#include "sim/machine/mem/cache/tag_array.h"

namespace gpusim::arch {
struct L2Config;
}  // namespace gpusim::arch

namespace gpusim::mem::l2 {

/// The number in the tags of a line of the slice's own, or of a copy of its mirror's. The tags have 48 bits for a
/// number; those of all addresses that there are need fewer.
[[nodiscard]] constexpr cache::LineNumber line_in_tags(std::uint64_t slice_line, bool is_copy) {
  constexpr std::uint64_t kCopy = std::uint64_t{1} << 47;
  static_assert(kLocalEnd / kLineBytes <= kCopy);
  return slice_line | (is_copy ? kCopy : 0);
}

/// A write to an absent sector that does not cover all its bytes is kept with a byte mask: nothing is fetched until
/// somebody reads the sector, and an eviction writes the bytes there are (the lazy fetch on read that fits Volta's
/// counters, Khairy et al., ISCA 2020). Simplified: such a sector stays partial until read, evicted or written in one
/// piece, even if several writes together cover it.
///
/// Only a share of a set's lines may be modified at once (l2.dirty_percent): one more, and that which would leave first
/// of them is written to DRAM early, and stays as a clean line.
class SliceTags {
 public:
  SliceTags(const arch::L2Config& l2, std::uint64_t seed);

  /// Which of `sectors` can be read. A present line becomes the most recently used.
  [[nodiscard]] cache::SectorMask look_up(cache::LineNumber line, cache::SectorMask sectors);
  /// Whether a write to the line sends no other one to DRAM for certain. (Of a set that is not at its limit a line that
  /// becomes dirty would not either: it waits for a place among the writes all the same.)
  [[nodiscard]] bool takes_write(cache::LineNumber line) const;
  /// `sectors` arrive. Returns the line that had to leave, if any.
  cache::LineState fill(cache::LineNumber line, cache::SectorMask sectors);
  /// look_up() and then fill() of the sectors that were missing, which it returns; `by_mirror` is set_copy().
  [[nodiscard]] cache::SectorMask read_in(cache::LineNumber line, cache::SectorMask sectors, bool by_mirror);
  /// What a write found: the lines that had to leave, or to become clean, if any; and whether the other half may have a
  /// copy of the line.
  struct Written {
    cache::LineState evicted;
    cache::LineState cleaned;
    bool has_copy = false;
    cache::SectorMask readable = 0;  ///< those of all sectors that were readable before
  };
  /// `sectors` are written, those in `full` completely.
  Written write(cache::LineNumber line, cache::SectorMask sectors, cache::SectorMask full);
  /// The other half has a copy of a present line from now on; or has none any more.
  void set_copy(cache::LineNumber line, bool has_copy);
  /// A present line leaves before the others of its set, unless it is used again.
  void age(cache::LineNumber line) { tags_.set_eviction(line, Eviction::kFirst); }
  /// A present line leaves after the others of its set, of which at most `most` do so.
  void keep(cache::LineNumber line, std::uint32_t most) { tags_.keep(line, most); }
  void invalidate(cache::LineNumber line, cache::SectorMask sectors);
  void clear();
  /// For the host's speed alone: fetches what any use of the line may take.
  void prefetch(cache::LineNumber line) const { tags_.prefetch_set(line); }

 private:
  static constexpr std::uint8_t kHasCopy = 1U << kSectorsPerLine;

  /// The line that has entered or been written last: the next call that marks it need not search.
  struct Latest {
    cache::LineNumber line = cache::kNoLine;
    cache::TagArray::Way* way = nullptr;
  };

  cache::TagArray tags_;      ///< LineState::user: the partial sectors; and kHasCopy
  std::uint32_t most_dirty_;  ///< lines of a set that may be dirty at once
  Latest latest_;
};

}  // namespace gpusim::mem::l2

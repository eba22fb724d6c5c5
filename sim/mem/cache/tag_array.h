// SPDX-License-Identifier: MIT
// The tags of one sectored set-associative cache, as the L1 and the L2 slices use them: which sectors of which lines
// are valid, which are dirty, and exact LRU within a set. It knows nothing of time, ports or outstanding misses; a line
// enters when its data does (allocate on fill), so no line is ever pinned by a miss on its way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/hash.h"
#include "sim/base/types.h"

namespace gpusim::mem::cache {

/// Number of a 128-byte line: address / kLineBytes (or any dense number the owner prefers).
using LineNumber = std::uint64_t;
/// One bit a sector of a line; bit 0 is the sector of the lowest address.
using SectorMask = std::uint8_t;

inline constexpr SectorMask kAllSectors = (1U << kSectorsPerLine) - 1;
/// No line has this number (128-byte lines of a 64-bit address space end at 2^57).
inline constexpr LineNumber kNoLine = ~LineNumber{0};

/// What a line holds. `dirty` is a subset of `valid`. `user` belongs to the owner (an L2 slice marks copies of far
/// lines): kept, returned on eviction, never interpreted.
struct LineState {
  LineNumber line = kNoLine;
  SectorMask valid = 0;
  SectorMask dirty = 0;
  std::uint8_t user = 0;
  [[nodiscard]] bool present() const { return valid != 0; }
};

class TagArray {
 public:
  /// Any number of sets and ways, at least one each. Caches of one machine pass different seeds, so that lines which
  /// collide in one do not collide in all.
  TagArray(std::uint32_t sets, std::uint32_t ways, std::uint64_t seed = 0);
  /// As many whole sets as `bytes` hold, at least one.
  [[nodiscard]] static TagArray of_bytes(std::uint64_t bytes, std::uint32_t ways, std::uint64_t seed = 0);

  /// The state of a line, all zero where it is absent; the order of use is left alone.
  [[nodiscard]] LineState probe(LineNumber line) const;
  /// Which of `sectors` are valid. A present line becomes the most recently used, whether or not all are.
  SectorMask lookup(LineNumber line, SectorMask sectors);
  /// Makes `sectors` of `line` valid and the line most recently used. Returns the line that had to leave for it
  /// (present() is false when none had to), with all it held.
  LineState fill(LineNumber line, SectorMask sectors);
  /// As fill(), and the sectors are dirty: a write that needs no data from below.
  LineState write(LineNumber line, SectorMask sectors);
  /// Marks those of `sectors` that are valid as dirty; returns them. The line becomes the most recently used.
  SectorMask mark_dirty(LineNumber line, SectorMask sectors);
  /// Forgets the dirtiness of `sectors` after they were written back; returns those that were dirty.
  SectorMask clean(LineNumber line, SectorMask sectors);
  /// Drops `sectors`; the line leaves with its last one. Returns the state of the dropped sectors.
  LineState invalidate(LineNumber line, SectorMask sectors = kAllSectors);
  /// Sets the owner's byte of a present line; absent lines are left alone. A line enters with 0.
  void set_user(LineNumber line, std::uint8_t user);
  /// Back to the state after construction.
  void clear();

  [[nodiscard]] std::uint32_t sets() const { return sets_; }
  [[nodiscard]] std::uint32_t ways() const { return ways_; }
  [[nodiscard]] std::size_t lines_present() const { return present_; }
  /// The set a line belongs to: a hash, because sweeps on real parts fall off gradually near the capacity.
  [[nodiscard]] std::uint32_t set_of(LineNumber line) const { return scale_to(mix64(line ^ salt_), sets_); }

  /// Calls `visit(LineState)` for every present line, in an order fixed by the history of the array.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t slot = 0; slot < tags_.size(); ++slot) {
      if (tags_[slot] != kNoLine) {
        visit(state_of(slot));
      }
    }
  }

 private:
  struct Marks {
    std::uint8_t valid : 4;
    std::uint8_t dirty : 4;
    std::uint8_t user;
  };
  static constexpr std::size_t kNoSlot = ~std::size_t{0};

  [[nodiscard]] std::size_t first_slot(LineNumber line) const { return std::size_t{set_of(line)} * ways_; }
  [[nodiscard]] std::size_t find(LineNumber line) const { return find_from(line, first_slot(line)); }
  [[nodiscard]] std::size_t find_from(LineNumber line, std::size_t first) const;
  [[nodiscard]] std::size_t victim_from(std::size_t first) const;
  [[nodiscard]] LineState state_of(std::size_t slot) const {
    return {tags_[slot], marks_[slot].valid, marks_[slot].dirty, marks_[slot].user};
  }
  LineState enter(LineNumber line, SectorMask sectors, SectorMask dirty);
  void touch(std::size_t slot) { last_use_[slot] = ++uses_; }

  std::uint32_t sets_;
  std::uint32_t ways_;
  std::uint64_t salt_;
  std::size_t present_ = 0;
  std::vector<LineNumber> tags_;         ///< a set's ways side by side; kNoLine is a free way
  std::vector<Marks> marks_;             ///< by slot
  std::vector<std::uint64_t> last_use_;  ///< by slot; 0 is a free way
  std::uint64_t uses_ = 0;
};

}  // namespace gpusim::mem::cache

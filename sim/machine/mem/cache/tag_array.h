// SPDX-License-Identifier: MIT
// The tags of one sectored set-associative cache, as the L1 and the L2 slices use them: which sectors of which lines
// are valid, which are dirty, and which line leaves a full set. It knows nothing of time, ports or outstanding misses;
// a line enters when its data does (allocate on fill), so no line is ever pinned by a miss on its way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/divider.h"
#include "sim/base/hash.h"
#include "sim/base/prefetch.h"
#include "sim/base/types.h"
#include "sim/base/zeroed_array.h"
#include "sim/machine/mem/cache/line.h"
#include "sim/model/policy/replacement/classes.h"
#include "sim/model/policy/replacement/set.h"
#include "sim/model/policy/replacement/table.h"

namespace gpusim::mem::cache {

class TagArray {
 public:
  /// Any number of sets, up to 2^14 ways, at least one each. Caches of one machine pass different seeds, so that lines
  /// which collide in one do not collide in all.
  TagArray(std::uint32_t sets, std::uint32_t ways, std::uint64_t seed = 0,
           policy::Replacement replacement = policy::Replacement::kLru);
  /// As many whole sets as `bytes` hold, at least one.
  [[nodiscard]] static TagArray of_bytes(std::uint64_t bytes, std::uint32_t ways, std::uint64_t seed = 0,
                                         policy::Replacement replacement = policy::Replacement::kLru);

  /// The state of a line, all zero where it is absent; the order of use is left alone.
  [[nodiscard]] LineState probe(LineNumber line) const;
  /// Which of `sectors` are valid. A present line becomes the most recently used, whether or not all are.
  SectorMask lookup(LineNumber line, SectorMask sectors);
  /// As lookup() of all sectors, with everything the line holds.
  LineState use(LineNumber line);
  /// What a way holds, packed: a set's ways are what most often is not in the host's cache.
  class Way {
   public:
    Way() = default;
    explicit Way(LineNumber line) : bits_((line + 1) << kLineAt) {}
    [[nodiscard]] bool is_free() const { return bits_ == 0; }
    /// kNoLine of a free way.
    [[nodiscard]] LineNumber line() const { return (bits_ >> kLineAt) - 1; }
    [[nodiscard]] SectorMask valid() const { return bits_ & kAllSectors; }
    [[nodiscard]] SectorMask dirty() const { return bits_ >> kDirtyAt & kAllSectors; }
    [[nodiscard]] UserBits user() const { return bits_ >> kUserAt & kAllUserBits; }
    void add(SectorMask valid, SectorMask dirty) { bits_ |= valid | std::uint64_t{dirty} << kDirtyAt; }
    void remove(SectorMask sectors) { bits_ &= ~(sectors | std::uint64_t{sectors} << kDirtyAt); }
    void clean(SectorMask sectors) { bits_ &= ~(std::uint64_t{sectors} << kDirtyAt); }
    void set_user(UserBits user) {
      bits_ = (bits_ & ~(std::uint64_t{kAllUserBits} << kUserAt)) | std::uint64_t{user} << kUserAt;
    }

   private:
    static constexpr unsigned kDirtyAt = 4;
    static constexpr unsigned kUserAt = 8;
    static constexpr unsigned kLineAt = 16;
    std::uint64_t bits_ = 0;  ///< a free way is zero, as a new block is
  };
  /// What was when a line entered, and its way as find() gives it. A line's `user` is 0 then.
  struct Entered {
    Way left;  ///< what had to leave; free when nothing had to
    SectorMask valid_before = 0;
    SectorMask dirty_before = 0;
    Way* way = nullptr;
    [[nodiscard]] LineState evicted() const { return state_of(left); }
  };
  /// As fill(), and `dirty` (of `sectors`) are dirty.
  Entered enter(LineNumber line, SectorMask sectors, SectorMask dirty);
  /// Makes `sectors` of `line` valid and the line most recently used. Returns the line that had to leave for it
  /// (present() is false when none had to), with all it held.
  LineState fill(LineNumber line, SectorMask sectors);
  /// As fill(), and the sectors are dirty: a write that needs no data from below.
  LineState write(LineNumber line, SectorMask sectors);
  /// Marks those of `sectors` that are valid as dirty; returns them. The line becomes the most recently used.
  SectorMask mark_dirty(LineNumber line, SectorMask sectors);
  /// Forgets the dirtiness of `sectors` after they were written back; returns those that were dirty.
  SectorMask clean(LineNumber line, SectorMask sectors);
  /// Where more than `most` lines of the set of `line` are dirty, makes the one clean that the policy would let leave
  /// first of the others. Returns its state before; present() is false when none had to.
  LineState limit_dirty(LineNumber line, std::uint32_t most);
  /// Drops `sectors`; the line leaves with its last one. Returns the state of the dropped sectors.
  LineState invalidate(LineNumber line, SectorMask sectors = kAllSectors);
  /// The way of a line, until the array changes again, or nullptr; its owner may set `user` there.
  [[nodiscard]] Way* find(LineNumber line);
  /// A number of a way of this array, below place_count(): for what its owner keeps of some lines beside `user`.
  [[nodiscard]] std::size_t place_of(const Way* way) const {
    return static_cast<std::size_t>(way - reinterpret_cast<const Way*>(block(0)));
  }
  [[nodiscard]] std::size_t place_count() const { return sets_ * lines_a_set_ * sizeof(HostLine) / sizeof(Way); }
  /// Sets the order in which a present line leaves its set, until the line is next used. kFirst: before all other
  /// lines; kLast: after all lines that are not so marked.
  void set_eviction(LineNumber line, Eviction eviction);
  /// As set_eviction(line, kLast), but of a set at most `most` lines leave last: beyond them the one that was used
  /// least recently leaves when it is its turn again.
  void keep(LineNumber line, std::uint32_t most);
  /// Back to the state after construction.
  void clear();

  /// For the host's speed alone: fetches all that any use of the line may take.
  void prefetch_set(LineNumber line) const {
    gpusim::prefetch(block(home_of(line).set), lines_a_set_ * sizeof(HostLine));
  }

  [[nodiscard]] std::uint32_t sets() const { return sets_; }
  [[nodiscard]] std::uint32_t ways() const { return ways_; }
  [[nodiscard]] std::size_t lines_present() const { return present_; }
  /// The set a line belongs to. Lines are assigned to the sets in rounds, each rotated by a hash of its number:
  /// consecutive lines fill all sets alike, so that what fits hits (sweeps on real GPUs hit up to the capacity,
  /// te42kyfo/gpu-benches), and strides spread as by chance.
  [[nodiscard]] std::uint32_t set_of(LineNumber line) const { return static_cast<std::uint32_t>(home_of(line).set); }

  /// Calls `visit(LineState)` for every present line, in an order fixed by the history of the array.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t set = 0; set < sets_; ++set) {
      for (const Way *way = ways_of(set), *const end = way + ways_; way != end; ++way) {
        if (!way->is_free()) {
          visit(state_of(*way));
        }
      }
    }
  }

 private:
  /// A set is a block of whole cache lines of the host. It begins with what a search and the replacement need: eight
  /// bits of the hash of every way's round (its print), each way's rank, and the policy's word for the set, for common
  /// caches in one such line. Then come the ways, from the next line on.
  using Rank = policy::Rank;
  struct alignas(kHostLineBytes) HostLine {
    unsigned char bytes[kHostLineBytes];
  };
  /// Where a line belongs.
  struct Home {
    std::size_t set = 0;
    std::uint8_t print = 0;
  };
  /// The parts of a set's block, found once an operation.
  struct Set {
    unsigned char* prints;
    Rank* ranks;
    Way* ways;
  };
  static constexpr std::uint32_t kNoWay = policy::kNoWay;
  static constexpr Rank kLastBit = policy::kLastBit;

  [[nodiscard]] Home home_of(LineNumber line) const {
    const std::uint64_t round = by_sets_.quotient(line);
    const std::uint64_t hash = mix64(round ^ salt_);
    const std::uint64_t set = line - round * sets_ + scale_to(hash, sets_);
    return {set < sets_ ? set : set - sets_, static_cast<std::uint8_t>(hash)};
  }
  [[nodiscard]] const HostLine* block(std::size_t set) const { return &lines_[set * stride_]; }
  [[nodiscard]] HostLine* block(std::size_t set) { return &lines_[set * stride_]; }
  [[nodiscard]] Rank* ranks(std::size_t set) { return reinterpret_cast<Rank*>(block(set)->bytes + ranks_at_); }
  [[nodiscard]] Set set_at(std::size_t set) {
    HostLine* const first = block(set);
    return {first->bytes, reinterpret_cast<Rank*>(first->bytes + ranks_at_),
            reinterpret_cast<Way*>(first + head_lines_)};
  }
  [[nodiscard]] policy::RankedSet ranked(const Set& set, std::size_t number) {
    return {set.ranks, ways_, set.ranks[ways_], salt_ + number, number};
  }
  [[nodiscard]] Way* ways_of(std::size_t set) { return reinterpret_cast<Way*>(block(set) + head_lines_); }
  [[nodiscard]] const Way* ways_of(std::size_t set) const {
    return reinterpret_cast<const Way*>(block(set) + head_lines_);
  }
  [[nodiscard]] std::uint32_t find(const Home& home, LineNumber line) const;
  [[nodiscard]] std::uint32_t find(const unsigned char* prints, const Way* ways, std::uint8_t print,
                                   LineNumber line) const;
  [[nodiscard]] Way* find_and_use(LineNumber line);
  template <class Policy>
  Entered enter_by(Policy& policy, LineNumber line, SectorMask sectors, SectorMask dirty);
  [[nodiscard]] static LineState state_of(const Way& way) { return {way.line(), way.valid(), way.dirty(), way.user()}; }

  std::uint32_t sets_;
  std::uint32_t ways_;
  Divider by_sets_;
  std::uint64_t salt_;
  std::size_t present_ = 0;
  std::size_t ranks_at_;    ///< bytes from the beginning of a block
  std::size_t head_lines_;  ///< lines of a block before the ways
  std::size_t lines_a_set_;
  std::size_t stride_ = 0;  ///< from a set's block to the next; 0 until a line enters: all sets share an empty block
  policy::AnyReplacement replacement_;
  ZeroedArray<HostLine> lines_;
  std::vector<std::uint32_t> dirty_ways_;  ///< dirty ways of the set that limit_dirty() looks at, and their ranks
  std::vector<Rank> dirty_ranks_;
};

}  // namespace gpusim::mem::cache

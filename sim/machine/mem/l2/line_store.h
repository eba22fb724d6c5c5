// SPDX-License-Identifier: MIT
// The lines of a slice: its tags, which written sectors are only partly so, when a line leaves, and what of a line that
// leaves goes to DRAM. Owns the tags, which line was looked up last, and the counts of what left; writes to the
// partition's side of DRAM.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/address_space.h"
#include "sim/base/types.h"
#include "sim/machine/mem/cache/tag_array.h"
#include "sim/machine/mem/l2/functional_access.h"
#include "sim/machine/mem/l2/sectors.h"
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

/// The number in the tags of a line of the slice's own, or of a copy of its mirror's. The tags have 48 bits for a
/// number; those of all addresses that there are need fewer.
[[nodiscard]] constexpr cache::LineNumber line_in_tags(std::uint64_t slice_line, bool is_copy) {
  constexpr std::uint64_t kCopy = std::uint64_t{1} << 47;
  static_assert(kLocalEnd / kLineBytes <= kCopy);
  return slice_line | (is_copy ? kCopy : 0);
}

/// A write to an absent sector that does not cover all its bytes is kept with a byte mask: nothing is fetched until
/// somebody reads the sector (the lazy fetch on read that fits Volta's counters, Khairy et al., ISCA 2020), or until
/// the line leaves. Check bits cover a whole sector (dram.ecc), so DRAM cannot be written in part: the rest is read
/// first. An H200 reads as many sectors more as a strided copy writes in part, and none for what several writes cover
/// together (its kernels strided_copy and transpose under Nsight Compute). Simplified: pairs of
/// bytes that an instruction's lanes store are counted, not remembered, so what is written twice counts twice; single
/// bytes, copies of the TMA and spilled words count for nothing.
///
/// Only a share of a set's lines may be modified at once (l2.dirty_percent): one more, and that which would leave first
/// of them is written to DRAM early, and stays as a clean line.
class LineStore {
 public:
  /// What it works with; all of it outlives the slice.
  struct Around {
    const arch::L2Config& config;
    const map::AddressMap& map;
    const AccessWindow& window;
    DramSide& dram;
  };
  /// `local` counts in the partition, `global` in the GPU. With `has_check_bits` DRAM takes whole sectors only.
  LineStore(const Around& around, std::uint16_t local, std::uint32_t global, bool has_check_bits);

  /// Which of `sectors` are missing. A present line becomes the most recently used.
  [[nodiscard]] std::uint8_t missing(cache::LineNumber line, std::uint8_t sectors);
  /// Whether an eviction has its place: l2.queue_entries may wait for their channel, l2.mshrs for the rest of their
  /// sectors.
  [[nodiscard]] bool has_write_place() const;
  /// A write waits until there is a place, unless it sends no other line to DRAM for certain. (Of a set that is not at
  /// its limit a line that becomes dirty would not either: it waits for a place all the same.)
  [[nodiscard]] bool takes_write(cache::LineNumber line) const;

  /// `sectors` arrive.
  void fill(cache::LineNumber line, std::uint8_t sectors, Cycle now);
  /// What a write covers: all of the sectors in `full`, of the others a part.
  struct Coverage {
    cache::SectorMask full = 0;
    msg::WriteParts parts{};
  };
  /// The message's sectors are written; returns whether the other half may have a copy of the line.
  [[nodiscard]] bool write(const msg::Message& message, cache::LineNumber line, Coverage covered, Cycle now);
  /// The other half has a copy of a present line from now on; or has none any more.
  void set_copy(cache::LineNumber line, bool has_copy);
  void invalidate(cache::LineNumber line, std::uint8_t sectors);
  /// The message has used a present line: what is read or written for the last time soon leaves before other lines; of
  /// others keep_by_window() says when they leave.
  void age(const msg::Message& message, cache::LineNumber line);
  /// The kernel's access policy window, if the address lies in it, says when the line leaves.
  void keep_by_window(Address address, cache::LineNumber line);

  /// functional_access.cc: what an access does to the tags, without time.
  FunctionalResult access_functionally(const FunctionalRequest& request);
  /// For the host's speed alone: fetches what any use of the line may take.
  void prefetch(cache::LineNumber line) const { tags_.prefetch_set(line); }
  void clear();
  void restart() { counters_ = {}; }
  /// Sectors evicted, cleaned, and written to DRAM.
  [[nodiscard]] const stats::L2Counters& counters() const { return counters_; }

 private:
  static constexpr std::uint8_t kHasCopy = 1U << kSectorsPerLine;

  /// The line that has entered or been written last: the next call that marks it need not search.
  struct Latest {
    cache::LineNumber line = cache::kNoLine;
    cache::TagArray::Way* way = nullptr;
  };
  /// What a write found: the lines that had to leave, or to become clean, if any; and whether the other half may have a
  /// copy of the line.
  struct Written {
    cache::LineState evicted;
    cache::LineState cleaned;
    bool has_copy = false;
    cache::SectorMask readable = 0;  ///< those of all sectors that were readable before
  };
  Written enter_written(cache::LineNumber line, cache::SectorMask sectors, Coverage covered);
  void complete(const cache::LineState& cleaned);
  [[nodiscard]] cache::SectorMask count_parts(const cache::TagArray::Way& way, cache::SectorMask written,
                                              msg::WriteParts parts);
  void leave_by_window(Address address, cache::LineNumber line);
  /// Sends what a line had that was dirty to DRAM, and counts it with others that went there for the same cause.
  void write_back_if_dirty(const cache::LineState& line, std::uint64_t& sectors, Cycle now) {
    if (line.dirty != 0) {
      write_back(line, sectors, now);
    }
  }
  void write_back(const cache::LineState& line, std::uint64_t& sectors, Cycle now);

  // functional_access.cc
  [[nodiscard]] cache::SectorMask read_in(cache::LineNumber line, cache::SectorMask sectors, bool by_mirror);
  FunctionalResult read_functionally(const FunctionalRequest& request);
  FunctionalResult write_functionally(const FunctionalRequest& request);

  Around around_;
  std::uint16_t local_;
  std::uint32_t global_;
  cache::TagArray tags_;      ///< LineState::user: the partial sectors; and kHasCopy
  std::uint32_t most_dirty_;  ///< lines of a set that may be dirty at once
  Latest latest_;
  /// By place of the tags, how many of the 16 pairs of bytes of each partial sector have been written; of other sectors
  /// anything. Empty before the first such write.
  std::vector<std::array<std::uint8_t, kSectorsPerLine>> pairs_;
  bool reads_before_part_;  ///< DRAM is not written in part
  stats::L2Counters counters_;
};

}  // namespace gpusim::mem::l2

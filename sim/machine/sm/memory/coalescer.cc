// SPDX-License-Identifier: MIT
#include "sim/machine/sm/memory/coalescer.h"

#include <algorithm>
#include <bit>

#include "sim/base/hash.h"
#include "sim/machine/msg/payload.h"

namespace gpusim::sm {
namespace {

Address line_of(Address address) {
  return address & ~Address{kLineBytes - 1};
}

/// Sectors of one line that bytes [begin, end) of it touch.
std::uint8_t sector_mask(std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t first = begin / kSectorBytes;
  const std::uint32_t last = (end - 1) / kSectorBytes;
  return static_cast<std::uint8_t>((2U << last) - (1U << first));
}

/// The line that contains an access, or a thread's word in local memory.
Address base_line_of(Address base, DataPath path) {
  return is_local(path) ? local_line(base) : line_of(base);
}

/// Collects lines while lanes come in; remembers which bytes of each line are touched, to know whole sectors.
class LineCollector {
 public:
  explicit LineCollector(CoalescedAccess& access) : access_(access) { access_.line_count = 0; }

  void add(Address address, std::uint32_t bytes) {
    const Address line = line_of(address);
    const auto begin = static_cast<std::uint32_t>(address - line);
    const std::uint32_t in_sector = begin % kSectorBytes;
    if (in_sector + bytes <= kSectorBytes) [[likely]] {
      touch_sector(line, begin / kSectorBytes, ((std::uint64_t{1} << bytes) - 1) << in_sector);
      return;
    }
    const std::uint32_t end = std::min(begin + bytes, kLineBytes);
    touch(line, begin, end);
    if (begin + bytes > kLineBytes) {
      touch(line + kLineBytes, 0, begin + bytes - kLineBytes);
    }
  }

  /// Words of a lane's local memory.
  void add_local(Address of_thread, std::uint32_t lane, std::uint32_t bytes) {
    for (const Address end = of_thread + bytes; of_thread < end;) {
      const auto in_word = static_cast<std::uint32_t>(of_thread % kLocalWordBytes);
      const std::uint32_t begin = lane * kLocalWordBytes + in_word;
      const auto part = static_cast<std::uint32_t>(std::min<Address>(kLocalWordBytes - in_word, end - of_thread));
      touch(local_line(of_thread), begin, begin + part);
      of_thread += part;
    }
  }

  /// How much of the sectors that are not full has been touched. Needs finish().
  void note_parts() {
    for (std::uint32_t i = 0; i < access_.line_count; ++i) {
      LineAccess& line = access_.lines[i];
      const std::uint32_t partial = line.sectors & ~std::uint32_t{line.full};
      for (std::uint32_t rest = partial; rest != 0; rest &= rest - 1) {
        const auto s = static_cast<std::uint32_t>(std::countr_zero(rest));
        line.pairs = static_cast<std::uint16_t>(line.pairs | pairs_of(touched_[i][s]) << (msg::WriteParts::kBits * s));
      }
    }
  }

  /// At most `bytes` of a line have been touched at once.
  void finish(std::uint32_t bytes) {
    access_.sectors = 0;
    for (std::uint32_t i = 0; i < access_.line_count; ++i) {
      LineAccess& line = access_.lines[i];
      access_.sectors += static_cast<std::uint32_t>(std::popcount(line.sectors));
      if (line.lanes * bytes >= kSectorBytes) {
        note_full(line, touched_[i]);
      }
    }
  }

 private:
  using TouchedBytes = std::array<std::uint32_t, kSectorsPerLine>;  ///< one bit per byte

  /// Aligned pairs of bytes that are both among `bytes`, a bit each, which are not all.
  static std::uint32_t pairs_of(std::uint32_t bytes) {
    constexpr std::uint32_t kFirstOfPairs = 0x55555555;
    return static_cast<std::uint32_t>(std::popcount(bytes & bytes >> 1 & kFirstOfPairs));
  }

  static void note_full(LineAccess& line, const TouchedBytes& touched) {
    for (std::uint32_t s = 0; s < kSectorsPerLine; ++s) {
      line.full = static_cast<std::uint8_t>(line.full | (touched[s] == 0xffffffffU ? 1U << s : 0U));
    }
  }

  void touch(Address address, std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t index = find_or_add(static_cast<std::int64_t>(address));
    LineAccess& line = access_.lines[index];
    line.sectors = static_cast<std::uint8_t>(line.sectors | sector_mask(begin, end));
    ++line.lanes;
    for (std::uint32_t at = begin; at < end;) {
      const std::uint32_t sector = at / kSectorBytes;
      const std::uint32_t stop = std::min(end, (sector + 1) * kSectorBytes);
      const std::uint64_t bits = (std::uint64_t{1} << (stop - at)) - 1;
      touched_[index][sector] |= static_cast<std::uint32_t>(bits << (at % kSectorBytes));
      at = stop;
    }
  }

  /// As touch(), of bytes (a bit each) of one sector.
  void touch_sector(Address address, std::uint32_t sector, std::uint64_t bytes) {
    const std::uint32_t index = find_or_add(static_cast<std::int64_t>(address));
    LineAccess& line = access_.lines[index];
    line.sectors = static_cast<std::uint8_t>(line.sectors | 1U << sector);
    ++line.lanes;
    touched_[index][sector] |= static_cast<std::uint32_t>(bytes);
  }

  /// Neighbouring lanes mostly share a line; the others are found by hash, whatever their number.
  std::uint32_t find_or_add(std::int64_t address) {
    if (address == last_line_) {
      return last_;
    }
    last_line_ = address;
    std::size_t at = spread_to(static_cast<Address>(address) / kLineBytes, kBucketBits);
    for (; buckets_[at] != 0; at = (at + 1) % buckets_.size()) {
      if (access_.lines[buckets_[at] - 1U].line == address) {
        last_ = buckets_[at] - 1U;
        return last_;
      }
    }
    last_ = access_.line_count++;
    buckets_[at] = static_cast<std::uint8_t>(last_ + 1);
    access_.lines[last_] = {address};
    touched_[last_].fill(0);
    return last_;
  }

  static constexpr unsigned kBucketBits = 8;
  static_assert(kMaxLines < 1U << kBucketBits);

  CoalescedAccess& access_;
  std::int64_t last_line_ = 1;                             ///< no line has this address
  std::uint32_t last_ = 0;                                 ///< its index
  std::array<std::uint8_t, 1U << kBucketBits> buckets_{};  ///< 1 + a line's index; 0: free
  std::array<TouchedBytes, kMaxLines> touched_;
};

/// How many lanes want the most wanted word of each sector: the passes of an atomic through L2's unit.
void count_passes(const trace::LaneAddresses& addresses, LaneMask mask, CoalescedAccess& access) {
  std::array<std::array<std::uint8_t, kSectorsPerLine>, kMaxLines> most{};
  std::array<Address, kWarpLanes> words;
  std::array<std::uint8_t, kWarpLanes> wanted;
  std::uint32_t count = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const Address word = addresses.base + static_cast<Address>(addresses.offsets[lane]);
    const auto known =
        static_cast<std::uint32_t>(std::find(words.begin(), words.begin() + count, word) - words.begin());
    if (known == count) {
      words[count] = word;
      wanted[count++] = 0;
    }
    ++wanted[known];
    std::uint32_t line = 0;
    while (access.lines[line].line != static_cast<std::int64_t>(line_of(word))) {
      ++line;
    }
    std::uint8_t& sector = most[line][word % kLineBytes / kSectorBytes];
    sector = std::max(sector, wanted[known]);
  }
  for (std::uint32_t i = 0; i < access.line_count; ++i) {
    LineAccess& line = access.lines[i];
    for (std::uint32_t s = 0; s < kSectorsPerLine; ++s) {
      const std::uint8_t passes = (line.sectors >> s & 1U) != 0 ? std::max<std::uint8_t>(most[i][s], 1) : 0;
      line.passes = static_cast<std::uint8_t>(line.passes + passes);
      line.depth = std::max(line.depth, passes);
    }
  }
}

/// The exclusive or of a number's digits, each of so many bits.
[[gnu::always_inline]] inline std::uint32_t digits_together(std::uint64_t number, std::uint32_t bits) {
  constexpr std::uint32_t kBits = 64;
  for (std::uint32_t shift = bits * 16; shift >= bits; shift /= 2) {
    number ^= shift < kBits ? number >> shift : 0;
  }
  return static_cast<std::uint32_t>(number) & ((1U << bits) - 1);
}

/// Lines in one bank of tags follow each other.
template <class BankOf>
std::uint32_t tag_cycles(const CoalescedAccess& access, BankOf&& bank_of) {
  std::array<std::uint8_t, kWarpLanes> lines{};
  std::uint8_t most = 0;
  for (std::uint32_t i = 0; i < access.line_count; ++i) {
    most = std::max(most, ++lines[bank_of(static_cast<Address>(access.lines[i].line) / kLineBytes)]);
  }
  return most;
}
std::uint32_t tag_cycles(const CoalescedAccess& access, std::uint32_t banks) {
  constexpr std::uint32_t kCommonBits = 2;  // bits of a bank's number, on all GPUs so far
  if (banks == 1U << kCommonBits) [[likely]] {
    return tag_cycles(access, [](std::uint64_t line) { return digits_together(line, kCommonBits); });
  }
  return tag_cycles(access, [banks](std::uint64_t line) { return tag_bank(line, banks); });
}

/// Measured on A100 and H200: loads of power-of-two strides serialise on banks of data, of odd strides on those of
/// tags.
std::uint32_t wavefronts(const CoalescedAccess& access, std::uint32_t data_cycles, const L1DataStage& stage) {
  const bool needs_tags = access.line_count > 1 && access.line_count > data_cycles;
  const std::uint32_t tags = needs_tags ? tag_cycles(access, stage.tag_lines_per_cycle) : access.line_count > 0 ? 1 : 0;
  return std::max(tags, data_cycles);
}

std::uint32_t data_cycles(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width,
                          const L1DataStage& stage, std::uint32_t bytes) {
  switch (width.path) {
    case DataPath::kReads: return bank_passes(addresses, mask, width) * kLineBytes / stage.bytes_per_cycle;
    case DataPath::kLocalReads: {
      const std::uint32_t words = ceil_divide<std::uint32_t>(width.bytes_per_lane, kLocalWordBytes);
      return mask == 0 ? 0 : words * kLineBytes / stage.bytes_per_cycle;
    }
    case DataPath::kWrites:
    case DataPath::kLocalWrites:
    case DataPath::kAtomics: return ceil_divide(bytes, stage.bytes_per_cycle);
    case DataPath::kSkips: break;
  }
  return 0;
}

void collect_lines(const trace::LaneAddresses& addresses, LaneMask mask, const AccessWidth& width,
                   CoalescedAccess& access) {
  LineCollector lines(access);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const Address address = addresses.base + static_cast<Address>(addresses.offsets[lane]);
    if (is_local(width.path)) {
      lines.add_local(address, lane, width.bytes_per_lane);
    } else {
      lines.add(address, width.bytes_per_lane);
    }
  }
  lines.finish(width.bytes_per_lane);
  if (width.path == DataPath::kWrites) {
    lines.note_parts();
  }
}

/// As coalesce(); returns the cycles of data alone, which are the same wherever the access's lines are.
std::uint32_t coalesce_lines(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width,
                             const L1DataStage& stage, CoalescedAccess& access) {
  collect_lines(addresses, mask, width, access);
  access.bytes = lane_bytes(mask, width);
  if (width.path == DataPath::kAtomics) {
    count_passes(addresses, mask, access);
  }
  const std::uint32_t data = data_cycles(addresses, mask, width, stage, access.bytes);
  access.wavefronts = wavefronts(access, data, stage);
  return data;
}

}  // namespace

std::uint32_t tag_bank(std::uint64_t line_number, std::uint32_t banks) {
  const auto bits = static_cast<std::uint32_t>(std::countr_zero(banks));
  return bits == 0 ? 0 : digits_together(line_number, bits);
}

void coalesce(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width, const L1DataStage& stage,
              CoalescedAccess& access) {
  coalesce_lines(addresses, mask, width, stage, access);
}

Coalescer::Coalescer() : entries_(std::size_t{1} << kEntryBits) {}

const Coalescer::Entry& Coalescer::recall(const trace::LaneAddresses& addresses, LaneMask mask,
                                          const AccessWidth& width, const L1DataStage& stage, CoalescedAccess& access) {
  const PatternKey key = PatternKey::of(addresses, mask, width);
  Entry& entry = entries_[key.slot(kEntryBits)];
  if (entry.key == key) [[likely]] {
    return entry;
  }
  entry.key = key;
  entry.data_cycles = coalesce_lines(addresses, mask, width, stage, access);
  entry.bytes = access.bytes;
  entry.sectors = access.sectors;
  entry.lines.assign(access.lines.begin(), access.lines.begin() + access.line_count);
  const auto base_line = static_cast<std::int64_t>(base_line_of(addresses.base, width.path));
  for (LineAccess& line : entry.lines) {
    line.line -= base_line;
  }
  return entry;
}

void Coalescer::coalesce(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width,
                         const L1DataStage& stage, CoalescedAccess& access) {
  if (addresses.pattern == trace::LaneAddresses::kNoPattern) {
    coalesce_lines(addresses, mask, width, stage, access);
    return;
  }
  const Entry& entry = recall(addresses, mask, width, stage, access);
  const auto base_line = static_cast<std::int64_t>(base_line_of(addresses.base, width.path));
  access.line_count = static_cast<std::uint32_t>(entry.lines.size());
  access.bytes = entry.bytes;
  access.sectors = entry.sectors;
  for (std::uint32_t i = 0; i < access.line_count; ++i) {
    access.lines[i] = entry.lines[i];
    access.lines[i].line += base_line;
  }
  access.wavefronts = wavefronts(access, entry.data_cycles, stage);
}

std::span<const LineAccess> Coalescer::lines(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width) {
  const bool is_kept = is_local(width.path) || width.path == DataPath::kWrites;
  width.path = is_kept ? width.path : DataPath::kSkips;
  if (addresses.pattern == trace::LaneAddresses::kNoPattern) {
    collect_lines(addresses, mask, width, scratch_);
  } else {
    coalesce(addresses, mask, width, {}, scratch_);
  }
  return {scratch_.lines.data(), scratch_.line_count};
}

}  // namespace gpusim::sm

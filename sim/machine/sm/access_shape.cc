// SPDX-License-Identifier: MIT
#include "sim/machine/sm/access_shape.h"

#include <algorithm>
#include <bit>

#include "sim/base/hash.h"

namespace gpusim::sm {
namespace {

constexpr std::uint32_t kMatrixRowBytes = 16;
constexpr std::uint32_t kMatrixRows = 8;

std::uint32_t ceil_divide(std::uint32_t value, std::uint32_t by) {
  return (value + by - 1) / by;
}

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
  explicit LineCollector(GlobalShape& shape) : shape_(shape) { shape_.line_count = 0; }

  void add(Address address, std::uint32_t bytes) {
    const Address line = line_of(address);
    const auto begin = static_cast<std::uint32_t>(address - line);
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

  void finish() {
    shape_.sectors = 0;
    for (std::uint32_t i = 0; i < shape_.line_count; ++i) {
      LineAccess& access = shape_.lines[i];
      shape_.sectors += static_cast<std::uint32_t>(std::popcount(access.sectors));
      for (std::uint32_t s = 0; s < kSectorsPerLine; ++s) {
        if (touched_[i][s] == 0xffffffffU) {
          access.full = static_cast<std::uint8_t>(access.full | (1U << s));
        }
      }
    }
  }

 private:
  void touch(Address line, std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t index = find_or_add(static_cast<std::int64_t>(line));
    LineAccess& access = shape_.lines[index];
    access.sectors = static_cast<std::uint8_t>(access.sectors | sector_mask(begin, end));
    ++access.lanes;
    for (std::uint32_t at = begin; at < end;) {
      const std::uint32_t sector = at / kSectorBytes;
      const std::uint32_t stop = std::min(end, (sector + 1) * kSectorBytes);
      const std::uint64_t bits = (std::uint64_t{1} << (stop - at)) - 1;
      touched_[index][sector] |= static_cast<std::uint32_t>(bits << (at % kSectorBytes));
      at = stop;
    }
  }

  std::uint32_t find_or_add(std::int64_t line) {
    // Neighbouring lanes mostly share the line found last.
    for (std::uint32_t i = shape_.line_count; i-- > 0;) {
      if (shape_.lines[i].line == line) {
        return i;
      }
    }
    shape_.lines[shape_.line_count] = {line};
    touched_[shape_.line_count].fill(0);
    return shape_.line_count++;
  }

  GlobalShape& shape_;
  std::array<std::array<std::uint32_t, kSectorsPerLine>, kMaxLines> touched_;
};

/// The most passes any bank needs for the words that one phase touches.
class BankCounter {
 public:
  explicit BankCounter(bool serial) : serial_(serial) {}
  void add(Address address, std::uint32_t bytes) {
    for (Address word = address / kSharedBankBytes; word <= (address + bytes - 1) / kSharedBankBytes; ++word) {
      add_word(word);
    }
  }
  [[nodiscard]] std::uint32_t passes() const { return most_; }

 private:
  void add_word(Address word) {
    const auto bank = static_cast<std::uint32_t>(word % kSharedBanks);
    for (std::uint32_t i = 0; i < counts_[bank] && !serial_; ++i) {
      if (words_[bank][i] == word) {
        return;
      }
    }
    words_[bank][counts_[bank]++] = word;
    most_ = std::max<std::uint32_t>(most_, counts_[bank]);
  }

  bool serial_;
  std::uint32_t most_ = 0;
  std::array<std::uint8_t, kSharedBanks> counts_{};
  std::array<std::array<Address, kWarpLanes>, kSharedBanks> words_;  // valid below counts_
};

std::uint32_t bank_passes(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width) {
  const std::uint32_t step = lanes_a_phase(width);
  const std::uint32_t bytes = width.matrices > 0 ? kMatrixRowBytes : width.bytes_per_lane;
  const std::uint32_t lanes = width.matrices > 0 ? width.matrices * kMatrixRows : kWarpLanes;
  std::uint32_t passes = 0;
  for (std::uint32_t begin = 0; begin < lanes; begin += step) {
    BankCounter counter(width.serial);
    for (std::uint32_t lane = begin; lane < begin + step; ++lane) {
      if ((mask >> lane & 1U) != 0) {
        counter.add(addresses.base + static_cast<Address>(addresses.offsets[lane]), bytes);
      }
    }
    passes += counter.passes();
  }
  return passes;
}

std::uint32_t lane_bytes(LaneMask mask, AccessWidth width) {
  return width.matrices > 0 ? width.matrices * kMatrixRows * kMatrixRowBytes
                            : static_cast<std::uint32_t>(std::popcount(mask)) * width.bytes_per_lane;
}

/// How many lanes want the most wanted word of each sector: the passes of an atomic through L2's unit.
void count_passes(const trace::LaneAddresses& addresses, LaneMask mask, GlobalShape& shape) {
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
    while (shape.lines[line].line != static_cast<std::int64_t>(line_of(word))) {
      ++line;
    }
    std::uint8_t& sector = most[line][word % kLineBytes / kSectorBytes];
    sector = std::max(sector, wanted[known]);
  }
  for (std::uint32_t i = 0; i < shape.line_count; ++i) {
    LineAccess& line = shape.lines[i];
    for (std::uint32_t s = 0; s < kSectorsPerLine; ++s) {
      const std::uint8_t passes = (line.sectors >> s & 1U) != 0 ? std::max<std::uint8_t>(most[i][s], 1) : 0;
      line.passes = static_cast<std::uint8_t>(line.passes + passes);
      line.depth = std::max(line.depth, passes);
    }
  }
}

/// Lines in one bank of tags follow each other.
std::uint32_t tag_cycles(const GlobalShape& shape, std::uint32_t banks) {
  std::array<std::uint8_t, kWarpLanes> lines{};
  std::uint8_t most = 0;
  for (std::uint32_t i = 0; i < shape.line_count; ++i) {
    const auto number = static_cast<Address>(shape.lines[i].line) / kLineBytes;
    most = std::max(most, ++lines[tag_bank(number, banks)]);
  }
  return most;
}

/// Measured on A100 and H200: loads of power-of-two strides serialise on banks of data, of odd strides on those of
/// tags.
std::uint32_t wavefronts(const GlobalShape& shape, std::uint32_t data_cycles, const L1DataStage& stage) {
  const bool needs_tags = shape.line_count > 1 && shape.line_count > data_cycles;
  const std::uint32_t tags = needs_tags ? tag_cycles(shape, stage.tag_lines_per_cycle) : shape.line_count > 0 ? 1 : 0;
  return std::max(tags, data_cycles);
}

std::uint32_t data_cycles(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width,
                          const L1DataStage& stage, std::uint32_t bytes) {
  switch (width.path) {
    case DataPath::kReads: return bank_passes(addresses, mask, width) * kLineBytes / stage.bytes_per_cycle;
    case DataPath::kLocalReads: {
      const std::uint32_t words = ceil_divide(width.bytes_per_lane, kLocalWordBytes);
      return mask == 0 ? 0 : words * kLineBytes / stage.bytes_per_cycle;
    }
    case DataPath::kWrites:
    case DataPath::kLocalWrites:
    case DataPath::kAtomics: return ceil_divide(bytes, stage.bytes_per_cycle);
    case DataPath::kSkips: break;
  }
  return 0;
}

/// As shape_global(); returns the cycles of data alone, which are the same wherever the access's lines are.
std::uint32_t shape_lines(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width,
                          const L1DataStage& stage, GlobalShape& shape) {
  LineCollector lines(shape);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const Address address = addresses.base + static_cast<Address>(addresses.offsets[lane]);
    if (is_local(width.path)) {
      lines.add_local(address, lane, width.bytes_per_lane);
    } else {
      lines.add(address, width.bytes_per_lane);
    }
  }
  lines.finish();
  shape.bytes = lane_bytes(mask, width);
  if (width.path == DataPath::kAtomics) {
    count_passes(addresses, mask, shape);
  }
  const std::uint32_t data = data_cycles(addresses, mask, width, stage, shape.bytes);
  shape.wavefronts = wavefronts(shape, data, stage);
  return data;
}

}  // namespace

std::uint32_t lanes_a_phase(AccessWidth width) {
  if (width.matrices > 0) {
    return kMatrixRows;
  }
  return width.bytes_per_lane <= 4 ? kWarpLanes : (width.bytes_per_lane == 8 ? kWarpLanes / 2 : kWarpLanes / 4);
}

std::uint32_t tag_bank(std::uint64_t line_number, std::uint32_t banks) {
  constexpr std::uint32_t kBits = 64;
  const auto digit = static_cast<std::uint32_t>(std::countr_zero(banks));
  if (digit == 0) {
    return 0;
  }
  for (std::uint32_t shift = digit * 16; shift >= digit; shift /= 2) {
    line_number ^= shift < kBits ? line_number >> shift : 0;
  }
  return static_cast<std::uint32_t>(line_number) & (banks - 1);
}

void shape_global(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width, const L1DataStage& stage,
                  GlobalShape& shape) {
  shape_lines(addresses, mask, width, stage, shape);
}

SharedShape shape_shared(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width) {
  if (mask == 0) {
    return {};
  }
  // Of a matrix load only some lanes give addresses; without one of them it still passes through.
  const std::uint32_t bytes = lane_bytes(mask, width);
  return {std::max(1U, bank_passes(addresses, mask, width)), ceil_divide(bytes, kSharedBytesPerCycle), bytes};
}

ShapeCache::ShapeCache() : global_(kEntries), shared_(kEntries) {}

ShapeCache::Key ShapeCache::key_of(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width) {
  const std::uint32_t offset_of = is_local(width.path) ? kLocalWordBytes : kLineBytes;
  return {addresses.pattern,    mask,           static_cast<std::uint8_t>(addresses.base % offset_of),
          width.bytes_per_lane, width.matrices, width.path,
          width.serial};
}

std::size_t ShapeCache::index_of(const Key& key) {
  const std::uint64_t word = (std::uint64_t{key.pattern} << 32 | key.mask) ^ (std::uint64_t{key.offset} << 24) ^
                             (std::uint64_t{key.bytes_per_lane} << 16) ^ (key.serial ? 1U : 0U);
  return mix64(word) % kEntries;
}

void ShapeCache::global(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width,
                        const L1DataStage& stage, GlobalShape& shape) {
  if (addresses.pattern == trace::LaneAddresses::kNoPattern) {
    shape_global(addresses, mask, width, stage, shape);
    return;
  }
  const auto base_line = static_cast<std::int64_t>(base_line_of(addresses.base, width.path));
  const Key key = key_of(addresses, mask, width);
  GlobalEntry& entry = global_[index_of(key)];
  if (!(entry.key == key)) {
    const std::uint32_t data_cycles = shape_lines(addresses, mask, width, stage, shape);
    if (shape.line_count > kMostLines) {
      return;
    }
    entry.key = key;
    entry.line_count = shape.line_count;
    entry.data_cycles = data_cycles;
    entry.bytes = shape.bytes;
    entry.sectors = shape.sectors;
    for (std::uint32_t i = 0; i < shape.line_count; ++i) {
      entry.lines[i] = shape.lines[i];
      entry.lines[i].line -= base_line;
    }
    return;
  }
  shape.line_count = entry.line_count;
  shape.bytes = entry.bytes;
  shape.sectors = entry.sectors;
  for (std::uint32_t i = 0; i < entry.line_count; ++i) {
    shape.lines[i] = entry.lines[i];
    shape.lines[i].line += base_line;
  }
  shape.wavefronts = wavefronts(shape, entry.data_cycles, stage);
}

SharedShape ShapeCache::shared(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width) {
  if (addresses.pattern == trace::LaneAddresses::kNoPattern) {
    return shape_shared(addresses, mask, width);
  }
  const Key key = key_of(addresses, mask, width);
  SharedEntry& entry = shared_[index_of(key)];
  if (!(entry.key == key)) {
    entry.key = key;
    entry.shape = shape_shared(addresses, mask, width);
  }
  return entry.shape;
}

}  // namespace gpusim::sm

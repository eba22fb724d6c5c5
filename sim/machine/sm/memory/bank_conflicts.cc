// SPDX-License-Identifier: MIT
#include "sim/machine/sm/memory/bank_conflicts.h"

#include <algorithm>
#include <array>
#include <bit>

#include "sim/base/rounding.h"

namespace gpusim::sm {
namespace {

constexpr std::uint32_t kMatrixRowBytes = 16;
constexpr std::uint32_t kMatrixRows = 8;

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

/// Whether all active lanes have the address of the lane `distance` away, where that is active.
bool pairs_share(const trace::LaneAddresses& addresses, LaneMask mask, std::uint32_t distance) {
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t other = lane ^ distance;
    if ((mask >> lane & 1U) != 0 && (mask >> other & 1U) != 0 && addresses.offsets[lane] != addresses.offsets[other]) {
      return false;
    }
  }
  return true;
}

/// Whether the reply to a load packs pairs of lanes.
bool is_packed(const trace::LaneAddresses& addresses, LaneMask mask, const AccessWidth& width) {
  return width.packs && width.matrices == 0 && width.bytes_per_lane > kSharedBankBytes &&
         (pairs_share(addresses, mask, 1) || pairs_share(addresses, mask, 2));
}

/// Passes of phases of `step` lanes.
std::uint32_t passes_in_phases(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width,
                               std::uint32_t step) {
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

}  // namespace

std::uint32_t lanes_a_phase(AccessWidth width) {
  if (width.matrices > 0) {
    return kMatrixRows;
  }
  return width.bytes_per_lane <= 4 ? kWarpLanes : (width.bytes_per_lane == 8 ? kWarpLanes / 2 : kWarpLanes / 4);
}

std::uint32_t bank_passes(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width) {
  return passes_in_phases(addresses, mask, width, lanes_a_phase(width));
}

std::uint32_t lane_bytes(LaneMask mask, AccessWidth width) {
  return width.matrices > 0 ? width.matrices * kMatrixRows * kMatrixRowBytes
                            : static_cast<std::uint32_t>(std::popcount(mask)) * width.bytes_per_lane;
}

SharedPasses passes_of(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width) {
  if (mask == 0) {
    return {};
  }
  // In a matrix load only some lanes give addresses. If none of those takes part, the load still makes one pass.
  const std::uint32_t bytes = lane_bytes(mask, width);
  const std::uint32_t ideal = ceil_divide(bytes, kSharedBytesPerCycle);
  const std::uint32_t unpacked = std::max(1U, bank_passes(addresses, mask, width));
  if (!is_packed(addresses, mask, width)) {
    return {unpacked, ideal, bytes, unpacked};
  }
  const std::uint32_t packed = passes_in_phases(addresses, mask, width, 2 * lanes_a_phase(width));
  return {packed, std::min(packed, ideal), bytes, unpacked};
}

BankConflictCache::BankConflictCache() : entries_(std::size_t{1} << kEntryBits) {}

SharedPasses BankConflictCache::passes_of(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width) {
  if (addresses.pattern == trace::LaneAddresses::kNoPattern) {
    return sm::passes_of(addresses, mask, width);
  }
  const PatternKey key = PatternKey::of(addresses, mask, width);
  Entry& entry = entries_[key.slot(kEntryBits)];
  if (!(entry.key == key)) {
    entry.key = key;
    entry.passes = sm::passes_of(addresses, mask, width);
  }
  return entry.passes;
}

}  // namespace gpusim::sm

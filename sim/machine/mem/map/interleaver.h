// SPDX-License-Identifier: MIT
// Assigns items to places in rounds: every round of as many items as there are places is a permutation.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "sim/base/divider.h"

namespace gpusim::mem::map {

struct Round {
  std::uint32_t place = 0;
  std::uint64_t number = 0;
};

/// The number of places is a power of two, within which a hash picks, times the rest, within which the digits of the
/// item's number to that base pick: the sum of two. The first digit is even for every stride that shares no factor with
/// the base, the second for those that do.
class Interleaver {
 public:
  static constexpr unsigned kMostBits = 4;

  Interleaver() = default;
  /// The power of two is at most 2^`most_bits` and 2^kMostBits. Items that differ in its bits only have one hash.
  Interleaver(std::uint32_t places, unsigned most_bits)
      : bits_(std::min({most_bits, kMostBits, static_cast<unsigned>(std::countr_zero(places))})),
        free_bits_((std::uint32_t{1} << bits_) - 1),
        others_(places >> bits_),
        by_pair_(others_.divisor() <= kMostTabled ? others_.divisor() * others_.divisor() : 1) {
    for (std::uint32_t low = 0; low <= free_bits_; ++low) {
      first_places_[low] = reversed(low) * (places >> bits_);
    }
    const auto others = static_cast<std::uint32_t>(others_.divisor());
    for (std::uint32_t pair = 0; others <= kMostTabled && pair < others * others; ++pair) {
      pairs_[pair] = {static_cast<std::uint8_t>(place_of(pair % others, pair / others)),
                      static_cast<std::uint8_t>(pair / others)};
    }
  }

  /// The bits of an item that its hash must not depend on.
  [[nodiscard]] std::uint64_t free_bits() const { return free_bits_; }

  /// `hash` is one of the item without its free bits.
  [[nodiscard]] Round assign(std::uint64_t item, std::uint32_t hash) const {
    const std::uint32_t first = first_places_[(static_cast<std::uint32_t>(item) ^ hash) & free_bits_];
    const std::uint64_t rest = item >> bits_;
    const auto others = static_cast<std::uint32_t>(others_.divisor());
    if (others == 1) {
      return {first, rest};
    }
    if (others <= kMostTabled) [[likely]] {
      const std::uint64_t higher = by_pair_.quotient(rest);
      const Digits& digits = pairs_[rest - higher * by_pair_.divisor()];
      return {first + digits.place, higher * others + digits.second};
    }
    const std::uint64_t number = others_.quotient(rest);
    return {first + place_of(static_cast<std::uint32_t>(rest - number * others),
                             static_cast<std::uint32_t>(others_.remainder(number))),
            number};
  }

  /// The number of the round alone, for which no hash is needed.
  [[nodiscard]] std::uint64_t number_of(std::uint64_t item) const {
    const std::uint64_t rest = item >> bits_;
    return others_.divisor() == 1 ? rest : others_.quotient(rest);
  }

  /// The inverse; `hash_of` is asked once, for the item without its free bits.
  template <typename HashOf>
  [[nodiscard]] std::uint64_t item_of(const Round& round, const HashOf& hash_of) const {
    const auto others = static_cast<std::uint32_t>(others_.divisor());
    const std::uint64_t digit = (round.place % others + others - others_.remainder(round.number)) % others;
    const std::uint64_t item = (round.number * others + digit) << bits_;
    return item | ((reversed(round.place / others) ^ hash_of(item)) & free_bits());
  }

 private:
  /// Up to here the two lowest digits together are looked up.
  static constexpr std::uint32_t kMostTabled = 15;
  struct Digits {
    std::uint8_t place = 0;   ///< that they pick
    std::uint8_t second = 0;  ///< the higher of the two
  };

  /// That the two lowest digits of an item's number pick.
  [[nodiscard]] std::uint32_t place_of(std::uint32_t first, std::uint32_t second) const {
    const auto others = static_cast<std::uint32_t>(others_.divisor());
    const std::uint32_t sum = first + second;
    return sum < others ? sum : sum - others;
  }

  static constexpr std::array<std::uint8_t, 16> kReversed{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

  /// Neighbours are assigned to places far apart: to the two halves of L2 in turn, and to channels of different stacks.
  [[nodiscard]] std::uint32_t reversed(std::uint32_t low) const {
    return std::uint32_t{kReversed[low]} >> (kMostBits - bits_);
  }

  unsigned bits_ = 0;
  std::uint32_t free_bits_ = 0;
  Divider others_;
  Divider by_pair_;
  std::array<std::uint32_t, 1U << kMostBits> first_places_{};  ///< the first place of each group of `others_`
  std::array<Digits, kMostTabled * kMostTabled> pairs_{};      ///< by the number of the two digits
};

}  // namespace gpusim::mem::map

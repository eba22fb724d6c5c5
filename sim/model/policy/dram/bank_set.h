// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace gpusim::policy {

/// A set of banks; iteration is in ascending order.
class BankSet {
 public:
  /// The most banks that a channel may have: HBM3 has 16 for each of up to four stack identifiers (JESD238).
  static constexpr std::uint32_t kMostBanks = 64;

  BankSet() = default;
  void insert(std::uint32_t bank) { mask_ |= std::uint64_t{1} << bank; }
  void erase(std::uint32_t bank) { mask_ &= ~(std::uint64_t{1} << bank); }
  void clear() { mask_ = 0; }
  [[nodiscard]] bool empty() const { return mask_ == 0; }
  [[nodiscard]] bool contains(std::uint32_t bank) const { return (mask_ >> bank & 1) != 0; }
  [[nodiscard]] BankSet within(BankSet other) const { return BankSet(mask_ & other.mask_); }
  [[nodiscard]] BankSet without(BankSet other) const { return BankSet(mask_ & ~other.mask_); }

  /// The lowest; of a set that is not empty.
  [[nodiscard]] std::uint32_t first() const { return static_cast<std::uint32_t>(std::countr_zero(mask_)); }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint64_t left = mask_; left != 0; left &= left - 1) {
      visit(static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }

 private:
  explicit BankSet(std::uint64_t mask) : mask_(mask) {}
  std::uint64_t mask_ = 0;
};

}  // namespace gpusim::policy

// SPDX-License-Identifier: MIT
// Division by a number that is known at run time but never changes, as address maps need for counts that are not powers
// of two: a multiplication instead of the processor's slow division.
#pragma once

#include <cassert>
#include <cstdint>

namespace gpusim {

class Divider {
 public:
  /// Beyond it quotients take the processor's division.
  static constexpr std::uint64_t kMostDivisor = (std::uint64_t{1} << 32) - 1;

  constexpr Divider() = default;
  /// `divisor` is not 0.
  constexpr explicit Divider(std::uint64_t divisor)
      : divisor_(divisor),
        magic_(~std::uint64_t{0} / divisor + 1),
        exact_below_(divisor == 1 ? 0 : ~std::uint64_t{0} / divisor) {
    assert(divisor >= 1);
  }

  [[nodiscard]] constexpr std::uint64_t quotient(std::uint64_t n) const {
    if (n >= exact_below_) {
      return divisor_ == 1 ? n : n / divisor_;
    }
    // magic = ceil(2^64 / d) errs by less than d / 2^64, which n < 2^64 / d cannot turn into a whole unit.
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{n} * magic_) >> 64);
  }
  [[nodiscard]] constexpr std::uint64_t remainder(std::uint64_t n) const { return n - quotient(n) * divisor_; }
  [[nodiscard]] constexpr std::uint64_t divisor() const { return divisor_; }

 private:
  std::uint64_t divisor_ = 1;
  std::uint64_t magic_ = 0;
  std::uint64_t exact_below_ = 0;
};

}  // namespace gpusim

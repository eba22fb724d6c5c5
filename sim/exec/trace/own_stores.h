// SPDX-License-Identifier: MIT
// Bytes that an SM has changed since the last exchange, so that it sees its own stores before the others do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace gpusim::exec {

class OwnStores {
 public:
  OwnStores() : buckets_(kLeastBuckets) {}

  /// Whether none of the bytes from `low` up to, not including, `high` can be there.
  [[nodiscard]] bool misses(Address low, Address high) const { return high <= low_ || low >= high_; }

  /// Up to 16 bytes, aligned to their number.
  void put(Address address, const std::byte* bytes, unsigned count);
  /// Replaces those of the bytes that are there.
  void patch(Address address, std::byte* bytes, unsigned count) const;
  void clear();

 private:
  /// 32 bytes of memory.
  struct Sector {
    Address number = 0;         ///< address / 32
    std::uint32_t written = 0;  ///< one bit per byte
    std::array<std::byte, kSectorBytes> bytes;
  };
  struct Bucket {
    std::uint32_t generation = 0;  ///< a bucket of another generation than the present one is free
    std::uint32_t sector = 0;
  };
  static constexpr std::size_t kLeastBuckets = 64;

  [[nodiscard]] std::size_t bucket_of(Address number) const;
  Sector& sector(Address number);
  void grow();

  std::vector<Sector> sectors_;
  std::vector<Bucket> buckets_;  ///< open addressing; a power of two
  std::uint32_t generation_ = 1;
  Address low_ = ~Address{0};  ///< what was put lies in [low_, high_)
  Address high_ = 0;
};

}  // namespace gpusim::exec

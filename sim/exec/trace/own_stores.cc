// SPDX-License-Identifier: MIT
#include "sim/exec/trace/own_stores.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace gpusim::exec {
namespace {

std::uint32_t byte_bits(Address address, unsigned count) {
  const std::uint64_t bits = (std::uint64_t{1} << count) - 1;
  return static_cast<std::uint32_t>(bits << address % kSectorBytes);
}

}  // namespace

/// Where the sector is, or where it would be.
std::size_t OwnStores::bucket_of(Address number) const {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
  const std::size_t mask = buckets_.size() - 1;
  std::size_t at = number * kGolden >> 32U & mask;
  while (buckets_[at].generation == generation_ && sectors_[buckets_[at].sector].number != number) {
    at = (at + 1) & mask;
  }
  return at;
}

OwnStores::Sector& OwnStores::sector(Address number) {
  if (!sectors_.empty() && sectors_.back().number == number) {
    return sectors_.back();  // neighbouring lanes
  }
  std::size_t at = bucket_of(number);
  if (buckets_[at].generation == generation_) {
    return sectors_[buckets_[at].sector];
  }
  if (2 * (sectors_.size() + 1) > buckets_.size()) {
    grow();
    at = bucket_of(number);
  }
  buckets_[at] = {generation_, static_cast<std::uint32_t>(sectors_.size())};
  sectors_.emplace_back().number = number;
  return sectors_.back();
}

void OwnStores::grow() {
  buckets_.assign(2 * buckets_.size(), {});
  generation_ = 1;
  for (std::uint32_t i = 0; i < sectors_.size(); ++i) {
    buckets_[bucket_of(sectors_[i].number)] = {generation_, i};
  }
}

void OwnStores::put(Address address, const std::byte* bytes, unsigned count) {
  Sector& to = sector(address / kSectorBytes);
  std::memcpy(to.bytes.data() + address % kSectorBytes, bytes, count);
  to.written |= byte_bits(address, count);
  low_ = std::min(low_, address);
  high_ = std::max(high_, address + count);
}

void OwnStores::patch(Address address, std::byte* bytes, unsigned count) const {
  const Bucket& bucket = buckets_[bucket_of(address / kSectorBytes)];
  if (bucket.generation != generation_) {
    return;
  }
  const Sector& from = sectors_[bucket.sector];
  const std::size_t begin = address % kSectorBytes;
  for (std::uint32_t there = from.written & byte_bits(address, count); there != 0; there &= there - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(there));
    bytes[at - begin] = from.bytes[at];
  }
}

void OwnStores::clear() {
  if (sectors_.empty()) {
    return;
  }
  sectors_.clear();
  if (++generation_ == 0) {
    std::ranges::fill(buckets_, Bucket{});
    generation_ = 1;
  }
  low_ = ~Address{0};
  high_ = 0;
}

}  // namespace gpusim::exec

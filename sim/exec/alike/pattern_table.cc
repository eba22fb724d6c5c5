// SPDX-License-Identifier: MIT
#include "sim/exec/alike/pattern_table.h"

namespace gpusim::exec {
namespace {

std::size_t hash_of(const std::array<std::int64_t, kWarpLanes>& offsets) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
  std::uint64_t hash = 0;
  for (const std::int64_t offset : offsets) {
    hash = (hash ^ static_cast<std::uint64_t>(offset)) * kGolden;
    hash ^= hash >> 32U;
  }
  return hash;
}

}  // namespace

bool PatternTable::Pattern::fits(const std::array<std::int64_t, kWarpLanes>& other) const {
  std::int64_t different = 0;
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    different |= offsets[lane] ^ other[lane];
  }
  return different == 0;
}

const PatternTable::Pattern* PatternTable::find_or_add(const std::array<std::int64_t, kWarpLanes>& offsets) {
  const std::scoped_lock lock(mutex_);
  if (buckets_.empty()) {
    buckets_.resize(2 * kMost);
  }
  std::size_t at = hash_of(offsets) % buckets_.size();
  for (; buckets_[at] != nullptr; at = (at + 1) % buckets_.size()) {
    if (buckets_[at]->fits(offsets)) {
      return buckets_[at];
    }
  }
  if (patterns_.size() == kMost) {
    return nullptr;
  }
  patterns_.push_back(std::make_unique<const Pattern>(Pattern{offsets, static_cast<std::uint32_t>(patterns_.size())}));
  buckets_[at] = patterns_.back().get();
  return buckets_[at];
}

trace::LaneAddresses LastPatterns::of(std::uint32_t pc, trace::AccessSlot slot, const AddressRow& addresses,
                                      Address base, std::array<std::int64_t, kWarpLanes>& offsets) {
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    offsets[lane] = static_cast<std::int64_t>(addresses.of[lane] - base);
  }
  Last& last = last_[2 * std::size_t{pc} + static_cast<std::size_t>(slot)];
  if (last.pattern != nullptr && last.pattern->fits(offsets)) {
    last.changes = 0;
    return {base, last.pattern->offsets.data(), last.pattern->number};
  }
  if (last.changes < kPatience) {
    ++last.changes;
    if (const PatternTable::Pattern* const found = table_.find_or_add(offsets)) {
      last.pattern = found;
      return {base, found->offsets.data(), found->number};
    }
  }
  return {base, offsets.data(), trace::LaneAddresses::kNoPattern};
}

}  // namespace gpusim::exec

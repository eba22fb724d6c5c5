// SPDX-License-Identifier: MIT
#include "sim/system/memory/allocator.h"

#include <algorithm>
#include <iterator>

#include "sim/base/rounding.h"

namespace gpusim::memory {

std::uint64_t CachingAllocator::rounded(std::uint64_t bytes) {
  return std::max(kRounding, round_up(bytes, kRounding));
}

std::uint64_t CachingAllocator::segment_bytes(std::uint64_t bytes) {
  const std::uint64_t size = rounded(bytes);
  if (size <= kLargestSmall) {
    return kSmallSegment;
  }
  return size < kOwnSegment ? kLargeSegment : round_up(size, kSegmentRounding);
}

std::optional<std::uint64_t> CachingAllocator::take_segment(std::uint64_t bytes, Stream stream) {
  const std::uint64_t size = segment_bytes(bytes);
  if (size > driver_free()) {
    ++stats_.retries;
    empty_cache();
  }
  if (size > driver_free()) {
    return std::nullopt;
  }
  const std::uint64_t at = next_address_;
  // A gap, so that parts of two segments are never neighbours.
  next_address_ += size + kSegmentRounding;
  parts_[at] = {size, false, bytes <= kLargestSmall, stream, true, true};
  stats_.reserved += size;
  stats_.peak_reserved = std::max(stats_.peak_reserved, stats_.reserved);
  return at;
}

/// Uses a free part that is in no pool; what is left of it becomes a part of the pool, where it is worth that.
std::uint64_t CachingAllocator::use(std::uint64_t at, std::uint64_t bytes) {
  Part& part = parts_.at(at);
  const std::uint64_t rest = part.bytes - bytes;
  if (part.small ? rest >= kRounding : rest > kLargestSmall) {
    parts_[at + bytes] = {rest, false, part.small, part.stream, false, part.last};
    pool_of(part).emplace(rest, at + bytes);
    part.bytes = bytes;
    part.last = false;
  }
  part.used = true;
  stats_.allocated += part.bytes;
  stats_.peak_allocated = std::max(stats_.peak_allocated, stats_.allocated);
  return at;
}

std::optional<CachingAllocator::Block> CachingAllocator::allocate(std::uint64_t bytes, Stream stream) {
  const std::uint64_t size = rounded(bytes);
  Pool& pool = pool_of(size <= kLargestSmall, stream);
  if (const auto found = pool.lower_bound({size, 0}); found != pool.end()) {
    const std::uint64_t at = found->second;
    pool.erase(found);
    return use(at, size);
  }
  const std::optional<std::uint64_t> segment = take_segment(size, stream);
  return segment ? std::optional(use(*segment, size)) : std::nullopt;
}

/// Joins a free part with the one behind it, which must be free.
void CachingAllocator::join_next(std::uint64_t at) {
  Part& part = parts_.at(at);
  const auto next = parts_.find(at + part.bytes);
  part.bytes += next->second.bytes;
  part.last = next->second.last;
  parts_.erase(next);
}

void CachingAllocator::free(Block block) {
  auto at = parts_.find(block);
  Pool& pool = pool_of(at->second);
  at->second.used = false;
  stats_.allocated -= at->second.bytes;
  if (const auto next = std::next(at); !at->second.last && !next->second.used) {
    pool.erase({next->second.bytes, next->first});
    join_next(at->first);
  }
  if (at->second.first) {
    pool.emplace(at->second.bytes, at->first);
    return;
  }
  const auto before = std::prev(at);
  if (before->second.used) {
    pool.emplace(at->second.bytes, at->first);
    return;
  }
  pool.erase({before->second.bytes, before->first});
  join_next(before->first);
  pool.emplace(before->second.bytes, before->first);
}

void CachingAllocator::empty_cache() {
  for (auto at = parts_.begin(); at != parts_.end();) {
    const Part& part = at->second;
    if (part.used || !part.first || !part.last) {
      ++at;
      continue;
    }
    pool_of(part).erase({part.bytes, at->first});
    stats_.reserved -= part.bytes;
    at = parts_.erase(at);
  }
}

std::uint64_t CachingAllocator::largest_cached() const {
  const auto largest = [](const Pool& pool) { return pool.empty() ? 0 : std::prev(pool.end())->first; };
  std::uint64_t most = 0;
  for (const Pool& pool : pools_) {
    most = std::max(most, largest(pool));
  }
  return most;
}

}  // namespace gpusim::memory

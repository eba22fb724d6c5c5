// SPDX-License-Identifier: MIT
// PyTorch's caching allocator: rounding, segments, splits, joins, retries; and what always holds, whatever is asked.
#include "sim/system/memory/allocator.h"

#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/units.h"

namespace system_memory_allocator_test {

using namespace gpusim;
using namespace gpusim::memory;

namespace {

constexpr std::uint64_t kPlenty = 8 * kGi;

CachingAllocator::Block must_allocate(CachingAllocator& allocator, std::uint64_t bytes) {
  const auto block = allocator.allocate(bytes);
  REQUIRE(block.has_value());
  return *block;
}

}  // namespace

TEST_CASE("sizes are rounded up to 512 bytes, and small blocks share a segment of 2 MiB") {
  CachingAllocator allocator(kPlenty);
  (void)must_allocate(allocator, 1);
  CHECK(allocator.stats().allocated == 512);
  CHECK(allocator.stats().reserved == 2 * kMi);
  (void)must_allocate(allocator, 513);
  (void)must_allocate(allocator, kMi);
  CHECK(allocator.stats().allocated == 512 + 1024 + kMi);
  CHECK(allocator.stats().reserved == 2 * kMi);
}

TEST_CASE("blocks above 1 MiB share segments of 20 MiB, and from 10 MiB on each has its own") {
  CachingAllocator allocator(kPlenty);
  (void)must_allocate(allocator, kMi + 1);
  CHECK(allocator.stats().reserved == 20 * kMi);
  (void)must_allocate(allocator, 10 * kMi - 512);
  CHECK(allocator.stats().reserved == 20 * kMi);
  (void)must_allocate(allocator, 10 * kMi);
  CHECK(allocator.stats().reserved == 30 * kMi);
  (void)must_allocate(allocator, 11 * kMi + 1);
  CHECK(allocator.stats().reserved == 42 * kMi);
}

TEST_CASE("a large block keeps a rest of up to 1 MiB, which counts as allocated") {
  CachingAllocator allocator(kPlenty);
  const auto block = must_allocate(allocator, 20 * kMi);
  allocator.free(block);
  (void)must_allocate(allocator, 19 * kMi);
  CHECK(allocator.stats().allocated == 20 * kMi);
  CHECK(allocator.stats().reserved == 20 * kMi);
  CachingAllocator other(kPlenty);
  other.free(must_allocate(other, 20 * kMi));
  (void)must_allocate(other, 19 * kMi - 512);
  CHECK(other.stats().allocated == 19 * kMi - 512);
}

TEST_CASE("the smallest free block that is large enough serves a request") {
  CachingAllocator allocator(kPlenty);
  const auto large = must_allocate(allocator, 64 * kMi);
  const auto fitting = must_allocate(allocator, 32 * kMi);
  allocator.free(large);
  allocator.free(fitting);
  CHECK(must_allocate(allocator, 30 * kMi) == fitting);
  CHECK(allocator.stats().reserved == 96 * kMi);
}

TEST_CASE("free neighbours are joined, and a segment without blocks in use goes back to the driver") {
  CachingAllocator allocator(kPlenty);
  std::vector<CachingAllocator::Block> blocks;
  for (int i = 0; i < 4; ++i) {
    blocks.push_back(must_allocate(allocator, 5 * kMi));
  }
  CHECK(allocator.stats().reserved == 20 * kMi);
  allocator.free(blocks[1]);
  allocator.free(blocks[3]);
  allocator.empty_cache();
  CHECK(allocator.stats().reserved == 20 * kMi);
  allocator.free(blocks[2]);
  CHECK(allocator.largest_cached() == 15 * kMi);
  allocator.free(blocks[0]);
  CHECK(allocator.largest_cached() == 20 * kMi);
  allocator.empty_cache();
  CHECK(allocator.stats().reserved == 0);
  CHECK(allocator.stats().peak_reserved == 20 * kMi);
}

TEST_CASE("a request that the driver cannot serve gives cached segments back and tries again") {
  CachingAllocator allocator(100 * kMi);
  allocator.free(must_allocate(allocator, 60 * kMi));
  (void)must_allocate(allocator, 80 * kMi);
  CHECK(allocator.stats().retries == 1);
  CHECK(allocator.stats().reserved == 80 * kMi);
  CHECK_FALSE(allocator.allocate(21 * kMi).has_value());
  CHECK(allocator.stats().retries == 2);
  CHECK(allocator.driver_free() == 20 * kMi);
}

TEST_CASE("fragments of segments in use do not serve a request that they could serve together") {
  CachingAllocator allocator(200 * kMi);
  std::vector<CachingAllocator::Block> blocks;
  for (int i = 0; i < 10; ++i) {
    blocks.push_back(must_allocate(allocator, 10 * kMi));
    blocks.push_back(must_allocate(allocator, 10 * kMi));
  }
  for (std::size_t i = 0; i < blocks.size(); i += 2) {
    allocator.free(blocks[i]);
  }
  CHECK(allocator.stats().reserved - allocator.stats().allocated == 100 * kMi);
  // Each had its own segment, so that they go back to the driver and come as one.
  CHECK(allocator.allocate(90 * kMi).has_value());
}

TEST_CASE("what one stream freed does not serve another") {
  CachingAllocator allocator(kPlenty);
  allocator.free(must_allocate(allocator, 64 * kMi));
  const auto other = allocator.allocate(64 * kMi, Stream::kReduction);
  REQUIRE(other.has_value());
  CHECK(allocator.stats().reserved == 128 * kMi);
  allocator.free(*other);
  (void)must_allocate(allocator, 64 * kMi);
  CHECK(allocator.stats().reserved == 128 * kMi);
}

TEST_CASE("whatever is asked, blocks do not overlap, and sums hold") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    CachingAllocator allocator(kGi);
    std::vector<std::pair<CachingAllocator::Block, std::uint64_t>> live;
    std::uint64_t sum = 0;
    for (int step = 0; step < 2000; ++step) {
      if (random() % 100 < 55) {
        const std::uint64_t bytes = std::uint64_t{1} << (random() % 27);
        const std::uint64_t wanted = bytes + random() % bytes;
        if (const auto block = allocator.allocate(wanted)) {
          const std::uint64_t size = allocator.size_of(*block);
          REQUIRE(size >= CachingAllocator::rounded(wanted));
          REQUIRE(size <= CachingAllocator::rounded(wanted) + kMi);
          for (const auto& [at, bytes_there] : live) {
            REQUIRE((*block + size <= at || at + bytes_there <= *block));
          }
          live.emplace_back(*block, size);
          sum += size;
        }
      } else if (!live.empty()) {
        std::swap(live[random() % live.size()], live.back());
        allocator.free(live.back().first);
        sum -= live.back().second;
        live.pop_back();
      }
      REQUIRE(allocator.stats().allocated == sum);
      REQUIRE(allocator.stats().reserved >= sum);
      REQUIRE(allocator.stats().reserved <= kGi);
      REQUIRE(allocator.stats().peak_allocated >= sum);
    }
    for (const auto& [block, size] : live) {
      allocator.free(block);
    }
    allocator.empty_cache();
    REQUIRE(allocator.stats().allocated == 0);
    REQUIRE(allocator.stats().reserved == 0);
  }
}

}  // namespace system_memory_allocator_test

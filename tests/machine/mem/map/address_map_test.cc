// SPDX-License-Identifier: MIT
#include "sim/machine/mem/map/address_map.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"

namespace address_map_test {

using gpusim::Address;
using gpusim::arch::L2Config;
using gpusim::mem::map::AddressMap;
using gpusim::mem::map::Place;

namespace {

struct Counts {
  std::uint32_t halves, partitions, slices, channels;
  std::uint64_t interleave;
  std::uint64_t slice_share = 128;
};

L2Config config(const Counts& counts) {
  L2Config l2;
  l2.halves = counts.halves;
  l2.partitions = counts.partitions;
  l2.slices = counts.slices;
  l2.interleave_bytes = counts.interleave;
  l2.slice_share_bytes = counts.slice_share;
  return l2;
}

AddressMap map_of(const Counts& counts) {
  return {config(counts), counts.channels};
}

/// H100's, A100's, V100's shapes, and some that are not powers of two anywhere.
const std::vector<Counts> kShapes{{2, 10, 80, 160, 8192},  {2, 10, 80, 80, 8192},       {1, 8, 64, 64, 2048},
                                  {2, 12, 96, 192, 4096},  {2, 6, 42, 30, 384},         {1, 1, 7, 3, 128},
                                  {1, 5, 5, 5, 1024},      {2, 10, 80, 160, 4096, 512}, {2, 6, 42, 30, 1536, 256},
                                  {1, 5, 5, 5, 1024, 1024}};

double worst(const std::vector<std::uint32_t>& counts) {
  double sum = 0;
  for (const std::uint32_t count : counts) {
    sum += count;
  }
  return *std::max_element(counts.begin(), counts.end()) * static_cast<double>(counts.size()) / sum;
}

}  // namespace

TEST_CASE("every line has a place of its own, and both inverses find it") {
  for (const Counts& shape : kShapes) {
    const AddressMap map = map_of(shape);
    std::mt19937_64 random(1);
    for (int i = 0; i < 2000; ++i) {
      const Address line = (i < 1000 ? static_cast<Address>(i) : random() >> (7 + random() % 40)) * 128;
      const Place place = map.locate(line + random() % 128);
      REQUIRE(map.address_in_slice(place.slice, place.slice_line) == line);
      REQUIRE(map.address_in_channel(place.channel, place.channel_line) == line);
      REQUIRE(map.home_slice(line) == place.slice);
      REQUIRE(map.slice_line(line) == place.slice_line);
      REQUIRE(map.channel_line(line).channel == place.channel);
      REQUIRE(map.channel_line(line).line == place.channel_line);
      REQUIRE(map.home_partition(line) == place.partition);
      REQUIRE(map.partition_of_slice(place.slice) == place.partition);
      REQUIRE(place.channel / map.channels_per_partition() == place.partition);
    }
  }
}

TEST_CASE("the lines of a slice and of a channel are dense") {
  for (const Counts& shape : kShapes) {
    const AddressMap map = map_of(shape);
    const std::uint64_t lines = shape.interleave / 128 * shape.partitions * map.slices_per_partition() * 10;
    std::set<std::pair<std::uint32_t, std::uint64_t>> slices;
    std::uint64_t largest = 0;
    for (std::uint64_t i = 0; i < lines; ++i) {
      const Place place = map.locate(i * 128);
      slices.insert({place.slice, place.slice_line});
      largest = std::max(largest, place.slice_line);
    }
    CHECK(slices.size() == lines);
    CHECK((largest + 1) * shape.slices == lines);
  }
}

TEST_CASE("no stride favours a partition, a slice or a channel") {
  for (const Counts& shape : kShapes) {
    const AddressMap map = map_of(shape);
    // A hash spreads no better than chance: a quarter above the mean is six standard deviations for 512 lines each.
    const std::uint64_t lines = std::max(16'384U, 512 * std::max(shape.slices, shape.channels));
    for (std::uint32_t k = 7; k <= 40; ++k) {
      for (const std::uint64_t stride : {1ULL << k, (1ULL << k) + 1, 3ULL << k}) {
        std::vector<std::uint32_t> partitions(shape.partitions), slices(shape.slices), channels(shape.channels);
        for (std::uint64_t i = 0; i < lines; ++i) {
          const Place place = map.locate(i * stride);
          ++partitions[place.partition];
          ++slices[place.slice];
          ++channels[place.channel];
        }
        CAPTURE(shape.partitions, shape.slices, stride);
        CHECK(worst(partitions) <= 1.25);
        CHECK(worst(slices) <= 1.25);
        CHECK(worst(channels) <= 1.25);
      }
    }
  }
}

TEST_CASE("consecutive bytes up to the interleave share a partition") {
  const AddressMap map = map_of(kShapes[0]);
  const std::uint32_t first = map.home_partition(8192 * 123);
  CHECK(map.home_partition(8192 * 123 + 8191) == first);
}

TEST_CASE("halves of shares alternate between two slices, and the shares go round the slices") {
  const AddressMap map = map_of({2, 10, 80, 160, 4096, 512});
  const auto slices_of = [&map](std::uint64_t bytes) {
    std::set<std::uint32_t> slices;
    for (Address address = 0; address < bytes; address += 128) {
      slices.insert(map.home_slice(40 * 4096 + address));
    }
    return slices.size();
  };
  CHECK(slices_of(256) == 1);
  CHECK(slices_of(512) == 2);
  CHECK(slices_of(1024) == 2);
  CHECK(slices_of(2048) == 4);
  CHECK(slices_of(4096) == 8);
}

TEST_CASE("an SM asks the home slice in its own half, and the mirror of a home in the other") {
  const AddressMap map = map_of(kShapes[0]);
  for (Address line = 0; line < 128 * 1000; line += 128) {
    const std::uint32_t home = map.home_slice(line);
    const std::uint32_t half = map.half_of_partition(map.partition_of_slice(home));
    REQUIRE(map.near_slice(line, half).slice == home);
    REQUIRE_FALSE(map.near_slice(line, half).is_mirror);
    const std::uint32_t mirror = map.near_slice(line, 1 - half).slice;
    REQUIRE(map.near_slice(line, 1 - half).is_mirror);
    REQUIRE(mirror == map.mirror_slice(home));
    REQUIRE(map.mirror_slice(mirror) == home);
    REQUIRE(map.half_of_partition(map.partition_of_slice(mirror)) == 1 - half);
    REQUIRE(mirror % map.slices_per_partition() == home % map.slices_per_partition());
  }
}

TEST_CASE("with one half everyone asks the home") {
  const AddressMap map = map_of(kShapes[2]);
  CHECK(map.near_slice(4096, 0).slice == map.home_slice(4096));
  CHECK_FALSE(map.near_slice(4096, 0).is_mirror);
  CHECK(map.mirror_slice(5) == 5);
}

}  // namespace address_map_test

// SPDX-License-Identifier: MIT
#include "sim/mem/dram/address_map.h"

#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "tests/mem/dram/presets.h"

using gpusim::mem::dram::AddressMap;
using gpusim::mem::dram::burst_mask;
using gpusim::test::hbm3;

TEST_CASE("the map fills every row of every bank exactly, for any number of groups and banks") {
  auto config = hbm3();
  for (const auto& [groups, banks, row_bytes] : {std::tuple{4U, 8U, 1024U}, {3U, 5U, 1152U}, {1U, 1U, 128U}}) {
    config.bank_groups = groups;
    config.banks_per_group = banks;
    config.row_bytes = row_bytes;
    const AddressMap map(config);
    const std::uint64_t bursts_a_row = row_bytes / config.burst_bytes;
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> found;
    const std::uint64_t rows = 7;
    for (std::uint64_t burst = 0; burst < rows * groups * banks * bursts_a_row; ++burst) {
      const auto place = map.place(burst);
      REQUIRE(place.bank < groups * banks);
      ++found[{place.row, place.bank}];
    }
    CHECK(found.size() == rows * groups * banks);
    for (const auto& [where, count] : found) {
      REQUIRE(count == bursts_a_row);
    }
  }
}

TEST_CASE("a stream visits all bank groups in turn and leaves a bank only when its row is done") {
  const auto config = hbm3();
  const AddressMap map(config);
  std::set<std::uint32_t> groups;
  std::set<std::uint32_t> banks;
  for (std::uint64_t burst = 0; burst < 16; ++burst) {
    groups.insert(map.place(burst).bank / config.banks_per_group);
  }
  for (std::uint64_t burst = 0; burst < config.bank_groups * config.row_bytes / config.burst_bytes; ++burst) {
    banks.insert(map.place(burst).bank);
  }
  CHECK(groups.size() == config.bank_groups);
  CHECK(banks.size() == config.bank_groups);
}

TEST_CASE("the bursts of a sector mask follow the burst's size") {
  CHECK(burst_mask(0b1011, 32) == 0b1011);
  CHECK(burst_mask(0b1011, 64) == 0b11);
  CHECK(burst_mask(0b1000, 64) == 0b10);
  CHECK(burst_mask(0b1000, 128) == 0b1);
}

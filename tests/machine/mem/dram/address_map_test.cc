// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/address_map.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "tests/machine/mem/dram/presets.h"

namespace address_map_test {

using Catch::Matchers::Contains;
using gpusim::mem::dram::AddressMap;
using gpusim::mem::dram::burst_mask;
using gpusim::mem::dram::Place;
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

TEST_CASE("every mapping by expression fills every row of every bank exactly") {
  auto config = hbm3();
  for (const char* mapping : {"row bank column group", "row column bank^ group^",
                              "row column/2 bank/2 column group^ bank^", "row group row/4 bank column"}) {
    INFO(mapping);
    config.mapping = mapping;
    const AddressMap map(config);
    const std::uint64_t bursts_a_row = config.row_bytes / config.burst_bytes;
    const std::uint64_t banks = config.bank_groups * config.banks_per_group;
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> found;
    for (std::uint64_t burst = 0; burst < 8 * banks * bursts_a_row; ++burst) {
      const auto place = map.place(burst);
      REQUIRE(place.bank < banks);
      REQUIRE(place.row < 8);
      ++found[{place.row, place.bank}];
    }
    CHECK(found.size() == 8 * banks);
    CHECK(std::ranges::all_of(found, [&](const auto& one) { return one.second == bursts_a_row; }));
  }
}

TEST_CASE(
    "address fields of a mapping count from the least significant one, and those without a hash lie where they say") {
  auto config = hbm3();
  config.bank_groups = 4;
  config.banks_per_group = 4;
  config.row_bytes = 1024;  // 8 lines
  const std::uint64_t bursts = 128 / config.burst_bytes;
  const auto place = [&](const char* mapping, std::uint64_t line) {
    config.mapping = mapping;
    return AddressMap(config).place(line * bursts);
  };
  CHECK(place("row bank column group", 3) == Place{12, 0});
  CHECK(place("row bank column group", 4 * 8) == Place{1, 0});
  CHECK(place("row bank column group", 4 * 8 * 4) == Place{0, 1});
  CHECK(place("row group bank column", 8) == Place{1, 0});
  CHECK(place("row group bank column", 8 * 4) == Place{4, 0});
  CHECK(place("row column/4 bank group column", 2) == Place{4, 0});
  CHECK(place("row column/4 bank group column", 2 * 16) == Place{0, 0});
  CHECK(place("row column/4 bank group column", 2 * 16 * 4) == Place{0, 1});
  CHECK(place("row bank/2 column group bank", 1) == Place{1, 0});
  CHECK(place("row bank/2 column group bank", 2 * 4 * 8) == Place{2, 0});
}

TEST_CASE("a mapping that is not one-to-one is refused with what is wrong") {
  auto config = hbm3();
  const auto problem = [&](const char* mapping) {
    config.mapping = mapping;
    const auto parsed = gpusim::arch::parse_mapping(config);
    const auto* const found = std::get_if<gpusim::arch::MappingProblem>(&parsed);
    return found == nullptr ? std::string("none") : found->what + "; " + found->hint;
  };
  CHECK(problem("row bank^ column group^") == "none");
  CHECK(problem("row  bank column/2 column group") == "none");
  CHECK(problem("row bank column") ==
        "is not one-to-one: lines that differ in 'group' would lie at one place; add 'group'");
  CHECK_THAT(problem("row bank bank column group"), Contains("it takes all of 'bank' twice"));
  CHECK_THAT(problem("row bank column/3 column group"),
             Contains("its address fields of 'column' have 3 values, and a channel 8; they must divide them"));
  CHECK_THAT(problem("row bank column/2 group column/2"),
             Contains("have 4 values, and a channel 8; they must have as many"));
  CHECK_THAT(problem("bank row column group"), Contains("must begin with 'row'"));
  CHECK_THAT(problem("row/4 bank column group"), Contains("must begin with 'row'"));
  CHECK_THAT(problem(""), Contains("must begin with 'row'"));
  CHECK_THAT(problem("row bnak column group"),
             Contains("has 'bnak', which is none of row, bank, column, group") && Contains("bank"));
  CHECK_THAT(problem("row bank column/0 group"), Contains("needs a whole number of values above 1"));
  CHECK_THAT(problem("row bank column/99999999999999999999 group"), Contains("needs a whole number"));
  CHECK_THAT(
      problem("row bank column group group/2 group/2 group/2 group/2 group/2 group/2 group/2 group/2 group/2 group/2 "
              "group/2 group/2 group/2"),
      Contains("more than 16 address fields"));
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

}  // namespace address_map_test

// SPDX-License-Identifier: MIT
#include "sim/machine/mem/cache/mshr.h"

#include <map>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

using gpusim::mem::cache::kAllSectors;
using gpusim::mem::cache::LineNumber;
using gpusim::mem::cache::MshrTable;
using gpusim::mem::cache::SectorMask;

namespace {

using Table = MshrTable<int>;

std::vector<int> complete(Table& table, LineNumber line, SectorMask sectors) {
  std::vector<int> ready;
  table.complete(table.find(line), sectors, [&](int target) { ready.push_back(target); });
  return ready;
}

}  // namespace

TEST_CASE("a merge asks only for sectors that are not on their way") {
  Table table(4);
  const auto entry = table.allocate(100, 0b0001);
  CHECK(table.add_target(entry, 0b0001, 1) == 0);
  CHECK(table.add_target(entry, 0b0011, 2) == 0b0010);
  CHECK(table.add_target(entry, 0b0011, 3) == 0);
  CHECK(table.outstanding(entry) == 0b0011);
  CHECK(table.find(100) == entry);
  CHECK(table.find(101) == Table::kNone);
}

TEST_CASE("a target comes back when its last sector arrives, in order of coming") {
  Table table(4);
  const auto entry = table.allocate(5, 0b1111);
  table.add_target(entry, 0b0011, 1);
  table.add_target(entry, 0b0001, 2);
  table.add_target(entry, 0b1100, 3);
  table.add_target(entry, 0b0010, 4);
  CHECK(complete(table, 5, 0b0001) == std::vector<int>{2});
  CHECK(complete(table, 5, 0b0110) == std::vector<int>{1, 4});
  CHECK_FALSE(table.empty());
  CHECK(complete(table, 5, 0b1000) == std::vector<int>{3});
  CHECK(table.empty());
  CHECK(table.find(5) == Table::kNone);
}

TEST_CASE("a sector that arrived and is wanted again is asked for again") {
  Table table(1);
  const auto entry = table.allocate(5, 0b0011);
  table.add_target(entry, 0b0011, 1);
  CHECK(complete(table, 5, 0b0001).empty());
  CHECK(table.add_target(entry, 0b0001, 2) == 0b0001);
  CHECK(complete(table, 5, 0b0010) == std::vector<int>{1});
  CHECK(complete(table, 5, 0b0001) == std::vector<int>{2});
  CHECK(table.empty());
}

TEST_CASE("entries and merges are bounded") {
  Table table(3, 2);
  for (LineNumber line = 0; line < 3; ++line) {
    REQUIRE(table.can_allocate());
    table.allocate(line, 1);
  }
  CHECK_FALSE(table.can_allocate());
  const auto entry = table.find(1);
  table.add_target(entry, 1, 1);
  CHECK(table.can_merge(entry));
  table.add_target(entry, 1, 2);
  CHECK_FALSE(table.can_merge(entry));
  CHECK(complete(table, 1, 1) == std::vector<int>{1, 2});
  CHECK(table.can_allocate());
}

TEST_CASE("a table that was reset behaves as a fresh one") {
  Table table(2, 1);
  table.add_target(table.allocate(1, 1), 1, 1);
  table.allocate(2, 1);
  table.reset();
  CHECK(table.empty());
  CHECK(table.find(1) == Table::kNone);
  const auto entry = table.allocate(1, 0b1000);
  CHECK(table.can_merge(entry));
  CHECK(complete(table, 1, 0b1000).empty());
}

TEST_CASE("every target comes back exactly once and no line is lost among others") {
  std::mt19937_64 random(11);
  Table table(37);
  std::map<LineNumber, std::map<int, SectorMask>> naive;  // targets by line, with what they still miss
  std::map<LineNumber, SectorMask> asked;
  int next = 0;
  int back = 0;
  for (int step = 0; step < 50000; ++step) {
    const LineNumber line = (random() % 90) << 20;
    const auto sectors = static_cast<SectorMask>(1 + random() % kAllSectors);
    const auto entry = table.find(line);
    REQUIRE((entry != Table::kNone) == (asked.count(line) != 0));
    if (random() % 2 == 0) {
      if (entry == Table::kNone && !table.can_allocate()) {
        REQUIRE(asked.size() == 37);
        continue;
      }
      const auto use = entry == Table::kNone ? table.allocate(line, sectors) : entry;
      const auto before = entry == Table::kNone ? sectors : asked[line];
      REQUIRE(table.add_target(use, sectors, next) == (sectors & ~before));
      asked[line] = static_cast<SectorMask>(before | sectors);
      naive[line][next++] = sectors;
    } else if (entry != Table::kNone) {
      std::vector<int> expected;
      for (auto& [target, missing] : naive[line]) {
        missing &= static_cast<SectorMask>(~sectors);
        if (missing == 0) {
          expected.push_back(target);
        }
      }
      REQUIRE(complete(table, line, sectors) == expected);
      for (const int target : expected) {
        naive[line].erase(target);
        ++back;
      }
      asked[line] &= static_cast<SectorMask>(~sectors);
      if (asked[line] == 0) {
        REQUIRE(naive[line].empty());
        asked.erase(line);
      }
    }
  }
  int waiting = 0;
  for (const auto& [line, targets] : naive) {
    waiting += static_cast<int>(targets.size());
  }
  CHECK(back + waiting == next);
  CHECK(back > 1000);
}

// SPDX-License-Identifier: MIT
#include "sim/model/stats/interval_table.h"

#include <catch2/catch.hpp>

#include "sim/base/hash.h"

using namespace gpusim;
using stats::StallCycles;
using Table = stats::IntervalTable<StallCycles>;

namespace {

/// A thousand events, up to a cycle that needs longer intervals; those of one part only, of `parts`.
Table filled(std::uint64_t part, std::uint64_t parts, Cycle last) {
  Table table;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    if (i % parts == part) {
      table.at(mix64(i) % last)[0] += i;
    }
  }
  return table;
}

}  // namespace

TEST_CASE("intervals begin with 64 cycles and double when time goes beyond 256 of them") {
  Table table;
  table.at(64 * 256 - 1)[0] = 1;
  CHECK(table.shift() == 6);
  table.at(64 * 256)[0] = 1;
  CHECK(table.shift() == 7);
  table.reach(Cycle{1} << 30U);
  CHECK(table.shift() == 23);
}

TEST_CASE("a table that doubles its intervals merges neighbours and loses nothing") {
  Table table;
  table.at(0)[1] = 5;
  table.at(64)[1] = 7;
  table.at(130)[1] = 9;
  table.at(64 * 256)[2] = 1;
  CHECK(table.row(0)[1] == 12);
  CHECK(table.row(1)[1] == 9);
  CHECK(table.row(128)[2] == 1);
  CHECK(stats::total(table.row(2)) == 0);
}

TEST_CASE("tables filled in parts and merged are the table filled at once") {
  for (const Cycle last : {Cycle{1000}, Cycle{100'000}, Cycle{10'000'000}}) {
    const Table whole = filled(0, 1, last);
    Table merged;
    for (std::uint64_t part = 0; part < 3; ++part) {
      merged.merge(filled(part, 3, last));
    }
    REQUIRE(merged.shift() == whole.shift());
    for (std::size_t i = 0; i < stats::kMostIntervals; ++i) {
      CHECK(merged.row(i) == whole.row(i));
    }
  }
}

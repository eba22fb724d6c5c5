// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/timing_table.h"

#include <catch2/catch.hpp>

#include "tests/machine/mem/dram/presets.h"

namespace timing_table_test {

using namespace gpusim::mem::dram;
using gpusim::test::hbm3;

namespace {

using enum Command;

constexpr std::uint32_t kBanksPerGroup = 8;
constexpr std::uint32_t kHere = 9;         // in group 1
constexpr std::uint32_t kSameGroup = 10;   // also in group 1
constexpr std::uint32_t kOtherGroup = 17;  // in group 2

/// Clocks from `from` at kHere to the first `to` at each place; 0 where nothing relates them.
struct Gaps {
  Command from;
  Command to;
  Clock same_bank;
  Clock same_group;
  Clock other_group;
};

constexpr Clock kStart = 1000;

Clock gap(const Gaps& row, std::uint32_t bank) {
  TimingTable table(hbm3());
  table.issue(row.from, kHere, kStart);
  const Clock earliest = table.earliest(row.to, bank);
  return earliest == 0 ? 0 : earliest - kStart;
}

}  // namespace

TEST_CASE("every pair of commands keeps its JEDEC distance, by bank, group and channel") {
  const auto t = hbm3().timing;
  const Clock write_data = t.CWL + t.BL;
  const std::vector<Gaps> rows{
      {kActivate, kActivate, t.RC, t.RRDL, t.RRDS},
      {kActivate, kRead, t.RCDRD, 0, 0},
      {kActivate, kWrite, t.RCDWR, 0, 0},
      {kActivate, kPrecharge, t.RAS, 1, 1},
      {kPrecharge, kActivate, t.RP, 1, 1},
      {kPrecharge, kPrecharge, 1, 1, 1},
      {kPrecharge, kRefresh, t.RP, t.RP, t.RP},
      {kRead, kRead, t.CCDL, t.CCDL, t.CCDS},
      {kWrite, kWrite, t.CCDL, t.CCDL, t.CCDS},
      {kRead, kWrite, t.RTW, t.RTW, t.RTW},
      {kWrite, kRead, write_data + t.WTRL, write_data + t.WTRL, write_data + t.WTRS},
      {kRead, kPrecharge, t.RTP, 0, 0},
      {kWrite, kPrecharge, write_data + t.WR, 0, 0},
      {kRead, kActivate, 0, 0, 0},
      {kRefresh, kActivate, t.RFC, t.RFC, t.RFC},
      {kRefresh, kRefresh, t.RFC, t.RFC, t.RFC},
      {kRefreshBank, kActivate, t.RFCpb, t.RREFD, t.RREFD},
      {kRefreshBank, kRead, 0, 0, 0},
      {kRefreshBank, kPrecharge, 1, 1, 1},
  };
  for (const Gaps& row : rows) {
    CAPTURE(static_cast<int>(row.from), static_cast<int>(row.to));
    CHECK(gap(row, kHere) == row.same_bank);
    CHECK(gap(row, kSameGroup) == row.same_group);
    CHECK(gap(row, kOtherGroup) == row.other_group);
  }
}

TEST_CASE("a fifth activate waits for the window of the first, a fourth does not") {
  const auto t = hbm3().timing;
  TimingTable table(hbm3());
  for (std::uint32_t group = 0; group < 4; ++group) {
    CHECK(table.earliest(kActivate, group * kBanksPerGroup) ==
          (group == 0 ? 0 : kStart + (group - 1) * t.RRDS + t.RRDS));
    table.issue(kActivate, group * kBanksPerGroup, kStart + group * t.RRDS);
  }
  CHECK(table.earliest(kActivate, 1) == kStart + t.FAW);
  CHECK(table.earliest_in_channel(kActivate) == kStart + t.FAW);
}

TEST_CASE("a later bound is never shortened by an earlier one") {
  TimingTable table(hbm3());
  table.issue(kWrite, kHere, kStart);
  const Clock bound = table.earliest(kPrecharge, kHere);
  table.issue(kRead, kHere, kStart + 1);
  CHECK(table.earliest(kPrecharge, kHere) == bound);
  table.reset();
  CHECK(table.earliest(kPrecharge, kHere) == 0);
}

}  // namespace timing_table_test

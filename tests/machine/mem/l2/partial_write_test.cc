// SPDX-License-Identifier: MIT
// Sectors that are written in part: when they are whole, and what DRAM reads and writes when they leave.
#include <catch2/catch.hpp>

#include "tests/machine/mem/l2/bench.h"

namespace partial_write_test {

using namespace gpusim;
using gpusim::msg::Kind;
using gpusim::test::PartitionBench;
using gpusim::test::small_arch;

namespace {

constexpr std::uint32_t kLines = 2 * 4096 / kLineBytes;  // that L2 holds

arch::Arch with_check_bits(arch::DramEcc ecc) {
  arch::Arch arch = small_arch(1);
  arch.dram.ecc = ecc;
  return arch;
}

/// A write of so many pairs of bytes of the first sector of a line.
msg::Message part(const PartitionBench& bench, Address line, std::uint16_t pairs) {
  msg::Message message = bench.request(Kind::kWrite, line, 0x1);
  test::l2(message).full = 0;
  test::l2(message).parts = {pairs};
  return message;
}

/// Reads of as many other lines as L2 holds: what was there leaves.
void plan_others(PartitionBench& bench, Cycle from) {
  for (std::uint32_t i = 0; i < kLines; ++i) {
    bench.plan(from + 20 * i, Kind::kRead, (kLines + i) * kLineBytes, 0x1);
  }
}

stats::DramCounters dram_of(const PartitionBench& bench) {
  return bench.partitions[0]->dram_counters();
}

}  // namespace

TEST_CASE("with check bits the rest of a partly written sector is read before the sector is written to DRAM") {
  PartitionBench bench(with_check_bits(arch::DramEcc::kSideband));
  bench.plan(100, part(bench, 0, 2));
  plan_others(bench, 1000);
  bench.run();
  const stats::L2Counters counters = bench.counters();
  CHECK(counters.completed_sectors == 1);
  CHECK(counters.dram_write_sectors == 1);
  CHECK(dram_of(bench).read_bytes == (counters.dram_read_sectors + 1) * kSectorBytes);
  CHECK(dram_of(bench).write_bytes == kSectorBytes);
  CHECK(bench.partitions[0]->drain_problem().empty());
}

TEST_CASE("without check bits DRAM is written in part") {
  PartitionBench bench(with_check_bits(arch::DramEcc::kNone));
  bench.plan(100, part(bench, 0, 2));
  plan_others(bench, 1000);
  bench.run();
  CHECK(bench.counters().completed_sectors == 0);
  CHECK(bench.counters().dram_write_sectors == 1);
}

TEST_CASE("writes that cover a sector together leave it whole") {
  PartitionBench bench(with_check_bits(arch::DramEcc::kSideband));
  for (Cycle i = 0; i < 4; ++i) {
    bench.plan(100 + 100 * i, part(bench, 0, 4));
  }
  bench.plan(2000, Kind::kRead, 0, 0x1);
  plan_others(bench, 3000);
  bench.run();
  CHECK(bench.counters().read_hits == 1);
  CHECK(bench.counters().completed_sectors == 0);
}

TEST_CASE("a partly written sector that is read comes from DRAM, and is whole then") {
  PartitionBench bench(with_check_bits(arch::DramEcc::kSideband));
  bench.plan(100, part(bench, 0, 15));
  bench.plan(2000, Kind::kRead, 0, 0x1);
  bench.plan(4000, Kind::kRead, 0, 0x1);
  plan_others(bench, 6000);
  bench.run();
  CHECK(bench.counters().read_hits == 1);
  CHECK(bench.counters().completed_sectors == 0);
}

TEST_CASE("what a line had is forgotten when it leaves") {
  PartitionBench bench(with_check_bits(arch::DramEcc::kSideband));
  bench.plan(100, part(bench, 0, 12));
  plan_others(bench, 1000);
  bench.plan(20'000, part(bench, 0, 12));
  plan_others(bench, 21'000);
  bench.run();
  CHECK(bench.counters().completed_sectors == 2);
}

TEST_CASE("writes before the kernel cover sectors together as well") {
  PartitionBench bench(with_check_bits(arch::DramEcc::kSideband));
  for (int i = 0; i < 2; ++i) {
    static_cast<void>(bench.access(part(bench, 0, 8)));
  }
  bench.plan(2000, Kind::kRead, 0, 0x1);
  bench.run();
  CHECK(bench.counters().read_hits == 1);
}

TEST_CASE("a line that becomes clean early is whole from then on") {
  arch::Arch arch = with_check_bits(arch::DramEcc::kSideband);
  arch.l2.dirty_percent = 50;
  PartitionBench bench(arch);
  for (std::uint32_t i = 0; i < kLines; ++i) {
    bench.plan(100 + 20 * i, part(bench, i * kLineBytes, 1));
  }
  bench.plan(20'000, Kind::kRead, 0, 0x1);  // the oldest
  bench.run();
  CHECK(bench.counters().cleaned_sectors == kLines / 2);
  CHECK(bench.counters().completed_sectors == kLines / 2);
  CHECK(bench.counters().read_hits == 1);
}

TEST_CASE("writes to the far half cover sectors together as well") {
  arch::Arch arch = small_arch(2);
  arch.dram.ecc = arch::DramEcc::kSideband;
  PartitionBench bench(arch);
  const Address far = bench.line_of_half(1);
  bench.plan(100, part(bench, far, 8));
  bench.plan(1000, part(bench, far, 8));
  bench.plan(3000, Kind::kRead, far, 0x1, 1);
  bench.run();
  CHECK(bench.counters().read_hits == 1);
}

TEST_CASE("a slice writes again when the sectors that it waits for have come") {
  arch::Arch arch = with_check_bits(arch::DramEcc::kSideband);
  arch.l2.mshrs = 2;
  PartitionBench bench(arch);
  for (std::uint32_t i = 0; i < 4 * kLines; ++i) {
    bench.plan(100 + i, part(bench, i * kLineBytes, 1));
  }
  bench.run();
  CHECK(bench.counters().completed_sectors == 3 * kLines);
  CHECK(bench.departure(4 * kLines - 1) != kNever);
  CHECK(bench.partitions[0]->drain_problem().empty());
}

}  // namespace partial_write_test

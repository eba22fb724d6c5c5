// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/partition.h"

#include <catch2/catch.hpp>

#include "tests/machine/mem/l2/bench.h"

namespace partition_test {

using gpusim::Address;
using gpusim::Cycle;
using gpusim::kNever;
using gpusim::msg::Kind;
using gpusim::msg::Message;
using gpusim::test::PartitionBench;
using gpusim::test::small_arch;

namespace {

constexpr Cycle kTag = 6;
constexpr Cycle kData = 9;
constexpr Cycle kLink = 25;

void check_drained(const PartitionBench& bench) {
  for (const auto& partition : bench.partitions) {
    CHECK(partition->idle());
    CHECK(partition->drain_problem().empty());
  }
}

}  // namespace

TEST_CASE("a hit's reply departs after the tag and the data latency, not a cycle earlier") {
  PartitionBench bench(small_arch(1));
  bench.plan(100, Kind::kRead, 0, 0x3);
  bench.plan(2000, Kind::kRead, 0, 0x3);
  bench.run();
  CHECK(bench.departure(0) > 100 + kTag + kData + 40);
  CHECK(bench.departure(1) == 2000 + kTag + kData);
  CHECK(bench.counters().read_hits == 2);
  CHECK(bench.counters().read_misses == 2);
  CHECK(bench.counters().dram_read_sectors == 2);
  check_drained(bench);
}

TEST_CASE("a slice starts one request per cycle and its data port passes its bytes a cycle") {
  PartitionBench bench(small_arch(1));
  bench.plan(100, Kind::kRead, 0, 0xf);
  for (int i = 0; i < 4; ++i) {
    bench.plan(2000, Kind::kRead, 0, i < 2 ? 0x1 : 0xf);
  }
  bench.run();
  CHECK(bench.departure(1) == 2000 + kTag + kData);
  CHECK(bench.departure(2) == 2001 + kTag + kData);
  CHECK(bench.departure(3) == 2002 + kTag + kData);
  CHECK(bench.departure(4) == 2004 + kTag + kData);
  CHECK(bench.counters().busy_cycles == (128 + 32 + 32 + 128 + 128) / 64);
}

TEST_CASE("requests enter a slice at its request port's rate") {
  auto arch = small_arch(1);
  arch.noc.slice_request_bytes_per_cycle = 8;
  PartitionBench bench(arch);
  bench.plan(100, Kind::kRead, 0, 0x1);
  bench.plan(2000, Kind::kRead, 0, 0x1);
  bench.plan(2000, Kind::kRead, 0, 0x1);
  bench.run();
  CHECK(bench.departure(2) == bench.departure(1) + 32 / 8);
}

TEST_CASE("replies leave a slice at its reply port's rate") {
  auto arch = small_arch(1);
  arch.noc.slice_reply_bytes_per_cycle = 16;
  PartitionBench bench(arch);
  bench.plan(100, Kind::kRead, 0, 0x1);
  bench.plan(2000, Kind::kRead, 0, 0x1);
  bench.plan(2000, Kind::kRead, 0, 0x1);
  bench.run();
  CHECK(bench.departure(2) == bench.departure(1) + (32 + 32) / 16);
}

TEST_CASE("reads of sectors that are on their way wait for them and fetch only the others") {
  PartitionBench bench(small_arch(1));
  bench.plan(100, Kind::kRead, 0, 0x3);
  bench.plan(102, Kind::kRead, 0, 0x2);
  bench.plan(104, Kind::kRead, 0, 0x6);
  bench.run();
  CHECK(bench.departure(0) != kNever);
  CHECK(bench.departure(1) != kNever);
  CHECK(bench.departure(2) != kNever);
  const auto counters = bench.counters();
  CHECK(counters.read_misses == 5);
  CHECK(counters.mshr_merges == 2);
  CHECK(counters.dram_read_sectors == 3);
  CHECK(counters.reply_sectors == 5);
  check_drained(bench);
}

TEST_CASE("a miss reads its piece of the line from DRAM, but for what is there or on its way") {
  auto arch = small_arch(1);
  arch.l2.fill_bytes = 64;
  PartitionBench bench(arch);
  bench.plan(100, Kind::kRead, 0, 0x2);   // and sector 0
  bench.plan(101, Kind::kRead, 0, 0x1);   // waits for it
  bench.plan(2000, Kind::kRead, 0, 0x3);  // both are there
  bench.plan(3000, Kind::kWrite, 0, 0x8);
  bench.plan(4000, Kind::kRead, 0, 0x4);  // alone: sector 3 is there
  bench.run();
  CHECK(bench.departure(2) == 2000 + kTag + kData);
  CHECK(bench.counters().read_hits == 2);
  CHECK(bench.counters().read_misses == 3);
  CHECK(bench.counters().mshr_merges == 1);
  CHECK(bench.counters().beside_sectors == 1);
  CHECK(bench.counters().dram_read_sectors == 3);
  check_drained(bench);

  arch.l2.fill_bytes = 128;
  PartitionBench whole(arch);
  whole.plan(100, Kind::kRead, 0, 0x4);
  whole.run();
  CHECK(whole.counters().dram_read_sectors == 4);
}

TEST_CASE("a read with a prefetch size fetches its piece of the line, the near slice's and the home's") {
  const auto sectors_of = [](std::uint8_t fetch_sectors, std::uint32_t halves) {
    PartitionBench bench(small_arch(halves));
    const Address line = halves == 1 ? 0 : bench.line_of_half(1);
    Message read = bench.request(Kind::kRead, line, 0x1);
    read.as<gpusim::msg::L2Access>().fetch_sectors = fetch_sectors;
    bench.plan(100, read);
    bench.run();
    check_drained(bench);
    return bench.counters().dram_read_sectors;
  };
  CHECK(sectors_of(0, 1) == 1);
  CHECK(sectors_of(2, 1) == 2);
  CHECK(sectors_of(4, 1) == 4);
  CHECK(sectors_of(4, 2) == 4);
}

TEST_CASE("a functional read with a prefetch size fills its piece of the line") {
  PartitionBench bench(small_arch(1));
  Message read = bench.request(Kind::kRead, 0, 0x1);
  read.as<gpusim::msg::L2Access>().fetch_sectors = 4;
  CHECK(bench.access(read).missed == 0x1);
  CHECK(bench.access(bench.request(Kind::kRead, 0, 0xf)).missed == 0);
}

TEST_CASE("a functional read fills what a timed one would") {
  auto arch = small_arch(1);
  arch.l2.fill_bytes = 64;
  PartitionBench bench(arch);
  CHECK(bench.access(bench.request(Kind::kRead, 0, 0x1)).missed == 0x1);
  CHECK(bench.access(bench.request(Kind::kRead, 0, 0xf)).missed == 0xc);
}

TEST_CASE("a far line is read through the near slice, which keeps a copy") {
  PartitionBench bench(small_arch(2));
  const Address far = bench.line_of_half(1);
  bench.plan(100, Kind::kRead, far, 0x1, 1);   // at home: in the cache from here on
  bench.plan(2000, Kind::kRead, far, 0x1, 1);  // home hit
  bench.plan(4000, Kind::kRead, far, 0x1, 0);  // near miss, far hit
  bench.plan(6000, Kind::kRead, far, 0x1, 0);  // hit in the copy
  bench.run();
  CHECK(bench.departure(1) == 2000 + kTag + kData);
  CHECK(bench.departure(2) == 4000 + 2 * (kTag + kData + kLink));
  CHECK(bench.departure(3) == 6000 + kTag + kData);
  const auto counters = bench.counters();
  CHECK(counters.far_sectors == 1);
  CHECK(counters.far_hits == 1);
  CHECK(counters.dram_read_sectors == 1);
  check_drained(bench);
}

TEST_CASE("a far miss costs a near miss, and the link and the tags once more") {
  PartitionBench near(small_arch(2));
  const Address line = near.line_of_half(1);
  near.plan(100, Kind::kRead, line, 0xf, 1);
  near.run();
  PartitionBench far(small_arch(2));
  // DRAM is asked at the same cycle as above, so it answers at the same cycle.
  far.plan(100 - kTag - kLink, Kind::kRead, line, 0xf, 0);
  far.run();
  CHECK(far.departure(0) == near.departure(0) + kLink + kData);
  CHECK(far.counters().far_misses == 4);
  CHECK(far.counters().dram_read_sectors == 4);
}

TEST_CASE("the link between the halves passes its bytes a cycle") {
  auto arch = small_arch(2);
  arch.noc.partition_link_bytes_per_cycle = 4;
  PartitionBench bench(arch);
  const Address first = bench.line_of_half(1);
  const Address second = bench.line_of_half(1, first + 128);
  for (const Address line : {first, second}) {
    bench.plan(100, Kind::kRead, line, 0x1, 1);
    bench.plan(4000, Kind::kRead, line, 0x1, 0);
  }
  bench.run();
  const Cycle early = std::min(bench.departure(1), bench.departure(3));
  const Cycle late = std::max(bench.departure(1), bench.departure(3));
  CHECK(early == 4000 + 2 * (kTag + kData + kLink));
  CHECK(late == early + (32 + 32) / 4);
}

TEST_CASE("a write is acknowledged as fast as a hit and what it wrote can be read") {
  PartitionBench bench(small_arch(1));
  bench.plan(100, Kind::kWrite, 0, 0x3);
  bench.plan(200, Kind::kRead, 0, 0x3);
  bench.run();
  CHECK(bench.departure(0) == 100 + kTag + kData);
  CHECK(bench.departure(1) == 200 + kTag + kData);
  CHECK(bench.counters().write_sectors == 2);
  CHECK(bench.counters().dram_read_sectors == 0);
  CHECK(bench.router.of_kind(Kind::kWriteAck).size() == 1);
}

TEST_CASE("a sector written in part is fetched when it is read, and only then") {
  PartitionBench bench(small_arch(1));
  Message write = bench.request(Kind::kWrite, 0, 0x3);
  gpusim::test::l2(write).full = 0x1;
  bench.plan(100, write);
  bench.plan(200, Kind::kRead, 0, 0x1);
  bench.plan(300, Kind::kRead, 0, 0x2);
  bench.plan(2000, Kind::kRead, 0, 0x2);
  bench.run();
  CHECK(bench.departure(1) == 200 + kTag + kData);
  CHECK(bench.departure(2) > 300 + kTag + kData);
  CHECK(bench.departure(3) == 2000 + kTag + kData);
  CHECK(bench.counters().dram_read_sectors == 1);
}

TEST_CASE("a sector written in part becomes whole when it is written in one piece") {
  PartitionBench bench(small_arch(1));
  Message write = bench.request(Kind::kWrite, 0, 0x1);
  gpusim::test::l2(write).full = 0;
  bench.plan(100, write);
  bench.plan(200, Kind::kWrite, 0, 0x1);
  bench.plan(300, Kind::kRead, 0, 0x1);
  bench.run();
  CHECK(bench.counters().read_hits == 1);
  CHECK(bench.counters().dram_read_sectors == 0);
}

TEST_CASE("dirty sectors reach DRAM when their line is evicted, and no others do") {
  PartitionBench bench(small_arch(1));
  const std::uint32_t capacity = 2 * 4096 / 128;
  for (std::uint32_t i = 0; i < 3 * capacity; ++i) {
    bench.plan(100 + 10 * i, Kind::kWrite, i * 128, 0x5);
  }
  for (std::uint32_t i = 0; i < 3 * capacity; ++i) {
    bench.plan(20'000 + 50 * i, Kind::kRead, (1000 + i) * 128, 0x1);
  }
  bench.run();
  const auto counters = bench.counters();
  CHECK(counters.evicted_dirty_sectors == 3 * capacity * 2);
  CHECK(counters.dram_write_sectors == 3 * capacity * 2);
  CHECK(bench.partitions[0]->dram_counters().write_bytes == 3 * capacity * 2 * 32);
  CHECK(bench.partitions[0]->dram_counters().read_bytes == 3 * capacity * 32);
  check_drained(bench);
}

TEST_CASE("what DRAM moves is recorded from the first request on, whether recording began before or after it") {
  const auto recorded = [](bool has_been_used) {
    PartitionBench bench(small_arch(1));
    auto& partition = *bench.partitions[0];
    if (has_been_used) {
      bench.plan(100, Kind::kRead, 0, 0x1);
      bench.run();
    }
    partition.record_traffic(true);
    bench.plan(9000, Kind::kRead, 4096, 0xf);
    bench.run();
    gpusim::stats::IntervalTable<gpusim::stats::TrafficCounters> traffic;
    partition.add_to(traffic);
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < gpusim::stats::kMostIntervals; ++i) {
      bytes += traffic.row(i).dram_read_bytes;
    }
    return bytes;
  };
  CHECK(recorded(false) == 4 * 32);
  CHECK(recorded(true) == 4 * 32);
}

TEST_CASE("a slice takes nothing in for the cycles of a write, and a read costs it one") {
  const auto cycles_for = [](Kind kind, gpusim::Ratio write_cycles) {
    auto arch = small_arch(1);
    arch.l2.write_request_cycles = write_cycles;
    PartitionBench bench(arch);
    for (std::uint32_t i = 0; i < 40; ++i) {
      bench.plan(100, kind, 0, 0x1);
    }
    bench.run();
    return bench.router.received.back().time;
  };
  const auto more = [&](Kind kind, gpusim::Ratio cycles) {
    return cycles_for(kind, cycles) - cycles_for(kind, {0, 1});
  };
  CHECK(more(Kind::kWrite, {5, 1}) == 39 * 5);
  CHECK(more(Kind::kRead, {5, 1}) == 0);
  // Halves add up over writes one behind the other.
  CHECK(more(Kind::kWrite, {11, 2}) - more(Kind::kWrite, {5, 1}) == 39 / 2);
}

TEST_CASE("beyond its share of modified lines a set writes the oldest back early, and keeps it") {
  auto arch = small_arch(1);
  arch.l2.dirty_percent = 50;
  PartitionBench bench(arch);
  const std::uint32_t capacity = 2 * 4096 / 128;
  for (std::uint32_t i = 0; i < capacity; ++i) {
    bench.plan(100 + 10 * i, Kind::kWrite, i * 128, 0x5);
  }
  bench.plan(20'000, Kind::kRead, 0, 0x5);  // the oldest: it is there, and clean
  bench.run();
  const auto counters = bench.counters();
  CHECK(counters.evicted_dirty_sectors == 0);
  CHECK(counters.cleaned_sectors == capacity / 2 * 2);
  CHECK(counters.dram_write_sectors == counters.cleaned_sectors);
  CHECK(counters.read_hits == 2);
  check_drained(bench);
}

TEST_CASE("a line that is modified again costs no write to DRAM") {
  auto arch = small_arch(1);
  arch.l2.dirty_percent = 50;
  PartitionBench bench(arch);
  for (std::uint32_t i = 0; i < 100; ++i) {
    bench.plan(100 + 10 * i, Kind::kWrite, 0, 0x1);
  }
  bench.run();
  CHECK(bench.counters().dram_write_sectors == 0);
  check_drained(bench);
}

TEST_CASE("a write to a far line goes home through the near slice, whose copy stays valid") {
  PartitionBench bench(small_arch(2));
  const Address far = bench.line_of_half(1);
  bench.plan(100, Kind::kRead, far, 0x1, 0);
  bench.plan(2000, Kind::kWrite, far, 0x1, 0);
  bench.plan(4000, Kind::kRead, far, 0x1, 0);
  bench.plan(4000, Kind::kRead, far, 0x1, 1);
  bench.run();
  CHECK(bench.departure(1) == 2000 + 2 * (kTag + kData + kLink));
  CHECK(bench.departure(2) == 4000 + kTag + kData);
  CHECK(bench.departure(3) == 4000 + kTag + kData);
  CHECK(bench.counters().write_sectors == 1);
  check_drained(bench);
}

TEST_CASE("in an ideal L2 every access hits") {
  auto arch = small_arch(2);
  arch.l2.model = gpusim::arch::L2Model::kIdeal;
  PartitionBench bench(arch);
  const Address far = bench.line_of_half(1);
  bench.plan(100, Kind::kRead, far, 0xf, 0);
  bench.plan(200, Kind::kWrite, far, 0xf, 0);
  bench.plan(300, Kind::kAtomic, far, 0x1, 0);
  bench.run();
  CHECK(bench.departure(0) == 100 + kTag + kData);
  CHECK(bench.departure(1) == 200 + kTag + kData);
  CHECK(bench.departure(2) == 300 + kTag + kData + 3);
  CHECK(bench.counters().read_hits == 4);
  CHECK(bench.counters().dram_read_sectors == 0);
  check_drained(bench);
}

TEST_CASE("a functional read fills the near copy and the home, and the timed ones hit") {
  PartitionBench bench(small_arch(2));
  const Address far = bench.line_of_half(1);
  Message read = bench.request(Kind::kRead, far, 0x3, 0);
  const auto near = bench.access(read);
  CHECK(near.far);
  CHECK(near.missed == 0x3);
  gpusim::test::l2(read).slice = static_cast<std::uint16_t>(bench.map.home_slice(far));
  gpusim::test::l2(read).is_copy = 0;
  const auto home = bench.access(read);
  CHECK_FALSE(home.far);
  CHECK(home.missed == 0x3);
  bench.plan(100, Kind::kRead, far, 0x3, 0);
  bench.plan(100, Kind::kRead, far, 0x3, 1);
  bench.run();
  CHECK(bench.departure(0) == 100 + kTag + kData);
  CHECK(bench.departure(1) == 100 + kTag + kData);
  CHECK(bench.counters().read_sectors == 4);
}

TEST_CASE("the tags outlive a restart of time, and a cold start empties them") {
  PartitionBench bench(small_arch(1));
  auto& partition = *bench.partitions[0];
  bench.plan(100, Kind::kRead, 0, 0xf);
  bench.run();
  partition.reset_timing();
  CHECK(partition.l2_counters().requests == 0);
  CHECK(partition.dram_counters().read_bytes == 0);
  CHECK(bench.access(bench.request(Kind::kRead, 0, 0xf)).missed == 0);
  partition.invalidate_all();
  CHECK(bench.access(bench.request(Kind::kRead, 0, 0xf)).missed == 0xf);
}

TEST_CASE("with one MSHR and a queue of one everything is still answered") {
  auto arch = small_arch(2);
  arch.l2.mshrs = 1;
  arch.l2.queue_entries = 1;
  arch.dram.queue_entries = 1;
  PartitionBench bench(arch);
  for (std::uint32_t i = 0; i < 400; ++i) {
    const auto half = static_cast<std::uint16_t>(i % 2);
    bench.plan(100, i % 3 == 0 ? Kind::kWrite : i % 3 == 1 ? Kind::kRead : Kind::kAtomic, i * 7 % 300 * 128, 0x3, half);
  }
  bench.run();
  CHECK(bench.router.received.size() == 400 + 400);
  check_drained(bench);
}

TEST_CASE("credits come back in batches, for every request looked up") {
  PartitionBench bench(small_arch(1));
  for (std::uint32_t i = 0; i < 10; ++i) {
    bench.plan(100, Kind::kRead, 0, 0x1);
  }
  bench.run();
  std::uint32_t credits = 0;
  for (const Message& m : bench.router.of_kind(Kind::kSliceCredit)) {
    credits += m.as<gpusim::msg::SliceCredit>().places;
    CHECK(m.as<gpusim::msg::SliceCredit>().slice == bench.map.home_slice(0));
  }
  CHECK(credits == 10);
}

}  // namespace partition_test

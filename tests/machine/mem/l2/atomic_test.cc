// SPDX-License-Identifier: MIT
// The atomic unit of a slice: passes, lanes on one word, types of numbers, entries.
#include <utility>

#include <catch2/catch.hpp>

#include "tests/machine/mem/l2/bench.h"

namespace atomic_test {

using gpusim::Address;
using gpusim::AtomicType;
using gpusim::Cycle;
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

/// A line, other than the first, that lives in the first one's slice.
Address same_slice_line(const PartitionBench& bench) {
  Address line = gpusim::kLineBytes;
  while (bench.map.home_slice(line) != bench.map.home_slice(0)) {
    line += gpusim::kLineBytes;
  }
  return line;
}

}  // namespace

TEST_CASE("an atomic on a far line drops the near copy") {
  PartitionBench bench(small_arch(2));
  const Address far = bench.line_of_half(1);
  bench.plan(100, Kind::kRead, far, 0x3, 0);
  bench.plan(2000, Kind::kAtomic, far, 0x1, 0);
  bench.plan(4000, Kind::kRead, far, 0x1, 0);
  bench.plan(6000, Kind::kRead, far, 0x2, 0);
  bench.run();
  CHECK(bench.departure(1) == 2000 + 2 * (kTag + kData + kLink) + 3);
  CHECK(bench.departure(2) > 4000 + kTag + kData);
  CHECK(bench.departure(3) == 6000 + kTag + kData);
  check_drained(bench);
}

// The atomic unit begins a request when the one before has had its passes and a cycle more; a word's operations follow
// each other every 3 cycles (5 of floats, 7 of halves). a, b: ten lanes on one word; c: a lane on another sector.
//
//   cycle (after the tags)   0         10 11       21 22 23 24 25           30                  60
//   unit                     a a a ... a  b b ...  b  -  c
//   word of a and b          a----------------------------------------------a b-----------------b
//   word of c                                            c--------c
TEST_CASE("lanes on one word wait for each other, requests for other sectors only for the unit") {
  auto arch = small_arch(1);
  arch.noc.slice_request_bytes_per_cycle = 64;
  PartitionBench bench(arch);
  bench.plan(100, Kind::kRead, 0, 0xf);
  Message atomic = bench.request(Kind::kAtomic, 0, 0x1);
  gpusim::test::l2(atomic).atomic = {10, 10, AtomicType::kInteger};
  bench.plan(2000, atomic);
  bench.plan(2001, atomic);
  bench.plan(2002, Kind::kReduction, 0, 0x2);
  bench.run();
  CHECK(bench.departure(1) == 2000 + kTag + 10 * 3 + kData);
  CHECK(bench.departure(2) == 2000 + kTag + 20 * 3 + kData);
  CHECK(bench.departure(3) == 2000 + kTag + 2 * 11 + 3 + kData);
  CHECK(bench.counters().atomic_sectors == 3);
  CHECK(bench.counters().atomic_cycles == 2 * 11 + 2);
  CHECK(bench.counters().reply_sectors == 4 + 2);
  check_drained(bench);
}

TEST_CASE("how long lanes on one word wait depends on the type of number") {
  for (const auto& [type, interval] :
       {std::pair{AtomicType::kInteger, 3}, std::pair{AtomicType::kFloat, 5}, std::pair{AtomicType::kHalf, 7}}) {
    PartitionBench bench(small_arch(1));
    bench.plan(100, Kind::kRead, 0, 0xf);
    Message atomic = bench.request(Kind::kReduction, 0, 0x1);
    gpusim::test::l2(atomic).atomic = {32, 32, type};
    bench.plan(2000, atomic);
    bench.run();
    CHECK(bench.departure(1) == 2000 + kTag + 32 * static_cast<Cycle>(interval) + kData);
    check_drained(bench);
  }
}

TEST_CASE("an atomic on whole sectors takes the unit a cycle for each") {
  auto arch = small_arch(1);
  arch.noc.slice_request_bytes_per_cycle = 256;
  PartitionBench bench(arch);
  const Address other = same_slice_line(bench);
  bench.plan(100, Kind::kRead, 0, 0xf);
  bench.plan(110, Kind::kRead, other, 0xf);
  bench.plan(2000, Kind::kReduction, 0, 0xf);
  bench.plan(2001, Kind::kReduction, other, 0xf);
  bench.run();
  CHECK(bench.departure(2) == 2000 + kTag + 4 + kData);
  CHECK(bench.departure(3) == 2000 + kTag + 5 + 4 + kData);
}

// Two entries: the third reduction waits at the tags until the first is done, 30 cycles after it began, and a read
// behind it waits as well.
TEST_CASE("a slice takes in no more atomics than it has entries, and what comes behind waits") {
  auto arch = small_arch(1);
  arch.noc.slice_request_bytes_per_cycle = 64;
  arch.l2.atomic_entries = 2;
  PartitionBench bench(arch);
  bench.plan(100, Kind::kRead, 0, 0xf);
  Message atomic = bench.request(Kind::kReduction, 0, 0x1);
  gpusim::test::l2(atomic).atomic = {10, 10, AtomicType::kInteger};
  for (Cycle at = 2000; at < 2003; ++at) {
    bench.plan(at, atomic);
  }
  bench.plan(2003, Kind::kRead, 0, 0x8);
  bench.run();
  CHECK(bench.departure(2) == 2000 + kTag + 60 + kData);
  CHECK(bench.departure(3) == 2000 + kTag + 90 + kData);
  CHECK(bench.departure(4) == 2000 + kTag + 31 + kData);
  check_drained(bench);
}

TEST_CASE("an atomic on an absent sector fetches it first") {
  PartitionBench bench(small_arch(1));
  bench.plan(100, Kind::kReduction, 0, 0x1);
  bench.plan(2000, Kind::kRead, 0, 0x1);
  bench.run();
  CHECK(bench.departure(0) > 100 + kTag + kData + 40);
  CHECK(bench.departure(1) == 2000 + kTag + kData);
  CHECK(bench.counters().dram_read_sectors == 1);
  CHECK(bench.router.of_kind(Kind::kWriteAck).size() == 1);
}

}  // namespace atomic_test

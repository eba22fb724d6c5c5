// SPDX-License-Identifier: MIT
// The home slice of a line is where its accesses meet: it knows of the other half's copy and invalidates it.
#include <catch2/catch.hpp>

#include "tests/machine/mem/l2/bench.h"

namespace coherence_test {

using namespace gpusim;
using msg::Kind;
using test::PartitionBench;

namespace {

/// A line of half 1 that an SM of half 0 has read, so that half 0 has a copy.
struct CopyBench : PartitionBench {
  CopyBench() : PartitionBench(test::small_arch(2)), line(line_of_half(1)) { plan(100, Kind::kRead, line, 1, 0); }
  Address line;
};

}  // namespace

TEST_CASE("a write at a line's home invalidates the other half's copy, which is then fetched anew") {
  CopyBench bench;
  bench.plan(1000, Kind::kWrite, bench.line, 1, 1);
  bench.plan(2000, Kind::kRead, bench.line, 1, 0);
  bench.run();
  const stats::L2Counters counters = bench.counters();
  CHECK(counters.far_invalidations == 1);
  CHECK(counters.read_misses == 2);
  CHECK(counters.far_hits == 1);
  // The tags and the link, there and back, more than a hit.
  CHECK(bench.departure(2) == 2000 + 2 * 6 + 2 * 9 + 2 * 25);
}

TEST_CASE("atomics and reductions at a line's home invalidate the copy as well") {
  for (const Kind kind : {Kind::kAtomic, Kind::kReduction}) {
    CopyBench bench;
    bench.plan(1000, kind, bench.line, 1, 1);
    bench.plan(2000, Kind::kRead, bench.line, 1, 0);
    bench.run();
    CHECK(bench.counters().far_invalidations == 1);
    CHECK(bench.counters().read_misses == 2);
  }
}

TEST_CASE("a copy is invalidated once, and whole") {
  CopyBench bench;
  bench.plan(200, Kind::kRead, bench.line, 2, 0);
  bench.plan(1000, Kind::kWrite, bench.line, 1, 1);
  bench.plan(1500, Kind::kWrite, bench.line, 1, 1);
  bench.plan(2000, Kind::kRead, bench.line, 2, 0);
  bench.run();
  CHECK(bench.counters().far_invalidations == 1);
  CHECK(bench.counters().read_misses == 3);
}

TEST_CASE("what is written through the mirror changes the copy on its way, and invalidates nothing") {
  CopyBench bench;
  bench.plan(1000, Kind::kWrite, bench.line, 1, 0);
  bench.plan(2000, Kind::kRead, bench.line, 1, 0);
  bench.plan(3000, Kind::kWrite, bench.line, 1, 1);  // there still is a copy
  bench.run();
  CHECK(bench.departure(2) == 2000 + 6 + 9);
  CHECK(bench.counters().far_invalidations == 1);
}

TEST_CASE("a line without a copy is written without a word to the other half") {
  PartitionBench bench(test::small_arch(2));
  const Address line = bench.line_of_half(1);
  bench.plan(100, Kind::kRead, line, 1, 1);
  bench.plan(1000, Kind::kWrite, line, 1, 1);
  bench.plan(1500, Kind::kAtomic, line, 1, 1);
  bench.run();
  CHECK(bench.counters().far_invalidations == 0);
}

TEST_CASE("the untimed pass knows of copies: those it makes are invalidated, and it invalidates them") {
  PartitionBench bench(test::small_arch(2));
  const Address line = bench.line_of_half(1);
  const auto access = [&bench, line](Kind kind, std::uint16_t half, std::uint16_t slice) {
    msg::Message m = bench.request(Kind::kRead, line, 1, half);
    test::l2(m).slice = slice;
    test::l2(m).is_copy = slice != bench.map.home_slice(line) ? 1 : 0;
    return bench.access(kind == Kind::kFarRead ? msg::make(kind, msg::FarAccess{test::l2(m)}, m.sectors)
                                               : m.as_kind(kind));
  };
  const auto home = static_cast<std::uint16_t>(bench.map.home_slice(line));
  const auto mirror = static_cast<std::uint16_t>(bench.map.mirror_slice(home));
  const mem::l2::FunctionalResult near = access(Kind::kRead, 0, mirror);
  CHECK(near.far);
  CHECK_FALSE(access(Kind::kFarRead, 0, home).has_copy);
  CHECK(access(Kind::kWrite, 1, home).has_copy);
  bench.partitions[bench.map.partition_of_slice(mirror)]->invalidate_copy(mirror, line);
  CHECK(access(Kind::kRead, 0, mirror).missed == 1);
  CHECK_FALSE(access(Kind::kFarRead, 0, home).has_copy);
  bench.plan(1000, Kind::kWrite, line, 1, 1);
  bench.run();
  CHECK(bench.counters().far_invalidations == 1);
}

}  // namespace coherence_test

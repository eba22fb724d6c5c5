// SPDX-License-Identifier: MIT
// What the items of an axis stand for.
#include <catch2/catch.hpp>

#include "tests/commands/sweep/study/support.h"

using namespace gpusim;
using namespace gpusim::sweep;
using namespace gpusim::sweep::test;

TEST_CASE("values keep the text and the order in which they were written") {
  CHECK(values_of("sm.count=66, 160,99 ,132") == "66, 160, 99, 132");
  CHECK(values_of("l2.bytes=50 MiB,0.5 GiB") == "50 MiB, 0.5 GiB");
  CHECK(values_of("sm.scheduler.policy=gto,lrr") == "gto, lrr");
  CHECK(values_of("param.shift=-1,0,7") == "-1, 0, 7");
}

TEST_CASE("a range of counts without a step takes every whole number") {
  CHECK(values_of("sm.count=130..133") == "130, 131, 132, 133");
  CHECK(values_of("param.shift=-2..1") == "-2, -1, 0, 1");
  CHECK(values_of("sm.l1.hit_latency=30..32") == "30, 31 cycles, 32");
  CHECK(values_of("sm.count=8..8") == "8");
}

TEST_CASE("a range with a number of values spaces them evenly, ends as written") {
  CHECK(values_of("clocks.sm=1.2 GHz..1.98 GHz:5") == "1.2 GHz, 1.395 GHz, 1.59 GHz, 1.785 GHz, 1.98 GHz");
  CHECK(values_of("sm.lsu.queue_entries=8..9:2") == "8, 9");
  CHECK(values_of("dram.timing.RCDRD=10 ns..14 ns:3") == "10 ns, 12 ns, 14 ns");
}

TEST_CASE("whole-number keys round to the nearest, and repeats are dropped") {
  CHECK(values_of("sm.count=1..4:7") == "1, 2, 3, 4");
  CHECK(values_of("sm.count=1..8:4") == "1, 3, 6, 8");
  CHECK(values_of("sm.count=66,99,66") == "66, 99");
  CHECK(values_of("clocks.sm=1 GHz,1000 MHz") == "1 GHz");
  CHECK(values_of("dram.timing.CCDS=1 clocks..3 clocks:5") == "1 clocks, 2 clocks, 3 clocks");
}

TEST_CASE("a logarithmic range keeps equal ratios") {
  CHECK(values_of("sm.count=1..64:7log") == "1, 2, 4, 8, 16, 32, 64");
  CHECK(values_of("sm.l1.mshrs=10..1000:3log") == "10, 100, 1000");
  CHECK(values_of("dram.bandwidth=1 TB/s..4 TB/s:3log") == "1 TB/s, 2 TB/s, 4 TB/s");
  CHECK(values_of("param.seq=1024..8192:4 log") == "1024, 2048, 4096, 8192");
}

TEST_CASE("a range with a step ends at or below its end") {
  CHECK(values_of("sm.count=66..160+33") == "66, 99, 132");
  CHECK(values_of("sm.count=66..165+33") == "66, 99, 132, 165");
  CHECK(values_of("clocks.sm=1 GHz..1.5 GHz+0.25 GHz") == "1 GHz, 1.25 GHz, 1.5 GHz");
  CHECK(values_of("l2.bytes=512 MiB..1024 MiB+512 MiB") == "512 MiB, 1024 MiB");
  CHECK(values_of("dram.bandwidth=2 TB/s..3 TB/s+400 GB/s") == "2 TB/s, 2.4 TB/s, 2.8 TB/s");
}

TEST_CASE("a factor multiplies the base value, and 1x is the base itself") {
  CHECK(values_of("sm.count=0.5x,1x,2x") == "66, (132), 264");
  CHECK(values_of("sm.count=1x,132,1.0x") == "(132)");
  CHECK(values_of("l2.bytes=1x..2x:3") == "(50 MiB), 75 MiB, 100 MiB");
  CHECK(values_of("param.seq=0.5x..2x:3log") == "1024, (2048), 4096");
  CHECK(values_of("sm.count=1x..2x+0.5x") == "(132), 198, 264");
}

TEST_CASE("a factor of dram.bandwidth multiplies the computed peak") {
  const double peak = h100().arch.dram.peak_bytes_per_second();
  const Study varied = study({"dram.bandwidth=1x,2x"});
  const Plan both = plan(varied);
  REQUIRE(both.size() == 2);
  CHECK(both[0].settings[0].is_base);
  CHECK(overrides_of(varied, both[0]).empty());
  const arch::Resolved twice = resolved("h100", overrides_of(varied, both[1]));
  CHECK(twice.arch.dram.peak_bytes_per_second() == Approx(2 * peak).epsilon(1e-8));
}

TEST_CASE("computed sizes of the L2 leave it whole sets, so that the architecture takes them") {
  const Study varied = study({"l2.bytes=0.25x..3x:12log"});
  const Plan all = plan(varied);
  CHECK(all.size() == 12);
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    const Point point = all[i];
    INFO(test::to_text(point));
    CHECK_NOTHROW(resolved("h100", overrides_of(varied, point)));
  }
}

TEST_CASE("computed values have no more digits than people read") {
  CHECK(values_of("clocks.sm=1 GHz..2 GHz:4") == "1 GHz, 1333.33 MHz, 1666.67 MHz, 2 GHz");
  CHECK(values_of("dram.bandwidth=1 TB/s..2 TB/s:3log") == "1 TB/s, 1414.21 GB/s, 2 TB/s");
  CHECK(values_of("dram.timing.RCDRD=10 ns..20 ns:4") == "10 ns, 13.3333 ns, 16.6667 ns, 20 ns");
  CHECK(values_of("sm.timing.fma.interval=1..2:4") == "1, 4/3, 5/3, 2");
  CHECK(values_of("dram.capacity_bytes=1 GiB..2 GiB:4") == "1 GiB, 1365 MiB, 1707 MiB, 2 GiB");
}

TEST_CASE("a list of sizes is one value, in brackets where there are several") {
  CHECK(values_of("sm.shared.carveouts=[0 KiB, 64 KiB],[0 KiB, 100 KiB, 228 KiB]") ==
        "0 KiB, 64 KiB, 0 KiB, 100 KiB, 228 KiB");
  CHECK(plan(study({"sm.shared.carveouts=[0 KiB, 64 KiB],[0 KiB, 100 KiB, 228 KiB]"})).size() == 2);
}

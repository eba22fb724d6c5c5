// SPDX-License-Identifier: MIT
// What must hold of residency whatever the launch, and what NVIDIA's calculator leaves open: the driver's carve-out,
// why nothing fits, clusters.
#include "sim/model/occupancy/residency.h"

#include <algorithm>
#include <array>
#include <string>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"

#include "tests/model/occupancy/support.h"
#include "tests/support/one_sm.h"

namespace residency_test {

using namespace gpusim;
using occupancy::LaunchShape;
using occupancy::Residency;
using test::kKiB;
using test::names;
using test::small_launch;

namespace {

constexpr std::array kGpus{"a100", "h100"};

std::uint32_t ctas(const arch::SmConfig& sm, const LaunchShape& shape) {
  return occupancy::residency(sm, shape).occupancy.ctas_per_sm;
}

/// Checks every launch of the grid on every GPU.
template <class Check>
void for_all(Check check) {
  for (const char* gpu : kGpus) {
    const arch::Arch arch = test::shipped_arch(gpu);
    for (const LaunchShape& shape : test::some_launches()) {
      INFO(gpu << ": " << shape.registers_per_thread << " registers, " << shape.threads_per_cta << " threads, "
               << shape.static_shared_bytes << "+" << shape.dynamic_shared_bytes << " bytes, carve-out "
               << shape.carveout_percent << ", " << shape.barriers << " barriers, opt-in " << shape.opt_in);
      check(arch.sm, shape);
    }
  }
}

}  // namespace

TEST_CASE("the answer is the least limit, and the limiters are those that are equal to it") {
  for_all([](const arch::SmConfig& sm, const LaunchShape& shape) {
    const stats::Occupancy occupancy = occupancy::residency(sm, shape).occupancy;
    CHECK(occupancy.ctas_per_sm == std::ranges::min(occupancy.limit));
    for (std::size_t i = 0; i < occupancy.limit.size(); ++i) {
      const bool binds = std::ranges::count(occupancy.limiters, static_cast<stats::Limiter>(i)) == 1;
      CHECK(binds == (occupancy.limit[i] == occupancy.ctas_per_sm));
    }
  });
}

TEST_CASE("what is resident fits the SM") {
  for_all([](const arch::SmConfig& sm, const LaunchShape& shape) {
    const Residency answer = occupancy::residency(sm, shape);
    const std::uint64_t count = answer.occupancy.ctas_per_sm;
    CHECK(count * answer.registers_per_cta <= sm.limits.registers_per_sm);
    CHECK(count * answer.shared_bytes_per_cta <= answer.occupancy.shared_carveout_bytes);
    CHECK(count * shape.warps_per_cta() <= sm.limits.warps_per_sm);
    CHECK(answer.occupancy.shared_carveout_bytes + answer.occupancy.l1_bytes == sm.l1.unified_bytes);
  });
}

TEST_CASE("registers and shared memory are allocated in whole units") {
  for_all([](const arch::SmConfig& sm, const LaunchShape& shape) {
    const Residency answer = occupancy::residency(sm, shape);
    CHECK(answer.registers_per_cta % (std::uint64_t{sm.limits.register_allocation_unit} * shape.warps_per_cta()) == 0);
    CHECK(answer.registers_per_cta >= std::uint64_t{shape.registers_per_thread} * shape.threads_per_cta);
    CHECK(answer.shared_bytes_per_cta % sm.shared.allocation_unit == 0);
    CHECK(answer.shared_bytes_per_cta >= shape.shared_bytes() + sm.shared.reserved_per_cta);
  });
}

TEST_CASE("more registers, shared memory or barriers never let more CTAs in, opting in never fewer") {
  for_all([](const arch::SmConfig& sm, const LaunchShape& shape) {
    const std::uint32_t now = ctas(sm, shape);
    LaunchShape more = shape;
    more.registers_per_thread = shape.registers_per_thread + 1;
    CHECK(ctas(sm, more) <= now);
    more = shape;
    more.dynamic_shared_bytes += 100;
    CHECK(ctas(sm, more) <= now);
    more = shape;
    more.barriers += 1;
    CHECK(ctas(sm, more) <= now);
    more = shape;
    more.opt_in = true;
    CHECK(ctas(sm, more) >= now);
  });
}

TEST_CASE("the driver's carve-out costs no CTA and is the smallest that does not") {
  for_all([](const arch::SmConfig& sm, const LaunchShape& shape) {
    LaunchShape launch = shape;
    launch.carveout_percent = 100;
    const std::uint32_t most = ctas(sm, launch);
    launch.carveout_percent = occupancy::kDriversCarveout;
    const Residency answer = occupancy::residency(sm, launch);
    CHECK(answer.occupancy.ctas_per_sm == most);
    for (const std::uint64_t smaller : sm.shared.carveouts) {
      if (smaller < answer.occupancy.shared_carveout_bytes) {
        CHECK(smaller < answer.shared_bytes_per_cta * most);
      }
    }
  });
}

TEST_CASE("the carve-out is the smallest that holds the CTAs, the rest is L1") {
  const arch::Arch a100 = test::shipped_arch("a100");
  LaunchShape shape = small_launch();
  // 16 CTAs of the driver's 1 KiB each.
  const stats::Occupancy none = occupancy::residency(a100.sm, shape).occupancy;
  CHECK(none.ctas_per_sm == 16);
  CHECK(none.shared_carveout_bytes == 16 * kKiB);
  CHECK(none.l1_bytes == 176 * kKiB);
  shape.dynamic_shared_bytes = 163 * kKiB;
  const stats::Occupancy most = occupancy::residency(a100.sm, shape).occupancy;
  CHECK(most.ctas_per_sm == 1);
  CHECK(most.shared_carveout_bytes == 164 * kKiB);
  CHECK(most.l1_bytes == 28 * kKiB);
}

TEST_CASE("a carve-out that is too small for one CTA gives way to the next that holds one") {
  const arch::Arch h100 = test::shipped_arch("h100");
  LaunchShape shape = small_launch();
  shape.dynamic_shared_bytes = 40 * kKiB;
  shape.carveout_percent = 0;
  const stats::Occupancy occupancy = occupancy::residency(h100.sm, shape).occupancy;
  CHECK(occupancy.shared_carveout_bytes == 64 * kKiB);
  CHECK(occupancy.ctas_per_sm == 1);
}

TEST_CASE("a CTA that asks for a byte more than there is does not fit, and the limiter says why") {
  const arch::Arch h100 = test::shipped_arch("h100");
  LaunchShape shape = small_launch();
  shape.dynamic_shared_bytes = 227 * kKiB;
  CHECK(ctas(h100.sm, shape) == 1);
  shape.dynamic_shared_bytes += 1;
  CHECK(ctas(h100.sm, shape) == 0);
  CHECK(names(occupancy::residency(h100.sm, shape).occupancy.limiters) == "shared_mem");
  shape = small_launch();
  shape.threads_per_cta = 1024;
  shape.registers_per_thread = 65;
  CHECK(names(occupancy::residency(h100.sm, shape).occupancy.limiters) == "registers");
}

TEST_CASE("a kernel that does not opt in has the default's shared memory and not a byte more") {
  const arch::Arch h100 = test::shipped_arch("h100");
  LaunchShape shape = small_launch();
  shape.opt_in = false;
  shape.static_shared_bytes = 20 * kKiB;
  shape.dynamic_shared_bytes = 28 * kKiB;
  CHECK(ctas(h100.sm, shape) == 4);
  shape.dynamic_shared_bytes += 1;
  CHECK(ctas(h100.sm, shape) == 0);
}

TEST_CASE("registers are a quarter's, not the SM's: four small pools hold fewer warps than one") {
  const arch::Arch a100 = test::shipped_arch("a100");
  LaunchShape shape = small_launch();
  shape.threads_per_cta = 224;
  shape.registers_per_thread = 92;
  CHECK(ctas(a100.sm, shape) == 2);
}

TEST_CASE("what forbids a launch is said with what it asks for, what is allowed, and the difference") {
  const arch::Arch h100 = test::shipped_arch("h100");
  LaunchShape shape = small_launch();
  CHECK(occupancy::excesses(h100.sm, shape).empty());
  shape.threads_per_cta = 1025;
  shape.registers_per_thread = 257;
  shape.dynamic_shared_bytes = 300'000;
  shape.barriers = 65;
  std::string said;
  for (const occupancy::Excess& excess : occupancy::excesses(h100.sm, shape)) {
    said += excess.what + ", " + excess.limit + ": " + std::to_string(excess.over) + " " + excess.unit + "\n";
  }
  CHECK(said ==
        "a CTA of 1,025 threads, at most 1,024 threads a CTA: 1 thread\n"
        "257 registers a thread, at most 256 registers a thread: 1 register\n"
        "300,000 bytes of shared memory, at most 232,448 bytes a CTA: 67552 byte\n"
        "65 barriers, at most 64 barriers an SM: 1 barrier\n");
  shape = small_launch();
  shape.threads_per_cta = 896;
  shape.registers_per_thread = 80;
  // 28 warps, 7 a sub-core, of 2,560 registers each.
  REQUIRE(occupancy::excesses(h100.sm, shape).size() == 1);
  CHECK(occupancy::excesses(h100.sm, shape).front().over == 28 * 2560 - 65536);
}

TEST_CASE("a launch needs threads, and a carve-out is the driver's or a percentage") {
  LaunchShape shape = small_launch();
  CHECK(occupancy::is_valid(shape));
  shape.threads_per_cta = 0;
  CHECK_FALSE(occupancy::is_valid(shape));
  for (const auto& [carveout, is_valid] : {std::pair{-2, false}, {-1, true}, {0, true}, {100, true}, {101, false}}) {
    shape = small_launch();
    shape.carveout_percent = carveout;
    CHECK(occupancy::is_valid(shape) == is_valid);
  }
}

TEST_CASE("a cluster lies within one GPC, so what is left over of each GPC is lost") {
  const arch::Arch h100 = test::shipped_arch("h100");
  REQUIRE(h100.sm.count == 132);
  REQUIRE(h100.noc.gpcs == 8);
  LaunchShape shape = small_launch();
  shape.dynamic_shared_bytes = 200 * kKiB;  // one CTA per SM
  shape.ctas_per_cluster = 1;
  CHECK(occupancy::resident_clusters(h100.sm, h100.noc, shape) == 132);
  // Two GPCs of 18 SMs and six of 16: whole TPCs, so that no SM is left over by clusters of two.
  shape.ctas_per_cluster = 2;
  CHECK(occupancy::resident_clusters(h100.sm, h100.noc, shape) == 66);
  // Two clusters of eight in each GPC.
  shape.ctas_per_cluster = 8;
  CHECK(occupancy::resident_clusters(h100.sm, h100.noc, shape) == 16);
  // Three SMs of 18 and one of 16 are left over when clusters have five.
  shape.ctas_per_cluster = 5;
  CHECK(occupancy::resident_clusters(h100.sm, h100.noc, shape) == 24);
}

TEST_CASE("a kernel of a trace is launched opted in and with the driver's carve-out") {
  trace::Kernel kernel;
  kernel.block = {16, 8, 2};
  kernel.registers_per_thread = 40;
  kernel.shared_static_bytes = 100;
  kernel.shared_dynamic_bytes = 200;
  kernel.barriers = 3;
  CHECK(occupancy::launch_shape(kernel) == LaunchShape{40, 256, 100, 200, occupancy::kDriversCarveout, 3, true, 1});
}

}  // namespace residency_test

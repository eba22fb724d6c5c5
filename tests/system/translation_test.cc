// SPDX-License-Identifier: MIT
// Address translation on a whole machine: what a chase over more pages than the TLBs know takes.
#include <catch2/catch.hpp>

#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"
#include "sim/output/report/text_options.h"

#include "tests/system/support.h"

namespace translation_test {

using namespace gpusim;

namespace {

constexpr std::uint64_t kSteps = 2048;

/// One thread's dependent loads, each in another of `pages` pages of 2 MiB and in a line of its own.
stats::Result chase(const arch::Arch& arch, std::uint64_t pages, unsigned threads = 1) {
  const std::string n = std::to_string(pages);
  gpu::SimulateOptions options;
  options.cache = CacheState::kCold;
  options.threads = threads;
  return gpu::simulate(arch,
                       test::program("grid (1)\nblock (1)\nbuffer list u64[" + n + "*262144]\n",
                                     "loop i = 0.." + std::to_string(kSteps) + "\n  LDG.E.64 R2, [R2.64] @ list[i % " +
                                         n + "*262144 + i / " + n + "*4099 % 16384*16]\nend\nEXIT"),
                       options);
}

/// Latencies apart from those of TLBs are fixed: DRAM is ideal.
arch::Arch small_tlbs() {
  arch::Arch arch = test::shipped("v100");
  arch.dram.model = gpusim::arch::DramModel::kIdeal;
  arch.tlb.l2 = {64, 8, 1, 9};
  arch.tlb.l3 = {128, 8, 1, 20};
  return arch;
}

double latency(const arch::Arch& arch, std::uint64_t pages) {
  return static_cast<double>(chase(arch, pages).kernels.at(0).cycles) / static_cast<double>(kSteps);
}

}  // namespace

TEST_CASE("a chase's latency steps up where its pages exceed a TLB, by what the next one takes") {
  arch::Arch arch = small_tlbs();
  arch.tlb.model = gpusim::arch::TlbModel::kOff;
  const double base = latency(arch, 16);
  CHECK(latency(arch, 256) == Approx(base).margin(2));
  arch.tlb.model = gpusim::arch::TlbModel::kModelled;
  CHECK(latency(arch, 16) == Approx(base).margin(2));
  CHECK(latency(arch, 32) == Approx(base + 9).margin(2));
  const double l3 = 9 + 38 + 20 + 38;
  CHECK(latency(arch, 128) == Approx(base + l3).epsilon(0.03));
  CHECK(latency(arch, 512) == Approx(base + l3 + arch.tlb.walk_latency).epsilon(0.1));
}

TEST_CASE("translations are counted, and the same for any number of threads") {
  const arch::Arch arch = small_tlbs();
  const stats::KernelResult one = chase(arch, 512).kernels.at(0);
  CHECK(one.tlb.l1_lookups == one.l2.requests);
  CHECK(one.tlb.walks > kSteps / 2);
  CHECK(one.tlb.wait_cycles > one.tlb.walks * arch.tlb.walk_latency);
  const stats::KernelResult three = chase(arch, 512, 3).kernels.at(0);
  CHECK(three.cycles == one.cycles);
  CHECK(three.tlb.wait_cycles == one.tlb.wait_cycles);
}

TEST_CASE("the report says what part of the memory's time is translation") {
  const std::string text = report::to_text(chase(small_tlbs(), 512), {});
  CHECK_THAT(text, Catch::Contains("miss the TLB of their TPC and wait ") && Catch::Contains(" page walks"));
  arch::Arch off = small_tlbs();
  off.tlb.model = arch::TlbModel::kOff;
  CHECK_THAT(report::to_text(chase(off, 512), {}), !Catch::Contains("TLB"));
}

TEST_CASE("page_chase as shipped shows misses: nearly every load asks beyond the TLB of its TPC") {
  trace::ParameterChoice few;
  few.overrides = {{"steps", 1024}};
  const auto path = std::filesystem::path(GPUSIM_SOURCE_DIR) / "traces" / "page_chase.trace";
  for (const char* const name : {"v100", "h100"}) {
    INFO(name);
    const stats::Result result = gpu::simulate(test::shipped(name), frontend::load_trace_text(path, few), {});
    CHECK(result.kernels.at(0).tlb.l1_misses > 1000);
  }
}

}  // namespace translation_test

// SPDX-License-Identifier: MIT
// What the files of Ada, Hopper and Blackwell GPUs must hold: the facts of their data sheets and device properties,
// latencies that add up to the published measurements, and honesty about what is only inherited.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/arch/peaks.h"

#include "tests/model/arch/support.h"

namespace configs_ada_hopper_test {

using namespace gpusim;
using namespace gpusim::arch;
using namespace gpusim::arch::test;

namespace {

Arch arch_of(std::string_view name) {
  return load_arch(kConfigs / (std::string(name) + ".yaml"), {});
}

struct Facts {
  std::string_view name;
  std::string_view compute_capability;
  std::uint32_t sms;
  std::uint32_t gpcs;
  double boost_mhz;
  double l2_mib;
  double dram_gb_per_second;
  double nvlink_gb_per_second;
  double pcie_gb_per_second;
};

constexpr std::array kFacts{
    Facts{"h100", "9.0", 132, 8, 1980, 50, 3352, 450, 63},
    Facts{"h100-pcie", "9.0", 114, 7, 1755, 50, 2039, 300, 63},
    Facts{"h200", "9.0", 132, 8, 1980, 60, 4917, 450, 63},
    Facts{"gh200", "9.0", 132, 8, 1980, 60, 4023, 450, 63},
    Facts{"h800-pcie", "9.0", 114, 7, 1755, 50, 2039, 200, 63},
    Facts{"b200", "10.0", 148, 8, 1965, 126.5, 7672, 900, 63},
    Facts{"rtx4090", "8.9", 128, 11, 2520, 72, 1008, 0, 31.5},
    Facts{"l40s", "8.9", 142, 12, 2520, 96, 864, 0, 31.5},
    Facts{"l40", "8.9", 142, 12, 2490, 96, 864, 0, 31.5},
    Facts{"l4", "8.9", 58, 5, 2040, 48, 300, 0, 31.5},
    Facts{"rtx5090", "12.0", 170, 11, 2407, 96, 1792, 0, 63},
};

/// Limits of residency by compute capability, as NVIDIA's occupancy calculator has them.
struct Residency {
  std::string_view compute_capability;
  std::uint32_t warps;
  std::uint32_t ctas;
  std::uint32_t barriers;
  std::uint32_t cluster;
  std::uint64_t unified_kib;
  std::uint64_t largest_carveout_kib;
  std::uint64_t opt_in_kib;
};

constexpr std::array kResidency{
    Residency{"8.9", 48, 24, 0, 0, 128, 100, 99},
    Residency{"9.0", 64, 32, 64, 16, 256, 228, 227},
    Residency{"10.0", 64, 32, 64, 16, 256, 228, 227},
    Residency{"12.0", 48, 24, 24, 8, 128, 100, 99},
};

/// Cycles of a load that hits L2 (with two halves: the near one).
std::uint32_t hit(const Arch& a) {
  return a.sm.l1.hit_latency + a.noc.sm_to_gpc_latency + a.noc.gpc_to_l2_latency + a.l2.tag_latency +
         a.l2.data_latency + a.noc.l2_to_gpc_latency + a.noc.gpc_to_sm_latency;
}

std::uint32_t far_hit(const Arch& a) {
  return hit(a) + 2 * a.noc.partition_link_latency + a.l2.tag_latency;
}

/// What a miss in a closed row adds, in cycles of a clock of `hz`.
double row_access(const Arch& a, double hz) {
  const DramTimings& t = a.dram.timing;
  return a.dram.controller_latency + (t.RCDRD + t.CL + t.BL) * hz / static_cast<double>(a.dram.command_hz);
}

/// The mean wait for refresh: half of it, in the share of a bank's time that it takes.
double refresh(const Arch& a, double hz) {
  const DramTimings& t = a.dram.timing;
  const double clocks = a.dram.refresh == arch::DramRefresh::kAllBank ? t.RFC : t.RFCpb;
  return 0.5 * clocks * clocks / t.REFI * hz / static_cast<double>(a.dram.command_hz);
}

double operations_per_cycle(const Arch& a, isa::TimingClass timing, double operations) {
  return a.sm.sub_cores * operations / a.sm.timing[static_cast<std::size_t>(timing)].interval.value();
}

SourceKind kind_of(const Arch& a, std::string_view key) {
  const auto found = std::ranges::find(a.guesses, key, &Guess::key);
  return found != a.guesses.end() ? found->kind : SourceKind::kVendor;
}

double peak(const Arch& a, std::string_view name) {
  const std::vector<Peak> peaks = computed_peaks(a);
  const auto found = std::ranges::find(peaks, name, &Peak::name);
  return found != peaks.end() ? found->value : 0;
}

}  // namespace

TEST_CASE("Ada, Hopper and Blackwell GPUs have the counts, clocks and bandwidths of their data sheets") {
  for (const Facts& facts : kFacts) {
    INFO(facts.name);
    const Arch arch = arch_of(facts.name);
    CHECK(arch.compute_capability == facts.compute_capability);
    CHECK(arch.sm.count == facts.sms);
    CHECK(arch.noc.gpcs == facts.gpcs);
    CHECK(static_cast<double>(arch.clocks.boost) == facts.boost_mhz * 1e6);
    CHECK(static_cast<double>(arch.l2.bytes) == facts.l2_mib * 1024 * 1024);
    CHECK(arch.dram.peak_bytes_per_second() == Approx(facts.dram_gb_per_second * 1e9).epsilon(0.001));
    CHECK(static_cast<double>(arch.interconnect.nvlink_bytes_per_second) == facts.nvlink_gb_per_second * 1e9);
    CHECK(static_cast<double>(arch.interconnect.pcie_bytes_per_second) == facts.pcie_gb_per_second * 1e9);
  }
}

TEST_CASE("Ada, Hopper and Blackwell GPUs have the limits of their compute capability") {
  for (const Facts& facts : kFacts) {
    INFO(facts.name);
    const Arch arch = arch_of(facts.name);
    const auto* expected = std::ranges::find(kResidency, facts.compute_capability, &Residency::compute_capability);
    REQUIRE(expected != kResidency.end());
    CHECK(arch.sm.limits.warps_per_sm == expected->warps);
    CHECK(arch.sm.limits.ctas_per_sm == expected->ctas);
    CHECK(arch.sm.limits.barriers_per_sm == expected->barriers);
    CHECK(arch.sm.limits.ctas_per_cluster == expected->cluster);
    CHECK(arch.sm.l1.unified_bytes == expected->unified_kib * 1024);
    CHECK(arch.sm.shared.carveouts.back() == expected->largest_carveout_kib * 1024);
    CHECK(arch.sm.shared.max_per_cta == expected->opt_in_kib * 1024);
    CHECK(arch.sm.shared.max_per_cta_default == 48 * 1024);
  }
}

TEST_CASE("the latencies of the Ada files add up to those measured on L40 and RTX 4090") {
  const Arch l40 = arch_of("l40");
  CHECK(hit(l40) == 274);
  // te42's sweep of an L40 ends at 631, that of rrze at 613 to 625.
  CHECK(hit(l40) + row_access(l40, 2.49e9) + refresh(l40, 2.49e9) == Approx(628).margin(4));
  const Arch rtx4090 = arch_of("rtx4090");
  CHECK(hit(rtx4090) == 273);
  CHECK(hit(rtx4090) + row_access(rtx4090, 2.52e9) + refresh(rtx4090, 2.52e9) == Approx(541.5).margin(2));
  CHECK(l40.l2.halves == 1);
}

TEST_CASE("the latencies of the H800 file add up to those measured near, far and on average") {
  const Arch h800 = arch_of("h800-pcie");
  CHECK(hit(h800) == 264);
  CHECK(far_hit(h800) == Approx(414).margin(2));
  CHECK(hit(h800) + row_access(h800, 1.755e9) == Approx(555).margin(2));
  CHECK((hit(h800) + far_hit(h800)) / 2.0 + row_access(h800, 1.755e9) + refresh(h800, 1.755e9) ==
        Approx(655).margin(2));
}

TEST_CASE("the latencies of the H200 file lie between those that were measured near and far") {
  const Arch h200 = arch_of("h200");
  CHECK(hit(h200) == 280);
  CHECK(hit(h200) == hit(arch_of("gh200")));
  CHECK(far_hit(h200) == 461);
  CHECK(hit(h200) + row_access(h200, 1.98e9) > 556);
  CHECK((hit(h200) + far_hit(h200)) / 2.0 + row_access(h200, 1.98e9) == Approx(714).margin(3));
}

TEST_CASE("the latencies of the B200 file add up to those measured at 1587 MHz") {
  const Arch b200 = arch_of("b200");
  CHECK(hit(b200) == 305);
  CHECK((hit(b200) + far_hit(b200)) / 2.0 + row_access(b200, 1.587e9) + refresh(b200, 1.587e9) ==
        Approx(840).margin(3));
}

TEST_CASE("the L2 slices of Ada allow what was measured, and hardly more") {
  // luo24 on RTX 4090 and rrze on L40, bytes a cycle.
  for (const auto& [name, measured] : {std::pair{"rtx4090", 1708.0}, std::pair{"l40", 2296.0}}) {
    INFO(name);
    const Arch arch = arch_of(name);
    const double l2 = peak(arch, "l2") / static_cast<double>(arch.clocks.boost);
    CHECK(l2 >= measured);
    CHECK(l2 < 1.05 * measured);
  }
}

TEST_CASE("GeForce halves the tensor rate of fp32 accumulation; the L40S does not, the L40 halves everything") {
  for (const std::string_view name : {"rtx4090", "rtx5090"}) {
    const TensorFlops rates = arch_of(name).sm.tensor.flops_per_cycle;
    CHECK(rates.fp16_fp16acc == 2 * rates.fp16);
    CHECK(rates.fp8_fp16acc == 2 * rates.fp8);
  }
  const TensorFlops l40s = arch_of("l40s").sm.tensor.flops_per_cycle;
  const TensorFlops l40 = arch_of("l40").sm.tensor.flops_per_cycle;
  CHECK(l40s.fp16 == 1024);
  CHECK(l40s.fp16_fp16acc == l40s.fp16);
  CHECK(l40.fp16 * 2 == l40s.fp16);
  CHECK(l40.int8 * 2 == l40s.int8);
}

TEST_CASE("T4 and L4 keep check bits among the data, cards that read nearly all of their peak do not") {
  for (const std::string_view name : {"t4", "l4"}) {
    CHECK(arch_of(name).dram.ecc == DramEcc::kInline);
  }
  for (const std::string_view name : {"a40", "l40", "l40s", "rtx2080ti", "gtx1660ti"}) {
    CHECK(arch_of(name).dram.ecc == DramEcc::kNone);
  }
}

TEST_CASE("the tensor instructions of Ada reach the dense rates") {
  using T = isa::TimingClass;
  for (const std::string_view name : {"rtx4090", "l40s", "l40", "l4", "rtx5090"}) {
    INFO(name);
    const Arch arch = arch_of(name);
    const TensorFlops rates = arch.sm.tensor.flops_per_cycle;
    CHECK(operations_per_cycle(arch, T::kHmma16816F32, 4096) == rates.fp16);
    CHECK(operations_per_cycle(arch, T::kHmma1688F32, 2048) == rates.fp16);
    CHECK(operations_per_cycle(arch, T::kHmma16816F16, 4096) == rates.fp16_fp16acc);
    CHECK(operations_per_cycle(arch, T::kHmma1688F16, 2048) == rates.fp16_fp16acc);
    CHECK(operations_per_cycle(arch, T::kHmma1688Tf32, 2048) == rates.tf32);
    CHECK(operations_per_cycle(arch, T::kHmma1684Tf32, 1024) == rates.tf32);
    CHECK(operations_per_cycle(arch, T::kImma16832, 8192) == rates.int8);
    CHECK(operations_per_cycle(arch, T::kImma16816, 4096) == rates.int8);
    CHECK(operations_per_cycle(arch, T::kImma8816, 2048) == rates.int8);
  }
}

TEST_CASE("tensor cores lower the clock of H100 and H200 from the measured highest ones to what WGMMA alone keeps") {
  for (const auto& [name, highest, lowest] :
       {std::tuple("h100", 1'830'000'000UL, 1'650'000'000UL), std::tuple("h200", 1'800'000'000UL, 1'605'000'000UL)}) {
    INFO(name);
    const std::vector<std::uint64_t> clocks = arch_of(name).power.tensor_clock;
    REQUIRE(clocks.size() == 6);
    CHECK(clocks.front() == highest);
    CHECK(clocks.back() == lowest);
  }
  CHECK(arch_of("l40s").power.tensor_clock.empty());
}

TEST_CASE("FP64 is a sixty-fourth of FP32 on Ada, RTX 5090 and H800, and half on the other Hopper GPUs and B200") {
  for (const std::string_view name : {"rtx4090", "l40s", "l40", "l4", "rtx5090", "h800-pcie"}) {
    INFO(name);
    CHECK(peak(arch_of(name), "fp64") * 64 == Approx(peak(arch_of(name), "fp32")));
  }
  for (const std::string_view name : {"h100", "h100-pcie", "gh200", "h200", "b200"}) {
    INFO(name);
    CHECK(peak(arch_of(name), "fp64") * 2 == Approx(peak(arch_of(name), "fp32")));
  }
}

TEST_CASE("only the Blackwell GPUs have FP4 and are experimental") {
  for (const Facts& facts : kFacts) {
    INFO(facts.name);
    const Arch arch = arch_of(facts.name);
    const bool blackwell = facts.name == "b200" || facts.name == "rtx5090";
    CHECK((arch.maturity == arch::Maturity::kExperimental) == blackwell);
    CHECK((peak(arch, "fp4_tensor") > 0) == blackwell);
  }
}

TEST_CASE("inherited values are guesses, but where a documented GPU has the SM of another") {
  for (const std::string_view name : {"h100-pcie", "gh200", "h800-pcie", "l40", "b200", "rtx5090"}) {
    INFO(name);
    CHECK(kind_of(arch_of(name), "sm.lsu.queue_entries") == SourceKind::kGuess);
  }
  for (const std::string_view name : {"h200", "l40s"}) {
    INFO(name);
    CHECK(kind_of(arch_of(name), "sm.lsu.queue_entries") == SourceKind::kInferred);
  }
}

}  // namespace configs_ada_hopper_test

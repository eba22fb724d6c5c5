// SPDX-License-Identifier: MIT
// Power from counts, and the clock that a limit leaves.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/power/estimate.h"
#include "sim/model/power/sustained.h"
#include "sim/model/stats/result.h"

#include "tests/support/one_sm.h"

namespace power_test {

using namespace gpusim;

namespace {

constexpr std::uint64_t kGiga = 1'000'000'000;

/// A GPU at 2 GHz, its boost, of which every number is a round one.
arch::Arch round_gpu() {
  arch::Arch arch = test::shipped_arch("h100");
  arch.clocks.boost = 2 * kGiga;
  arch.clocks.sm = 2 * kGiga;
  arch.power = {};
  arch.power.limit = 300'000;
  arch.power.idle = 50'000;
  arch.power.sm = 1'000;
  arch.power.thread_instruction = 5'000;
  arch.power.tensor_flop = 1'000;
  arch.power.shared_byte = 2'000;
  arch.power.l2_byte = 10'000;
  arch.power.dram_byte = 30'000;
  arch.power.least_voltage_percent = 60;
  return arch;
}

/// A millisecond on 100 SMs, at the clock of the GPU.
stats::KernelResult millisecond(const arch::Arch& arch) {
  stats::KernelResult kernel;
  kernel.cycles = arch.clocks.sm / 1000;
  kernel.sm.active_cycles = 100 * kernel.cycles;
  return kernel;
}

/// The round GPU with a power that nothing exceeds.
arch::Arch with_tensor_clock(std::vector<std::uint64_t> hertz) {
  arch::Arch arch = round_gpu();
  arch.power.limit = 10'000'000;
  arch.power.tensor_flop = 0;
  arch.power.tensor_clock = std::move(hertz);
  return arch;
}

/// A millisecond with as many FLOPs of a class as tensor cores do of FP16 in a share of it.
stats::KernelResult products(const arch::Arch& arch, double share,
                             isa::FlopClass flop_class = isa::FlopClass::kTensorFp16) {
  stats::KernelResult kernel = millisecond(arch);
  const double most = 4096.0 * arch.sm.count * static_cast<double>(kernel.cycles);
  kernel.flops[static_cast<std::size_t>(flop_class)] = static_cast<std::uint64_t>(share * most);
  return kernel;
}

double sustained_mhz_at(const arch::Arch& arch, double share, isa::FlopClass flop_class = isa::FlopClass::kTensorFp16) {
  return power::estimate(arch, products(arch, share, flop_class)).sustained_mhz;
}

stats::Result run_of(const arch::Arch& arch, std::vector<stats::KernelResult> kernels) {
  stats::Result result;
  result.sm_clock_mhz = static_cast<double>(arch.clocks.sm) / 1e6;
  for (stats::KernelResult& kernel : kernels) {
    kernel.power = power::estimate(arch, kernel);
    result.kernels.push_back(std::move(kernel));
  }
  return result;
}

}  // namespace

TEST_CASE("an architecture without a limit has no estimate of power") {
  arch::Arch arch = round_gpu();
  arch.power.limit = 0;
  CHECK_FALSE(power::estimate(arch, millisecond(arch)).is_known());
  CHECK(power::estimate(arch, millisecond(arch)).watts() == 0);
}

TEST_CASE("a kernel without cycles has no estimate of power") {
  CHECK_FALSE(power::estimate(round_gpu(), {}).is_known());
}

TEST_CASE("each kind of event draws its energy a second") {
  const arch::Arch arch = round_gpu();
  stats::KernelResult kernel = millisecond(arch);
  kernel.sm.active_lanes = 2 * kGiga;        // x 5 pJ in a millisecond
  kernel.sm.shared_wavefronts = 10'000'000;  // x 128 B x 2 pJ
  kernel.l1.wavefronts = 10'000'000;
  kernel.l2.read_sectors = 3'125'000;    // 100 MB x 10 pJ
  kernel.dram.read_bytes = 500'000'000;  // x 30 pJ
  kernel.dram.write_bytes = 500'000'000;
  const stats::PowerEstimate draw = power::estimate(arch, kernel);
  CHECK(draw.idle == Approx(50));
  CHECK(draw.sms == Approx(100));
  CHECK(draw.instructions == Approx(10));
  CHECK(draw.shared == Approx(5.12));
  CHECK(draw.l2 == Approx(1));
  CHECK(draw.dram == Approx(30));
  CHECK(draw.watts() == Approx(196.12));
}

TEST_CASE("FLOPs of tensor cores draw by the time that they take at their peak") {
  const arch::Arch arch = round_gpu();
  const auto watts = [&](isa::FlopClass flop_class, std::uint64_t flops) {
    stats::KernelResult kernel = millisecond(arch);
    kernel.flops[static_cast<std::size_t>(flop_class)] = flops;
    return power::estimate(arch, kernel).tensor;
  };
  CHECK(watts(isa::FlopClass::kTensorFp16, 100 * kGiga) == Approx(100));
  CHECK(watts(isa::FlopClass::kTensorFp8, 200 * kGiga) == Approx(100));  // twice the rate
  CHECK(watts(isa::FlopClass::kTensorTf32, 50 * kGiga) == Approx(100));  // half
  CHECK(watts(isa::FlopClass::kFp32, 100 * kGiga) == 0);
}

TEST_CASE("energies of the SMs follow the square of the voltage, which has a least") {
  arch::Arch arch = round_gpu();
  const auto watts_at = [&](std::uint64_t clock) {
    arch.clocks.sm = clock;
    stats::KernelResult kernel = millisecond(arch);
    kernel.sm.active_lanes = 2 * kGiga;
    return power::estimate(arch, kernel).instructions;
  };
  const double whole = watts_at(2 * kGiga);
  CHECK(watts_at(1'600'000'000) == Approx(whole * 0.64));
  CHECK(watts_at(kGiga) == Approx(whole * 0.36));  // 60 % of the voltage, not 50
}

TEST_CASE("a kernel within the limit keeps the simulated clock") {
  const arch::Arch arch = round_gpu();
  CHECK(power::estimate(arch, millisecond(arch)).sustained_mhz == 2000);
}

TEST_CASE("beyond the limit the clock is the one at which the same work draws the limit") {
  const arch::Arch arch = round_gpu();
  stats::KernelResult kernel = millisecond(arch);
  kernel.flops[static_cast<std::size_t>(isa::FlopClass::kTensorFp16)] = 300 * kGiga;
  const stats::PowerEstimate draw = power::estimate(arch, kernel);
  REQUIRE(draw.watts() == Approx(450));
  // 50 W + 400 W x (f / 2 GHz)^3 = 300 W
  CHECK(draw.sustained_mhz == Approx(2000 * std::cbrt(250.0 / 400)));
}

TEST_CASE(
    "tensor cores leave the clock of the share of their peak that is used, on straight lines between the values") {
  const arch::Arch arch = with_tensor_clock({1'800'000'000, 1'700'000'000, 1'500'000'000});
  CHECK(sustained_mhz_at(arch, 1e-9) == Approx(1800));
  CHECK(sustained_mhz_at(arch, 0.25) == Approx(1750));
  CHECK(sustained_mhz_at(arch, 0.5) == Approx(1700));
  CHECK(sustained_mhz_at(arch, 0.75) == Approx(1600));
  CHECK(sustained_mhz_at(arch, 1) == Approx(1500));
}

TEST_CASE("one value holds at any share of the tensor cores' peak") {
  const arch::Arch arch = with_tensor_clock({1'700'000'000});
  CHECK(sustained_mhz_at(arch, 0.01) == 1700);
  CHECK(sustained_mhz_at(arch, 1) == 1700);
}

TEST_CASE("without products on tensor cores, or with those of FP64 alone, nothing but the power lowers the clock") {
  const arch::Arch arch = with_tensor_clock({1'700'000'000});
  CHECK(sustained_mhz_at(arch, 0) == 2000);
  CHECK(sustained_mhz_at(arch, 0.04, isa::FlopClass::kTensorFp64) == 2000);
  CHECK(sustained_mhz_at(with_tensor_clock({}), 1) == 2000);
}

TEST_CASE("products of FP8 use the share of the peak that their time is, not twice as much") {
  const arch::Arch arch = with_tensor_clock({1'800'000'000, 1'600'000'000});
  CHECK(sustained_mhz_at(arch, 1, isa::FlopClass::kTensorFp8) == Approx(1700));  // FLOPs of half the time
}

TEST_CASE("of the clocks that power and tensor cores leave the lower one is kept") {
  arch::Arch arch = with_tensor_clock({1'700'000'000});
  arch.power.tensor_flop = 1'000;
  CHECK(sustained_mhz_at(arch, 0.01) == 1700);
  arch.power.limit = 300'000;
  CHECK(sustained_mhz_at(arch, 1) < 1500);
}

TEST_CASE("kernels that take turns keep the clock of their mean share of the tensor cores' peak") {
  const arch::Arch arch = with_tensor_clock({1'800'000'000, 1'600'000'000});
  const stats::Result result = run_of(arch, {products(arch, 1), products(arch, 0)});
  CHECK(power::sustained_clock(arch, result, arch.clocks.sm) == 1'700'000'000);
}

TEST_CASE("kernels that take turns keep the clock of their mean power") {
  const arch::Arch arch = round_gpu();
  stats::KernelResult busy = millisecond(arch);
  busy.flops[static_cast<std::size_t>(isa::FlopClass::kTensorFp16)] = 300 * kGiga;
  const stats::KernelResult idle = millisecond(arch);
  CHECK(power::sustained_clock(arch, run_of(arch, {busy, idle}), arch.clocks.sm) == arch.clocks.sm);
  CHECK(power::sustained_clock(arch, run_of(arch, {busy}), arch.clocks.sm) == 1'710'000'000);
}

TEST_CASE("a run is simulated again at the clock that its power leaves") {
  const arch::Arch arch = round_gpu();
  std::vector<std::uint64_t> clocks;
  const stats::Result result = power::simulate_sustained(arch, [&](const arch::Arch& at) {
    clocks.push_back(at.clocks.sm);
    stats::KernelResult kernel = millisecond(at);
    kernel.flops[static_cast<std::size_t>(isa::FlopClass::kTensorFp16)] = at.clocks.sm * 150;  // the same a cycle
    return run_of(at, {kernel});
  });
  CHECK(clocks == std::vector<std::uint64_t>{2 * kGiga, 1'710'000'000});
  CHECK(result.sm_clock_mhz == 1710);
  CHECK(result.kernels.front().power.watts() == Approx(300).epsilon(0.01));
}

TEST_CASE("a clock that follows from the power is inferred, and no longer the file's guess") {
  const arch::Arch arch = power::at_clock(test::shipped_arch("h100"), 1'650'000'000);
  const auto is_clock = [](const arch::Guess& guess) { return guess.key == "clocks.sm"; };
  REQUIRE(std::count_if(arch.guesses.begin(), arch.guesses.end(), is_clock) == 1);
  const arch::Guess& guess = *std::find_if(arch.guesses.begin(), arch.guesses.end(), is_clock);
  CHECK(guess.value == "1650 MHz");
  CHECK(guess.kind == SourceKind::kInferred);
}

}  // namespace power_test

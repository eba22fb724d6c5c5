// SPDX-License-Identifier: MIT
#include "sim/system/generate/request.h"

#include <algorithm>
#include <vector>

#include "sim/base/units.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/power/estimate.h"
#include "sim/model/stats/power.h"
#include "sim/system/memory/offer.h"

namespace gpusim::generate {
namespace {

/// What a large FP16 product draws at the boost clock, where it reaches 75 % of the peak of tensor cores: tiles of 128
/// x 256, warps that have 64 x 64 of them, and instructions of 16 x 8 x 8 with a third of others beside them. The reach
/// and the third are of no measurement. Kind: guess. With T4's energies 0.68 of the clock are left, 33 TFLOP/s; its
/// tensor_flop was inferred from 24, which this does not reproduce.
stats::PowerEstimate draw_of_product(const arch::Arch& arch) {
  constexpr double kReach = 0.75;
  constexpr double kSharedBytes = 2.0 * (64 + 64) / (2 * 64 * 64);  // for a FLOP, as all below
  constexpr double kL2Bytes = 2.0 * (128 + 256) / (2 * 128 * 256);
  constexpr double kLanes = 1.3 * 32 / (2 * 16 * 8 * 8);
  constexpr double kMilli = 1e-3;
  constexpr double kFemto = 1e-15;
  const arch::PowerConfig& power = arch.power;
  const double flops = kReach * arch::flops_per_cycle(arch.sm, isa::FlopClass::kTensorFp16) * arch.sm.count *
                       static_cast<double>(arch.clocks.boost);
  stats::PowerEstimate draw;
  draw.idle = power.idle * kMilli;
  draw.sms = power.sm * kMilli * arch.sm.count;
  draw.instructions = flops * kLanes * power.thread_instruction * kFemto;
  draw.tensor = flops * power.tensor_flop * kFemto;
  draw.shared = flops * kSharedBytes * power.shared_byte * kFemto;
  draw.l2 = flops * kL2Bytes * power.l2_byte * kFemto;
  draw.tensor_share = kReach;
  return draw;
}

/// The share of the boost clock that the card keeps in a large product; 1 where nothing is known of its power.
double kept_clock(const arch::Arch& arch) {
  if (arch.power.limit == 0) {
    return 1;
  }
  arch::Arch at_boost = arch;
  at_boost.clocks.sm = arch.clocks.boost;
  const double boost_mhz = static_cast<double>(arch.clocks.boost) / static_cast<double>(kMega);
  return power::sustained_mhz(at_boost, draw_of_product(arch), boost_mhz) / boost_mhz;
}

}  // namespace

double product_clock_of(const arch::Arch& arch) {
  constexpr double kOfH100 = 0.843;  // kept_clock() of an H100, on which the reach of kernels was measured
  return kept_clock(arch) / kOfH100;
}

Target target_on(const arch::Arch& arch) {
  Target target{arch.sm.count, arch.compute_capability, memory::workspace_of(arch),
                std::min(1.0, product_clock_of(arch))};
  const std::vector<arch::Peak> peaks = arch::computed_peaks(arch);
  if (const arch::Peak* const dram = arch::find_peak(peaks, "dram")) {
    target.dram = dram->value;
  }
  return target;
}

}  // namespace gpusim::generate

// SPDX-License-Identifier: MIT
#include "sim/model/power/sustained.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/base/units.h"
#include "sim/model/power/estimate.h"

namespace gpusim::power {
namespace {

/// Kernels draw by turns; the card's regulator sees the mean of many.
stats::PowerEstimate mean_draw(const stats::Result& result) {
  stats::PowerEstimate mean;
  double cycles = 0;
  for (const stats::KernelResult& kernel : result.kernels) {
    cycles += static_cast<double>(kernel.cycles);
  }
  for (const stats::KernelResult& kernel : result.kernels) {
    const double weight = static_cast<double>(kernel.cycles) / std::max(1.0, cycles);
    for (const stats::PowerPart& part : stats::kPowerParts) {
      mean.*part.member += kernel.power.*part.member * weight;
    }
    mean.tensor_share += kernel.power.tensor_share * weight;
  }
  return mean;
}

/// Clocks that differ by less take the same time, as far as an estimate goes.
bool is_near(std::uint64_t a, std::uint64_t b) {
  constexpr double kNear = 0.005;
  return std::abs(static_cast<double>(a) - static_cast<double>(b)) <= kNear * static_cast<double>(b);
}

}  // namespace

arch::Arch at_clock(const arch::Arch& arch, std::uint64_t hertz) {
  arch::Arch changed = arch;
  changed.clocks.sm = hertz;
  std::erase_if(changed.guesses, [](const arch::Guess& guess) { return guess.key == "clocks.sm"; });
  changed.guesses.push_back({"clocks.sm", std::to_string(hertz / kMega) + " MHz", SourceKind::kInferred,
                             "what the limit of the card's power leaves, by the estimate of power.*"});
  return changed;
}

std::uint64_t sustained_clock(const arch::Arch& arch, const stats::Result& result, std::uint64_t most_hertz) {
  if (arch.power.limit == 0 || result.kernels.empty()) {
    return most_hertz;
  }
  const double mhz =
      sustained_mhz(arch, mean_draw(result), static_cast<double>(most_hertz) / static_cast<double>(kMega));
  return std::min(most_hertz, static_cast<std::uint64_t>(std::llround(mhz)) * kMega);
}

stats::Result simulate_sustained(const arch::Arch& arch,
                                 const std::function<stats::Result(const arch::Arch&)>& simulate) {
  constexpr int kMostTurns = 2;
  stats::Result result = simulate(arch);
  arch::Arch now = arch;
  for (int turn = 0; turn < kMostTurns && result.complete; ++turn) {
    const std::uint64_t clock = sustained_clock(now, result, arch.clocks.sm);
    if (is_near(clock, now.clocks.sm)) {
      break;
    }
    now = at_clock(arch, clock);
    result = simulate(now);
  }
  return result;
}

}  // namespace gpusim::power

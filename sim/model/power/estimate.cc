// SPDX-License-Identifier: MIT
#include "sim/model/power/estimate.h"

#include <algorithm>
#include <limits>

#include "sim/base/types.h"
#include "sim/base/units.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/stats/kernel_counts.h"

namespace gpusim::power {
namespace {

constexpr double kWattsPerMilliwatt = 1e-3;
constexpr double kJoulesPerFemtojoule = 1e-15;
constexpr double kPassBytes = 128;  ///< through L1 or shared memory

double hertz_to_mhz(std::uint64_t hertz) {
  return static_cast<double>(hertz) / static_cast<double>(kMega);
}

/// Energy of an event at a clock, of that at clocks.boost: the square of the voltage.
double energy_share(const arch::Arch& arch, double mhz) {
  constexpr double kPercent = 100;
  const double least = arch.power.least_voltage_percent / kPercent;
  const double voltage = std::max(least, mhz / hertz_to_mhz(arch.clocks.boost));
  return voltage * voltage;
}

/// FLOPs of tensor cores but those of one class, each counted as those of FP16 that take as long.
double tensor_flops(const arch::SmConfig& sm, const stats::KernelCounts& kernel,
                    isa::FlopClass left_out = isa::FlopClass::kNone) {
  const double rate = arch::flops_per_cycle(sm, isa::FlopClass::kTensorFp16);
  double sum = 0;
  for (std::size_t c = 0; c < isa::kFlopClasses; ++c) {
    const auto flop_class = static_cast<isa::FlopClass>(c);
    if (isa::is_tensor(flop_class) && flop_class != left_out && kernel.flops[c] > 0) {
      sum += static_cast<double>(kernel.flops[c]) * rate / arch::flops_per_cycle(sm, flop_class);
    }
  }
  return sum;
}

/// What products take of the peak of all SMs' tensor cores, at any clock. Those of FP64 do not count: on an H200 they
/// keep 1.91 GHz where they take 91 % of their peak (h200self, frameworks-ncu.csv).
double tensor_share(const arch::SmConfig& sm, const stats::KernelCounts& kernel) {
  const double rate = arch::flops_per_cycle(sm, isa::FlopClass::kTensorFp16);
  const double most = rate * sm.count * static_cast<double>(kernel.cycles);
  return most > 0 ? std::min(1.0, tensor_flops(sm, kernel, isa::FlopClass::kTensorFp64) / most) : 0;
}

/// The clock in MHz that tensor cores leave: between two values of power.tensor_clock, on a straight line. No limit
/// where the GPU has none, or where they do not work.
double tensor_clock_mhz(const arch::PowerConfig& power, double share) {
  if (power.tensor_clock.empty() || share <= 0) {
    return std::numeric_limits<double>::infinity();
  }
  const std::size_t steps = power.tensor_clock.size() - 1;
  const double place = share * static_cast<double>(steps);
  const auto before = std::min(steps, static_cast<std::size_t>(place));
  const std::size_t after = std::min(steps, before + 1);
  const double low = hertz_to_mhz(power.tensor_clock[before]);
  return low + (hertz_to_mhz(power.tensor_clock[after]) - low) * (place - static_cast<double>(before));
}

/// What grows with the clock and the voltage.
double scaled_watts(const stats::PowerEstimate& draw) {
  return draw.sms + draw.instructions + draw.tensor + draw.shared + draw.l2;
}

}  // namespace

stats::PowerEstimate estimate(const arch::Arch& arch, const stats::KernelCounts& kernel) {
  stats::PowerEstimate draw;
  if (arch.power.limit == 0 || kernel.cycles == 0) {
    return draw;
  }
  const arch::PowerConfig& power = arch.power;
  const double mhz = hertz_to_mhz(arch.clocks.sm);
  const double seconds = static_cast<double>(kernel.cycles) / static_cast<double>(arch.clocks.sm);
  const double share = energy_share(arch, mhz);
  const auto watts = [&](double events, std::uint32_t femtojoules) {
    return events * femtojoules * kJoulesPerFemtojoule / seconds;
  };
  const double active_sms = static_cast<double>(kernel.sm.active_cycles) / static_cast<double>(kernel.cycles);
  const std::uint64_t passes = kernel.l1.wavefronts + kernel.sm.shared_wavefronts;
  const std::uint64_t l2_sectors = kernel.l2.read_sectors + kernel.l2.write_sectors + kernel.l2.atomic_sectors;
  draw.idle = power.idle * kWattsPerMilliwatt;
  draw.sms = share * active_sms * power.sm * kWattsPerMilliwatt * mhz / hertz_to_mhz(arch.clocks.boost);
  draw.instructions = share * watts(static_cast<double>(kernel.sm.active_lanes), power.thread_instruction);
  draw.tensor = share * watts(tensor_flops(arch.sm, kernel), power.tensor_flop);
  draw.shared = share * watts(static_cast<double>(passes) * kPassBytes, power.shared_byte);
  draw.l2 = share * watts(static_cast<double>(l2_sectors * kSectorBytes), power.l2_byte);
  draw.dram = watts(static_cast<double>(kernel.dram.moved_bytes()), power.dram_byte);
  draw.limit = power.limit * kWattsPerMilliwatt;
  draw.tensor_share = tensor_share(arch.sm, kernel);
  draw.sustained_mhz = sustained_mhz(arch, draw, mhz);
  return draw;
}

double sustained_mhz(const arch::Arch& arch, const stats::PowerEstimate& draw, double most_mhz) {
  const double at = hertz_to_mhz(arch.clocks.sm);
  const double most = std::min(most_mhz, tensor_clock_mhz(arch.power, draw.tensor_share));
  const auto watts = [&](double mhz) {
    const double rate = mhz / at;
    return draw.idle + rate * (draw.dram + scaled_watts(draw) * energy_share(arch, mhz) / energy_share(arch, at));
  };
  const double limit = arch.power.limit * kWattsPerMilliwatt;
  if (watts(most) <= limit) {
    return most;
  }
  constexpr int kHalvings = 40;
  constexpr double kLeast = 0.05;  ///< a limit below the idle power leaves no clock
  double low = kLeast * most;
  double high = most;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (watts(middle) <= limit ? low : high) = middle;
  }
  return low;
}

}  // namespace gpusim::power

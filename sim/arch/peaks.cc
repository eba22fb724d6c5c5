// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string_view>

#include "sim/arch/loader.h"
#include "sim/base/types.h"

namespace gpusim::arch {
namespace {

/// FLOP a cycle and SM of a class whose lanes each do `flops` an instruction.
double lane_flops(const Arch& arch, isa::TimingClass timing, unsigned flops) {
  const isa::Timing& t = arch.sm.timing[static_cast<std::size_t>(timing)];
  return t.supported ? arch.sm.sub_cores * kWarpLanes * flops / t.interval.value() : 0;
}

double clock_hz(const Arch& arch, std::string_view clock) {
  const Clocks& clocks = arch.clocks;
  return static_cast<double>(clock == "boost"          ? clocks.boost
                             : clock == "tensor_boost" ? clocks.tensor_boost
                             : clock == "memory"       ? clocks.memory
                                                       : clocks.sm);
}

}  // namespace

std::vector<Peak> computed_peaks(const Arch& arch) {
  struct Row {
    std::string_view name;
    std::string_view clock;
    double flops;  ///< a cycle and SM
  };
  const TensorFlops& tensor = arch.sm.tensor.flops_per_cycle;
  // An FMA counts two; a packed half instruction works on two values a lane.
  const std::array<Row, 9> rows{{{"fp32", "boost", lane_flops(arch, isa::TimingClass::kFma, 2)},
                                 {"fp64", "boost", lane_flops(arch, isa::TimingClass::kFp64, 2)},
                                 {"fp16", "boost", lane_flops(arch, isa::TimingClass::kHalf, 4)},
                                 {"fp16_tensor", "tensor_boost", static_cast<double>(tensor.fp16)},
                                 {"bf16_tensor", "tensor_boost", static_cast<double>(tensor.bf16)},
                                 {"tf32_tensor", "tensor_boost", static_cast<double>(tensor.tf32)},
                                 {"fp8_tensor", "tensor_boost", static_cast<double>(tensor.fp8)},
                                 {"int8_tensor", "tensor_boost", static_cast<double>(tensor.int8)},
                                 {"fp64_tensor", "tensor_boost", static_cast<double>(tensor.fp64)}}};
  const auto quoted = [&arch](std::string_view name, std::string_view clock) {
    const auto found = std::ranges::find(arch.peaks, name, &Peak::name);
    return found != arch.peaks.end() ? *found : Peak{std::string(name), 0, 0, std::string(clock)};
  };
  std::vector<Peak> peaks;
  for (const Row& row : rows) {
    Peak peak = quoted(row.name, row.clock);
    peak.value = row.flops * arch.sm.count * clock_hz(arch, peak.clock);
    if (row.flops > 0) {
      peaks.push_back(std::move(peak));
    }
  }
  peaks.push_back(quoted("dram", "memory"));
  peaks.back().value = arch.dram.peak_bytes_per_second();
  return peaks;
}

}  // namespace gpusim::arch

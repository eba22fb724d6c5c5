// SPDX-License-Identifier: MIT
#include "sim/model/arch/peaks.h"

#include <algorithm>
#include <array>

#include "sim/base/types.h"
#include "sim/model/arch/arch.h"

namespace gpusim::arch {
namespace {

/// FLOP a cycle of an SM, of a class whose lanes each do `flops` an instruction.
double lanes(const SmConfig& sm, isa::TimingClass timing, unsigned flops) {
  const isa::Timing& row = sm.timing[static_cast<std::size_t>(timing)];
  return row.supported ? sm.sub_cores * kWarpLanes * flops / row.interval.value() : 0;
}

template <isa::FlopClass c>
double plain(const Arch& arch) {
  return arch.sm.count * flops_per_cycle(arch.sm, c);
}

using Tensor = std::uint32_t TensorFlops::*;

template <Tensor type>
double dense(const Arch& arch) {
  return static_cast<double>(arch.sm.count) * (arch.sm.tensor.flops_per_cycle.*type);
}

template <Tensor type>
double sparse(const Arch& arch) {
  return arch.sm.tensor.sparsity > 1 ? arch.sm.tensor.sparsity * dense<type>(arch) : 0;
}

using T = TensorFlops;
using F = isa::FlopClass;
using U = PeakUnit;

constexpr std::string_view kSms = "sm.count";

// Peaks of the tensor cores for one type, dense and with 2:4 sparsity.
#define GPUSIM_DENSE(type, unit)                                         \
  PeakInfo {                                                             \
#type "_tensor", unit, PeakClock::kTensorBoost, dense < &T::type>, { \
      kSms, "sm.tensor.flops_per_cycle." #type                           \
    }                                                                    \
  }
#define GPUSIM_SPARSE(type, unit)                                                \
  PeakInfo {                                                                     \
#type "_tensor_sparse", unit, PeakClock::kTensorBoost, sparse < &T::type>, { \
      kSms, "sm.tensor.flops_per_cycle." #type, "sm.tensor.sparsity"             \
    }                                                                            \
  }

constexpr std::array kPeaks{
    PeakInfo{"fp32", U::kFlops, PeakClock::kBoost, plain<F::kFp32>, {kSms, "sm.sub_cores", "sm.timing.fma.interval"}},
    PeakInfo{"fp64", U::kFlops, PeakClock::kBoost, plain<F::kFp64>, {kSms, "sm.sub_cores", "sm.timing.fp64.interval"}},
    PeakInfo{"fp16", U::kFlops, PeakClock::kBoost, plain<F::kFp16>, {kSms, "sm.sub_cores", "sm.timing.half.interval"}},
    GPUSIM_DENSE(fp16, U::kFlops),
    GPUSIM_DENSE(fp16_fp16acc, U::kFlops),
    GPUSIM_DENSE(bf16, U::kFlops),
    GPUSIM_DENSE(tf32, U::kFlops),
    GPUSIM_DENSE(fp8, U::kFlops),
    GPUSIM_DENSE(fp8_fp16acc, U::kFlops),
    GPUSIM_DENSE(fp4, U::kFlops),
    GPUSIM_DENSE(int8, U::kOps),
    GPUSIM_DENSE(int4, U::kOps),
    GPUSIM_DENSE(binary, U::kOps),
    GPUSIM_DENSE(fp64, U::kFlops),
    GPUSIM_SPARSE(fp16, U::kFlops),
    GPUSIM_SPARSE(fp16_fp16acc, U::kFlops),
    GPUSIM_SPARSE(bf16, U::kFlops),
    GPUSIM_SPARSE(tf32, U::kFlops),
    GPUSIM_SPARSE(fp8, U::kFlops),
    GPUSIM_SPARSE(fp8_fp16acc, U::kFlops),
    GPUSIM_SPARSE(fp4, U::kFlops),
    GPUSIM_SPARSE(int8, U::kOps),
    GPUSIM_SPARSE(int4, U::kOps),
    PeakInfo{"shared",
             U::kBytes,
             PeakClock::kBoost,
             [](const Arch& a) { return static_cast<double>(a.sm.count) * kSharedBytesPerCycle; },
             {kSms}},
    PeakInfo{"l1",
             U::kBytes,
             PeakClock::kBoost,
             [](const Arch& a) { return static_cast<double>(a.sm.count) * a.sm.l1.data_bytes_per_cycle; },
             {kSms, "sm.l1.data_bytes_per_cycle"}},
    // As vendors count it: what the slices read. The NoC may let less through.
    PeakInfo{"l2",
             U::kBytes,
             PeakClock::kBoost,
             [](const Arch& a) { return static_cast<double>(a.l2.slices) * a.l2.slice_bytes_per_cycle; },
             {"l2.slices", "l2.slice_bytes_per_cycle"}},
    PeakInfo{"dram",
             U::kBytes,
             PeakClock::kMemory,
             [](const Arch& a) { return a.dram.peak_bytes_per_second(); },
             {"dram.channels", "dram.burst_bytes", "dram.command_hz", "dram.timing.CCDS"}},
    PeakInfo{"nvlink",
             U::kBytes,
             PeakClock::kLink,
             [](const Arch& a) { return static_cast<double>(a.interconnect.nvlink_bytes_per_second); },
             {"interconnect.nvlink_bytes_per_second"}},
    PeakInfo{"pcie",
             U::kBytes,
             PeakClock::kLink,
             [](const Arch& a) { return static_cast<double>(a.interconnect.pcie_bytes_per_second); },
             {"interconnect.pcie_bytes_per_second"}},
};
#undef GPUSIM_DENSE
#undef GPUSIM_SPARSE

}  // namespace

double flops_per_cycle(const SmConfig& sm, isa::FlopClass c) {
  const TensorFlops& tensor = sm.tensor.flops_per_cycle;
  switch (c) {
    // An FMA counts two; a packed half instruction works on two values a lane.
    case F::kFp32: return lanes(sm, isa::TimingClass::kFma, 2);
    case F::kFp64: return lanes(sm, isa::TimingClass::kFp64, 2);
    case F::kFp16: return lanes(sm, isa::TimingClass::kHalf, 4);
    case F::kTensorFp16: return tensor.fp16;
    case F::kTensorFp16Fp16Acc: return tensor.fp16_fp16acc;
    case F::kTensorBf16: return tensor.bf16;
    case F::kTensorTf32: return tensor.tf32;
    case F::kTensorFp64: return tensor.fp64;
    case F::kTensorFp8: return tensor.fp8;
    case F::kTensorFp8Fp16Acc: return tensor.fp8_fp16acc;
    case F::kTensorInt8: return tensor.int8;
    case F::kTensorInt4: return tensor.int4;
    case F::kTensorBinary: return tensor.binary;
    case F::kNone: break;
  }
  return 0;
}

double activates_per_second(const DramConfig& dram) {
  constexpr double kActivateWindow = 4;
  if (dram.model != DramModel::kBanked) {
    return 0;
  }
  const DramTimings& t = dram.timing;
  const double groups = dram.bank_groups;
  const double on_bus = (dram.activate_clocks + 1.0) * (dram.row_bus == RowBus::kShared ? 2 : 1);
  const double clocks = std::max({double{1} * t.RRDS, t.RRDL / groups, t.FAW / kActivateWindow,
                                  std::max(t.RC, t.RAS + t.RP) / (groups * dram.banks_per_group), on_bus});
  const double stopped = dram.refresh == DramRefresh::kAllBank && t.REFI != 0 ? static_cast<double>(t.RFC) / t.REFI : 0;
  return dram.channels * static_cast<double>(dram.command_hz) / clocks * (1 - stopped);
}

std::span<const PeakInfo> peak_infos() {
  return kPeaks;
}

double clock_hz(const Arch& arch, PeakClock clock) {
  switch (clock) {
    case PeakClock::kSm: return static_cast<double>(arch.clocks.sm);
    case PeakClock::kBoost: return static_cast<double>(arch.clocks.boost);
    case PeakClock::kTensorBoost: return static_cast<double>(arch.clocks.tensor_boost);
    case PeakClock::kMemory:
    case PeakClock::kLink: break;
  }
  return 1;
}

std::vector<Peak> computed_peaks(const Arch& arch) {
  std::vector<Peak> peaks;
  for (const PeakInfo& info : kPeaks) {
    const double rate = info.rate(arch);
    if (rate <= 0) {
      continue;
    }
    const Peak* const quoted = find_peak(arch.peaks, info.name);
    Peak peak = quoted != nullptr ? *quoted : Peak{std::string(info.name), 0, 0, info.clock, info.unit};
    peak.value = rate * clock_hz(arch, peak.clock);
    peaks.push_back(std::move(peak));
  }
  return peaks;
}

const Peak* find_peak(std::span<const Peak> peaks, std::string_view name) {
  const auto found = std::ranges::find(peaks, name, &Peak::name);
  return found == peaks.end() ? nullptr : &*found;
}

}  // namespace gpusim::arch

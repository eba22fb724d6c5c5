// SPDX-License-Identifier: MIT
// The formulas of docs/metrics.md. E stands for elapsed SM-cycles (kernel cycles x SMs), A for active SM-cycles,
// t for the kernel's time.
#include "sim/model/stats/metrics.h"

#include <algorithm>
#include <array>
#include <span>

#include "sim/model/stats/shares.h"
#include "sim/model/stats/throughput_parts.h"

namespace gpusim::stats {
namespace {

std::optional<double> hit_share(std::uint64_t hits, std::uint64_t all) {
  return all == 0 ? std::nullopt : std::optional(percent(static_cast<double>(hits), static_cast<double>(all)));
}

constexpr std::array kFpPipes{isa::Pipe::kFma, isa::Pipe::kAlu, isa::Pipe::kFp16, isa::Pipe::kFp64, isa::Pipe::kXu};

double largest_pipe_pct(const Result& result, const KernelResult& kernel, std::span<const isa::Pipe> pipes) {
  double largest = 0;
  for (const isa::Pipe pipe : pipes) {
    largest = std::max(largest, pipe_pct(result, kernel, pipe));
  }
  return largest;
}

double fp_pct(const Result& result, const KernelResult& kernel) {
  return largest_pipe_pct(result, kernel, kFpPipes);
}

/// Each tensor type's FLOPs take a share of the machine's time at that type's peak; the shares add up.
double tensor_pct(const Result& result, const KernelResult& kernel) {
  double share = 0;
  for (std::size_t c = 0; c < isa::kFlopClasses; ++c) {
    if (isa::is_tensor(static_cast<isa::FlopClass>(c))) {
      share += percent(static_cast<double>(kernel.flops[c]),
                       result.machine.flops_per_cycle_sm[c] * elapsed_sm_cycles(result, kernel));
    }
  }
  return share;
}

double l2_slices_pct(const Result& result, const KernelResult& kernel) {
  const double cycles = static_cast<double>(kernel.cycles);
  const std::uint64_t sectors = kernel.l2.read_sectors + kernel.l2.write_sectors + kernel.l2.atomic_sectors;
  const double moved = percent(static_cast<double>(sectors * kSectorBytes), result.machine.l2_bytes_per_cycle * cycles);
  const std::uint64_t units = std::max(kernel.l2.busy_cycles, kernel.l2.atomic_cycles);
  const double busy = percent(static_cast<double>(units), cycles * result.machine.l2_slices);
  return std::max(moved, busy);
}

double all_floating_point(const KernelResult& kernel) {
  double sum = 0;
  for (std::size_t c = 0; c < isa::kFlopClasses; ++c) {
    const auto flop_class = static_cast<isa::FlopClass>(c);
    if (flop_class != isa::FlopClass::kNone && !isa::is_integer(flop_class)) {
      sum += static_cast<double>(kernel.flops[c]);
    }
  }
  return sum;
}

}  // namespace

double time_us(const Result& result, const KernelResult& kernel) {
  return ratio(static_cast<double>(kernel.cycles), result.sm_clock_mhz) + kernel.begin_end_us;
}

double energy_mj(const Result& result, const KernelResult& kernel) {
  constexpr double kMicrojoules = 1000;  // in a millijoule; a watt is one a microsecond
  return kernel.power.watts() * (time_us(result, kernel) - kernel.begin_end_us) / kMicrojoules;
}

double ipc_active(const KernelResult& kernel) {
  return ratio(static_cast<double>(kernel.sm.warp_instructions), static_cast<double>(kernel.sm.active_cycles));
}

double achieved_occupancy_pct(const KernelResult& kernel) {
  return percent(static_cast<double>(kernel.sm.warp_cycles),
                 static_cast<double>(kernel.sm.active_cycles) * kernel.occupancy.max_warps_per_sm);
}

double avg_active_lanes(const KernelResult& kernel) {
  return ratio(static_cast<double>(kernel.sm.active_lanes), static_cast<double>(kernel.sm.warp_instructions));
}

double avg_lanes_on(const KernelResult& kernel) {
  return ratio(static_cast<double>(kernel.sm.thread_instructions), static_cast<double>(kernel.sm.warp_instructions));
}

double branch_efficiency_pct(const KernelResult& kernel) {
  const std::uint64_t uniform = kernel.sm.branches - kernel.sm.divergent_branches;
  return kernel.sm.branches == 0 ? 100.0
                                 : percent(static_cast<double>(uniform), static_cast<double>(kernel.sm.branches));
}

double sectors_per_load(const KernelResult& kernel) {
  return ratio(static_cast<double>(kernel.l1.global_load_sectors), static_cast<double>(kernel.l1.global_load_requests));
}

double sectors_per_store(const KernelResult& kernel) {
  return ratio(static_cast<double>(kernel.l1.global_store_sectors),
               static_cast<double>(kernel.l1.global_store_requests));
}

double sectors_per_atomic(const KernelResult& kernel) {
  return ratio(static_cast<double>(kernel.l1.global_atomic_sectors),
               static_cast<double>(kernel.l1.global_atomic_requests));
}

std::optional<double> l1_all_hit_pct(const KernelResult& kernel) {
  const L1Counters& l1 = kernel.l1;
  const std::uint64_t hits = l1.load_hits + l1.load_merges + l1.store_hits + kernel.local.store_hits;
  const std::uint64_t all = l1.load_sectors + l1.bypass_sectors + l1.store_sectors + l1.atomic_sectors -
                            l1.bulk_sectors + kernel.local.store_sectors;
  return hit_share(hits, all);
}

std::optional<double> l2_all_hit_pct(const KernelResult& kernel) {
  const L2Counters& l2 = kernel.l2;
  const std::uint64_t hits =
      l2.read_hits + l2.write_sectors + l2.atomic_hits + l2.far_hits + l2.far_write_sectors + l2.mshr_merges;
  const std::uint64_t all =
      l2.read_sectors + l2.write_sectors + l2.atomic_sectors + l2.far_sectors + l2.far_write_sectors;
  return hit_share(hits, all);
}

double pipe_pct(const Result& result, const KernelResult& kernel, isa::Pipe pipe) {
  return percent(static_cast<double>(kernel.pipe_busy_cycles[static_cast<std::size_t>(pipe)]),
                 elapsed_sub_core_cycles(result, kernel));
}

double noc_level_pct(const Result& result, const KernelResult& kernel, const NocLevel& level) {
  const auto number = static_cast<std::size_t>(&level - kNocLevels.data());
  const std::uint32_t ports = result.machine.noc_ports.value_or(NocPorts{})[number];
  return percent(static_cast<double>(kernel.noc.*level.busy), static_cast<double>(kernel.cycles) * ports);
}

const NocLevel& busiest_noc_level(const Result& result, const KernelResult& kernel) {
  return *std::ranges::max_element(kNocLevels, {},
                                   [&](const NocLevel& level) { return noc_level_pct(result, kernel, level); });
}

namespace {

void add_units(const Result& result, const KernelResult& kernel, Throughput& t) {
  using enum isa::Pipe;
  static constexpr std::array kOtherPipes{kTensor, kUniform, kCbu, kLsu};
  const double elapsed = elapsed_sm_cycles(result, kernel);
  t.issue_pct = percent(static_cast<double>(kernel.sm.issue_cycles), elapsed_sub_core_cycles(result, kernel));
  t.fp_pct = fp_pct(result, kernel);
  t.tensor_pct = tensor_pct(result, kernel);
  t.pipes_pct = std::max({t.issue_pct, t.fp_pct, largest_pipe_pct(result, kernel, kOtherPipes)});
  t.l1_stage_pct = percent(static_cast<double>(kernel.l1.wavefronts), elapsed);
  t.l1_stage_active_pct =
      percent(static_cast<double>(kernel.l1.wavefronts), static_cast<double>(kernel.sm.active_cycles));
  t.shared_pct = percent(static_cast<double>(kernel.sm.shared_wavefronts), elapsed);
  t.l2_slices_pct = l2_slices_pct(result, kernel);
  t.noc_pct = noc_level_pct(result, kernel, busiest_noc_level(result, kernel));
}

/// Shares of DRAM's peak are of the cycles, as those of the other units; rates are of the kernel's time.
void add_rates(const Result& result, const KernelResult& kernel, Throughput& t) {
  const double seconds = time_us(result, kernel) * 1e-6;
  const double running = seconds - kernel.begin_end_us * 1e-6;
  const double dram_bytes = static_cast<double>(kernel.dram.read_bytes + kernel.dram.write_bytes);
  t.dram_pct = percent(static_cast<double>(kernel.dram.moved_bytes()), result.machine.dram_bytes_per_second * running);
  t.dram_rows_pct =
      percent(static_cast<double>(kernel.dram.activates), result.machine.dram_activates_per_second * running);
  t.dram_gbs = ratio(dram_bytes, seconds) / 1e9;
  t.tflops = ratio(all_floating_point(kernel), seconds) / 1e12;
}

/// The maxima over parts; all else has been computed. Nsight Compute counts the links between the halves of L2 to L2
/// alone.
void add_maxima(const Result& result, const KernelResult& kernel, Throughput& t) {
  constexpr std::string_view kLinks = "links";
  t.parts = throughput_parts(result, kernel);
  t.sm_pct = largest_part(t, PartOf::kSm);
  t.l1_pct = largest_part(t, PartOf::kL1);
  t.l1_active_pct = t.l1_pct * ratio(elapsed_sm_cycles(result, kernel), static_cast<double>(kernel.sm.active_cycles));
  t.l2_pct = largest_part(t, PartOf::kL2);
  t.memory_pct = std::max({t.l1_pct, largest_part(t, PartOf::kL2, kLinks), t.dram_pct});
}

}  // namespace

Throughput throughput(const Result& result, const KernelResult& kernel) {
  Throughput t;
  add_units(result, kernel, t);
  add_rates(result, kernel, t);
  add_maxima(result, kernel, t);
  return t;
}

double tensor_share_pct(const Result& result, const KernelResult& kernel) {
  return std::max(tensor_pct(result, kernel), pipe_pct(result, kernel, isa::Pipe::kTensor));
}

std::array<UnitShare, 9> unit_shares(const Result& result, const KernelResult& kernel) {
  const Throughput t = throughput(result, kernel);
  return {{{Bound::kTensor, tensor_share_pct(result, kernel)},
           {Bound::kFp, t.fp_pct},
           {Bound::kIssue, t.issue_pct},
           {Bound::kL1, t.l1_stage_pct},
           {Bound::kShared, t.shared_pct},
           {Bound::kL2, t.l2_slices_pct},
           {Bound::kNoc, t.noc_pct},
           {Bound::kDram, t.dram_pct},
           {Bound::kDramRows, t.dram_rows_pct}}};
}

UnitShare busiest_unit(const Result& result, const KernelResult& kernel) {
  return std::ranges::max(unit_shares(result, kernel), {}, &UnitShare::pct);
}

Bound bound(const Result& result, const KernelResult& kernel) {
  if (kernel.cycles == 0 || kernel.overhead_us() > time_us(result, kernel) - kernel.begin_end_us) {
    return Bound::kLaunch;
  }
  const UnitShare busiest = busiest_unit(result, kernel);
  return busiest.pct >= kBoundPct ? busiest.unit : Bound::kLatency;
}

isa::Pipe busiest_fp_pipe(const KernelResult& kernel) {
  return *std::ranges::max_element(
      kFpPipes, {}, [&kernel](isa::Pipe pipe) { return kernel.pipe_busy_cycles[static_cast<std::size_t>(pipe)]; });
}

std::optional<Stall> main_wait(const StallCycles& stalls) {
  std::optional<Stall> main;
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < kStallCount; ++i) {
    const auto state = static_cast<Stall>(i);
    if (state != Stall::kSelected && state != Stall::kNotSelected && stalls[i] > most) {
      main = state;
      most = stalls[i];
    }
  }
  return main;
}

}  // namespace gpusim::stats

// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/collect.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "sim/machine/gpu/guesses.h"
#include "sim/machine/gpu/l2_window.h"
#include "sim/machine/gpu/machine.h"
#include "sim/machine/gpu/memory_side.h"
#include "sim/machine/gpu/noc_ports.h"
#include "sim/machine/lower/hazards.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/sm/per_worker.h"
#include "sim/machine/sm/sm.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/isa/mio.h"
#include "sim/model/occupancy/launch_shape.h"
#include "sim/model/occupancy/residency.h"
#include "sim/model/power/estimate.h"
#include "sim/model/trace/behaviour.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/trace.h"

namespace gpusim::gpu {
namespace {

constexpr double kNanosecondsPerMicrosecond = 1000.0;

stats::MachineLimits machine_limits(const arch::Arch& arch) {
  stats::MachineLimits limits;
  limits.sms = arch.sm.count;
  limits.sub_cores_per_sm = arch.sm.sub_cores;
  limits.l2_slices = arch.l2.slices;
  limits.dram_channels = arch.dram.channels;
  std::ranges::transform(noc_ports(arch), limits.noc_ports.emplace().begin(), &LevelPorts::count);
  limits.dram_bytes_per_second = arch.dram.peak_bytes_per_second();
  limits.dram_activates_per_second = arch::activates_per_second(arch.dram);
  limits.l2_bytes_per_cycle = static_cast<double>(arch.l2.slices) * arch.l2.slice_bytes_per_cycle;
  limits.l1_bytes_per_cycle = arch.sm.l1.data_bytes_per_cycle;
  limits.lsu_lanes = arch.sm.lsu.lanes;
  limits.shared_bytes_per_cycle = kSharedBytesPerCycle;
  for (std::size_t c = 0; c < isa::kFlopClasses; ++c) {
    limits.flops_per_cycle_sm[c] = arch::flops_per_cycle(arch.sm, static_cast<isa::FlopClass>(c));
  }
  return limits;
}

/// The producers of stall counts are known without a run. The order is by cycles, most first, and does not depend on
/// which thread added what.
void finish_producers(const lower::KernelImage& image, stats::KernelResult& result) {
  for (std::size_t pc = 0; pc < result.pcs.size(); ++pc) {
    stats::PcResult& row = result.pcs[pc];
    const std::uint64_t waited = row.stalls[static_cast<std::size_t>(stats::Stall::kWait)];
    if (waited != 0 && image.wait_producers[pc] != lower::kNoProducer) {
      row.producers.push_back({image.wait_producers[pc], stats::Stall::kWait, waited});
    }
    std::sort(row.producers.begin(), row.producers.end(), [](const stats::Blame& a, const stats::Blame& b) {
      return std::tuple(b.cycles, a.producer, a.state) < std::tuple(a.cycles, b.producer, b.state);
    });
  }
}

/// What goes to the units behind the MIO queue, which the code tells.
void add_mio(const isa::Instr& instr, std::uint64_t executed, stats::SmCounters& sm) {
  const isa::MioUnit unit = isa::mio_unit(instr);
  sm.lsu_instructions += unit == isa::MioUnit::kLsu ? executed : 0;
  sm.adu_instructions += unit == isa::MioUnit::kAdu ? executed : 0;
  sm.shuffles += instr.timing == isa::TimingClass::kShuffle ? executed : 0;
  sm.lsu_data_registers += isa::data_registers(instr) * executed;
}

void add_profiles(const lower::KernelImage& image, const sm::Workers& workers, stats::KernelResult& result) {
  for (const sm::PerWorker& worker : workers) {
    for (std::size_t pc = 0; pc < worker.profile.size(); ++pc) {
      const stats::PcProfile& row = worker.profile[pc];
      result.pcs[pc].add(row);
      result.sm.thread_instructions += row.thread_instructions;
      result.sm.active_lanes += row.active_lanes;
      stats::add(result.stalls, row.stalls);
    }
  }
  finish_producers(image, result);
  for (std::size_t pc = 0; pc < image.ops.size(); ++pc) {
    const lower::WarpOp& op = image.ops[pc];
    const stats::PcResult& done = result.pcs[pc];
    const isa::Instr& instr = image.kernel->code[pc];
    const auto pipe = static_cast<std::size_t>(instr.pipe());
    add_mio(instr, done.warp_instructions, result.sm);
    result.pipe_instructions[pipe] += done.warp_instructions;
    result.pipe_busy_cycles[pipe] += done.warp_instructions * op.interval.numerator / op.interval.denominator;
    result.flops[static_cast<std::size_t>(op.flop_class)] +=
        op.flops * (isa::is_tensor(op.flop_class) ? done.warp_instructions : done.thread_instructions);
  }
}

/// A kernel that is launched many times has its warnings once.
void add_hazards(const trace::Trace& trace, std::vector<std::string>& warnings) {
  std::set<std::string> known;
  std::set<const trace::Behaviour*> seen;  // launches of one kernel share it
  for (const trace::Kernel& kernel : trace.kernels) {
    if (!seen.insert(kernel.behaviour.get()).second) {
      continue;
    }
    for (std::string& warning : lower::hazards_of(kernel)) {
      if (known.insert(warning).second) {
        warnings.push_back(std::move(warning));
      }
    }
  }
}

stats::Divergence divergence_of(arch::Simt simt, const trace::Behaviour& behaviour) {
  if (behaviour.program() != nullptr) {
    return simt == arch::Simt::kIndependent ? stats::Divergence::kIts : stats::Divergence::kStack;
  }
  return behaviour.executable() != nullptr ? stats::Divergence::kExecuted : stats::Divergence::kRecorded;
}

// What a profiler counts to the kernel beside its cycles. Stores and atomics that end after the last warp do so while
// the GPU brings the kernel to its end.
double begin_end_us(const arch::Arch& arch, Cycle drain, bool has_ended) {
  const double drain_ns = static_cast<double>(drain) * 1e9 / static_cast<double>(arch.clocks.sm);
  const double end_ns = has_ended ? std::max(0.0, arch.launch.flush_ns - drain_ns) : 0;
  return (arch.launch.begin_ns + end_ns) / kNanosecondsPerMicrosecond;
}

}  // namespace

stats::Result describe_run(const arch::Arch& arch, const trace::Trace& trace) {
  stats::Result result;
  result.arch_name = arch.name;
  result.compute_capability = arch.compute_capability;
  result.arch_path = arch.path;
  result.trace_path = trace.path;
  result.trace_origin = trace.origin;
  result.trace_title = trace.title;
  for (const trace::Parameter& parameter : trace.parameters) {
    const std::string word = parameter.words.empty() ? "" : parameter.text_of(parameter.value);
    result.parameters.emplace_back(parameter.name, stats::ParameterValue(parameter.value, word));
  }
  constexpr double kMega = 1e6;
  result.sm_clock_mhz = static_cast<double>(arch.clocks.sm) / kMega;
  result.memory_clock_mhz = static_cast<double>(arch.clocks.memory) / kMega;
  result.machine = machine_limits(arch);
  result.warnings = trace.warnings;
  add_hazards(trace, result.warnings);
  if (arch.maturity == arch::Maturity::kExperimental) {
    result.warnings.push_back("the description of " + arch.name +
                              " is experimental: no measurement of the GPU has been compared with it");
  }
  result.guesses = guesses_behind(arch, trace);
  return result;
}

stats::KernelResult describe_kernel(const arch::Arch& arch, const trace::Kernel& kernel,
                                    const stats::Occupancy& occupancy) {
  stats::KernelResult result;
  result.name = kernel.name;
  result.grid = kernel.grid;
  result.block = kernel.block;
  result.cluster = kernel.cluster;
  result.registers_per_thread = kernel.registers_per_thread;
  result.shared_bytes_per_cta = kernel.shared_static_bytes + kernel.shared_dynamic_bytes;
  result.local_bytes_per_thread = kernel.local.bytes;
  result.launch_us = arch.launch.kernel_ns / kNanosecondsPerMicrosecond;
  result.dependences_recorded = kernel.control_recorded;
  result.divergence = divergence_of(arch.sm.simt, *kernel.behaviour);
  result.l2_window = window_text(arch, kernel);
  result.occupancy = occupancy;
  if (kernel.ctas_per_cluster() > 1) {
    result.occupancy.resident_clusters =
        occupancy::resident_clusters(arch.sm, arch.noc, occupancy::launch_shape(kernel));
  }
  for (const isa::InstrText& text : kernel.texts) {
    result.pcs.push_back({{}, text});
  }
  return result;
}

void collect(const arch::Arch& arch, const Machine& machine, const MemorySide& memory, const lower::KernelImage& image,
             const sm::Workers& workers, Cycle stopped_at, stats::KernelResult& result) {
  result.cycles = stopped_at;
  Cycle last_warp = stopped_at;
  for (const auto& sm : machine.sms()) {
    result.sm_active_cycles.push_back(sm->counters(stopped_at).active_cycles);
    last_warp = std::max(last_warp, sm->last_drained());
    result.cycles = std::max(result.cycles, sm->last_acknowledged());
  }
  // No warp waits for a store or a reduction, but what runs next may read what was written.
  result.cycles = std::max({result.cycles, last_warp, memory.last_atomic()});
  result.drained_cycles = std::max(result.cycles, machine.last_awake());
  result.begin_end_us = begin_end_us(arch, result.cycles - last_warp, stopped_at == 0);
  machine.add_to(result, {stopped_at, result.drained_cycles});
  result.launch_us +=
      result.l2.requests == 0 ? 0.0 : static_cast<double>(arch.launch.memory_ns) / kNanosecondsPerMicrosecond;
  add_profiles(image, workers, result);
  result.power = power::estimate(arch, result);
}

}  // namespace gpusim::gpu

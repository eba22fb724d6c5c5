// SPDX-License-Identifier: MIT
#include "sim/model/stats/throughput_parts.h"

#include <algorithm>

#include "sim/base/types.h"
#include "sim/model/stats/metrics.h"
#include "sim/model/stats/shares.h"

namespace gpusim::stats {
namespace {

using R = const Result&;
using K = const KernelResult&;

template <isa::Pipe P>
double of_pipe(R result, K kernel) {
  return pipe_pct(result, kernel, P);
}

double of_issue(R result, K kernel) {
  return percent(static_cast<double>(kernel.sm.issue_cycles), elapsed_sub_core_cycles(result, kernel));
}

/// What the load/store unit takes at the rate of its lanes.
double of_lsu_lanes(R result, K kernel, std::uint64_t warps) {
  const double lane_cycles = elapsed_sm_cycles(result, kernel) * result.machine.lsu_lanes;
  return percent(static_cast<double>(warps * kWarpLanes), lane_cycles);
}

double of_lsu(R result, K kernel) {
  return of_lsu_lanes(result, kernel, kernel.sm.lsu_instructions);
}

double of_lsu_data(R result, K kernel) {
  return of_lsu_lanes(result, kernel, kernel.sm.lsu_data_registers);
}

/// An SM's address divergence unit takes an instruction in two cycles.
double of_adu(R result, K kernel) {
  constexpr double kCyclesEach = 2;
  return percent(kCyclesEach * static_cast<double>(kernel.sm.adu_instructions), elapsed_sm_cycles(result, kernel));
}

double of_l1_data(R result, K kernel) {
  const std::uint64_t passes = kernel.l1.wavefronts + kernel.sm.shared_wavefronts + kernel.sm.shuffles;
  return percent(static_cast<double>(passes), elapsed_sm_cycles(result, kernel));
}

/// A request leaves an SM in a cycle, and data in as many as it has sectors.
double of_l1_requests(R result, K kernel) {
  const std::uint64_t sectors = kernel.l1.store_sectors + kernel.l1.atomic_sectors + kernel.local.written_back_sectors;
  return percent(static_cast<double>(kernel.l1.read_requests + sectors), elapsed_sm_cycles(result, kernel));
}

double of_level(R result, K kernel, std::uint64_t NocCounters::*busy) {
  return noc_level_pct(result, kernel, *std::ranges::find(kNocLevels, busy, &NocLevel::busy));
}

double of_l1_replies(R result, K kernel) {
  return of_level(result, kernel, &NocCounters::sm_reply_busy_cycles);
}

/// A slice looks up the sectors that its data port moves in a cycle, and one of the other half where there are two.
double of_l2_sectors(R result, K kernel) {
  const L2Counters& l2 = kernel.l2;
  const std::uint64_t far = l2.far_sectors + l2.far_write_sectors + l2.far_atomic_sectors;
  const std::uint64_t sectors = l2.read_sectors + l2.write_sectors + l2.atomic_sectors + far;
  const auto level = std::ranges::find(kNocLevels, "link", &NocLevel::key);
  const NocPorts ports = result.machine.noc_ports.value_or(NocPorts{});
  const bool has_halves = ports[static_cast<std::size_t>(level - kNocLevels.begin())] != 0;
  const double near_each_cycle = result.machine.l2_bytes_per_cycle / kSectorBytes;
  const double each_cycle = near_each_cycle + (has_halves ? result.machine.l2_slices : 0);
  return percent(static_cast<double>(sectors), each_cycle * static_cast<double>(kernel.cycles));
}

double of_slices(R result, K kernel, std::uint64_t slice_cycles) {
  return percent(static_cast<double>(slice_cycles), elapsed_slice_cycles(result, kernel));
}

double of_l2_tags(R result, K kernel) {
  return of_slices(result, kernel, kernel.l2.requests + kernel.l2.far_requests);
}

double of_l2_data(R result, K kernel) {
  return of_slices(result, kernel, kernel.l2.busy_cycles);
}

double of_l2_fills(R result, K kernel) {
  return of_slices(result, kernel, kernel.l2.dram_read_sectors);
}

double of_l2_atomics(R result, K kernel) {
  return of_slices(result, kernel, kernel.l2.atomic_cycles);
}

double of_l2_requests(R result, K kernel) {
  return of_level(result, kernel, &NocCounters::slice_request_busy_cycles);
}

double of_l2_replies(R result, K kernel) {
  return of_level(result, kernel, &NocCounters::slice_reply_busy_cycles);
}

double of_l2_links(R result, K kernel) {
  return of_level(result, kernel, &NocCounters::link_busy_cycles);
}

using enum PartOf;
using isa::Pipe;

struct PartFormula {
  PartOf of;
  std::string_view key;
  double (*pct)(R, K);
};

constexpr std::array<PartFormula, kThroughputParts> kFormulas{{
    {kSm, "issue", of_issue},
    {kSm, "fma", of_pipe<Pipe::kFma>},
    {kSm, "alu", of_pipe<Pipe::kAlu>},
    {kSm, "fp16", of_pipe<Pipe::kFp16>},
    {kSm, "fp64", of_pipe<Pipe::kFp64>},
    {kSm, "xu", of_pipe<Pipe::kXu>},
    {kSm, "tensor", of_pipe<Pipe::kTensor>},
    {kSm, "uniform", of_pipe<Pipe::kUniform>},
    {kSm, "cbu", of_pipe<Pipe::kCbu>},
    {kSm, "lsu", of_lsu},
    {kSm, "lsu_data", of_lsu_data},
    {kSm, "adu", of_adu},
    {kL1, "data", of_l1_data},
    {kL1, "in", of_lsu},
    {kL1, "requests", of_l1_requests},
    {kL1, "replies", of_l1_replies},
    {kL2, "sectors", of_l2_sectors},
    {kL2, "tags", of_l2_tags},
    {kL2, "data", of_l2_data},
    {kL2, "fills", of_l2_fills},
    {kL2, "atomics", of_l2_atomics},
    {kL2, "requests", of_l2_requests},
    {kL2, "replies", of_l2_replies},
    {kL2, "links", of_l2_links},
}};
static_assert(std::ranges::equal(kFormulas, kThroughputPartTable, [](const auto& formula, const auto& part) {
  return formula.of == part.of && formula.key == part.key;
}));

}  // namespace

std::array<double, kThroughputParts> throughput_parts(const Result& result, const KernelResult& kernel) {
  std::array<double, kThroughputParts> parts{};
  std::ranges::transform(kFormulas, parts.begin(),
                         [&](const PartFormula& formula) { return formula.pct(result, kernel); });
  return parts;
}

double largest_part(const Throughput& throughput, PartOf unit, std::string_view but) {
  double largest = 0;
  for (std::size_t i = 0; i < kThroughputParts; ++i) {
    const ThroughputPart& part = kThroughputPartTable[i];
    largest = part.of == unit && part.key != but ? std::max(largest, throughput.parts[i]) : largest;
  }
  return largest;
}

}  // namespace gpusim::stats

// SPDX-License-Identifier: MIT
// What the reports show, derived once from a Result; text, JSON and CSV only lay it out, and see nothing else.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/isa/instr.h"
#include "sim/model/stats/throughput.h"
#include "sim/output/view/finding.h"
#include "sim/output/view/line_counts.h"

namespace gpusim::stats {
struct KernelCounts;
struct KernelRecord;
struct PcResult;
struct Result;
struct RunFacts;
struct WatchInterval;
}  // namespace gpusim::stats

namespace gpusim::report {

/// A unit's share of its peak, of elapsed cycles.
struct UnitRow {
  std::string_view name;  ///< "Tensor", "DRAM"
  stats::Bound bound;     ///< the word it goes by as a bound
  double pct = 0;
  std::string note;         ///< what it did, "2.91 TB/s of 3.35"
  double deciding_pct = 0;  ///< by which stats::bound() weighs it: of the tensor pipes the busy time counts, too
};

struct StateRow {
  stats::Stall state = stats::Stall::kSelected;
  std::uint64_t cycles = 0;    ///< warp-cycles
  double per_instruction = 0;  ///< warp-cycles per issued instruction
  double share_pct = 0;        ///< share of all warp-cycles
};

/// A line whose result warps wait for in one state.
struct ProducerRow {
  isa::InstrText producer;  ///< text of its first copy
  stats::Stall state = stats::Stall::kLongScoreboard;
  std::uint64_t cycles = 0;  ///< warp-cycles
  double share_pct = 0;      ///< share of the kernel's warp-cycles
  isa::InstrText waiter;     ///< the line that waits most of them
};

/// The static instructions of one opcode on a line of the trace or the source, or one instruction of unknown line.
struct LineRow : LineCounts {
  std::uint32_t number = 0;               ///< as in KernelView::line_numbers
  std::uint64_t cycles = 0;               ///< sum of stalls
  double share_pct = 0;                   ///< share of the kernel's warp-cycles
  std::optional<stats::Stall> main_wait;  ///< the state it waits in most; empty when it only issues
  double main_wait_pct = 0;               ///< share of its own cycles
  /// The instruction that causes most of the line's main wait; empty when the line waits for no other instruction's
  /// result.
  std::optional<isa::InstrText> producer;
};

/// Hits among the sectors of all accesses, in percent; nothing without any.
struct AllHits {
  std::optional<double> l1_pct;
  std::optional<double> l2_pct;
};

/// One level of the memory hierarchy.
struct LevelRow {
  std::string_view name;
  std::optional<std::uint64_t> requests;
  std::uint64_t sectors = 0;      ///< sectors of all accesses
  std::optional<double> hit_pct;  ///< share of the sectors that loads looked up; for DRAM, of row lookups
  std::uint64_t bytes = 0;
  double bytes_per_second = 0;
  double peak_pct = 0;
};

/// The sloped roof of one level of the memory hierarchy over one class of FLOPs.
struct RoofLevel {
  std::string_view name;  ///< "DRAM"
  std::uint64_t bytes = 0;
  double peak_bytes_per_second = 0;
  std::optional<double> intensity;  ///< FLOP/byte of the level's traffic; empty without any
};

/// Where one class of FLOPs stands under the rooflines.
struct RoofRow {
  isa::FlopClass flop_class = isa::FlopClass::kNone;
  double flops_per_second = 0;
  double peak_flops_per_second = 0;
  std::vector<RoofLevel> levels;  ///< DRAM, L2, L1, shared memory
};

/// Global requests of one kind.
struct RequestRow {
  std::string_view name;  ///< "loads"
  std::uint64_t requests = 0;
  double sectors_each = 0;
};

struct PipeRow {
  std::string_view name;
  std::uint64_t instructions = 0;
  double busy_pct = 0;  ///< share of elapsed sub-core cycles
};

/// Rows of DRAM: what its bursts found, and how many it opens.
struct DramRows {
  std::uint64_t bursts = 0;
  double hit_pct = 0;
  double miss_pct = 0;      ///< the bank was closed
  double conflict_pct = 0;  ///< another row was open
  double per_second = 0;
  double bytes_each = 0;
};

/// A level of the network's ports. What it does not count is empty.
struct PortRow {
  std::string_view name;    ///< "reply ports of GPCs"
  std::string_view advice;  ///< what helps where it is the bound
  std::uint32_t ports = 0;  ///< at least one
  double busy_pct = 0;
  std::optional<double> full_pct;     ///< share of its queues' time in which they have no place
  std::optional<double> stalled_pct;  ///< share of its queues' time in which they wait for a credit
  std::optional<double> waiting;      ///< messages at a port on average
};

/// Spills and arrays in local memory.
struct LocalMemory {
  double hit_pct = 0;             ///< share of the sectors that loads look up
  std::uint64_t moved_bytes = 0;  ///< to and from L2
  double share_pct = 0;           ///< share of the sectors that move there
  double time_pct = 0;  ///< share of the warps' time: issuing its instructions, waiting for room and for its loads
};

/// Requests that the TLB of their TPC has to ask for.
struct Translations {
  double miss_pct = 0;
  double wait_cycles = 0;  ///< cycles of waiting for each miss
};

struct KernelView {
  KernelView(const stats::KernelCounts& of_kernel, std::span<const stats::PcResult> by_instruction)
      : counts(of_kernel), instructions(by_instruction) {}

  const stats::KernelCounts& counts;              ///< the kernel's launch and counters, shown as they are
  std::span<const stats::PcResult> instructions;  ///< and those of each static instruction, in code order
  std::vector<std::uint32_t> line_numbers;        ///< as many: which line it is of, counted from 0; copies share it
  const stats::KernelRecord* record = nullptr;    ///< over time; null where none was asked for
  std::uint32_t sms = 0;                          ///< SMs of the GPU
  std::uint32_t sub_cores_per_sm = 0;             ///< each with a warp scheduler
  bool counts_noc = true;                         ///< false: saved by a version that did not
  double time_us = 0;
  double time_pct = 0;  ///< share of the time of all kernels
  double ipc_active = 0;
  double achieved_pct = 0;
  double avg_active_lanes = 0;
  double avg_lanes_on = 0;  ///< those of the lanes whose guard is true, on average
  double branch_efficiency_pct = 0;
  double waves = 0;  ///< grid / CTAs resident at once
  stats::Throughput throughput;
  stats::Bound bound = stats::Bound::kLatency;
  double cycles_per_instruction = 0;   ///< warp-cycles per issued instruction
  double energy_mj = 0;                ///< estimated, of the kernel's cycles; 0: nothing is known of power
  double after_warps_pct = 0;          ///< share of the time that passes when the last warp is gone
  std::vector<UnitRow> units;          ///< in the order of stats::Bound; what was not counted is left out
  std::vector<StateRow> states;        ///< all of them, most cycles first, ties in order of stats::Stall
  std::optional<StateRow> main_wait;   ///< the state that warps wait in most
  std::vector<LineRow> lines;          ///< those with cycles, most first
  std::vector<ProducerRow> producers;  ///< producers of dependences, most cycles first
  std::vector<LevelRow> levels;        ///< L1, shared memory, L2, DRAM
  AllHits all_hits;
  std::vector<RoofRow> roofs;                ///< classes in use
  std::array<PipeRow, isa::kPipes> pipes{};  ///< in the order of isa::Pipe
  std::array<RequestRow, 3> requests{};      ///< loads, stores, atomics
  std::vector<PortRow> ports;  ///< in the order of a request and its reply; none with noc.model ideal, or not counted
  DramRows rows;
  LocalMemory local_memory;
  Translations translations;
  bool has_details = true;        ///< false: a file of very many kernels leaves out this one's instructions and record
  std::vector<Finding> findings;  ///< largest gain first; of report::explained_view(), else none
};

struct View {
  const stats::RunFacts& run;
  std::span<const stats::WatchInterval> watch;
  double warp_instructions_per_second = 0;  ///< warp instructions that the host simulates in a second
  double total_us = 0;                      ///< time of all kernels
  double launch_us = 0;                     ///< before their first CTAs
  std::vector<KernelView> kernels{};
};

/// All but the findings. The Result must outlive the view.
[[nodiscard]] View make_view(const stats::Result& result);

/// The unit nearest its peak, by deciding_pct, the first among equals; reports speak of no other one as the busiest.
[[nodiscard]] const UnitRow& busiest_unit(const KernelView& view);

/// The busiest ports of the network; null where there are none.
[[nodiscard]] const PortRow* busiest_ports(const KernelView& view);

/// The instruction that stands out by what `count` says of a static instruction: of the line with the largest sum, its
/// copy with most; the first among equals. None when it says 0 of all.
template <class Count>
std::optional<std::uint32_t> worst_instruction(const KernelView& view, Count&& count) {
  std::vector<std::uint64_t> sums(view.instructions.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[view.line_numbers[i]] += count(view.instructions[i]);
  }
  const auto line = std::ranges::max_element(sums);
  std::optional<std::uint32_t> worst;
  std::uint64_t most = 0;
  for (std::uint32_t i = 0; i < sums.size(); ++i) {
    if (view.line_numbers[i] == line - sums.begin() && count(view.instructions[i]) > most) {
      worst = i;
      most = count(view.instructions[i]);
    }
  }
  return worst;
}

/// 100 * part / whole, 0 for an empty whole.
[[nodiscard]] double percent(double part, double whole);

/// "(16, 32, 1)".
[[nodiscard]] std::string to_text(const Dim3& dim);

}  // namespace gpusim::report

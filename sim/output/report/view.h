// SPDX-License-Identifier: MIT
// What the reports show, derived once from a Result; text, JSON and CSV only lay it out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/stats/metrics.h"
#include "sim/model/stats/result.h"

namespace gpusim::report {

/// A unit's share of its peak, of elapsed cycles.
struct UnitRow {
  std::string_view name;  ///< "Tensor", "DRAM"
  stats::Bound bound;     ///< the word it goes by as a bound
  double pct = 0;
  std::string note;  ///< what it did, "2.91 TB/s of 3.35"
};

struct StateRow {
  stats::Stall state = stats::Stall::kSelected;
  std::uint64_t cycles = 0;    ///< warp-cycles
  double per_instruction = 0;  ///< warp-cycles per issued instruction
  double share_pct = 0;        ///< of all warp-cycles
};

/// A line of the trace by its name: all its copies, or one instruction of unknown line.
struct LineName {
  std::uint64_t pc = 0;  ///< of the first copy, byte address
  std::uint32_t line = 0;
  std::string opcode;
  std::string text;
};

/// A line whose result warps wait for in one state.
struct ProducerRow {
  LineName producer;
  stats::Stall state = stats::Stall::kLongScoreboard;
  std::uint64_t cycles = 0;  ///< warp-cycles
  double share_pct = 0;      ///< of the kernel's warp-cycles
  LineName waiter;           ///< the line that waits most of them
};

/// A line of the trace with all its static instructions (unrolled copies), or one instruction of unknown line.
struct LineRow : stats::PcCounters {
  std::uint64_t pc = 0;  ///< of the first copy, byte address
  std::uint32_t line = 0;
  std::uint32_t copies = 0;
  std::string opcode;
  std::string text;
  stats::StallCycles stalls{};
  std::uint64_t cycles = 0;  ///< sum of stalls
  double share_pct = 0;      ///< of the kernel's warp-cycles
  /// Of the state it waits in most: who costs most of it. Empty when it waits for no other instruction's result.
  std::optional<LineName> producer;
};

/// One level of the memory hierarchy.
struct LevelRow {
  std::string_view name;
  std::optional<std::uint64_t> requests;
  std::uint64_t sectors = 0;      ///< of all accesses
  std::optional<double> hit_pct;  ///< of the sectors that loads looked up; DRAM: of row lookups
  std::uint64_t bytes = 0;
  double bytes_per_second = 0;
  double peak_pct = 0;
};

/// Where one class of FLOPs stands under the roofline of DRAM.
struct RoofRow {
  isa::FlopClass flop_class = isa::FlopClass::kNone;
  double flops_per_second = 0;
  double peak_flops_per_second = 0;
  double ridge = 0;                 ///< FLOP/byte at which both roofs meet; 0 when a peak is unknown
  std::optional<double> intensity;  ///< FLOP/byte of DRAM traffic; empty without any
  [[nodiscard]] bool memory_side() const { return intensity && *intensity < ridge; }
};

struct KernelView {
  const stats::Result* run = nullptr;
  const stats::KernelResult* raw = nullptr;
  double time_us = 0;
  double ipc_active = 0;
  double achieved_pct = 0;
  double avg_active_lanes = 0;
  double waves = 0;  ///< grid / CTAs resident at once
  stats::Throughput throughput;
  stats::Bound bound = stats::Bound::kLatency;
  std::vector<UnitRow> units;          ///< in the order of stats::Bound
  std::vector<StateRow> states;        ///< all of them, most cycles first, ties in order of stats::Stall
  std::vector<LineRow> lines;          ///< those with cycles, most first
  std::vector<ProducerRow> producers;  ///< of dependences, most cycles first
  std::vector<LevelRow> levels;        ///< L1, shared memory, L2, DRAM
  std::vector<RoofRow> roofs;          ///< classes in use
};

struct View {
  const stats::Result* run = nullptr;
  double warp_instructions_per_second = 0;  ///< of the host
  std::vector<KernelView> kernels;
};

/// The Result must outlive the view.
[[nodiscard]] View make_view(const stats::Result& result);

/// Sectors of every access to the L1s, whether it looked them up or not, and of every request to L2.
[[nodiscard]] std::uint64_t all_l1_sectors(const stats::KernelResult& kernel);
[[nodiscard]] std::uint64_t all_l2_sectors(const stats::KernelResult& kernel);

/// Rows that DRAM opens in a second, "14.5 G", and the bytes it moves for each, "41.2 B".
[[nodiscard]] std::string rows_per_second(const KernelView& view);
[[nodiscard]] std::string bytes_per_row(const KernelView& view);

using stats::main_wait;

/// 100 * part / whole, 0 for an empty whole.
[[nodiscard]] double percent(double part, double whole);

/// "(16, 32, 1)".
[[nodiscard]] std::string to_text(const Dim3& dim);

}  // namespace gpusim::report

// SPDX-License-Identifier: MIT
#include "sim/output/report/verdict.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/model/stats/kernel_counts.h"
#include "sim/output/view/instruction.h"

namespace gpusim::report {
namespace {

double tensor_flops_per_second(const KernelView& view) {
  double sum = 0;
  for (const RoofRow& row : view.roofs) {
    sum += isa::is_tensor(row.flop_class) ? row.flops_per_second : 0.0;
  }
  return sum;
}

/// Which unit is nearest its peak where none is near. Tensor pipes may be busy and still far from their peak.
std::string nearest_clause(const KernelView& view) {
  const UnitRow& busiest = busiest_unit(view);
  return busiest.deciding_pct > busiest.pct
             ? fmt::format("the tensor pipes are nearest, busy {:.0f} % of the time", busiest.deciding_pct)
             : fmt::format("{} is nearest with {:.0f} %", busiest.name, busiest.pct);
}

/// What the bounding unit does, with its number.
std::string unit_clause(const KernelView& view) {
  const stats::Throughput& t = view.throughput;
  switch (view.bound) {
    case stats::Bound::kTensor:
      return fmt::format(
          "tensor-bound: the tensor pipes are busy {:.0f} % of the time and reach {}, {:.0f} % of the dense peak",
          view.pipes[static_cast<std::size_t>(isa::Pipe::kTensor)].busy_pct,
          with_si_prefix(tensor_flops_per_second(view), "FLOP/s"), t.tensor_pct);
    case stats::Bound::kFp:
      return fmt::format("fp-bound: the busiest arithmetic pipe works {:.0f} % of the time", t.fp_pct);
    case stats::Bound::kIssue:
      return fmt::format("issue-bound: instructions fill {:.0f} % of the issue slots", t.issue_pct);
    case stats::Bound::kL1:
      return fmt::format("l1-bound: L1's data stage is busy {:.0f} % of the time", t.l1_stage_pct);
    case stats::Bound::kShared:
      return fmt::format("shared-bound: the shared-memory banks are busy {:.0f} % of the time", t.shared_pct);
    case stats::Bound::kL2:
      return fmt::format("l2-bound: the L2 slices run at {:.0f} % of their peak", t.l2_slices_pct);
    case stats::Bound::kNoc: {
      const PortRow& ports = *busiest_ports(view);
      return fmt::format("noc-bound: the {} are busy {:.0f} % of the time; {}", ports.name, t.noc_pct, ports.advice);
    }
    case stats::Bound::kDram:
      return fmt::format("dram-bound: DRAM moves {}, {:.0f} % of its peak", with_si_prefix(t.dram_gbs * 1e9, "B/s"),
                         t.dram_pct);
    case stats::Bound::kDramRows:
      return fmt::format(
          "dram_rows-bound: DRAM opens {} rows a second, {:.0f} % of what its timings allow, and moves {} for each, "
          "{:.0f} % of its peak; neighbouring lanes, and warps that run together, should access neighbouring sectors, "
          "so that a row opened serves more of them",
          with_si_prefix(view.rows.per_second, ""), t.dram_rows_pct, with_si_prefix(view.rows.bytes_each, "B"),
          t.dram_pct);
    case stats::Bound::kLaunch:
      return fmt::format("launch-bound: launch, begin and end take {:.1f} us, the kernel's cycles {:.1f} us",
                         view.counts.overhead_us(), view.time_us - view.counts.begin_end_us);
    case stats::Bound::kLatency:
      return fmt::format("latency-bound: no unit comes near its peak ({})", nearest_clause(view));
  }
  return {};
}

/// Where warps wait most: the state, its share, and the line that holds most of it.
std::string wait_clause(const KernelView& view) {
  if (!view.main_wait) {
    return {};
  }
  const stats::Stall wait = view.main_wait->state;
  const auto index = static_cast<std::size_t>(wait);
  std::string clause = fmt::format("; warps spend {:.0f} % of their time in {}, waiting for {}",
                                   view.main_wait->share_pct, stats::info_of(wait).key, stats::info_of(wait).what);
  if (const auto worst = worst_instruction(view, [index](const stats::PcResult& pc) { return pc.stalls[index]; })) {
    const stats::PcResult& at = view.instructions[*worst];
    const LineRow& line = *std::ranges::find(view.lines, view.line_numbers[*worst], &LineRow::number);
    clause += fmt::format(" (most at {}: {}", place_text(at), opcode_text(at));
    if (line.producer && line.main_wait == wait) {
      clause += fmt::format(", for the {} at {}", opcode_text(*line.producer), place_text(*line.producer));
    }
    clause += ")";
  }
  return clause;
}

std::string small_grid_clause(const KernelView& view) {
  if (view.counts.simulated_ctas >= view.sms) {
    return {};
  }
  const char* const why = view.counts.grid.volume() < view.sms ? "there are" : "--ctas leaves";
  return fmt::format("; {} CTAs for only {} of {} SMs", why, view.counts.simulated_ctas, view.sms);
}

/// Reductions go on when the warps that asked for them are gone.
std::string reductions_clause(const KernelView& view) {
  constexpr double kNotable = 10;
  const double share = view.after_warps_pct;
  return view.counts.l1.atomic_sectors == 0 || share < kNotable
             ? ""
             : fmt::format("; for {:.0f} % of the time no warp is left, and L2 does their atomics", share);
}

/// Registers that do not fit, or arrays that are indexed by variables, cost more than they seem to.
std::string spills_clause(const KernelView& view) {
  constexpr double kNotable = 10;
  const double share = view.local_memory.time_pct;
  return share < kNotable ? ""
                          : fmt::format(
                                "; {:.0f} % of the warps' time goes into local memory (LDL, STL): keep fewer "
                                "values, or give threads more registers",
                                share);
}

/// Access patterns that a launch that takes longer would hide, or that a state alone does not name.
std::string lessons_clause(const KernelView& view) {
  constexpr double kNotable = 5;
  std::string clause;
  for (const Finding& finding : view.findings) {
    if (!finding.lesson.empty() && (view.bound == stats::Bound::kLaunch || finding.estimate_pct >= kNotable)) {
      clause += "; " + finding.lesson;
    }
  }
  return clause;
}

}  // namespace

std::string verdict(const KernelView& view) {
  if (view.counts.sm.warp_instructions == 0) {
    return "nothing ran: no instruction was issued.";
  }
  return unit_clause(view) + reductions_clause(view) + small_grid_clause(view) + wait_clause(view) +
         spills_clause(view) + lessons_clause(view) + ".";
}

}  // namespace gpusim::report

// SPDX-License-Identifier: MIT
#include "sim/output/advice/compute_rules.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/model/stats/counters.h"
#include "sim/model/stats/kernel_counts.h"
#include "sim/output/advice/measure.h"
#include "sim/output/advice/memory_rules.h"
#include "sim/output/view/instruction.h"

namespace gpusim::advice {
namespace {

using isa::Pipe;
using report::Hit;
using report::KernelView;
using stats::Bound;
using stats::PcResult;
using stats::Stall;

/// The profiler calls issue slots well used from here on.
constexpr double kGoodIssuePct = 60;
/// From here on the rule on coalescing speaks up.
constexpr double kNotableExcessPct = 10;
/// With half of the lanes idle the verdict says so.
constexpr double kLessonLanes = 16;
constexpr std::array kMathPipes{Pipe::kFma, Pipe::kAlu, Pipe::kFp16, Pipe::kFp64, Pipe::kXu};

double pipe_busy_pct(const KernelView& view, Pipe pipe) {
  return std::min(100.0, view.pipes[static_cast<std::size_t>(pipe)].busy_pct);
}

std::string_view pipe_change(Pipe pipe) {
  switch (pipe) {
    case Pipe::kXu: return "use fewer special functions and conversions, or polynomials on the FMA pipe";
    case Pipe::kAlu: return "hoist address arithmetic and comparisons out of the loop, and use IMAD where it fits";
    case Pipe::kFp64: return "compute in FP32 where its precision is enough";
    case Pipe::kFp16: return "use the tensor cores where the work is a matrix product";
    default:
      return "do fewer operations, in a narrower type, or on the tensor cores where the work is a matrix product";
  }
}

std::uint64_t executions(const KernelView& view, std::string_view opcode) {
  std::uint64_t sum = 0;
  for (const PcResult& pc : view.instructions) {
    sum += pc.opcode.starts_with(opcode) ? pc.warp_instructions : 0;
  }
  return sum;
}

/// What every state's remedy leaves open: it does not know the instruction that waits, nor the kernel.
std::string stall_change(const KernelView& view, Stall state, std::optional<std::uint32_t> index) {
  const std::string_view opcode = index ? std::string_view(view.instructions[*index].opcode) : "";
  if (state == Stall::kMathPipeThrottle && begins_with(opcode, {"HMMA", "IMMA", "DMMA", "BMMA", "QMMA"})) {
    return "the tensor pipe takes no more at that time: let other warps do their other work meanwhile, or use larger "
           "matrix instructions (WGMMA where the GPU has it)";
  }
  if (state == Stall::kMioThrottle && begins_with(opcode, {"LDS", "STS"}) && opcode.find("128") != std::string::npos) {
    return "these accesses are as wide as they can be: let each value that is read serve more arithmetic, with larger "
           "tiles in the registers of a thread";
  }
  const bool is_full = view.counts.occupancy.theoretical_pct() >= 100;
  if (state == Stall::kLongScoreboard && is_full && !find_uncoalesced(view, kNotableExcessPct)) {
    return "keep more loads in flight: wider ones, or several a thread before the first result is used; then ask for "
           "less, by reuse in registers and shared memory";
  }
  return std::string(stats::info_of(state).remedy);
}

/// An addition and a multiplication of one type make one FMA, so the rarer of both says how many go.
double saved_by_fusing_pct(const KernelView& view) {
  std::uint64_t saved = 0;
  std::uint64_t all = 0;
  for (const auto& [add, multiply, fused] : {std::array{"FADD", "FMUL", "FFMA"}, std::array{"DADD", "DMUL", "DFMA"}}) {
    const std::uint64_t additions = executions(view, add);
    const std::uint64_t products = executions(view, multiply);
    saved += std::min(additions, products);
    all += additions + products + executions(view, fused);
  }
  return report::percent(static_cast<double>(saved), static_cast<double>(all));
}

}  // namespace

std::optional<Hit> find_idle_lanes(const KernelView& view, double fewest_lanes) {
  const double lanes = std::min(view.avg_active_lanes, view.avg_lanes_on);
  if (lanes >= fewest_lanes || view.counts.sm.warp_instructions == 0) {
    return std::nullopt;
  }
  Hit hit;
  hit.index =
      report::worst_instruction(view, [](const PcResult& pc) { return report::idle_lane_slots(pc, pc.opcode); });
  hit.evidence = fmt::format("{:.1f} of 32 lanes are on the path and {:.1f} have their guard true{}",
                             view.avg_active_lanes, view.avg_lanes_on, most_at(view, hit.index));
  hit.change =
      "give the lanes of a warp work of one kind and length: sort it, split loops by case, or let a warp share the "
      "long ones";
  const double computing = share_pct(view, {Stall::kSelected, Stall::kNotSelected, Stall::kWait,
                                            Stall::kBranchResolving, Stall::kMathPipeThrottle, Stall::kDispatchStall});
  hit.gain_pct = (1 - lanes / kWarpLanes) * std::max(view.throughput.sm_pct, computing);
  if (lanes <= kLessonLanes) {
    hit.lesson = fmt::format("an instruction works for {:.1f} of a warp's 32 lanes{}", lanes, most_at(view, hit.index));
  }
  return hit;
}

std::optional<Hit> find_main_stall(const KernelView& view, double least_share_pct) {
  const double issue_pct = view.throughput.issue_pct;
  if (!view.main_wait || view.main_wait->share_pct < least_share_pct || issue_pct >= kGoodIssuePct ||
      view.main_wait->state == Stall::kNoInstruction) {
    return std::nullopt;
  }
  const auto state = static_cast<std::size_t>(view.main_wait->state);
  const stats::StallInfo& info = stats::info_of(view.main_wait->state);
  Hit hit;
  hit.index = report::worst_instruction(view, [state](const PcResult& pc) { return pc.stalls[state]; });
  hit.evidence =
      fmt::format("instructions fill {:.0f} % of the issue slots; {:.0f} % of the warps' time they wait for {} ({}){}",
                  issue_pct, view.main_wait->share_pct, info.what, info.key, most_at(view, hit.index));
  hit.change = stall_change(view, view.main_wait->state, hit.index);
  hit.gain_pct = std::min({view.main_wait->share_pct, 100 - issue_pct, room_pct(view)});
  return hit;
}

std::optional<Hit> find_busy_pipe(const KernelView& view, double least_busy_pct) {
  const Pipe pipe = *std::ranges::max_element(kMathPipes, {}, [&](Pipe p) { return pipe_busy_pct(view, p); });
  const double busy = pipe_busy_pct(view, pipe);
  if (busy < least_busy_pct) {
    return std::nullopt;
  }
  Hit hit;
  hit.evidence =
      fmt::format("the {} pipe is busy {:.0f} % of the time", view.pipes[static_cast<std::size_t>(pipe)].name, busy);
  hit.change = pipe_change(pipe);
  hit.gain_pct = above_others_pct(view, busy, {Bound::kFp});
  return hit;
}

std::optional<Hit> find_fp64(const KernelView& view, double least_busy_pct) {
  constexpr double kBusyFp32Pct = 60;
  const double fp64 = pipe_busy_pct(view, Pipe::kFp64);
  if (fp64 < least_busy_pct || pipe_busy_pct(view, Pipe::kFma) >= kBusyFp32Pct) {
    return std::nullopt;
  }
  Hit hit;
  hit.index = report::worst_instruction(
      view, [](const PcResult& pc) { return pc.opcode.starts_with("D") ? pc.warp_instructions : 0; });
  hit.evidence = fmt::format("the FP64 pipe is busy {:.0f} % of the time, that of FP32 {:.0f} %{}", fp64,
                             pipe_busy_pct(view, Pipe::kFma), most_at(view, hit.index));
  hit.change =
      "compute in FP32 where its precision is enough; look for constants and functions that are double unasked";
  hit.gain_pct = above_others_pct(view, fp64, {Bound::kFp});
  return hit;
}

std::optional<Hit> find_unfused(const KernelView& view, double least_saved_pct) {
  const double saved = saved_by_fusing_pct(view);
  if (saved <= least_saved_pct) {
    return std::nullopt;
  }
  Hit hit;
  hit.index = report::worst_instruction(view, [](const PcResult& pc) {
    return begins_with(pc.opcode, {"FADD", "FMUL", "DADD", "DMUL"}) ? pc.warp_instructions : 0;
  });
  hit.evidence = fmt::format("fusing additions with multiplications would save up to {:.0f} % of them{}", saved,
                             most_at(view, hit.index));
  hit.change = "write a * b + c in one expression, and allow contraction (-fmad=true)";
  hit.gain_pct = saved / 100 * std::max(pipe_busy_pct(view, Pipe::kFma), pipe_busy_pct(view, Pipe::kFp64));
  return hit;
}

std::optional<Hit> find_fetch_misses(const KernelView& view, double least_share_pct) {
  const double share = share_pct(view, {Stall::kNoInstruction});
  if (share < least_share_pct) {
    return std::nullopt;
  }
  constexpr auto kState = static_cast<std::size_t>(Stall::kNoInstruction);
  const stats::FetchCounters& fetch = view.counts.fetch;
  const auto miss_pct = [](std::uint64_t misses, std::uint64_t lookups) {
    return report::percent(static_cast<double>(misses), static_cast<double>(lookups));
  };
  constexpr double kFewMissesPct = 1;
  const double l0_miss_pct = miss_pct(fetch.l0_misses, fetch.l0_lookups);
  Hit hit;
  hit.index = report::worst_instruction(view, [](const PcResult& pc) { return pc.stalls[kState]; });
  hit.evidence = fmt::format(
      "{:.0f} % of the warps' time they wait for instructions; {:.0f} % of the lines miss the L0 instruction cache, "
      "{:.0f} % of those L1{}",
      share, l0_miss_pct, miss_pct(fetch.l1_misses, fetch.l1_lookups), most_at(view, hit.index));
  hit.change = "unroll less, so that the loop fits the instruction cache, and let warps run the same code at a time";
  if (l0_miss_pct < kFewMissesPct) {
    hit.evidence = fmt::format(
        "{:.0f} % of the warps' time they wait for instructions, though the L0 instruction cache has them: a branch "
        "that "
        "is taken empties the warp's instruction buffer{}",
        share, most_at(view, hit.index));
    hit.change = "take fewer branches: unroll short loops, and guard a few instructions instead of jumping over them";
  }
  hit.gain_pct = std::min(share, room_pct(view));
  return hit;
}

}  // namespace gpusim::advice

// SPDX-License-Identifier: MIT
#include "sim/output/advice/rules.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/model/stats/kernel_counts.h"
#include "sim/output/advice/compute_rules.h"
#include "sim/output/advice/launch_rules.h"
#include "sim/output/advice/memory_rules.h"

namespace gpusim::advice {
namespace {

using report::Finding;
using report::Hit;
using report::kLeastEstimatePct;

// Thresholds are those of Nsight Compute's rules where it has such a rule (UncoalescedGlobalAccess,
// SharedMemoryConflicts, ThreadDivergence, LaunchConfiguration, TheoreticalOccupancy, AchievedOccupancy,
// WorkloadImbalance, CPIStall, HighPipeUtilization, FPInstructions, SOLFPRoofline, LocalMemoryUsage); the others draw
// the line where a unit counts as a bound, 60 % of its peak.
constexpr std::array kRules{
    Rule{"uncoalesced", "Uncoalesced global accesses", 10,
         "at least {} % of the sectors of global loads and stores are more than their bytes fill",
         "that share of the busiest memory unit's time, or of the warps' wait for global memory", find_uncoalesced},
    Rule{"bank_conflicts", "Bank conflicts in shared memory", 10,
         "at least {} % of the wavefronts are more than the bytes need",
         "that share of the banks' time, or of the warps' wait for shared memory", find_bank_conflicts},
    Rule{"spills", "Local memory", 10, "at least {} % of the warps' time goes into LDL and STL", "that time",
         find_spills},
    Rule{"l2_misses", "Low hit rate of L2", 50, "less than {} % of the sectors read hit L2, and DRAM is busy (60 %)",
         "from DRAM's share of its peak down to the next unit's", find_l2_misses},
    Rule{"row_misses", "Rows of DRAM", 60,
         "DRAM opens at least {} % of the rows that it can, a larger share than of the bytes that it can move",
         "from that share down to the next unit's", find_row_misses},
    Rule{"network", "Busy network", 60, "a level of ports between SMs and L2 is busy at least {} % of the time",
         "from that share down to the next unit's", find_busy_network},
    Rule{"atomics", "Atomics at the end", 10, "at least {} % of the time no warp is left, and L2 works on atomics",
         "that time", find_slow_atomics},
    Rule{"translations", "TLB misses", 10, "at least {} % of the requests to L2 miss the first TLB",
         "their part of long_scoreboard", find_translations},
    Rule{"divergence", "Idle lanes", 24, "fewer than {} of 32 lanes are on the path, or have their guard true",
         "their share of the busiest pipe's time, or of the warps' time spent on arithmetic and branches",
         find_idle_lanes},
    Rule{"stalls", "Few instructions issue", 30,
         "warps spend at least {} % of their time in one state of waiting, and less than 60 % of the issue slots are "
         "used",
         "that share, at most what the busiest unit leaves", find_main_stall},
    Rule{"busy_pipe", "A pipe is the bound", 80, "a pipe for arithmetic is busy at least {} % of the time",
         "from that share down to the next unit's", find_busy_pipe},
    Rule{"fp64", "FP64 arithmetic", 15, "the FP64 pipe is busy at least {} % of the time, that of FP32 less than 60 %",
         "from that share down to the next unit's", find_fp64},
    Rule{"unfused", "Additions and multiplications apart", 10,
         "fusing them would save more than {} % of all additions, multiplications and FMAs",
         "that share of the pipe's time", find_unfused},
    Rule{"fetch", "Instruction fetch", 10, "at least {} % of the warps' time they wait for an instruction",
         "that share, at most what the busiest unit leaves", find_fetch_misses},
    Rule{"launch", "Launch overhead", 50, "launch, begin and end take at least {} % of the time of launch and kernel",
         "that share, of launch and kernel together", find_launch_bound},
    Rule{"small_grid", "Small grid", 1, "there are fewer CTAs than {} an SM",
         "the share of SMs without one, at most what the busiest unit leaves", find_small_grid},
    Rule{"tail", "Partial wave", 20, "at least {} % of the CTAs' places in all rounds stay empty",
         "that share, at most what the busiest unit leaves", find_tail},
    Rule{"partial_warps", "Partial warps", 1, "at least {} % of the lanes of a CTA's warps have no thread",
         "that share of the busiest pipe's time", find_partial_warps},
    Rule{"occupancy", "Low occupancy", 80,
         "theoretical occupancy is below {} %, and there are more CTAs than the GPU holds at once",
         "1 / (CTAs an SM + 1) of the waits that more warps could fill: one CTA more an SM", find_low_occupancy},
    Rule{"unreached_occupancy", "Occupancy not reached", 10,
         "achieved occupancy is more than {} points below the theoretical one, and there is a wave of CTAs",
         "the gap's share of the waits that more warps could fill", find_unreached_occupancy},
    Rule{"imbalance", "Imbalance between SMs", 5,
         "the mean of the SMs' active cycles is at least {} % below the longest", "that share", find_sm_imbalance},
};

/// Whether a reader is served: by a gain, by what a what-if proved or refuted, or by a lesson for larger kernels.
bool is_worth_listing(const Finding& finding) {
  return finding.simulated || finding.gain_pct >= kLeastEstimatePct || !finding.lesson.empty();
}

/// What the what-ifs that prove the finding gained at most, if any ran.
void take_simulated_gain(const report::KernelView& view, Finding& finding) {
  for (const stats::WhatIf& what_if : view.counts.advice) {
    if (std::ranges::find(what_if.findings, finding.id) != what_if.findings.end()) {
      finding.gain_pct = finding.simulated ? std::max(finding.gain_pct, what_if.gain_pct()) : what_if.gain_pct();
      finding.simulated = true;
    }
  }
}

}  // namespace

std::span<const Rule> rules() {
  return kRules;
}

std::vector<Finding> all_findings(const report::KernelView& view) {
  std::vector<Finding> found;
  if (view.counts.sm.warp_instructions == 0) {
    return found;
  }
  for (const Rule& rule : kRules) {
    std::optional<Hit> hit = rule.find(view, rule.threshold);
    if (!hit) {
      continue;
    }
    Finding& finding = found.emplace_back(Finding{std::move(*hit), rule.id, rule.title});
    finding.line = finding.index ? view.instructions[*finding.index].line : 0;
    finding.estimate_pct = finding.gain_pct;
    take_simulated_gain(view, finding);
  }
  return found;
}

std::vector<Finding> findings(const report::KernelView& view) {
  std::vector<Finding> found = all_findings(view);
  std::erase_if(found, [](const Finding& finding) { return !is_worth_listing(finding); });
  std::ranges::stable_sort(found, std::ranges::greater(), &Finding::gain_pct);
  std::stable_partition(found.begin(), found.end(), [](const Finding& finding) { return finding.simulated; });
  return found;
}

std::string rules_markdown() {
  std::string out = "| rule | title | fires when | estimated gain |\n| --- | --- | --- | --- |\n";
  for (const Rule& rule : kRules) {
    out += fmt::format("| `{}` | {} | {} | {} |\n", rule.id, rule.title,
                       fmt::format(fmt::runtime(rule.fires), rule.threshold), rule.gain);
  }
  return out;
}

}  // namespace gpusim::advice

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <limits>

#include "sim/model/stats/kernel_counts.h"
#include "sim/model/stats/occupancy.h"
#include "sim/output/report/column_builders.h"
#include "sim/output/report/columns.h"
#include "sim/output/report/ncu_metrics.h"
#include "sim/output/report/power_columns.h"
#include "sim/output/report/verdict.h"

namespace gpusim::report {
namespace {

using stats::KernelCounts;
using Columns = std::vector<KernelColumn>;

constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

constexpr std::array<std::string_view, 6> kNeverZeroOfKernel{"grid",
                                                             "block",
                                                             "simulated_ctas",
                                                             "occupancy.ctas_per_sm",
                                                             "occupancy.warps_per_cta",
                                                             "occupancy.max_warps_per_sm"};
/// Values that are never zero in a run that was not stopped early.
constexpr std::array<std::string_view, 2> kNeverZeroAtEnd{"cycles", "time_us"};

template <class Access>
void add(Columns& columns, std::string path, std::string_view unit, std::string_view what, Access at) {
  columns.push_back(given<KernelView, KernelCounts>(std::move(path), unit, what, at));
}

struct Words {
  std::string_view unit;
  std::string_view what;
  std::string_view formula;
};

template <class Get>
void derive(Columns& columns, std::string path, const Words& words, Get get) {
  columns.push_back(derived<KernelView, KernelCounts>(std::move(path), words.unit, words.what, words.formula, get));
}

double ratio(std::uint64_t part, double whole) {
  return whole > 0 ? static_cast<double>(part) / whole : 0;
}

void add_launch(Columns& columns) {
  add(
      columns, "name", "", "name of the kernel", [](auto& k) -> auto& { return k.name; });
  add(
      columns, "grid", "CTAs", "grid of the launch: x, y, z", [](auto& k) -> auto& { return k.grid; });
  add(
      columns, "block", "threads", "shape of a CTA: x, y, z", [](auto& k) -> auto& { return k.block; });
  derive(columns, "threads", {"threads", "all of the grid", "grid x block"},
         [](const KernelView& v) { return v.counts.grid.volume() * v.counts.block.volume(); });
  add(
      columns, "registers_per_thread", "count", "32-bit registers",
      [](auto& k) -> auto& { return k.registers_per_thread; });
  add(
      columns, "shared_bytes_per_cta", "bytes", "static and dynamic shared memory",
      [](auto& k) -> auto& { return k.shared_bytes_per_cta; });
  add(
      columns, "simulated_ctas", "CTAs", "those run; fewer than the grid with --ctas",
      [](auto& k) -> auto& { return k.simulated_ctas; });
}

void add_headline(Columns& columns) {
  add(
      columns, "cycles", "cycles", "from the first CTA sent to the last warp drained and the last atomic done",
      [](auto& k) -> auto& { return k.cycles; });
  add(
      columns, "drained_cycles", "cycles", "from the first CTA sent until nothing is on its way, stores and evictions",
      [](auto& k) -> auto& { return k.drained_cycles; });
  columns.back().is_later = true;
  derive(columns, "time_us", {"us", "kernel time, as a profiler has it", "cycles / clock_mhz + begin_end_us"},
         [](const KernelView& v) { return v.time_us; });
  derive(columns, "time_pct", {"%", "share of the time of all kernels", "100 x time_us / total.time_us"},
         [](const KernelView& v) { return v.time_pct; });
  add(
      columns, "begin_end_us", "us",
      "part of the kernel's time that it takes to begin and to end beside its cycles: before the first CTA, after the "
      "last store",
      [](auto& k) -> auto& { return k.begin_end_us; });
  columns.back().is_later = true;
  add(
      columns, "launch_us", "us", "from the host's launch, or the end of the kernel before, to the kernel's begin",
      [](auto& k) -> auto& { return k.launch_us; });
  derive(columns, "warp_instructions", {"instructions", "issued", "counters.sm.warp_instructions"},
         [](const KernelView& v) { return v.counts.sm.warp_instructions; });
  derive(columns, "thread_instructions",
         {"instructions", "times lanes whose guard is true", "counters.sm.thread_instructions"},
         [](const KernelView& v) { return v.counts.sm.thread_instructions; });
  derive(columns, "ipc_active",
         {"instructions/cycle", "rate of one SM while it has warps", "warp_instructions / counters.sm.active_cycles"},
         [](const KernelView& v) { return v.ipc_active; });
  derive(columns, "ipc_elapsed", {"instructions/cycle", "rate of one SM over all cycles", "warp_instructions / E"},
         [](const KernelView& v) {
           return ratio(v.counts.sm.warp_instructions, static_cast<double>(v.counts.cycles) * v.sms);
         });
  derive(columns, "active_cycles_per_sm",
         {"cycles", "with at least one warp, on average", "counters.sm.active_cycles / machine.sms"},
         [](const KernelView& v) { return v.sms == 0 ? 0.0 : static_cast<double>(v.counts.sm.active_cycles) / v.sms; });
  derive(columns, "bound", {"", "what limits the kernel; see below", "rule below"},
         [](const KernelView& v) { return std::string(stats::name_of(v.bound)); });
  derive(columns, "verdict", {"", "the same in a sentence", ""}, [](const KernelView& v) { return verdict(v); });
  columns.push_back(
      {"dependences", ValueKind::kText, "", "control bits: recorded in the trace, or assigned", "",
       [](const KernelView& v) { return Value(std::string(v.counts.dependences_recorded ? "recorded" : "assigned")); },
       [](KernelCounts& k, const Value& value) {
         k.dependences_recorded = std::get<std::string>(value) == "recorded";
       }});
  static constexpr std::array<std::string_view, 2> kDependences{"recorded", "assigned"};
  columns.back().allowed.words = kDependences;
  columns.push_back(worded<KernelView, KernelCounts>(
      "divergence",
      "which lanes of a warp run together: its or stack, as sm.simt says, recorded in the trace, or executed",
      stats::kDivergenceNames, [](auto& k) -> auto& { return k.divergence; }));
  columns.push_back(
      {"l2_window", ValueKind::kText, "", "what the kernel's access policy window asks of L2", "",
       [](const KernelView& v) { return v.counts.l2_window.empty() ? Value() : Value(v.counts.l2_window); },
       [](KernelCounts& k, const Value& value) { k.l2_window = std::get<std::string>(value); }, true});
}

KernelColumn occupancy_limit(std::size_t i) {
  return {"occupancy.limits." + std::string(stats::kLimiterNames[i]),
          ValueKind::kOptional,
          "CTAs",
          "CTAs an SM this resource alone would allow; null: no limit",
          "",
          [i](const KernelView& v) {
            const std::uint32_t limit = v.counts.occupancy.limit[i];
            return limit == kNoLimit ? Value() : Value(std::uint64_t{limit});
          },
          [i](KernelCounts& k, const Value& value) {
            const auto* limit = std::get_if<std::uint64_t>(&value);
            k.occupancy.limit[i] = limit == nullptr ? kNoLimit : static_cast<std::uint32_t>(*limit);
          }};
}

KernelColumn occupancy_limiters() {
  return {"occupancy.limiters",
          ValueKind::kWords,
          "",
          "the resources whose limit is smallest",
          "",
          [](const KernelView& v) {
            std::vector<std::string> names;
            for (const stats::Limiter limiter : v.counts.occupancy.limiters) {
              names.emplace_back(stats::kLimiterNames[static_cast<std::size_t>(limiter)]);
            }
            return Value(std::move(names));
          },
          [](KernelCounts& k, const Value& value) {
            for (const std::string& name : std::get<std::vector<std::string>>(value)) {
              const auto* const at = std::find(stats::kLimiterNames.begin(), stats::kLimiterNames.end(), name);
              if (at != stats::kLimiterNames.end()) {
                k.occupancy.limiters.push_back(static_cast<stats::Limiter>(at - stats::kLimiterNames.begin()));
              }
            }
          }};
}

void add_occupancy(Columns& columns) {
  derive(columns, "occupancy.theoretical_pct",
         {"%", "resident warps the launch allows",
          "100 x occupancy.ctas_per_sm x occupancy.warps_per_cta / occupancy.max_warps_per_sm"},
         [](const KernelView& v) { return v.counts.occupancy.theoretical_pct(); });
  derive(columns, "occupancy.achieved_pct",
         {"%", "resident warps on average, of active cycles",
          "100 x warp_cycles / (occupancy.max_warps_per_sm x counters.sm.active_cycles)"},
         [](const KernelView& v) { return v.achieved_pct; });
  derive(columns, "occupancy.theoretical_warps",
         {"warps", "warps of an SM that the launch allows", "occupancy.ctas_per_sm x occupancy.warps_per_cta"},
         [](const KernelView& v) {
           return std::uint64_t{v.counts.occupancy.ctas_per_sm} * v.counts.occupancy.warps_per_cta;
         });
  derive(columns, "occupancy.achieved_warps",
         {"warps", "warps of an SM on average, in active cycles", "warp_cycles / counters.sm.active_cycles"},
         [](const KernelView& v) {
           return ratio(v.counts.sm.warp_cycles, static_cast<double>(v.counts.sm.active_cycles));
         });
  add(
      columns, "occupancy.ctas_per_sm", "CTAs", "that fit one SM",
      [](auto& k) -> auto& { return k.occupancy.ctas_per_sm; });
  add(
      columns, "occupancy.warps_per_cta", "warps", "warps of a CTA",
      [](auto& k) -> auto& { return k.occupancy.warps_per_cta; });
  add(
      columns, "occupancy.max_warps_per_sm", "warps", "the SM can hold",
      [](auto& k) -> auto& { return k.occupancy.max_warps_per_sm; });
  columns.push_back(occupancy_limiters());
  columns.back().allowed.words = stats::kLimiterNames;
  for (std::size_t i = 0; i < stats::kLimiterNames.size(); ++i) {
    columns.push_back(occupancy_limit(i));
    columns.back().allowed.most = kNoLimit;
  }
  add(
      columns, "occupancy.shared_carveout_bytes", "bytes", "part of the SM's unified memory that is shared memory",
      [](auto& k) -> auto& { return k.occupancy.shared_carveout_bytes; });
  add(
      columns, "occupancy.l1_bytes", "bytes", "what is left for L1",
      [](auto& k) -> auto& { return k.occupancy.l1_bytes; });
  derive(columns, "waves", {"", "rounds of resident CTAs", "simulated_ctas / (machine.sms x occupancy.ctas_per_sm)"},
         [](const KernelView& v) { return v.waves; });
}

/// A share of the NoC that an earlier version did not count is unknown, not zero.
void leave_out_if_not_counted(KernelColumn& column) {
  column.is_if_any = true;
  column.get = [get = column.get](const KernelView& v) { return v.counts_noc ? get(v) : Value(); };
}

void add_throughput(Columns& columns) {
  struct Row {
    std::string_view name;
    Words words;
    double stats::Throughput::*member;
  };
  using T = stats::Throughput;
  static const std::array<Row, 18> kRows{{
      {"sm_pct", {"%", "SM", "largest of breakdown.sm"}, &T::sm_pct},
      {"memory_pct",
       {"%", "busiest level of memory", "largest of breakdown.l1, of breakdown.l2 without links, and dram_pct"},
       &T::memory_pct},
      {"l1_pct", {"%", "L1, which shared memory uses as well", "largest of breakdown.l1"}, &T::l1_pct},
      {"l1_active_pct",
       {"%", "the same, of active cycles", "throughput.l1_pct x E / counters.sm.active_cycles"},
       &T::l1_active_pct},
      {"l2_pct", {"%", "L2", "largest of breakdown.l2"}, &T::l2_pct},
      {"pipes_pct",
       {"%", "busiest of issue slots and pipes", "max(issue_pct, every pipe's busy cycles / C)"},
       &T::pipes_pct},
      {"l1_stage_pct",
       {"%", "L1 data stage, by global and local accesses alone", "counters.l1.wavefronts / E"},
       &T::l1_stage_pct},
      {"l1_stage_active_pct",
       {"%", "the same, of active cycles", "counters.l1.wavefronts / counters.sm.active_cycles"},
       &T::l1_stage_active_pct},
      {"shared_pct", {"%", "shared-memory banks", "counters.sm.shared_wavefronts / E"}, &T::shared_pct},
      {"l2_slices_pct",
       {"%", "L2 slices",
        "max(32 x (read + write + atomic sectors) / (machine.l2_bytes_per_cycle x cycles), the larger of "
        "counters.l2.busy_cycles and counters.l2.atomic_cycles / (machine.l2_slices x cycles))"},
       &T::l2_slices_pct},
      {"noc_pct",
       {"%", "busiest level of the network's ports",
        "largest over levels of counters.noc.LEVEL_busy_cycles / (machine.noc_ports.LEVEL x cycles); above 100 only "
        "where prefetches and the like, which nobody waits for, pass ports after the last cycle"},
       &T::noc_pct},
      {"dram_pct",
       {"%", "DRAM bandwidth", "(bytes + counters.dram.ecc_bytes) / (machine.dram_bytes_per_second x t)"},
       &T::dram_pct},
      {"dram_rows_pct",
       {"%", "rows of DRAM opened, of those that its timings allow",
        "counters.dram.activates / (machine.dram_activates_per_second x t)"},
       &T::dram_rows_pct},
      {"tensor_pct", {"%", "tensor FLOPs", "sum over tensor types of flops / (peak of the type x E)"}, &T::tensor_pct},
      {"issue_pct", {"%", "issue slots", "counters.sm.issue_cycles / C"}, &T::issue_pct},
      {"fp_pct", {"%", "busiest of the fma, alu, fp16, fp64 and xu pipes", "pipe's busy cycles / C"}, &T::fp_pct},
      {"dram_gbs", {"GB/s", "DRAM traffic, 1e9 bytes a second", "(read_bytes + write_bytes) / t"}, &T::dram_gbs},
      {"tflops",
       {"TFLOP/s", "all floating-point classes, 1e12 a second", "sum of flops (not of integers) / t"},
       &T::tflops},
  }};
  for (const Row& row : kRows) {
    derive(columns, "throughput." + std::string(row.name), row.words,
           [member = row.member](const KernelView& v) { return v.throughput.*member; });
    if (row.member == &T::noc_pct) {
      leave_out_if_not_counted(columns.back());
    }
  }
}

/// What the maxima among the throughputs are the maximum of.
void add_breakdown(Columns& columns) {
  for (std::size_t i = 0; i < stats::kThroughputParts; ++i) {
    const stats::ThroughputPart& part = stats::kThroughputPartTable[i];
    const std::string unit(stats::kPartOfNames[static_cast<std::size_t>(part.of)]);
    derive(columns, "breakdown." + unit + "." + std::string(part.key) + "_pct", {"%", part.what, part.formula},
           [i](const KernelView& v) { return v.throughput.parts[i]; });
    if (!part.ncu.empty()) {
      columns.back().what += "; as " + std::string(part.ncu);
    }
  }
}

/// What the warp schedulers find, in the mean of the cycles in which their SM has warps.
void add_schedulers(Columns& columns) {
  constexpr double kPercent = 100;
  const auto of_active = [](const KernelView& v, std::uint64_t cycles) {
    return ratio(cycles, static_cast<double>(v.counts.sm.active_cycles) * v.sub_cores_per_sm);
  };
  const auto state = [](const KernelView& v, stats::Stall s) { return v.counts.stalls[static_cast<std::size_t>(s)]; };
  const std::string_view issued = "100 x scheduler.issued_warps";
  derive(columns, "throughput.sm_active_pct",
         {"%", "sm_pct, of active cycles", "throughput.sm_pct x machine.sms x cycles / counters.sm.active_cycles"},
         [](const KernelView& v) {
           return v.throughput.sm_pct * ratio(v.counts.cycles * v.sms, static_cast<double>(v.counts.sm.active_cycles));
         });
  derive(columns, "throughput.issue_active_pct", {"%", "issue slots, of active cycles", issued},
         [=](const KernelView& v) { return kPercent * of_active(v, v.counts.sm.issue_cycles); });
  derive(columns, "scheduler.eligible_pct",
         {"%", "share of active cycles in which a warp can issue, and one does", issued},
         [=](const KernelView& v) { return kPercent * of_active(v, v.counts.sm.issue_cycles); });
  derive(columns, "scheduler.issued_warps",
         {"warps", "that issue in a cycle",
          "counters.sm.issue_cycles / A, with A = counters.sm.active_cycles x "
          "machine.sub_cores_per_sm"},
         [=](const KernelView& v) { return of_active(v, v.counts.sm.issue_cycles); });
  derive(columns, "scheduler.no_eligible_pct",
         {"%", "share of active cycles in which no warp can issue", "100 - scheduler.eligible_pct"},
         [=](const KernelView& v) {
           // A run that was stopped has issues of SMs whose active cycles are counted when they become idle.
           return v.counts.sm.active_cycles == 0 ? 0
                                                 : kPercent * std::max(0.0, 1 - of_active(v, v.counts.sm.issue_cycles));
         });
  derive(columns, "scheduler.active_warps", {"warps", "resident warps of a scheduler", "warp_cycles / A"},
         [=](const KernelView& v) { return of_active(v, v.counts.sm.warp_cycles); });
  derive(columns, "scheduler.eligible_warps",
         {"warps", "resident warps that can issue", "(stalls.selected + stalls.not_selected) / A"},
         [=](const KernelView& v) {
           return of_active(v, state(v, stats::Stall::kSelected) + state(v, stats::Stall::kNotSelected));
         });
}

void add_memory(Columns& columns) {
  struct Row {
    std::string_view path;
    Words words;
    std::uint64_t (*get)(const KernelView&);
  };
  static const std::array<Row, 10> kRows{{
      {"l1.sectors",
       {"sectors", "looked up by loads that may hit; hits + misses", "counters.l1.load_sectors"},
       [](const KernelView& v) { return v.counts.l1.load_sectors; }},
      {"l1.hits", {"sectors", "", "counters.l1.load_hits"}, [](const KernelView& v) { return v.counts.l1.load_hits; }},
      {"l1.misses",
       {"sectors", "", "counters.l1.load_misses"},
       [](const KernelView& v) { return v.counts.l1.load_misses; }},
      {"l1.all_sectors",
       {"sectors", "sectors of every access, as in the text report",
        "load + store + atomic + bypass sectors of counters.l1, store sectors of counters.local"},
       [](const KernelView& v) { return v.levels[0].sectors; }},
      {"l2.sectors",
       {"sectors", "read by SMs, by a load or an L1 miss; hits + misses", "counters.l2.read_sectors"},
       [](const KernelView& v) { return v.counts.l2.read_sectors; }},
      {"l2.hits", {"sectors", "", "counters.l2.read_hits"}, [](const KernelView& v) { return v.counts.l2.read_hits; }},
      {"l2.misses",
       {"sectors", "", "counters.l2.read_misses"},
       [](const KernelView& v) { return v.counts.l2.read_misses; }},
      {"l2.all_sectors",
       {"sectors", "sectors of every request, as in the text report", "read + write + atomic sectors of counters.l2"},
       [](const KernelView& v) { return v.levels[2].sectors; }},
      {"dram.read_bytes",
       {"bytes", "", "counters.dram.read_bytes"},
       [](const KernelView& v) { return v.counts.dram.read_bytes; }},
      {"dram.write_bytes",
       {"bytes", "", "counters.dram.write_bytes"},
       [](const KernelView& v) { return v.counts.dram.write_bytes; }},
  }};
  for (const Row& row : kRows) {
    derive(columns, "memory." + std::string(row.path), row.words, row.get);
  }
}

template <class Get>
void add_hit_rate(Columns& columns, std::string key, std::string_view what, std::string formula, Get get) {
  columns.push_back({std::move(key),
                     ValueKind::kReal,
                     "%",
                     std::string(what),
                     std::move(formula),
                     [get](const KernelView& v) {
                       const std::optional<double> hits = get(v);
                       return hits ? Value(*hits) : Value();
                     },
                     {},
                     true});
}

/// Hits of the sectors that loads look up, and of all; no value without any.
void add_hit_rates(Columns& columns) {
  for (const auto& [name, level] : {std::pair<std::string, std::size_t>{"l1", 0}, {"l2", 2}}) {
    const std::string key = "memory." + name;
    add_hit_rate(columns, key + ".hit_pct", "hits among the sectors that could hit",
                 key + ".hits / " + key + ".sectors",
                 [at = level](const KernelView& v) { return v.levels[at].hit_pct; });
  }
  add_hit_rate(columns, "memory.l1.all_hit_pct",
               "hits among the sectors of all accesses; a sector on its way counts as one",
               "(load_hits + load_merges + store_hits of counters.l1 + counters.local.store_hits) / "
               "(memory.l1.all_sectors - counters.l1.bulk_sectors)",
               [](const KernelView& v) { return v.all_hits.l1_pct; });
  add_hit_rate(
      columns, "memory.l2.all_hit_pct",
      "hits among the sectors of all requests, those of the other half included; every write, and a sector on its way, "
      "counts as one",
      "(read_hits + write_sectors + atomic_hits + far_hits + far_write_sectors + mshr_merges) / (read + write + atomic "
      "sectors + far_sectors + far_write_sectors), of counters.l2",
      [](const KernelView& v) { return v.all_hits.l2_pct; });
}

/// As the profiler has them: of global memory, by what the request does.
void add_sectors_per_request(Columns& columns) {
  struct Row {
    std::string_view name;
    std::string_view what;
  };
  static const std::array<Row, 3> kRows{{{"load", "sectors of a global load"},
                                         {"store", "sectors of a global store"},
                                         {"atomic", "sectors of an atomic or reduction"}}};
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    const std::string of = "counters.l1.global_" + std::string(kRows[i].name);
    const std::string formula = of + "_sectors / " + of + "_requests";
    derive(columns, "memory.l1.sectors_per_" + std::string(kRows[i].name), {"sectors", kRows[i].what, formula},
           [i](const KernelView& v) { return v.requests[i].sectors_each; });
  }
}

void add_states(Columns& columns) {
  derive(columns, "warp_cycles",
         {"warp-cycles", "resident warps summed over cycles; the sum of stalls", "counters.sm.warp_cycles"},
         [](const KernelView& v) { return v.counts.sm.warp_cycles; });
  for (std::size_t i = 0; i < stats::kStallCount; ++i) {
    add(
        columns, "stalls." + std::string(stats::kStalls[i].key), "warp-cycles",
        stats::kStalls[i].what, [i](auto& k) -> auto& { return k.stalls[i]; });
  }
  derive(columns, "cycles_per_instruction",
         {"warp-cycles", "for each instruction issued", "warp_cycles / warp_instructions"},
         [](const KernelView& v) { return v.cycles_per_instruction; });
  derive(columns, "avg_active_lanes",
         {"lanes", "on the path of an instruction, guard or not", "counters.sm.active_lanes / warp_instructions"},
         [](const KernelView& v) { return v.avg_active_lanes; });
  derive(columns, "avg_lanes_on",
         {"lanes", "on the path of an instruction, their guard true", "thread_instructions / warp_instructions"},
         [](const KernelView& v) { return v.avg_lanes_on; });
  derive(columns, "branch_targets_uniform",
         {"instructions", "branches whose lanes all went one way",
          "counters.sm.branches - counters.sm.divergent_branches"},
         [](const KernelView& v) { return v.counts.sm.branches - v.counts.sm.divergent_branches; });
  derive(columns, "branch_targets_divergent",
         {"instructions", "branches whose lanes went both ways", "counters.sm.divergent_branches"},
         [](const KernelView& v) { return v.counts.sm.divergent_branches; });
  derive(columns, "branch_efficiency_pct",
         {"%", "share of branches whose lanes all went one way; 100 without any",
          "branch_targets_uniform / counters.sm.branches"},
         [](const KernelView& v) { return v.branch_efficiency_pct; });
}

/// Counters that results of this version may lack, since they were added after its first release.
constexpr std::array<std::string_view, 19> kLaterCounters{"counters.l1.load_merges",
                                                          "counters.sm.lsu_instructions",
                                                          "counters.sm.adu_instructions",
                                                          "counters.sm.shuffles",
                                                          "counters.sm.lsu_data_registers",
                                                          "counters.l1.store_hits",
                                                          "counters.l1.read_requests",
                                                          "counters.l1.ideal_sectors",
                                                          "counters.l2.cleaned_sectors",
                                                          "counters.l2.far_requests",
                                                          "counters.l2.far_write_sectors",
                                                          "counters.l2.far_atomic_sectors",
                                                          "counters.dram.queued_clocks",
                                                          "counters.noc.tpc_request_bytes",
                                                          "counters.noc.tpc_request_stall_cycles",
                                                          "counters.noc.slice_request_stall_cycles",
                                                          "counters.noc.tpc_reply_bytes",
                                                          "counters.noc.link_stall_cycles",
                                                          "counters.noc.dram_stall_cycles"};

template <class Block>
void add_block(Columns& columns, const stats::BlockRow<Block>& row) {
  for (const stats::Field<Block>& field : Block::kFields) {
    add(
        columns, "counters." + std::string(row.name) + "." + std::string(field.name),
        stats::kUnitNames[static_cast<std::size_t>(field.unit)], field.what,
        [ block = row.member, member = field.member ](auto& k) -> auto& { return k.*block.*member; });
    columns.back().is_later = std::ranges::find(kLaterCounters, columns.back().path) != kLaterCounters.end();
  }
}

void add_pipes(Columns& columns) {
  for (std::size_t p = 0; p < isa::kPipes; ++p) {
    const std::string prefix = "pipes." + std::string(isa::kPipeNames[p]);
    add(
        columns, prefix + ".instructions", "instructions",
        "issued to the pipe", [p](auto& k) -> auto& { return k.pipe_instructions[p]; });
    add(
        columns, prefix + ".busy_cycles", "cycles",
        "summed over sub-cores", [p](auto& k) -> auto& { return k.pipe_busy_cycles[p]; });
  }
  for (std::size_t c = 1; c < isa::kFlopClasses; ++c) {
    add(
        columns, "flops." + std::string(isa::kFlopClassNames[c]), "FLOP",
        "done by lanes whose guard is true", [c](auto& k) -> auto& { return k.flops[c]; });
  }
}

template <class Block>
bool is_shown(const stats::BlockRow<Block>& row, const KernelCounts& k) {
  switch (row.shown) {
    case stats::ShownFor::kAll: return true;
    case stats::ShownFor::kClusters: return k.cluster.volume() > 1;
    case stats::ShownFor::kTranslated: return k.tlb.l1_lookups > 0;
    case stats::ShownFor::kCounted: return stats::counts_any(k.*row.member);
    case stats::ShownFor::kLocalMemory: return k.local_bytes_per_thread > 0;
  }
  return true;
}

/// What a launch has to do with a block that not every kernel shows.
void add_launch_of(stats::ShownFor shown, Columns& columns) {
  if (shown == stats::ShownFor::kClusters) {
    add(
        columns, "cluster", "CTAs", "that run together in a GPC: x, y, z", [](auto& k) -> auto& { return k.cluster; });
    add(
        columns, "occupancy.resident_clusters", "clusters", "that the GPU holds at once",
        [](auto& k) -> auto& { return k.occupancy.resident_clusters; });
  } else if (shown == stats::ShownFor::kLocalMemory) {
    add(
        columns, "local_bytes_per_thread", "bytes", "local memory: spilled registers, arrays",
        [](auto& k) -> auto& { return k.local_bytes_per_thread; });
  }
}

/// Has values only where the block is shown.
template <class Block>
void add_if_shown(Columns& columns, const stats::BlockRow<Block>& row) {
  Columns own;
  add_launch_of(row.shown, own);
  add_block(own, row);
  for (KernelColumn& column : own) {
    column.is_if_any = true;
    column.get = [row, get = column.get](const KernelView& v) { return is_shown(row, v.counts) ? get(v) : Value(); };
    columns.push_back(std::move(column));
  }
}

/// Blocks of every kernel stand first, then its pipes and FLOPs.
void add_counters(Columns& columns) {
  stats::for_each_block([&columns](const auto& row) {
    if (row.shown == stats::ShownFor::kAll) {
      add_block(columns, row);
    }
  });
  add_pipes(columns);
  stats::for_each_block([&columns](const auto& row) {
    if (row.shown != stats::ShownFor::kAll) {
      add_if_shown(columns, row);
    }
  });
}

}  // namespace

const std::vector<KernelColumn>& kernel_columns() {
  static const Columns kColumns = [] {
    Columns columns;
    add_launch(columns);
    add_headline(columns);
    add_occupancy(columns);
    add_throughput(columns);
    add_breakdown(columns);
    add_schedulers(columns);
    add_states(columns);
    add_memory(columns);
    add_hit_rates(columns);
    add_sectors_per_request(columns);
    add_counters(columns);
    add_power_columns(columns);
    name_as_ncu(columns);
    allow_from(Least::kMore, kNeverZeroOfKernel, columns);
    allow_from(Least::kMoreOfWholeRun, kNeverZeroAtEnd, columns);
    return columns;
  }();
  return kColumns;
}

}  // namespace gpusim::report

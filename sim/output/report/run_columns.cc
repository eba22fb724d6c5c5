// SPDX-License-Identifier: MIT
#include <array>
#include <limits>

#include "sim/base/cache_state.h"
#include "sim/base/trace_origin.h"
#include "sim/model/stats/noc_counters.h"
#include "sim/model/stats/run_facts.h"
#include "sim/output/report/column_builders.h"
#include "sim/output/report/columns.h"
#include "sim/output/report/ncu_metrics.h"
#include "sim/output/report/schema.h"

namespace gpusim::report {
namespace {

using stats::RunFacts;

constexpr std::array<std::string_view, 10> kNeverZeroOfRun{"clock_mhz",
                                                           "memory_clock_mhz",
                                                           "machine.sms",
                                                           "machine.sub_cores_per_sm",
                                                           "machine.l2_slices",
                                                           "machine.dram_channels",
                                                           "machine.dram_bytes_per_second",
                                                           "machine.l2_bytes_per_cycle",
                                                           "machine.l1_bytes_per_cycle",
                                                           "machine.shared_bytes_per_cycle"};

template <class Access>
void add(std::vector<RunColumn>& columns, std::string path, std::string_view unit, std::string_view what, Access at) {
  columns.push_back(given<View, RunFacts>(std::move(path), unit, what, at));
}

/// Only of runs that did.
RunColumn stopped_after_watch() {
  return {"stopped_after_watch",
          ValueKind::kBool,
          "",
          "true when it ended early because the cycles to watch had passed",
          "",
          [](const View& v) { return v.run.stopped_after_watch ? Value(true) : Value(); },
          [](RunFacts& r, const Value& value) { r.stopped_after_watch = std::get<bool>(value); },
          true};
}

/// In words; only of runs that did.
RunColumn stopped_at_limit() {
  return {"stopped_at_limit",
          ValueKind::kText,
          "",
          "that it ended early because a kernel took longer than --max-cycles",
          "",
          [](const View& v) { return v.run.stopped_at_limit.empty() ? Value() : Value(v.run.stopped_at_limit); },
          [](RunFacts& r, const Value& value) { r.stopped_at_limit = std::get<std::string>(value); },
          true};
}

void add_identity(std::vector<RunColumn>& columns) {
  columns.push_back(derived<View, RunFacts>("schema", "", "name and major version of this format", "",
                                            [](const View&) { return std::string(kSchema); }));
  columns.push_back(derived<View, RunFacts>("version", "", "version of the program that wrote it", "",
                                            [](const View&) { return std::string(version()); }));
  add(
      columns, "complete", "", "false when the run ended early", [](auto& r) -> auto& { return r.complete; });
  columns.push_back(stopped_after_watch());
  columns.push_back(stopped_at_limit());
  add(
      columns, "arch.name", "", "the GPU", [](auto& r) -> auto& { return r.arch_name; });
  add(
      columns, "arch.path", "", "its file", [](auto& r) -> auto& { return r.arch_path; });
  add(
      columns, "arch.compute_capability", "", "what instructions it has, as CUDA counts",
      [](auto& r) -> auto& { return r.compute_capability; });
  columns.back().is_later = true;
  add(
      columns, "trace.path", "", "as the user named it", [](auto& r) -> auto& { return r.trace_path; });
  columns.push_back(worded<View, RunFacts>(
      "trace.origin", "program, accel-sim, or compiled", kTraceOrigins,
      [](auto& r) -> auto& { return r.trace_origin; }));
  add(
      columns, "trace.title", "", "the author's description", [](auto& r) -> auto& { return r.trace_title; });
  columns.push_back(worded<View, RunFacts>(
      "cache_state", "cold, warm after an untimed pass, flush-between, or dirty", kCacheStates,
      [](auto& r) -> auto& { return r.cache_state; }));
  add(
      columns, "clock_mhz", "MHz", "simulated clock of SMs and L2", [](auto& r) -> auto& { return r.sm_clock_mhz; });
  add(
      columns, "memory_clock_mhz", "MHz", "DRAM clock", [](auto& r) -> auto& { return r.memory_clock_mhz; });
}

/// The number of ports at a level of the network. Results of earlier versions lack it.
RunColumn noc_ports(std::size_t level) {
  return {"machine.noc_ports." + std::string(stats::kNocLevels[level].key),
          ValueKind::kInteger,
          "count",
          "ports of the network; 0: none that is simulated",
          "",
          [level](const View& v) {
            const std::optional<stats::NocPorts>& ports = v.run.machine.noc_ports;
            return ports ? Value(std::uint64_t{(*ports)[level]}) : Value();
          },
          [level](RunFacts& r, const Value& value) {
            std::optional<stats::NocPorts>& ports = r.machine.noc_ports;
            (ports ? *ports : ports.emplace())[level] = static_cast<std::uint32_t>(std::get<std::uint64_t>(value));
          },
          true};
}

void add_machine(std::vector<RunColumn>& columns) {
  add(
      columns, "machine.sms", "count", "SMs", [](auto& r) -> auto& { return r.machine.sms; });
  add(
      columns, "machine.sub_cores_per_sm", "count", "sub-cores of an SM",
      [](auto& r) -> auto& { return r.machine.sub_cores_per_sm; });
  add(
      columns, "machine.l2_slices", "count", "L2 slices", [](auto& r) -> auto& { return r.machine.l2_slices; });
  add(
      columns, "machine.dram_channels", "count", "DRAM pseudo-channels",
      [](auto& r) -> auto& { return r.machine.dram_channels; });
  for (std::size_t i = 0; i < stats::kNocLevels.size(); ++i) {
    columns.push_back(noc_ports(i));
    columns.back().allowed.most = std::numeric_limits<std::uint32_t>::max();
  }
  add(
      columns, "machine.dram_bytes_per_second", "bytes/s", "peak of DRAM",
      [](auto& r) -> auto& { return r.machine.dram_bytes_per_second; });
  add(
      columns, "machine.dram_activates_per_second", "1/s",
      "rows that DRAM can open at most; 0: it is simulated without",
      [](auto& r) -> auto& { return r.machine.dram_activates_per_second; });
  add(
      columns, "machine.l2_bytes_per_cycle", "bytes/cycle", "peak of all L2 slices",
      [](auto& r) -> auto& { return r.machine.l2_bytes_per_cycle; });
  add(
      columns, "machine.l1_bytes_per_cycle", "bytes/cycle", "peak of one L1",
      [](auto& r) -> auto& { return r.machine.l1_bytes_per_cycle; });
  add(
      columns, "machine.shared_bytes_per_cycle", "bytes/cycle", "peak of one SM's shared memory",
      [](auto& r) -> auto& { return r.machine.shared_bytes_per_cycle; });
  add(
      columns, "machine.lsu_lanes", "count", "lanes that the load/store unit of one SM takes a cycle",
      [](auto& r) -> auto& { return r.machine.lsu_lanes; });
  columns.back().is_later = true;
  for (std::size_t c = 1; c < isa::kFlopClasses; ++c) {
    add(
        columns, "machine.flops_per_cycle_sm." + std::string(isa::kFlopClassNames[c]), "FLOP/cycle",
        "dense peak of one SM", [c](auto& r) -> auto& { return r.machine.flops_per_cycle_sm[c]; });
  }
}

void add_totals(std::vector<RunColumn>& columns) {
  columns.push_back(derived<View, RunFacts>("total.time_us", "us", "time of all kernels", "sum of time_us",
                                            [](const View& v) { return v.total_us; }));
  columns.push_back(derived<View, RunFacts>("total.launch_us", "us", "launches of all kernels, one after the other",
                                            "sum of launch_us", [](const View& v) { return v.launch_us; }));
}

void add_host(std::vector<RunColumn>& columns) {
  add(
      columns, "host.seconds", "s", "wall time of the simulation", [](auto& r) -> auto& { return r.host.seconds; });
  add(
      columns, "host.threads", "count", "host threads asked for; fewer ran where the host has no more",
      [](auto& r) -> auto& { return r.host.threads; });
  columns.push_back(derived<View, RunFacts>("host.warp_instructions_per_second", "1/s", "speed of the simulation",
                                            "sum of warp_instructions / host.seconds",
                                            [](const View& v) { return v.warp_instructions_per_second; }));
  add(
      columns, "host.peak_rss_bytes", "bytes", "most memory held",
      [](auto& r) -> auto& { return r.host.peak_rss_bytes; });
}

}  // namespace

const std::vector<RunColumn>& run_columns() {
  static const std::vector<RunColumn> kColumns = [] {
    std::vector<RunColumn> columns;
    add_identity(columns);
    add_machine(columns);
    add_totals(columns);
    add_host(columns);
    name_as_ncu(columns);
    allow_from(Least::kMore, kNeverZeroOfRun, columns);
    return columns;
  }();
  return kColumns;
}

}  // namespace gpusim::report

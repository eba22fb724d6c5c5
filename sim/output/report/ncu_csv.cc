// SPDX-License-Identifier: MIT
// The long CSV that `ncu --csv --page details` prints, for scripts that read it: every cell quoted, one row per metric,
// and behind them one row per finding.
#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/model/stats/kernel_counts.h"
#include "sim/model/stats/run_facts.h"
#include "sim/output/report/columns.h"
#include "sim/output/report/ncu_metrics.h"
#include "sim/output/report/writers.h"

namespace gpusim::report {
namespace {

constexpr std::array<std::string_view, 20> kNcuHeader{"ID",
                                                      "Process ID",
                                                      "Process Name",
                                                      "Host Name",
                                                      "Kernel Name",
                                                      "Context",
                                                      "Stream",
                                                      "Block Size",
                                                      "Grid Size",
                                                      "Device",
                                                      "CC",
                                                      "Section Name",
                                                      "Metric Name",
                                                      "Metric Unit",
                                                      "Metric Value",
                                                      "Rule Name",
                                                      "Rule Type",
                                                      "Rule Description",
                                                      "Estimated Speedup Type",
                                                      "Estimated Speedup"};

/// Commas between them, all in quotes.
std::string row_of(std::span<const std::string_view> cells) {
  std::string out;
  for (const std::string_view cell : cells) {
    out += out.empty() ? "\"" : ",\"";
    for (const char c : without_controls(cell)) {
      out.append(c == '"' ? 2 : 1, c);
    }
    out += '"';
  }
  return out;
}

/// As the profiler writes numbers: two decimals, thousands apart, bare whole numbers. Empty where there is no value.
struct NcuNumber {
  double factor = 1;

  std::string operator()(std::uint64_t value) const {
    return factor == 1 ? with_thousands(value) : (*this)(static_cast<double>(value));
  }
  std::string operator()(double value) const {
    const std::string text = fmt::format("{:.2f}", value * factor);
    const std::size_t point = text.find('.');
    const std::optional<std::uint64_t> whole = parse_unsigned(text.substr(0, point));
    return whole ? with_thousands(*whole) + text.substr(point) : text;
  }
  /// CTAs of a grid, threads of a block.
  std::string operator()(const Dim3& value) const { return with_thousands(value.volume()); }
  template <class Other>
  std::string operator()(const Other& /*none*/) const {
    return {};
  }
};

template <class Column, class Seen>
std::string value_of(const std::vector<Column>& columns, std::string_view path, const Seen& seen, double factor) {
  const auto column = std::ranges::find(columns, path, &Column::path);
  return column == columns.end() ? "" : std::visit(NcuNumber{factor}, column->get(seen));
}

/// What stands before the metric in each row of a kernel. There is no process, host or stream: constants stand for
/// them.
std::string launch_cells(std::size_t id, const stats::KernelCounts& kernel, const stats::RunFacts& run) {
  const std::string number = std::to_string(id);
  const std::string block = to_text(kernel.block);
  const std::string grid = to_text(kernel.grid);
  const std::string capability = run.compute_capability.empty() ? "n/a" : run.compute_capability;
  return row_of(std::array<std::string_view, 11>{number, "1", "gpusim", "127.0.0.1", kernel.name, "1", "7", block, grid,
                                                 "0", capability}) +
         ",";
}

std::string metric_cells(const NcuMetric& metric, std::string_view value) {
  return row_of(std::array<std::string_view, 9>{metric.section, metric.label, metric.unit, value, "", "", "", "", ""}) +
         "\n";
}

/// Its gain is always one of the kernel's time, which the profiler calls global.
std::string rule_cells(const Finding& finding) {
  const std::span<const NcuRule> rules = ncu_rules();
  const auto rule = std::ranges::find(rules, finding.id, &NcuRule::id);
  assert(rule != rules.end());
  const std::string where = finding.line == 0 ? "" : fmt::format(", line {}", finding.line);
  const std::string says = fmt::format("{}{}: {} -> {}", finding.title, where, finding.evidence, finding.change);
  const std::string gain = NcuNumber()(std::max(0.0, finding.gain_pct));
  return row_of(std::array<std::string_view, 9>{rule->section, "", "", "", rule->name, "OPT", says, "global", gain}) +
         "\n";
}

}  // namespace

std::string write_ncu_csv(const View& view) {
  std::string out = row_of(kNcuHeader) + "\n";
  for (std::size_t id = 0; id < view.kernels.size(); ++id) {
    const KernelView& kernel = view.kernels[id];
    const std::string launch = launch_cells(id, kernel.counts, view.run);
    for (const NcuRow& row : ncu_rows()) {
      const NcuMetric& metric = row.metric;
      std::string value = value_of(kernel_columns(), row.path, kernel, metric.factor);
      if (value.empty()) {
        value = value_of(run_columns(), row.path, view, metric.factor);
      }
      if (!value.empty()) {
        out += launch + metric_cells(metric, value);
      }
    }
    for (const Finding& finding : kernel.findings) {
      out += launch + rule_cells(finding);
    }
  }
  return out;
}

}  // namespace gpusim::report

// SPDX-License-Identifier: MIT
// The long CSV that `ncu --csv --page details` prints, for scripts that read it: every cell quoted, a row a metric.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/output/report/columns.h"
#include "sim/output/report/ncu_metrics.h"
#include "sim/output/report/writers.h"

namespace gpusim::report {
namespace {

std::string always_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : without_controls(text)) {
    out += c == '"' ? "\"\"" : std::string(1, c);
  }
  return out + "\"";
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
  std::string cells;
  for (const std::string& cell :
       {std::to_string(id), std::string("1"), std::string("gpusim"), std::string("127.0.0.1"), kernel.name,
        std::string("1"), std::string("7"), to_text(kernel.block), to_text(kernel.grid), std::string("0"),
        run.compute_capability.empty() ? std::string("n/a") : run.compute_capability}) {
    cells += always_quoted(cell) + ",";
  }
  return cells;
}

}  // namespace

std::string write_ncu_csv(const View& view) {
  std::string out =
      "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
      "Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";
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
        out += launch + always_quoted(metric.section) + "," + always_quoted(metric.label) + "," +
               always_quoted(metric.unit) + "," + always_quoted(value) + "\n";
      }
    }
  }
  return out;
}

}  // namespace gpusim::report

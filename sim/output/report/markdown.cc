// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "sim/output/report/columns.h"
#include "sim/output/report/report.h"

namespace gpusim::report {
namespace {

template <class Column>
std::string key_table(const std::vector<Column>& columns) {
  std::string out = "| key | unit | meaning | formula |\n| --- | --- | --- | --- |\n";
  for (const Column& column : columns) {
    out += fmt::format("| `{}` | {} | {} | {} |\n", column.path, column.unit, column.what, column.formula);
  }
  return out;
}

std::string state_table() {
  std::string out = "| key | label | glyph | the warp waits for | what helps |\n| --- | --- | --- | --- | --- |\n";
  for (const stats::StallInfo& info : stats::kStalls) {
    out += fmt::format("| `{}` | {} | `{}` | {} | {} |\n", info.key, info.label, info.glyph, info.what, info.remedy);
  }
  return out;
}

std::string traffic_table() {
  std::string out = "| counter | unit | meaning |\n| --- | --- | --- |\n";
  for (const auto& field : stats::TrafficCounters::kFields) {
    out += fmt::format("| `{}` | {} | {} |\n", field.name, stats::kUnitNames[static_cast<std::size_t>(field.unit)],
                       field.what);
  }
  return out;
}

}  // namespace

std::string metrics_markdown() {
  return "## Keys of the run\n\n" + key_table(run_columns()) + "\n## Keys of a kernel\n\nBelow `kernels[]`.\n\n" +
         key_table(kernel_columns()) +
         "\n## Traffic over time\n\nBelow `kernels[].series.counters`; summed over the GPU.\n\n" + traffic_table() +
         "\n## Warp states\n\nIn order of precedence.\n\n" + state_table();
}

}  // namespace gpusim::report

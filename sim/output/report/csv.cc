// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/model/stats/run_facts.h"
#include "sim/output/report/columns.h"
#include "sim/output/report/writers.h"

namespace gpusim::report {
namespace {

/// Control characters would reach a terminal, or end a row.
std::string safe_cell(std::string_view text) {
  return csv_cell(without_controls(text));
}

struct CellText {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return safe_cell(value); }
  std::string operator()(const Dim3& value) const { return fmt::format("{}x{}x{}", value.x, value.y, value.z); }
  std::string operator()(const std::vector<std::string>& value) const { return safe_cell(joined(value, "|")); }
};

std::string parameters_cell(const stats::RunFacts& run) {
  std::string text;
  for (const auto& [name, value] : run.parameters) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value.text());
  }
  return safe_cell(text);
}

}  // namespace

std::string write_csv(const View& view) {
  std::string header;
  std::string run_cells;
  for (const RunColumn& column : run_columns()) {
    header += column.path + ",";
    run_cells += std::visit(CellText{}, column.get(view)) + ",";
  }
  header += "parameters";
  run_cells += parameters_cell(view.run);
  for (const KernelColumn& column : kernel_columns()) {
    header += "," + column.path;
  }
  std::string out = header + "\n";
  for (const KernelView& kernel : view.kernels) {
    out += run_cells;
    for (const KernelColumn& column : kernel_columns()) {
      out += "," + std::visit(CellText{}, column.get(kernel));
    }
    out += "\n";
  }
  return out;
}

}  // namespace gpusim::report

// SPDX-License-Identifier: MIT
#include <set>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/sweep/analysis/analysis.h"

namespace gpusim::sweep {

std::string to_csv(const Analysis& analysis) {
  std::set<std::string> metrics;
  for (const PointRow& row : analysis.rows) {
    for (const auto& [name, value] : row.metrics) {
      metrics.insert(name);
    }
  }
  std::string out = "trace,arch";
  for (const std::string& key : analysis.parameters) {
    out += "," + csv_cell(key);
  }
  out += ",status,bound,cycles,time_us";
  for (const std::string& name : metrics) {
    out += "," + csv_cell(name);
  }
  out += analysis.costs.empty() ? ",reason,key\n" : ",cost,reason,key\n";
  for (std::size_t i = 0; i < analysis.rows.size(); ++i) {
    const PointRow& row = analysis.rows[i];
    const bool done = row.status == kDone;
    out += csv_cell(row.trace) + "," + csv_cell(row.arch);
    for (const std::string& key : analysis.parameters) {
      const std::string* const text = find_text(row.parameters, key);
      out += "," + (text == nullptr ? "" : csv_cell(*text));
    }
    out += "," + row.status + "," + csv_cell(row.bound) + ",";
    out += done ? fmt::format("{},{}", row.cycles, row.time_us) : ",";
    for (const std::string& name : metrics) {
      const auto found = row.metrics.find(name);
      out += found == row.metrics.end() ? "," : fmt::format(",{}", found->second);
    }
    if (!analysis.costs.empty()) {
      out += analysis.costs[i] ? fmt::format(",{}", *analysis.costs[i]) : ",";
    }
    out += "," + csv_cell(row.reason) + "," + row.key + "\n";
  }
  return out;
}

}  // namespace gpusim::sweep

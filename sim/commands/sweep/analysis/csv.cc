// SPDX-License-Identifier: MIT
#include <set>

#include <fmt/format.h>

#include "sim/commands/sweep/analysis/analysis.h"

namespace gpusim::sweep {
namespace {

/// In quotes where the text would otherwise be more than one cell.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string out = "\"";
  for (const char c : text) {
    out += std::string(c == '"' ? 2 : 1, c);
  }
  return out + "\"";
}

}  // namespace

std::string to_csv(const Analysis& analysis) {
  std::set<std::string> metrics;
  for (const PointRow& row : analysis.rows) {
    for (const auto& [name, value] : row.metrics) {
      metrics.insert(name);
    }
  }
  std::string out = "trace,arch";
  for (const std::string& key : analysis.parameters) {
    out += "," + cell(key);
  }
  out += ",status,bound,cycles,time_us";
  for (const std::string& name : metrics) {
    out += "," + cell(name);
  }
  out += analysis.costs.empty() ? ",reason,key\n" : ",cost,reason,key\n";
  for (std::size_t i = 0; i < analysis.rows.size(); ++i) {
    const PointRow& row = analysis.rows[i];
    const bool done = row.status == kDone;
    out += cell(row.trace) + "," + cell(row.arch);
    for (const std::string& key : analysis.parameters) {
      const std::string* const text = find_text(row.parameters, key);
      out += "," + (text == nullptr ? "" : cell(*text));
    }
    out += "," + row.status + "," + cell(row.bound) + ",";
    out += done ? fmt::format("{},{}", row.cycles, row.time_us) : ",";
    for (const std::string& name : metrics) {
      const auto found = row.metrics.find(name);
      out += found == row.metrics.end() ? "," : fmt::format(",{}", found->second);
    }
    if (!analysis.costs.empty()) {
      out += analysis.costs[i] ? fmt::format(",{}", *analysis.costs[i]) : ",";
    }
    out += "," + cell(row.reason) + "," + row.key + "\n";
  }
  return out;
}

}  // namespace gpusim::sweep

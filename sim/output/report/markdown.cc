// SPDX-License-Identifier: MIT
#include <array>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "sim/model/stats/field.h"
#include "sim/model/stats/stall.h"
#include "sim/model/stats/traffic_counters.h"
#include "sim/output/report/columns.h"
#include "sim/output/report/report.h"

namespace gpusim::report {
namespace {

/// Which keys a table has: what was counted, or what is given or derived from that.
enum class Keys : std::uint8_t { kCounters, kOthers };

template <class Column>
std::string key_table(const std::vector<Column>& columns, Keys keys) {
  std::string out = "| key | unit | meaning | formula | in Nsight Compute |\n| --- | --- | --- | --- | --- |\n";
  for (const Column& column : columns) {
    if (column.path.starts_with("counters.") != (keys == Keys::kCounters)) {
      continue;
    }
    const std::string ncu = column.ncu.label.empty() ? "" : fmt::format("{}: {}", column.ncu.section, column.ncu.label);
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", column.path, column.unit, column.what, column.formula, ncu);
  }
  return out;
}

struct RoofKey {
  std::string_view path;
  std::string_view unit;
  std::string_view what;
  std::string_view formula;
};
constexpr std::array<RoofKey, 7> kRoofKeys{{
    {"class", "", "class of FLOPs, as in `flops`", ""},
    {"flops_per_second", "FLOP/s", "reached", "flops.CLASS / t"},
    {"peak_flops_per_second", "FLOP/s", "the flat roof",
     "machine.flops_per_cycle_sm.CLASS x machine.sms x clock_mhz x 1e6"},
    {"levels[].level", "", "DRAM, L2, L1 or Shared", ""},
    {"levels[].bytes", "bytes", "that the level moved, for all classes and the rest",
     "32 x all_sectors of L1 and L2; bytes of DRAM and of shared memory"},
    {"levels[].bytes_per_second_peak", "bytes/s", "the sloped roof",
     "machine.dram_bytes_per_second; l2_bytes_per_cycle, l1_bytes_per_cycle x sms, shared_bytes_per_cycle x sms, "
     "times clock_mhz x 1e6"},
    {"levels[].intensity", "FLOP/byte", "null where the level moved nothing", "flops.CLASS / bytes"},
}};

std::string roof_table() {
  std::string out = "| key | unit | meaning | formula |\n| --- | --- | --- | --- |\n";
  for (const RoofKey& key : kRoofKeys) {
    out += fmt::format("| `roofs[].{}` | {} | {} | {} |\n", key.path, key.unit, key.what, key.formula);
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
  return "## Keys of the run\n\n" + key_table(run_columns(), Keys::kOthers) +
         "\n## Keys of a kernel\n\nBelow `kernels[]`.\n\n" + key_table(kernel_columns(), Keys::kOthers) +
         "\n## Rooflines of a kernel\n\nBelow `kernels[]`: one for each class of FLOPs in use, with a roof for each "
         "level "
         "of the memory hierarchy.\n\n" +
         roof_table() + "\n## Traffic over time\n\nBelow `kernels[].series.counters`; summed over the GPU.\n\n" +
         traffic_table() + "\n## Warp states\n\nIn order of precedence.\n\n" + state_table();
}

std::string counters_markdown() {
  return "Below `kernels[]`.\n\n" + key_table(kernel_columns(), Keys::kCounters);
}

}  // namespace gpusim::report

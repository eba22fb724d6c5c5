// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/output/compare/comparison.h"
#include "sim/output/compare/conditions.h"
#include "sim/output/compare/text_sections.h"
#include "sim/output/compare/words.h"
#include "sim/output/compare/writers.h"
#include "sim/output/report/schema.h"
#include "sim/output/view/roofs.h"
#include "sim/output/view/view.h"

namespace gpusim::compare {
namespace {

constexpr std::size_t kSourceWidth = 74;

std::string header(const Comparison& comparison, const TextOptions& options) {
  std::string out = layout::paint(fmt::format("gpusim {}", report::version()), layout::Style::kStrong, options) +
                    fmt::format("  {} compared with {}\n", counted(comparison.changes.size(), "result"),
                                comparison.runs.front().name);
  for (const Run& run : comparison.runs) {
    out += "  " + layout::paint(run.name, layout::Style::kStrong, options) + "  " +
           clipped(printable(run.source), kSourceWidth) + "\n";
    std::string of = printable(run.facts.arch_name);
    of += run.facts.trace_title.empty() ? "" : ": " + printable(run.facts.trace_title);
    of += run.facts.parameters.empty() ? "" : ", " + printable(parameters_text(run.facts));
    out += layout::paint("     " + clipped(of, kSourceWidth), layout::Style::kFaint, options) + "\n";
  }
  return out;
}

std::string totals_table(const Comparison& comparison, const TextOptions& options) {
  layout::Table table("lrrrrrl", {"", "kernels", "us", "against A", "launch us", "DRAM", "bound"});
  const Run& first = comparison.runs.front();
  for (const Run& run : comparison.runs) {
    const bool is_whole = run.facts.complete && run.ctas == run.grid_ctas;
    table.add({run.name + (is_whole ? "" : " PARTIAL"), with_thousands(run.launches), amount(run.time_us, ""),
               &run == &first ? "" : change_text(first.time_us, run.time_us), amount(run.launch_us, ""),
               amount(run.dram_bytes, "bytes"), std::string(name_of(run.bound))});
  }
  return layout::heading("Totals", "all kernels of a result, one after the other", options) + table.to_text(options);
}

std::string class_text(isa::FlopClass flop_class) {
  return std::string(isa::kFlopClassNames[static_cast<std::size_t>(flop_class)]);
}

std::string roofline(const Comparison& comparison, const TextOptions& options) {
  layout::Table table("lllrrrrl", {"", "class", "level", "FLOP/byte", "FLOP/s", "roof", "% of it", "roof is"});
  bool any = false;
  for (const Run& run : comparison.runs) {
    for (const report::RoofRow& row : run.roofs) {
      const report::RoofLevel* const level = report::lowest_roof(row);
      const double roof = roof_of(row);
      table.add({run.name, class_text(row.flop_class), level == nullptr ? "-" : std::string(level->name),
                 level == nullptr ? "-" : amount(*level->intensity, ""), with_si_prefix(row.flops_per_second, ""),
                 with_si_prefix(roof, ""), fmt::format("{:.1f}", report::percent(row.flops_per_second, roof)),
                 level != nullptr && report::is_memory_side(row, *level) ? "memory" : "compute"});
      any = true;
    }
  }
  const std::string heading = layout::heading("Roofline", "at the level of memory whose roof is lowest", options);
  return any ? heading + table.to_text(options) : heading + "  no result has FLOPs\n";
}

std::string bandwidth(const Comparison& comparison, const TextOptions& options) {
  layout::Table table("lrrrr", {"", "bytes", "bytes/s", "peak", "% of it"});
  for (const Run& run : comparison.runs) {
    const double speed = run.time_us > 0 ? run.dram_bytes / (run.time_us * 1e-6) : 0;
    const double peak = run.facts.machine.dram_bytes_per_second;
    table.add({run.name, amount(run.dram_bytes, "bytes"), amount(speed, "bytes/s"), amount(peak, "bytes/s"),
               fmt::format("{:.1f}", report::percent(speed, peak))});
  }
  return layout::heading("DRAM", "", options) + table.to_text(options);
}

std::string change_text_of(const Comparison& comparison, const Change& change, const TextOptions& options) {
  const Pair pair{comparison.runs.front(), comparison.runs[change.second], change};
  std::string out =
      "\n" +
      layout::paint(fmt::format("{} against {}", pair.second.name, pair.first.name), layout::Style::kStrong, options) +
      "\n";
  for (const std::string& sentence : change.summary) {
    out += layout::wrapped(sentence, layout::kIndent, kTextWidth);
  }
  return out + settings_section(pair, options) + causes_section(pair, options) + states_section(pair, options) +
         kernels_section(pair, options) + lines_section(pair, options);
}

std::string outcomes_text(const Comparison& comparison, const TextOptions& options) {
  if (comparison.outcomes.empty()) {
    return {};
  }
  layout::Table table("llrrl", {"", "fails if", "value", "limit", ""});
  for (const Outcome& outcome : comparison.outcomes) {
    table.add({comparison.runs[outcome.run].name, clipped(printable(outcome.condition.text), 40),
               amount(outcome.value, ""), amount(outcome.limit, ""),
               outcome.failed ? layout::paint("FAILED", layout::Style::kWarning, options) : "passed"});
  }
  return layout::heading("Conditions", "", options) + table.to_text(options);
}

}  // namespace

std::string to_text(const Comparison& comparison, const TextOptions& options) {
  std::string out = header(comparison, options) + totals_table(comparison, options) + roofline(comparison, options) +
                    bandwidth(comparison, options);
  for (const Change& change : comparison.changes) {
    out += change_text_of(comparison, change, options);
  }
  return out + outcomes_text(comparison, options);
}

}  // namespace gpusim::compare

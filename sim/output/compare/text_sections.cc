// SPDX-License-Identifier: MIT
#include "sim/output/compare/text_sections.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/output/compare/comparison.h"
#include "sim/output/compare/words.h"
#include "sim/output/compare/writers.h"
#include "sim/output/view/instruction.h"
#include "sim/output/view/line_counts.h"

namespace gpusim::compare {
namespace {

constexpr std::size_t kRowsShown = 10;
constexpr std::size_t kKernelsWithLines = 3;
constexpr std::size_t kNameWidth = 30;
/// Warp-cycles of more digits do not fit beside each other.
constexpr std::uint64_t kLargestExact = 99'999'999'999;

std::size_t shown_of(std::size_t all, const TextOptions& options) {
  return options.details ? all : std::min(all, kRowsShown);
}

std::string rest_text(std::size_t all, std::size_t shown, std::string_view noun) {
  return shown < all ? fmt::format("  and {} (--details)\n", counted(all - shown, "more " + std::string(noun))) : "";
}

std::string signed_thousands(std::int64_t value) {
  return value == 0 ? "no change" : (value < 0 ? "-" : "+") + with_thousands(magnitude(value));
}

/// A number of warp-cycles in a table: all digits where there is room, or else a prefix.
std::string cycles_text(std::uint64_t cycles, bool exact) {
  return exact ? with_thousands(cycles) : with_si_prefix(static_cast<double>(cycles), "");
}

std::string share_text(std::int64_t difference, double all) {
  const double share = all > 0 ? 100 * static_cast<double>(difference) / all : 0;
  return std::abs(share) < 0.05 ? "-" : fmt::format("{:+.1f}", share);
}

std::vector<std::string> state_cells(std::string_view name, const CycleChange& change, bool exact, double all) {
  const std::int64_t difference = change.difference();
  return {std::string(name), cycles_text(change.first, exact), cycles_text(change.second, exact),
          exact ? signed_thousands(difference) : signed_amount(difference), share_text(difference, all)};
}

std::vector<std::string> lone_cells(const LoneKernel& kernel) {
  return {clipped(printable(kernel.name), 40), with_thousands(kernel.launches), amount(kernel.time_us, ""),
          fmt::format("{:.1f}", kernel.share_pct), std::string(name_of(kernel.bound))};
}

std::string lone_table(const std::vector<LoneKernel>& kernels, const Run& run, const TextOptions& options) {
  if (kernels.empty()) {
    return {};
  }
  layout::Table table("lrrrl", {"kernel", "launches", "us", "% of " + run.name, "bound"});
  const std::size_t shown = shown_of(kernels.size(), options);
  for (std::size_t i = 0; i < shown; ++i) {
    table.add(lone_cells(kernels[i]));
  }
  return layout::heading(fmt::format("Only in {}", run.name), counted(kernels.size(), "name"), options) +
         table.to_text(options) + rest_text(kernels.size(), shown, "name");
}

/// "LDG.E -> LDG.E.128" where the line is another.
std::string opcodes_of(const LineChange& line) {
  const auto text = [](const std::optional<report::LineCounts>& sum) { return sum ? printable(sum->opcode) : "-"; };
  const std::string first = text(line.first);
  const std::string second = text(line.second);
  return first == second ? clipped(first, 19) : clipped(first, 8) + " > " + clipped(second, 8);
}

std::string lines_table(const Pair& pair, const KernelChange& kernel, const TextOptions& options) {
  layout::Table table("rlrrrl", {"line", "opcode", pair.first.name, pair.second.name, "change", "mostly in"});
  const auto changed = static_cast<std::size_t>(
      std::ranges::count_if(kernel.lines, [](const LineChange& line) { return line.state.has_value(); }));
  const std::size_t shown = shown_of(changed, options);
  for (std::size_t i = 0, added = 0; added < shown; ++i) {
    const LineChange& line = kernel.lines[i];
    if (!line.state) {
      continue;
    }
    ++added;
    table.add({report::line_cell(line.second ? *line.second : *line.first), opcodes_of(line),
               with_si_prefix(static_cast<double>(line.cycles.first), ""),
               with_si_prefix(static_cast<double>(line.cycles.second), ""), signed_amount(line.cycles.difference()),
               std::string(info_of(*line.state).key)});
  }
  const std::string heading =
      layout::heading("Lines of " + clipped(printable(kernel.name), kNameWidth), "warp-cycles", options);
  return changed == 0 ? heading + "  no change\n"
                      : heading + table.to_text(options) + rest_text(changed, shown, "line");
}

}  // namespace

std::string settings_section(const Pair& pair, const TextOptions& options) {
  if (pair.change.settings.empty()) {
    return {};
  }
  layout::Table table("lll", {"", pair.first.name, pair.second.name});
  for (const Setting& setting : pair.change.settings) {
    table.add({setting.what, clipped(printable(setting.first), 30), clipped(printable(setting.second), 30)});
  }
  return layout::heading("Set differently", "", options) + table.to_text(options);
}

std::string causes_section(const Pair& pair, const TextOptions& options) {
  const std::vector<Cause>& causes = pair.change.causes;
  if (causes.empty()) {
    return {};
  }
  layout::Table table("lrrrl", {"", pair.first.name, pair.second.name, "change", "speaks for"});
  const std::size_t shown = shown_of(causes.size(), options);
  for (std::size_t i = 0; i < shown; ++i) {
    const Cause& cause = causes[i];
    table.add({cause.what, amount(cause.first, cause.unit), amount(cause.second, cause.unit),
               change_text(cause.first, cause.second), cause.speeds_up ? pair.second.name : pair.first.name});
  }
  return layout::heading("What changed", "what is likely to matter most first", options) + table.to_text(options) +
         rest_text(causes.size(), shown, "number");
}

std::string states_section(const Pair& pair, const TextOptions& options) {
  const Change& change = pair.change;
  std::vector<std::size_t> order(change.states.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t i) { return magnitude(change.states[i].difference()); });
  const bool exact = std::max(change.warp_cycles.first, change.warp_cycles.second) <= kLargestExact;
  const auto all = static_cast<double>(change.warp_cycles.first);
  layout::Table table("lrrrr", {"state", pair.first.name, pair.second.name, "difference", "% of " + pair.first.name});
  for (const std::size_t i : order) {
    if (change.states[i].first != 0 || change.states[i].second != 0) {
      table.add(state_cells(stats::kStalls[i].key, change.states[i], exact, all));
    }
  }
  table.add(state_cells("sum", change.warp_cycles, exact, all));
  return layout::heading("Warp states", "warp-cycles, and where their difference lies", options) +
         table.to_text(options);
}

std::string kernels_section(const Pair& pair, const TextOptions& options) {
  const Change& change = pair.change;
  std::string out;
  if (!change.kernels.empty()) {
    layout::Table table("lrrrrl",
                        {"kernel", "launches", pair.first.name + " us", pair.second.name + " us", "change", "bound"});
    const std::size_t shown = shown_of(change.kernels.size(), options);
    for (std::size_t i = 0; i < shown; ++i) {
      const KernelChange& kernel = change.kernels[i];
      const bool as_many = kernel.first.launches == kernel.second.launches;
      const bool same_bound = kernel.first.bound == kernel.second.bound;
      table.add({clipped(printable(kernel.name), kNameWidth - 6),
                 as_many ? with_thousands(kernel.first.launches)
                         : fmt::format("{} > {}", kernel.first.launches, kernel.second.launches),
                 amount(kernel.first.time_us, ""), amount(kernel.second.time_us, ""),
                 change_text(kernel.first.time_us, kernel.second.time_us),
                 same_bound ? std::string(name_of(kernel.first.bound))
                            : fmt::format("{} > {}", name_of(kernel.first.bound), name_of(kernel.second.bound))});
    }
    out += layout::heading("Kernels in both", "by name, launches of one together", options) + table.to_text(options) +
           rest_text(change.kernels.size(), shown, "name");
  }
  return out + lone_table(change.only_first, pair.first, options) +
         lone_table(change.only_second, pair.second, options);
}

std::string lines_section(const Pair& pair, const TextOptions& options) {
  std::string out;
  std::size_t shown = 0;
  for (const KernelChange& kernel : pair.change.kernels) {
    if (options.details || shown < kKernelsWithLines) {
      out += lines_table(pair, kernel, options);
      ++shown;
    }
  }
  return out;
}

}  // namespace gpusim::compare

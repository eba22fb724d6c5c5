// SPDX-License-Identifier: MIT
#include "sim/output/compare/summary.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/output/compare/comparison.h"
#include "sim/output/compare/words.h"

namespace gpusim::compare {
namespace {

constexpr std::size_t kCausesNamed = 3;
/// Causes of less weight than this, of the weightiest, are left to the table.
constexpr double kLeastOfFirst = 0.2;

std::string time_text(double us) {
  return fmt::format("{:.2f} us", us);
}

std::string speed_sentence(const Run& first, const Run& second) {
  if (first.time_us == second.time_us) {
    return fmt::format("{} takes as long as {}: {}.", second.name, first.name, time_text(first.time_us));
  }
  const bool faster = second.time_us < first.time_us;
  const double ratio = faster ? first.time_us / second.time_us : second.time_us / first.time_us;
  std::string factor = "no comparison of speed";
  if (std::isfinite(ratio)) {
    factor = ratio >= 1.1 ? fmt::format("{:.2f} times as {}", ratio, faster ? "fast" : "slow")
                          : fmt::format("{:.2f} % {}", 100 * (ratio - 1), faster ? "faster" : "slower");
  }
  return fmt::format("{} takes {}, {} takes {}: {} is {}.", second.name, time_text(second.time_us), first.name,
                     time_text(first.time_us), second.name, factor);
}

std::string launches_sentence(const Run& first, const Run& second) {
  return fmt::format("{} launches {}, {} {}; launching takes {} in {} and {} in {}, which the times are without.",
                     first.name, counted(first.launches, "kernel"), second.name, with_thousands(second.launches),
                     time_text(first.launch_us), first.name, time_text(second.launch_us), second.name);
}

std::string bound_sentence(const Run& first, const Run& second) {
  return first.bound == second.bound ? fmt::format("Both are bound by {}.", name_of(first.bound))
                                     : fmt::format("{} is bound by {}, {} by {}.", first.name, name_of(first.bound),
                                                   second.name, name_of(second.bound));
}

/// Whether a part changed as the whole did; of a whole that did not change, every part.
bool is_same_way(std::int64_t part, std::int64_t whole) {
  return part != 0 && (whole == 0 || (part < 0) == (whole < 0));
}

/// The state that changed most in the direction of the sum; in either when the sum did not change.
std::optional<std::size_t> main_state(const Change& change) {
  const std::int64_t all = change.warp_cycles.difference();
  std::optional<std::size_t> most;
  for (std::size_t i = 0; i < change.states.size(); ++i) {
    const std::int64_t one = change.states[i].difference();
    if (is_same_way(one, all) && (!most || magnitude(one) > magnitude(change.states[*most].difference()))) {
      most = i;
    }
  }
  return most;
}

std::string states_sentence(const Run& second, const Change& change) {
  const std::optional<std::size_t> most = main_state(change);
  if (!most) {
    return "Warps spend the same cycles in every state.";
  }
  const std::int64_t all = change.warp_cycles.difference();
  const std::int64_t one = change.states[*most].difference();
  const stats::StallInfo& info = stats::kStalls[*most];
  std::string text = fmt::format("The warps of {} spend {} warp-cycles", second.name, more_or_less(all));
  if (all == 0) {
    text = fmt::format("The warps of {} spend as many warp-cycles", second.name);
  }
  if (all != 0 && magnitude(one) <= magnitude(all)) {
    return text + fmt::format(", {} of them in {}, waiting for {}.", more_or_less(one), info.key, info.what);
  }
  return text + fmt::format(", and {} in {} alone, waiting for {}.", more_or_less(one), info.key, info.what);
}

/// The line of a kernel that changed most in the direction of the kernel's sum; nullptr when none did.
const LineChange* main_line(const KernelChange& kernel) {
  const auto line = std::ranges::find_if(kernel.lines, [&kernel](const LineChange& each) {
    return is_same_way(each.cycles.difference(), kernel.warp_cycles.difference());
  });
  return line == kernel.lines.end() ? nullptr : &*line;
}

/// The kernel in both that changed most, and where in it.
std::string place_sentence(const Run& second, const Change& change) {
  const auto most = std::ranges::max_element(
      change.kernels, {}, [](const KernelChange& kernel) { return magnitude(kernel.warp_cycles.difference()); });
  const LineChange* const line = most == change.kernels.end() ? nullptr : main_line(*most);
  if (line == nullptr) {
    return {};
  }
  const std::string name = clipped(printable(most->name), 40);
  if (change.kernels.size() == 1) {
    const bool is_most = 2 * magnitude(line->cycles.difference()) > magnitude(most->warp_cycles.difference());
    return fmt::format("{}: {} of {} has {} warp-cycles in {}.",
                       is_most ? "Most of it at one line" : "The line that changes most", line_name(*line), name,
                       more_or_less(line->cycles.difference()), second.name);
  }
  return fmt::format("The kernel that changes most is {}: {} warp-cycles in {}; its {} has {}.", name,
                     more_or_less(most->warp_cycles.difference()), second.name, line_name(*line),
                     more_or_less(line->cycles.difference()));
}

std::string causes_sentence(const Change& change, bool speeds_up, std::string_view begin) {
  std::string list;
  std::size_t named = 0;
  const double least = change.causes.empty() ? 0 : kLeastOfFirst * change.causes.front().weight;
  for (const Cause& cause : change.causes) {
    if (cause.speeds_up == speeds_up && cause.weight >= least && named < kCausesNamed) {
      list += fmt::format("{}{} ({} instead of {})", named == 0 ? "" : ", ", cause.what,
                          amount(cause.second, cause.unit), amount(cause.first, cause.unit));
      ++named;
    }
  }
  return list.empty() ? "" : fmt::format("{}: {}.", begin, list);
}

}  // namespace

std::vector<std::string> summary_of(const Run& first, const Run& second, const Change& change) {
  const bool same_totals = std::ranges::equal(first.totals, second.totals, {}, &Total::value, &Total::value);
  if (same_totals && change.settings.empty() && change.only_first.empty() && change.only_second.empty()) {
    return {fmt::format("No change: every total of {} is that of {}.", second.name, first.name)};
  }
  std::vector<std::string> out{speed_sentence(first, second)};
  if (first.launches != second.launches) {
    out.push_back(launches_sentence(first, second));
  }
  out.push_back(bound_sentence(first, second));
  out.push_back(states_sentence(second, change));
  out.push_back(place_sentence(second, change));
  const bool faster = second.time_us <= first.time_us;
  out.push_back(causes_sentence(change, faster, faster ? "What speaks for it" : "What lies behind it"));
  out.push_back(causes_sentence(change, !faster, "What works against it"));
  for (const Run* const run : {&first, &second}) {
    if (!run->facts.complete) {
      out.push_back(run->name + " is PARTIAL: its run stopped before its end, and its numbers end there.");
    } else if (run->ctas < run->grid_ctas) {
      out.push_back(fmt::format("{} simulated {} of {} CTAs; its numbers are those of these.", run->name,
                                with_thousands(run->ctas), with_thousands(run->grid_ctas)));
    }
  }
  std::erase(out, "");
  return out;
}

}  // namespace gpusim::compare

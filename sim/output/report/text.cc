// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "sim/base/cache_state.h"
#include "sim/base/source_kind.h"
#include "sim/model/stats/kernel_counts.h"
#include "sim/model/stats/power.h"
#include "sim/model/stats/run_facts.h"
#include "sim/output/report/schema.h"
#include "sim/output/report/section_text.h"
#include "sim/output/report/sections.h"
#include "sim/output/report/verdict.h"
#include "sim/output/report/writers.h"

namespace gpusim::report {
namespace {

/// A run of many kernels explains those that take longest; --details explains all.
constexpr std::size_t kKernelsExplained = 4;
constexpr std::size_t kGuessesShown = 5;
constexpr std::size_t kFactIndent = 15;
constexpr std::size_t kWarningsShown = 10;

std::string fact(std::string_view name, const std::string& value, const TextOptions& options) {
  return "  " + layout::paint(fmt::format("{:<13}", name), layout::Style::kFaint, options) + value + "\n";
}

std::string parameters_text(const stats::RunFacts& run) {
  std::string text;
  for (const auto& [name, value] : run.parameters) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", printable(name), printable(value.text()));
  }
  return text;
}

std::string dependences_text(const View& view) {
  const auto recorded =
      std::ranges::count_if(view.kernels, [](const KernelView& kernel) { return kernel.counts.dependences_recorded; });
  if (recorded == 0) {
    return "assigned (the trace has no control bits)";
  }
  return static_cast<std::size_t>(recorded) == view.kernels.size() ? "recorded" : "recorded, in part assigned";
}

/// Whether the numbers are those of the whole run; if not, why.
std::string extent(const stats::RunFacts& run, const TextOptions& options) {
  if (run.complete) {
    return layout::paint("complete run", layout::Style::kFaint, options);
  }
  const char* const why = run.stopped_after_watch         ? "stopped after the cycles watched; counts end there"
                          : !run.stopped_at_limit.empty() ? "stopped at --max-cycles; counts end there"
                                                          : "interrupted; counts end where the run did";
  return layout::paint(std::string("PARTIAL: ") + why, layout::Style::kWarning, options);
}

std::string warnings_text(const stats::RunFacts& run, const TextOptions& options) {
  std::string out;
  const std::size_t shown = options.details ? run.warnings.size() : std::min(run.warnings.size(), kWarningsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    out += layout::paint(sentence("warning: " + printable(run.warnings[i]), options), layout::Style::kWarning, options);
  }
  if (shown < run.warnings.size()) {
    out += fmt::format("  and {} more warnings (--details)\n", run.warnings.size() - shown);
  }
  return out;
}

std::string header(const View& view, const TextOptions& options) {
  const stats::RunFacts& run = view.run;
  const std::string title = run.trace_title.empty() ? "" : ": " + printable(run.trace_title);
  std::string out = layout::paint(fmt::format("gpusim {}", version()), layout::Style::kStrong, options) + "  " +
                    extent(run, options) + "\n";
  out += fact("GPU",
              clipped(fmt::format("{}: {} SMs at {:.0f} MHz, DRAM {}", printable(run.arch_name), run.machine.sms,
                                  run.sm_clock_mhz, with_si_prefix(run.machine.dram_bytes_per_second, "B/s")),
                      options.width - kFactIndent),
              options);
  out += fact("trace", clipped(printable(run.trace_path) + title, options.width - kFactIndent), options);
  if (!run.parameters.empty()) {
    out += fact("parameters", clipped(parameters_text(run), options.width - kFactIndent), options);
  }
  out += fact("caches",
              std::string(cache_state_text(run.cache_state)) +
                  (run.cache_state == CacheState::kWarm ? " (after an untimed pass)" : ""),
              options);
  out += fact("dependences", dependences_text(view), options);
  return out + warnings_text(run, options);
}

std::string kernel_headline(const KernelView& view, const TextOptions& options) {
  const stats::KernelCounts& counts = view.counts;
  const std::uint64_t grid = counts.grid.volume();
  const std::string clusters =
      counts.cluster.volume() > 1 ? fmt::format("clusters of {}, ", to_text(counts.cluster)) : "";
  const std::string ctas =
      counts.simulated_ctas == grid
          ? fmt::format("{} CTA{}", with_thousands(grid), grid == 1 ? "" : "s")
          : layout::paint(fmt::format("{} of {} CTAs", with_thousands(counts.simulated_ctas), with_thousands(grid)),
                          layout::Style::kWarning, options);
  return "\n" + layout::paint(clipped(printable(counts.name), options.width), layout::Style::kStrong, options) + "\n" +
         sentence(fmt::format("{} x {}, {}{}; {} warp instructions, {}", to_text(counts.grid), to_text(counts.block),
                              clusters, ctas, with_thousands(counts.sm.warp_instructions),
                              with_si_prefix(view.throughput.tflops * 1e12, "FLOP/s")),
                  options) +
         sentence(
             fmt::format(
                 "{} cycles: {:.2f} us{}, after {:.2f} us of launch", with_thousands(counts.cycles), view.time_us,
                 counts.begin_end_us > 0 ? fmt::format(" with {:.2f} us to begin and end", counts.begin_end_us) : "",
                 counts.launch_us),
             options);
}

/// What the card draws, and the clock that it can keep; empty where nothing is known of it.
std::string power_text(const KernelView& view, double clock_mhz, const TextOptions& options) {
  const stats::PowerEstimate& power = view.counts.power;
  if (!power.is_known()) {
    return {};
  }
  constexpr double kNotable = 0.99;
  const bool is_capped = power.sustained_mhz < kNotable * clock_mhz;
  std::string text = fmt::format("about {:.0f} W of the card's {:.0f}", power.watts(), power.limit);
  if (is_capped) {
    text += fmt::format(
        "{}: run again and again it would keep about {:.0f} MHz, {:.0f} % less than simulated here; --sustained-clock "
        "simulates that",
        power.watts() > power.limit ? "" : ", and tensor cores lower its highest clock", power.sustained_mhz,
        100 * (1 - power.sustained_mhz / clock_mhz));
  }
  return is_capped ? layout::paint(sentence(text, options), layout::Style::kWarning, options) : sentence(text, options);
}

std::string kernel_text(const KernelView& view, double clock_mhz, const TextOptions& options) {
  std::string out = kernel_headline(view, options) + power_text(view, clock_mhz, options) + "\n";
  out += layout::paint(sentence(verdict(view), options), layout::Style::kStrong, options);
  if (view.counts.sm.warp_instructions == 0) {
    return out;
  }
  out += advice_section(view, options) + what_if_section(view, options);
  out += speed_of_light_section(view, options) + roofline_section(view, options) + occupancy_section(view, options) +
         states_section(view, options) + lines_section(view, options) + producers_section(view, options) +
         memory_section(view, options) + divergence_section(view, options);
  return options.details ? out + pipes_section(view, options) : out;
}

/// Indices of the kernels to explain, in order of the run.
std::vector<std::size_t> explained(const View& view, const TextOptions& options) {
  std::vector<std::size_t> order(view.kernels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options.details || order.size() <= kKernelsExplained) {
    return order;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return view.kernels[a].counts.cycles > view.kernels[b].counts.cycles;
  });
  order.resize(kKernelsExplained);
  std::sort(order.begin(), order.end());
  return order;
}

std::string guesses_text(const View& view, const TextOptions& options) {
  const std::vector<stats::GuessedValue>& guesses = view.run.guesses;
  if (guesses.empty()) {
    return {};
  }
  const auto guessed =
      static_cast<std::size_t>(std::ranges::count(guesses, SourceKind::kGuess, &stats::GuessedValue::kind));
  const std::size_t shown = options.details ? guesses.size() : std::min(guesses.size(), kGuessesShown);
  std::string out = sentence(
      fmt::format("{} values of the architecture are guesses, {} are inferred{}", guessed, guesses.size() - guessed,
                  shown == guesses.size() ? ":" : " (--details); the first to doubt here:"),
      options);
  for (std::size_t i = 0; i < shown; ++i) {
    const stats::GuessedValue& guess = guesses[i];
    out += "    " +
           clipped(fmt::format("{} = {} ({}: {})", guess.key, guess.value, source_kind_text(guess.kind),
                               printable(guess.source)),
                   options.width - 4) +
           "\n";
  }
  return out;
}

std::string host_text(const View& view, const TextOptions& options) {
  const stats::HostCost& host = view.run.host;
  return sentence(
      fmt::format("simulated in {:.2f} s on {} thread{}: {} warp instructions/s, {} of memory at most", host.seconds,
                  host.threads, host.threads == 1 ? "" : "s", with_si_prefix(view.warp_instructions_per_second, ""),
                  with_binary_prefix(host.peak_rss_bytes)),
      options);
}

}  // namespace

std::string write_text(const View& view, const TextOptions& options) {
  std::string out = header(view, options);
  if (view.kernels.size() > 1) {
    out += kernels_section(view, options) + kernel_names_section(view, options);
  }
  const std::vector<std::size_t> order = explained(view, options);
  for (const std::size_t i : order) {
    out += kernel_text(view.kernels[i], view.run.sm_clock_mhz, options);
  }
  if (order.size() < view.kernels.size()) {
    out += "\n" + layout::wrapped(fmt::format("The {} longest of {} kernels are explained; --details explains all, "
                                              "--kernel REGEX those whose names match.",
                                              order.size(), view.kernels.size()),
                                  0, options.width);
  }
  return out + layout::heading("How far to trust this", "", options) + guesses_text(view, options) +
         host_text(view, options);
}

}  // namespace gpusim::report

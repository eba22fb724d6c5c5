// SPDX-License-Identifier: MIT
#include "sim/commands/cli/timelines.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <set>

#include "sim/base/problem.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/values.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/output/report/report.h"
#include "sim/output/report/text_options.h"
#include "sim/output/timeline/timeline.h"
#include "sim/output/timeline/why.h"

namespace gpusim::cli {
namespace {

/// A part of --why.
struct MomentKey {
  std::string_view name;
  std::uint64_t most;
  void (*set)(timeline::Moment& moment, std::uint64_t value);
};

constexpr std::string_view kQuestion = "a warp and a cycle, for example --why sm=0,warp=3,cycle=412";

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

constexpr std::array kMomentKeys{
    MomentKey{"sm", kMost32, [](auto& m, std::uint64_t v) { m.sm = static_cast<std::uint32_t>(v); }},
    MomentKey{"warp", kMost32, [](auto& m, std::uint64_t v) { m.warp_slot = static_cast<std::uint32_t>(v); }},
    MomentKey{"cycle", kNever - 2, [](auto& m, std::uint64_t v) { m.cycle = v; }},
    MomentKey{"kernel", kMost32, [](auto& m, std::uint64_t v) { m.kernel = static_cast<std::uint32_t>(v); }},
};

/// How timelines look on standard output: as wide as the terminal.
timeline::TextOptions timeline_options(const Common& common) {
  return {look_of(common)};
}

}  // namespace

void add_watch(CLI::App& app, std::string& watch, const char* what) {
  add_text(app, "--watch", watch, "sm=S,warp=W,cycles=A..B", what);
}

void require_timeline(const std::string& watch, const std::string& why, const std::string& format) {
  if (!watch.empty() && !why.empty()) {
    throw UsageError("--why does not go with --watch: one is about a cycle, the other about many");
  }
  if (!watch.empty() && format.ends_with("csv")) {
    throw UsageError("--watch: a timeline has no CSV form; use --format text or json");
  }
  if (!why.empty() && format.ends_with("csv")) {
    throw UsageError("--why: the answer has no CSV form; use --format text or json");
  }
}

std::string timeline_of(const stats::Result& result, const gpu::WatchRequest& watched, const std::string& format,
                        const Common& common, bool details) {
  if (format == "json") {
    return report::to_json(result);
  }
  timeline::TextOptions options = timeline_options(common);
  options.details = details;
  options.begin = watched.begin;
  options.end = watched.end;
  return timeline::to_text(result, options);
}

void add_why(CLI::App& app, std::string& why) {
  add_text(app, "--why", why, "sm=S,warp=W,cycle=N", "Explain why this warp waits in this cycle");
}

timeline::Moment parse_moment(std::string_view text) {
  timeline::Moment moment;
  std::set<std::string_view> given;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    const std::size_t equals = part.find('=');
    const auto* const key = std::ranges::find(kMomentKeys, part.substr(0, equals), &MomentKey::name);
    if (key == kMomentKeys.end()) {
      throw UsageError("--why: " + in_quotes(part) + " is none of sm=S, warp=W, cycle=N, kernel=K");
    }
    if (!given.insert(key->name).second) {
      throw UsageError("--why: " + std::string(key->name) + " is given twice");
    }
    const std::string_view value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
    key->set(moment, parse_count("--why " + std::string(key->name), value, 0, key->most));
  }
  if (!given.contains("warp") || !given.contains("cycle")) {
    throw UsageError("--why needs " + std::string(kQuestion));
  }
  return moment;
}

std::string answer(const stats::Result& result, const timeline::Moment& moment, const std::string& format,
                   const Common& common) {
  const timeline::Reason reason = timeline::why(result, moment);
  return format == "json" ? timeline::to_json(result, reason)
                          : timeline::to_text(result, reason, timeline_options(common));
}

}  // namespace gpusim::cli

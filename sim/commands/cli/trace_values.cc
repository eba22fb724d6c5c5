// SPDX-License-Identifier: MIT
#include "sim/commands/cli/trace_values.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "sim/base/file_name.h"
#include "sim/base/nearest.h"
#include "sim/base/pattern.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/values.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/stats/result.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::cli {
namespace {

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kAnySm = std::numeric_limits<std::uint32_t>::max();
constexpr Cycle kWatchedByDefault = 400;
constexpr Cycle kMostWatched = 100'000;

void set_cycles(gpu::WatchRequest& watch, std::string_view value) {
  const auto [begin, last] = parse_range("--watch cycles", value);
  watch.begin = begin;
  watch.end = last + 1;
  if (watch.end - watch.begin > kMostWatched) {
    throw UsageError("--watch: " + in_quotes(value) + " are more than " + with_thousands(kMostWatched) + " cycles");
  }
}

Pattern compile(const std::string& expression) {
  try {
    return Pattern(expression);
  } catch (const BadPattern& error) {
    throw UsageError("--kernel: " + in_quotes(expression) + " is not a regular expression: " + error.what());
  }
}

/// Which names the expression finds; throws InputError when it finds none.
std::vector<bool> matching(const std::vector<std::string>& names, const std::string& expression,
                           const std::string& file) {
  const Pattern pattern = compile(expression);
  std::vector<bool> matches;
  for (const std::string& name : names) {
    matches.push_back(pattern.is_in(name));
  }
  if (std::ranges::find(matches, true) == matches.end()) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    throw InputError(
        {{file, 0, 0}, "no kernel matches --kernel " + in_quotes(expression), suggestion(expression, known)});
  }
  return matches;
}

}  // namespace

std::pair<std::uint64_t, std::uint64_t> parse_range(std::string_view option, std::string_view text) {
  const std::size_t dots = text.find("..");
  const std::uint64_t first = parse_count(option, text.substr(0, dots), 0, kAny - 1);
  const std::uint64_t last =
      dots == std::string_view::npos ? first : parse_count(option, text.substr(dots + 2), 0, kAny - 1);
  if (last < first) {
    throw UsageError(std::string(option) + ": " + in_quotes(text) + " ends before it begins");
  }
  return {first, last};
}

gpu::CtaRange parse_ctas(std::string_view text) {
  const auto [first, last] = parse_range("--ctas", text);
  return {first, last};
}

gpu::WatchRequest parse_watch(std::string_view text) {
  gpu::WatchRequest watch;
  watch.end = kWatchedByDefault;
  watch.kernel = 0;
  std::set<std::string_view> given;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    const std::size_t equals = part.find('=');
    const std::string_view key = part.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
    if (!given.insert(key).second) {
      throw UsageError("--watch: " + in_quotes(key) + " is given twice");
    }
    if (key == "sm") {
      watch.sm = static_cast<std::uint32_t>(parse_count("--watch sm", value, 0, kAnySm));
    } else if (key == "warp") {
      watch.warp_slot = static_cast<std::uint32_t>(parse_count("--watch warp", value, 0, kAnySm));
    } else if (key == "kernel") {
      watch.kernel = static_cast<std::uint32_t>(parse_count("--watch kernel", value, 0, kAnySm));
    } else if (key == "cycles") {
      set_cycles(watch, value);
    } else {
      throw UsageError("--watch: " + in_quotes(part) + " is none of sm=S, warp=W, cycles=A..B, kernel=K");
    }
  }
  return watch;
}

trace::ParameterChoice parse_parameters(const std::vector<std::string>& texts, bool use_test_set) {
  trace::ParameterChoice out;
  out.use_test_set = use_test_set;
  std::set<std::string> seen;
  ProblemList problems;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (equals == std::string::npos || name.empty()) {
      throw UsageError("--param: " + in_quotes(text) + " is not NAME=VALUE");
    }
    const std::string value = text.substr(equals + 1);
    const std::optional<std::int64_t> number = parse_signed(value);
    if (!number && !is_word_or_file(value)) {
      problems.add({{"--param " + name, 0, 0}, in_quotes(value) + " is not an integer", integers_only(value)});
    } else if (!seen.insert(name).second) {
      problems.add({{"--param " + name, 0, 0}, "is given twice", ""});
    } else if (number) {
      out.overrides.emplace_back(name, *number);
    } else {
      out.words.emplace_back(name, value);
    }
  }
  problems.throw_if_any();
  return out;
}

void keep_kernels(trace::Trace& trace, const std::string& expression) {
  if (expression.empty()) {
    return;
  }
  std::vector<std::string> names;
  for (const trace::Kernel& kernel : trace.kernels) {
    names.push_back(kernel.name);
  }
  const std::vector<bool> matches = matching(names, expression, trace.path);
  trace::Launches kept;
  std::vector<std::uint64_t> kept_before;  // counts before each kernel, and at the end
  for (std::size_t i = 0; i < names.size(); ++i) {
    kept_before.push_back(kept.size());
    if (matches[i]) {
      kept.push_back(trace.kernels.shared(i));
    }
  }
  kept_before.push_back(kept.size());
  trace.kernels = std::move(kept);
  for (trace::HostCopy& copy : trace.copies) {
    copy.launch = kept_before[copy.launch];
  }
}

void keep_kernels(stats::Result& result, const std::string& expression, const std::string& file) {
  if (expression.empty()) {
    return;
  }
  std::vector<std::string> names;
  for (const stats::KernelResult& kernel : result.kernels) {
    names.push_back(kernel.name);
  }
  const std::vector<bool> matches = matching(names, expression, file);
  std::vector<stats::KernelResult> kept;
  std::vector<std::uint32_t> kept_before;
  for (std::size_t i = 0; i < names.size(); ++i) {
    kept_before.push_back(static_cast<std::uint32_t>(kept.size()));
    if (matches[i]) {
      kept.push_back(std::move(result.kernels[i]));
    }
  }
  result.kernels = std::move(kept);
  std::erase_if(result.watch, [&](const stats::WatchInterval& interval) { return !matches.at(interval.kernel); });
  for (stats::WatchInterval& interval : result.watch) {
    interval.kernel = kept_before[interval.kernel];
  }
}

}  // namespace gpusim::cli

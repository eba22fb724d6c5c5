// SPDX-License-Identifier: MIT
#include "sim/app/values.h"

#include <limits>
#include <optional>
#include <regex>
#include <set>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"

namespace gpusim::app {
namespace {

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kAnySm = std::numeric_limits<std::uint32_t>::max();
constexpr Cycle kWatchedByDefault = 400;
constexpr Cycle kMostWatched = 100'000;

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

/// "A..B" as two counts, "A" as twice the same.
std::pair<std::uint64_t, std::uint64_t> parse_range(std::string_view option, std::string_view text) {
  const std::size_t dots = text.find("..");
  const std::uint64_t first = parse_count(option, text.substr(0, dots), 0, kAny - 1);
  const std::uint64_t last =
      dots == std::string_view::npos ? first : parse_count(option, text.substr(dots + 2), 0, kAny - 1);
  if (last < first) {
    throw UsageError(std::string(option) + ": " + quoted(text) + " ends before it begins");
  }
  return {first, last};
}

void set_cycles(gpu::WatchRequest& watch, std::string_view value) {
  const auto [begin, last] = parse_range("--watch cycles", value);
  watch.begin = begin;
  watch.end = last + 1;
  if (watch.end - watch.begin > kMostWatched) {
    throw UsageError("--watch: " + quoted(value) + " are more than " + with_thousands(kMostWatched) + " cycles");
  }
}

std::regex compile(const std::string& expression) {
  try {
    return std::regex(expression, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    throw UsageError("--kernel: " + quoted(expression) + " is no regular expression: " + error.what());
  }
}

}  // namespace

std::uint64_t parse_count(std::string_view option, std::string_view text, std::uint64_t least, std::uint64_t most) {
  const std::optional<std::uint64_t> value = parse_unsigned(text);
  if (!value) {
    throw UsageError(std::string(option) + ": " + quoted(text) + " is not a whole number");
  }
  if (*value < least || *value > most) {
    throw UsageError(std::string(option) + ": " + quoted(text) + " is out of range (allowed: " + with_thousands(least) +
                     " to " + with_thousands(most) + ")");
  }
  return *value;
}

gpu::CtaRange parse_ctas(std::string_view text) {
  const auto [first, last] = parse_range("--ctas", text);
  return {first, last};
}

gpu::WatchRequest parse_watch(std::string_view text) {
  gpu::WatchRequest watch;
  watch.end = kWatchedByDefault;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    const std::size_t equals = part.find('=');
    const std::string_view key = part.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
    if (key == "sm") {
      watch.sm = static_cast<std::uint32_t>(parse_count("--watch sm", value, 0, kAnySm));
    } else if (key == "warp") {
      watch.warp_slot = static_cast<std::uint32_t>(parse_count("--watch warp", value, 0, kAnySm));
    } else if (key == "cycles") {
      set_cycles(watch, value);
    } else {
      throw UsageError("--watch: " + quoted(part) + " is none of sm=S, warp=W, cycles=A..B");
    }
  }
  return watch;
}

std::vector<std::pair<std::string, std::int64_t>> parse_parameters(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::int64_t>> out;
  std::set<std::string> seen;
  ProblemList problems;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (equals == std::string::npos || name.empty()) {
      throw UsageError("--param: " + quoted(text) + " is not NAME=VALUE");
    }
    const std::string value = text.substr(equals + 1);
    const std::optional<std::int64_t> number = parse_signed(value);
    if (!number) {
      problems.add({{"--param " + name, 0, 0}, quoted(value) + " is not an integer", "integers only, such as 8192"});
    } else if (!seen.insert(name).second) {
      problems.add({{"--param " + name, 0, 0}, "is given twice", ""});
    } else {
      out.emplace_back(name, *number);
    }
  }
  problems.throw_if_any();
  return out;
}

void keep_kernels(trace::Trace& trace, const std::string& expression) {
  if (expression.empty()) {
    return;
  }
  // std::regex recurses over what it searches, and names come from input files.
  constexpr std::size_t kLongestSearched = 1000;
  const std::regex regex = compile(expression);
  std::vector<std::string> names;
  for (const trace::Kernel& kernel : trace.kernels) {
    names.push_back(kernel.name);
  }
  std::erase_if(trace.kernels, [&](const trace::Kernel& kernel) {
    return !std::regex_search(kernel.name.substr(0, kLongestSearched), regex);
  });
  if (trace.kernels.empty()) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    throw InputError(
        {{trace.path, 0, 0}, "no kernel matches --kernel " + quoted(expression), suggestion(expression, known)});
  }
}

}  // namespace gpusim::app

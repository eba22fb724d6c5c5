// SPDX-License-Identifier: MIT
#include "sim/app/values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <regex>
#include <set>
#include <span>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/model/arch/value.h"

namespace gpusim::app {
namespace {

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kAnySm = std::numeric_limits<std::uint32_t>::max();
constexpr Cycle kWatchedByDefault = 400;
constexpr Cycle kMostWatched = 100'000;

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

/// "A..B" as two counts, "A" as twice the same.
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

void set_cycles(gpu::WatchRequest& watch, std::string_view value) {
  const auto [begin, last] = parse_range("--watch cycles", value);
  watch.begin = begin;
  watch.end = last + 1;
  if (watch.end - watch.begin > kMostWatched) {
    throw UsageError("--watch: " + in_quotes(value) + " are more than " + with_thousands(kMostWatched) + " cycles");
  }
}

struct QuantityUnit {
  std::string_view word;
  double factor;
};

constexpr std::array<QuantityUnit, 14> kFlopUnits{{{"FLOP", 1},
                                                   {"kFLOP", 1e3},
                                                   {"MFLOP", 1e6},
                                                   {"GFLOP", 1e9},
                                                   {"TFLOP", 1e12},
                                                   {"PFLOP", 1e15},
                                                   {"EFLOP", 1e18},
                                                   {"OP", 1},
                                                   {"kOP", 1e3},
                                                   {"MOP", 1e6},
                                                   {"GOP", 1e9},
                                                   {"TOP", 1e12},
                                                   {"POP", 1e15},
                                                   {"EOP", 1e18}}};
constexpr std::array<QuantityUnit, 11> kByteUnits{{{"B", 1},
                                                   {"kB", 1e3},
                                                   {"MB", 1e6},
                                                   {"GB", 1e9},
                                                   {"TB", 1e12},
                                                   {"PB", 1e15},
                                                   {"KiB", 0x1p10},
                                                   {"MiB", 0x1p20},
                                                   {"GiB", 0x1p30},
                                                   {"TiB", 0x1p40},
                                                   {"PiB", 0x1p50}}};
/// Beyond what any machine does or moves in a lifetime.
constexpr double kMostQuantity = 1e30;

double parse_quantity(std::string_view option, std::string_view text, std::span<const QuantityUnit> units,
                      const char* example) {
  const auto refuse = [&](const std::string& why) {
    return UsageError(std::string(option) + ": " + in_quotes(text) + why + ", for example " + example);
  };
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || !std::isfinite(value)) {
    throw refuse(" is not a number with or without a unit");
  }
  std::string_view word(rest, static_cast<std::size_t>(end - rest));
  word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
  const auto unit = std::ranges::find(units, word.empty() ? units.front().word : word, &QuantityUnit::word);
  if (unit == units.end()) {
    std::vector<std::string_view> known;
    for (const QuantityUnit& u : units) {
      known.push_back(u.word);
    }
    throw UsageError(std::string(option) + ": " + in_quotes(text) + " has an unknown unit " + in_quotes(word) + " (" +
                     suggestion(word, known) + ")");
  }
  value *= unit->factor;
  if (value < 1 || value > kMostQuantity) {
    throw refuse(" is out of range (allowed: 1 to 1e30)");
  }
  return value;
}

std::regex compile(const std::string& expression) {
  try {
    return std::regex(expression, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    throw UsageError("--kernel: " + in_quotes(expression) + " is no regular expression: " + error.what());
  }
}

}  // namespace

std::uint64_t parse_size(std::string_view option, std::string_view text) {
  constexpr std::uint64_t kMost = 1ULL << 40U;
  const std::string value =
      text.find_first_not_of("0123456789") == text.npos && !text.empty() ? std::string(text) + "B" : std::string(text);
  const arch::Key key{std::string(option), arch::Unit::kBytes, 0, kMost, "", arch::Field(), {}};
  const arch::ParsedValue parsed = arch::parse_value(key, value);
  if (!parsed.error.empty()) {
    throw UsageError(std::string(option) + ": " + parsed.error + (parsed.hint.empty() ? "" : " (" + parsed.hint + ")"));
  }
  return parsed.value.number.numerator;
}

std::uint64_t parse_count(std::string_view option, std::string_view text, std::uint64_t least, std::uint64_t most) {
  const std::optional<std::uint64_t> value = parse_unsigned(text);
  if (!value) {
    throw UsageError(std::string(option) + ": " + in_quotes(text) + " is not a whole number");
  }
  if (*value < least || *value > most) {
    throw UsageError(std::string(option) + ": " + in_quotes(text) +
                     " is out of range (allowed: " + with_thousands(least) + " to " + with_thousands(most) + ")");
  }
  return *value;
}

std::string option_name(const roofline::ShapeField& field) {
  std::string name = "--" + std::string(field.name);
  std::ranges::replace(name, '_', '-');
  return name;
}

double parse_flops(std::string_view option, std::string_view text) {
  return parse_quantity(option, text, kFlopUnits, "'2.2 TFLOP' or 1.5e12");
}

double parse_bytes(std::string_view option, std::string_view text) {
  return parse_quantity(option, text, kByteUnits, "'64 MiB', '412 MB' or 4e8");
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
      throw UsageError("--watch: " + in_quotes(part) + " is none of sm=S, warp=W, cycles=A..B");
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
    if (!number && !is_word(value)) {
      problems.add({{"--param " + name, 0, 0}, in_quotes(value) + " is not an integer", "integers only, such as 8192"});
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
  // std::regex recurses over what it searches, and names come from input files.
  constexpr std::size_t kLongestSearched = 1000;
  const std::regex regex = compile(expression);
  std::vector<std::string> names;
  trace::Launches kept;
  std::vector<std::uint64_t> kept_before;  // of each kernel, and of the end
  for (std::size_t i = 0; i < trace.kernels.size(); ++i) {
    names.push_back(trace.kernels[i].name);
    kept_before.push_back(kept.size());
    if (std::regex_search(names.back().substr(0, kLongestSearched), regex)) {
      kept.push_back(trace.kernels.shared(i));
    }
  }
  kept_before.push_back(kept.size());
  trace.kernels = std::move(kept);
  for (trace::HostCopy& copy : trace.copies) {
    copy.launch = kept_before[copy.launch];
  }
  if (trace.kernels.empty()) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    throw InputError(
        {{trace.path, 0, 0}, "no kernel matches --kernel " + in_quotes(expression), suggestion(expression, known)});
  }
}

}  // namespace gpusim::app

// SPDX-License-Identifier: MIT
#include "sim/model/arch/value.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/arch/schema.h"

namespace gpusim::arch {
namespace {

struct Scale {
  std::string_view word;
  std::uint64_t factor;
};

constexpr std::array<Scale, 5> kByteScales{{{"B", 1}, {"KiB", kKi}, {"MiB", kMi}, {"GiB", kGi}, {"TiB", kTi}}};
constexpr std::array<Scale, 4> kHertzScales{{{"Hz", 1}, {"kHz", kKilo}, {"MHz", kMega}, {"GHz", kGiga}}};
constexpr std::array<Scale, 3> kNsScales{{{"ns", 1}, {"us", kKilo}, {"ms", kMega}}};
constexpr std::array<Scale, 2> kCycleScales{{{"cycles", 1}, {"cycle", 1}}};
constexpr std::array<Scale, 1> kBytesPerCycleScales{{{"B/cycle", 1}}};
constexpr std::array<Scale, 4> kBandwidthScales{{{"B/s", 1}, {"MB/s", kMega}, {"GB/s", kGiga}, {"TB/s", kTera}}};
constexpr std::array<Scale, 1> kBitScales{{{"bits", 1}}};
constexpr std::array<Scale, 1> kPercentScales{{{"%", 1}}};
constexpr std::array<Scale, 2> kWattScales{{{"mW", 1}, {"W", kKilo}}};
constexpr std::array<Scale, 3> kEnergyScales{{{"fJ", 1}, {"pJ", kKilo}, {"nJ", kMega}}};
constexpr std::array<Scale, 2> kTimingScales{{{"ns", 1}, {"clocks", 1}}};
constexpr std::array<Scale, 9> kPeakScales{{{"GFLOP/s", kGiga},
                                            {"TFLOP/s", kTera},
                                            {"PFLOP/s", kPeta},
                                            {"GOP/s", kGiga},
                                            {"TOP/s", kTera},
                                            {"POP/s", kPeta},
                                            {"GB/s", kGiga},
                                            {"TB/s", kTera},
                                            {"PB/s", kPeta}}};

struct UnitInfo {
  Unit unit;
  std::string_view meaning;
  std::string_view example;
  std::span<const Scale> scales;
  bool word_required;
};

// In the order of Unit.
constexpr std::array<UnitInfo, 18> kUnits{{
    {Unit::kText, "text", "H100", {}, false},
    {Unit::kCount, "count", "132", {}, false},
    {Unit::kBytes, "bytes", "50 MiB", kByteScales, true},
    {Unit::kHertz, "frequency", "1.755 GHz", kHertzScales, true},
    {Unit::kNanoseconds, "time", "2.4 us", kNsScales, true},
    {Unit::kCycles, "SM cycles", "30 cycles", kCycleScales, false},
    {Unit::kBytesPerCycle, "bytes per SM cycle", "64 B/cycle", kBytesPerCycleScales, false},
    {Unit::kBytesPerSecond, "bandwidth", "3.35 TB/s", kBandwidthScales, true},
    {Unit::kBits, "bits", "32 bits", kBitScales, false},
    {Unit::kPercent, "percent", "80 %", kPercentScales, false},
    {Unit::kWatts, "power", "700 W", kWattScales, true},
    {Unit::kEnergy, "energy", "31 pJ", kEnergyScales, true},
    {Unit::kRatio, "ratio", "25/4 or 6.25", {}, false},
    {Unit::kTiming, "time or DRAM clocks", "14 ns or 2 clocks", kTimingScales, true},
    {Unit::kByteList, "list of bytes", "[0 KiB, 64 KiB, 100 KiB]", kByteScales, true},
    {Unit::kHertzList, "list of frequencies", "[1.83 GHz, 1.7 GHz]", kHertzScales, true},
    {Unit::kPeak, "rate at a clock", "66.9 TFLOP/s at boost", kPeakScales, true},
    {Unit::kUnsupported, "the word unsupported", "unsupported", {}, false},
}};

const UnitInfo& info(Unit unit) {
  return kUnits[static_cast<std::size_t>(unit)];
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Digits of a number, so that no scale overflows 128 bits.
constexpr std::size_t kMostDigits = 15;

/// "12", "0.5", "25/4" exactly.
std::optional<Ratio> parse_number(std::string_view text) {
  if (text.size() > kMostDigits + 1) {
    return std::nullopt;
  }
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const auto top = parse_unsigned(text.substr(0, slash));
    const auto bottom = parse_unsigned(text.substr(slash + 1));
    return top && bottom && *bottom != 0 ? std::optional(Ratio::of(*top, *bottom)) : std::nullopt;
  }
  const std::size_t dot = std::min(text.find('.'), text.size());
  const auto whole = parse_unsigned(text.substr(0, dot));
  if (!whole || dot == text.size()) {
    return whole ? std::optional(Ratio{*whole, 1}) : std::nullopt;
  }
  const std::string_view fraction = text.substr(dot + 1);
  std::uint64_t numerator = *whole;
  std::uint64_t denominator = 1;
  for (const char c : fraction) {
    if (!is_digit(c)) {
      return std::nullopt;
    }
    numerator = numerator * 10 + static_cast<std::uint64_t>(c - '0');
    denominator *= 10;
  }
  return fraction.empty() ? std::nullopt : std::optional(Ratio::of(numerator, denominator));
}

/// number x factor, unless it leaves 64 bits.
std::optional<Ratio> scaled(const Ratio& number, std::uint64_t factor) {
  const Ratio reduced = Ratio::of(factor, number.denominator);
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(number.numerator, reduced.numerator, &product)) {
    return std::nullopt;
  }
  return Ratio{product, reduced.denominator};
}

/// "a, b or c"
std::string words_of(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + std::string(words[i]);
  }
  return text;
}

std::string words_of(std::span<const Scale> scales) {
  std::vector<std::string_view> words(scales.size());
  std::ranges::transform(scales, words.begin(), &Scale::word);
  return words_of(words);
}

ParsedValue failure(Unit unit, std::string error) {
  return {{}, std::move(error), "write for example " + std::string(info(unit).example)};
}

/// A number that could not be in any range; the caller knows what is.
ParsedValue out_of_reach(std::string_view text, std::string_view why) {
  return {{}, in_quotes(text) + std::string(why), ""};
}

/// "e12", "E-3"
bool is_exponent(std::string_view word) {
  if (!word.starts_with('e') && !word.starts_with('E')) {
    return false;
  }
  const bool has_sign = word.size() > 1 && (word[1] == '-' || word[1] == '+');
  const std::string_view digits = word.substr(has_sign ? 2 : 1);
  return !digits.empty() && is_digit(digits.front());
}

/// A number and, where the unit has any, its word. An error without a hint is about the size of the number.
ParsedValue parse_quantity(Unit unit, std::string_view text) {
  const UnitInfo& row = info(unit);
  const std::size_t end = std::min(text.find_first_not_of("0123456789./"), text.size());
  const std::string_view word = trim(text.substr(end));
  std::optional<Ratio> number = parse_number(text.substr(0, end));
  if (text.size() > 1 && text[0] == '-' && is_digit(text[1])) {
    return out_of_reach(text, " is negative");
  }
  if (number && is_exponent(word)) {
    return out_of_reach(text, " has an exponent, which is not read");
  }
  if (!number && end > kMostDigits && text.find_first_not_of("0123456789") >= end) {
    return out_of_reach(text, " is too large: a number has at most 15 digits");
  }
  if (!number) {
    return failure(unit, in_quotes(text) + " is not a number" + (row.scales.empty() ? "" : " with a unit"));
  }
  if (word.empty() && row.word_required) {
    return failure(unit, in_quotes(text) + " lacks a unit: " + words_of(row.scales));
  }
  const auto scale = std::ranges::find(row.scales, word, &Scale::word);
  if (!word.empty() && scale == row.scales.end()) {
    return failure(unit, "unit " + in_quotes(word) + " does not fit" +
                             (row.scales.empty() ? ": the value is a plain number" : ": use " + words_of(row.scales)));
  }
  number = scaled(*number, word.empty() ? 1 : scale->factor);
  if (!number) {
    return out_of_reach(text, " is too large");
  }
  return {{*number, {}, std::string(word)}, "", ""};
}

bool takes_fractions(Unit unit) {
  return unit == Unit::kRatio || unit == Unit::kTiming || unit == Unit::kPeak;
}

ParsedValue parse_in_range(const Key& key, Unit unit, std::string_view text) {
  /// Denominators above this would make the carried remainders of rates overflow.
  constexpr std::uint64_t kLargestDenominator = 1'000'000;
  ParsedValue parsed = parse_quantity(unit, text);
  if (!parsed.error.empty()) {
    parsed.hint = parsed.hint.empty() ? "allowed: " + allowed_values(key) : parsed.hint;
    return parsed;
  }
  const Ratio& n = parsed.value.number;
  const bool needs_whole = !takes_fractions(unit) || parsed.value.word == "clocks";
  if (needs_whole ? n.denominator != 1 : n.denominator > kLargestDenominator) {
    return failure(unit, in_quotes(text) + (needs_whole ? " is not whole" : " has too many digits"));
  }
  // Timings may be below one nanosecond: their least value is in clocks, after rounding up.
  const bool below = unit == Unit::kTiming ? n.numerator == 0 && key.min > 0 : n.numerator / n.denominator < key.min;
  const bool above = n.numerator / n.denominator > key.max ||
                     (n.numerator / n.denominator == key.max && n.numerator % n.denominator != 0);
  if (below || above) {
    return {{}, in_quotes(text) + " is out of range", "allowed: " + allowed_values(key)};
  }
  return parsed;
}

/// The unit of a list's items.
Unit item_unit(Unit list) {
  return list == Unit::kByteList ? Unit::kBytes : Unit::kHertz;
}

/// Why an item may not follow the one before it; empty where it may.
std::string_view order_error(Unit list, std::uint64_t before, std::uint64_t item) {
  if (list == Unit::kByteList) {
    return before < item ? "" : " does not ascend";
  }
  return before >= item ? "" : " is more than the one before";
}

ParsedValue parse_list(const Key& key, std::string_view text) {
  ParsedValue result;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const ParsedValue item = parse_in_range(key, item_unit(key.unit), trim(text.substr(0, comma)));
    if (!item.error.empty()) {
      return {{}, item.error, "write for example " + std::string(info(key.unit).example)};
    }
    const std::uint64_t number = item.value.number.numerator;
    const std::string_view wrong =
        result.value.list.empty() ? "" : order_error(key.unit, result.value.list.back(), number);
    if (!wrong.empty()) {
      return failure(key.unit, in_quotes(trim(text.substr(0, comma))) + std::string(wrong));
    }
    result.value.list.push_back(number);
    if (comma == text.size()) {
      return result;
    }
    text.remove_prefix(comma + 1);
  }
}

const PeakInfo& peak_of(const Key& key) {
  return peak_infos()[std::get<PeakField>(key.field).peak];
}

/// Names of the clocks that a peak may be quoted at.
std::vector<std::string_view> clocks_of(const PeakInfo& peak) {
  std::vector<std::string_view> clocks;
  for (const Word<PeakClock>& one : kWords<PeakClock>) {
    if (runs_with_sms(peak.clock) ? runs_with_sms(one.value) : one.value == peak.clock) {
      clocks.push_back(one.word);
    }
  }
  return clocks;
}

/// "66.9 TFLOP/s at boost"
ParsedValue parse_peak(const Key& key, std::string_view text) {
  const PeakInfo& peak = peak_of(key);
  const auto refuse = [&peak](std::string error) {
    return ParsedValue{
        {},
        std::move(error),
        "write for example 3.35 T" + std::string(word_of(peak.unit)) + " at " + std::string(word_of(peak.clock))};
  };
  const std::size_t at = text.find(" at ");
  if (at == std::string_view::npos) {
    return refuse(in_quotes(text) + " does not say at which clock");
  }
  const std::string_view clock = trim(text.substr(at + 4));
  const std::vector<std::string_view> clocks = clocks_of(peak);
  if (std::ranges::find(clocks, clock) == clocks.end()) {
    return refuse("clock " + in_quotes(clock) + " does not fit: use " + words_of(clocks));
  }
  ParsedValue parsed = parse_in_range(key, key.unit, trim(text.substr(0, at)));
  // A unit is a prefix and what is counted: T FLOP/s.
  if (parsed.error.empty() && std::string_view(parsed.value.word).substr(1) != word_of(peak.unit)) {
    return refuse("unit " + in_quotes(parsed.value.word) + " does not fit: this peak is in " +
                  std::string(word_of(peak.unit)));
  }
  parsed.value.word = clock;
  return parsed;
}

ParsedValue parse_text(const Key& key, std::string_view text) {
  constexpr std::size_t kLongest = 200;
  const bool printable = std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < ' '; });
  if (text.empty() || text.size() > kLongest || !printable) {
    return {{}, in_quotes(text) + " is not one line of text", "1 to 200 characters"};
  }
  if (!key.choices.empty() && std::ranges::find(key.choices, text) == key.choices.end()) {
    const std::string_view near = nearest(text, key.choices);
    const std::string meant = near.empty() ? "" : "did you mean '" + std::string(near) + "'? ";
    return {{}, in_quotes(text) + " is not a choice", meant + "allowed: " + allowed_values(key)};
  }
  return {{{0, 1}, {}, std::string(text)}, "", ""};
}

}  // namespace

std::string in_quotes(std::string_view word) {
  constexpr std::size_t kMostShown = 60;
  std::string shown(word.substr(0, kMostShown));
  std::ranges::replace_if(
      shown, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }, '?');
  return "'" + shown + (word.size() > kMostShown ? "...'" : "'");
}

ParsedValue parse_value(const Key& key, std::string_view text) {
  text = trim(text);
  switch (key.unit) {
    case Unit::kText:
    case Unit::kUnsupported: return parse_text(key, text);
    case Unit::kByteList:
    case Unit::kHertzList: return parse_list(key, text);
    case Unit::kPeak: return parse_peak(key, text);
    default: return parse_in_range(key, key.unit, text);
  }
}

ParsedValue parse_bandwidth(std::string_view text) {
  const Key key{"dram.bandwidth", Unit::kBytesPerSecond, kMega, kPeta, "", PeakField{0}, {}};
  return parse_in_range(key, key.unit, trim(text));
}

std::string format_number(Unit unit, std::uint64_t number) {
  const UnitInfo& row = info(unit);
  if (row.scales.empty()) {
    return std::to_string(number);
  }
  Scale best = row.scales.front();
  for (const Scale& scale : row.scales) {
    if (number >= scale.factor && number % scale.factor == 0 && scale.factor > best.factor) {
      best = scale;
    }
  }
  return std::to_string(number / best.factor) + " " + std::string(best.word);
}

std::string format_decimal(Unit unit, std::uint64_t number) {
  constexpr std::uint64_t kThousandths = 1000;
  const UnitInfo& row = info(unit);
  std::string text = format_number(unit, number);
  std::uint64_t best = 0;
  for (const Scale& scale : row.scales) {
    // number / factor has at most three decimals when a thousand times it is whole.
    const Ratio thousandths = Ratio::of(kThousandths, scale.factor);
    const bool is_exact = thousandths.denominator == 1 || number % thousandths.denominator == 0;
    if (!is_exact || number < scale.factor || scale.factor <= best) {
      continue;
    }
    best = scale.factor;
    text = std::to_string(number / scale.factor);
    const Ratio rest = Ratio::of(number % scale.factor, scale.factor);
    if (rest.numerator != 0) {
      std::string decimals = std::to_string(kThousandths + kThousandths / rest.denominator * rest.numerator).substr(1);
      text += "." + decimals.substr(0, decimals.find_last_not_of('0') + 1);
    }
    text += " " + std::string(scale.word);
  }
  return text;
}

std::vector<std::string_view> unit_words(Unit unit) {
  std::vector<std::string_view> words;
  for (const Scale& scale : info(unit).scales) {
    words.push_back(scale.word);
  }
  return words;
}

std::string_view unit_meaning(Unit unit) {
  return info(unit).meaning;
}

std::string allowed_values(const Key& key) {
  if (key.unit == Unit::kText || key.unit == Unit::kUnsupported) {
    std::string text;
    for (const std::string_view choice : key.choices) {
      text += (text.empty() ? "" : ", ") + std::string(choice);
    }
    return text;
  }
  if (key.unit == Unit::kTiming) {
    return (key.min > 0 ? "above 0, at most " : "at most ") + format_number(key.unit, key.max);
  }
  if (key.unit == Unit::kPeak) {
    return "above 0, at most " + std::to_string(key.max / kPeta) + " P" + std::string(word_of(peak_of(key).unit));
  }
  const Unit unit = is_list(key.unit) ? item_unit(key.unit) : key.unit;
  return format_number(unit, key.min) + " to " + format_number(unit, key.max);
}

std::uint64_t to_clocks(const Value& timing, std::uint64_t command_hz) {
  if (timing.word == "clocks") {
    return timing.number.numerator;
  }
  __extension__ using Product = unsigned __int128;
  const Product divisor = Product{timing.number.denominator} * kGiga;
  return static_cast<std::uint64_t>((Product{timing.number.numerator} * command_hz + divisor - 1) / divisor);
}

}  // namespace gpusim::arch

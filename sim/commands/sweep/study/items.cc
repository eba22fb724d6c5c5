// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/study/items.h"

#include <cmath>
#include <optional>
#include <utility>

#include "sim/base/file_name.h"
#include "sim/base/text.h"
#include "sim/model/arch/value.h"

namespace gpusim::sweep {
namespace {

using arch::in_quotes;
using Kind = AxisValue::Kind;

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool looks_like_factor(std::string_view text) {
  return text.size() > 1 && text.ends_with('x') && (is_digit(text.front()) || text.front() == '.');
}

/// "1.5" of "1.5x": at most a million, with at most six decimals.
std::optional<Exact> parse_factor(std::string_view text) {
  constexpr std::size_t kMostDecimals = 6;
  constexpr std::uint64_t kMost = 1'000'000;
  text = trim(text.substr(0, text.size() - 1));
  const std::size_t dot = text.find('.');
  const std::optional<std::uint64_t> whole = parse_unsigned(text.substr(0, dot));
  const std::string_view decimals = dot == std::string_view::npos ? "0" : text.substr(dot + 1);
  if (!whole || *whole > kMost || decimals.empty() || decimals.size() > kMostDecimals) {
    return std::nullopt;
  }
  Int128 numerator = *whole;
  Int128 denominator = 1;
  for (const char c : decimals) {
    if (!is_digit(c)) {
      return std::nullopt;
    }
    numerator = numerator * 10 + (c - '0');
    denominator *= 10;
  }
  return Exact::of(numerator, denominator);
}

/// How a range is cut: so many values, or a step.
struct Cut {
  std::uint64_t count = 0;
  bool is_log = false;
  std::string_view step;  ///< as written; empty: by count
};

struct Range {
  AxisValue first;
  AxisValue last;
  Cut cut;
};

/// Reads the items of one axis; every error names the item.
class ItemReader {
 public:
  ItemReader(const Domain& domain, const SourceLocation& where, ProblemList& problems)
      : domain_(domain), where_(where), problems_(problems) {}

  void read(std::string_view item);
  [[nodiscard]] std::vector<AxisValue> take() { return std::move(values_); }
  [[nodiscard]] bool is_full() const { return values_.size() > kMostValues; }

 private:
  std::optional<AxisValue> value(std::string_view text);
  std::optional<Cut> cut(std::string_view item, std::string_view rest);
  std::optional<Cut> cut_by_count(std::string_view item, std::string_view text);
  void range(std::string_view item, std::size_t dots);
  bool is_sound(std::string_view item, const Range& range);
  void by_step(std::string_view item, const Range& range);
  void by_count(const Range& range);
  [[nodiscard]] std::optional<Exact> step_of(std::string_view item, const Range& range);
  void add(std::string message, std::string hint) { problems_.add({where_, std::move(message), std::move(hint)}); }
  void too_many(std::string_view item, const std::string& count) {
    add(in_quotes(item) + " gives " + count + " values", "at most " + with_thousands(kMostValues));
  }

  const Domain& domain_;
  const SourceLocation& where_;
  ProblemList& problems_;
  std::vector<AxisValue> values_;
};

std::optional<AxisValue> ItemReader::value(std::string_view text) {
  const bool is_file = domain_.is_parameter() && names_file(text);  // such as 1k.mtx
  if (domain_.is_numeric() && looks_like_factor(text) && !is_file) {
    const std::optional<Exact> factor = parse_factor(text);
    if (!factor) {
      add(in_quotes(text) + " is not a factor", "such as 1.5x: at most a million, with at most six decimals");
      return std::nullopt;
    }
    return AxisValue{Kind::kFactor, std::string(text), {*factor, ""}};
  }
  if (domain_.is_parameter() && is_word_or_file(text)) {
    return AxisValue{Kind::kWritten, std::string(text), {}, true};
  }
  if (domain_.is_list() && text.size() >= 2 && text.starts_with('[') && text.ends_with(']')) {
    text = trim(text.substr(1, text.size() - 2));
  }
  ParsedNumber parsed = domain_.parse(text);
  if (!parsed.error.empty()) {
    const bool is_named = parsed.error.starts_with(in_quotes(text));
    add((is_named ? "" : in_quotes(text) + ": ") + parsed.error, std::move(parsed.hint));
    return std::nullopt;
  }
  return AxisValue{Kind::kWritten, std::string(text), std::move(parsed.number)};
}

std::optional<Cut> ItemReader::cut_by_count(std::string_view item, std::string_view text) {
  Cut cut;
  cut.is_log = text.ends_with("log");
  const std::string_view digits = trim(text.substr(0, text.size() - (cut.is_log ? 3 : 0)));
  const std::optional<std::uint64_t> count = parse_unsigned(digits);
  if (!count || *count < 2) {
    add(in_quotes(item) + ": " + in_quotes(text) + " is not a number of values",
        "2 or more, both ends included, such as :5, or :5log for equal ratios");
    return std::nullopt;
  }
  if (*count > kMostValues) {
    too_many(item, with_thousands(*count));
    return std::nullopt;
  }
  cut.count = *count;
  return cut;
}

/// The parts of "B:5log" or "B+S" after B.
std::optional<Cut> ItemReader::cut(std::string_view item, std::string_view rest) {
  if (rest.starts_with(':')) {
    return cut_by_count(item, trim(rest.substr(1)));
  }
  if (rest.starts_with('+')) {
    const std::string_view step = trim(rest.substr(1));
    if (step.empty()) {
      add(in_quotes(item) + " has an empty step", "such as 66..160+33");
      return std::nullopt;
    }
    return Cut{0, false, step};
  }
  return Cut{0, false, "1"};
}

bool ItemReader::is_sound(std::string_view item, const Range& range) {
  if (range.first.is_word || range.last.is_word) {
    add(in_quotes(item) + " is a range of words", "words separated by commas, such as f16,bf16");
    return false;
  }
  if (range.first.kind != range.last.kind) {
    add(in_quotes(item) + " begins with a value and ends with a factor, or the other way round",
        "both ends or none end in x");
    return false;
  }
  if (range.first.number.word != range.last.number.word) {
    add(in_quotes(item) + " begins in " + range.first.number.word + " and ends in " + range.last.number.word,
        "one unit for both ends");
    return false;
  }
  if (range.first.number.value > range.last.number.value) {
    add(in_quotes(item) + " is an empty range: it ends below its beginning",
        "the smaller end first, such as " + range.last.text + ".." + range.first.text);
    return false;
  }
  if (range.cut.is_log && range.first.number.value <= 0) {
    add(in_quotes(item) + " cannot have equal ratios: it does not begin above 0", "");
    return false;
  }
  return true;
}

std::optional<Exact> ItemReader::step_of(std::string_view item, const Range& range) {
  const std::string_view text = range.cut.step;
  const bool is_factor = range.first.kind == Kind::kFactor;
  ParsedNumber parsed;
  if (is_factor) {
    const std::optional<Exact> factor = looks_like_factor(text) ? parse_factor(text) : std::nullopt;
    if (!factor) {
      add(in_quotes(item) + ": " + in_quotes(text) + " is not a step of factors", "such as 1x..2x+0.25x");
      return std::nullopt;
    }
    parsed.number.value = *factor;
  } else {
    parsed = domain_.parse_step(text);
  }
  if (!parsed.error.empty() || parsed.number.word != range.first.number.word) {
    add(in_quotes(item) + ": the step " + in_quotes(text) + " is not one of '" + domain_.key() + "'",
        parsed.error.empty() ? "in " + range.first.number.word : parsed.error);
    return std::nullopt;
  }
  if (parsed.number.value <= 0) {
    add(in_quotes(item) + ": the step " + in_quotes(text) + " leads nowhere", "above 0");
    return std::nullopt;
  }
  return parsed.number.value;
}

void ItemReader::by_step(std::string_view item, const Range& range) {
  const std::optional<Exact> step = step_of(item, range);
  if (!step) {
    return;
  }
  const Exact& first = range.first.number.value;
  const Exact steps = (range.last.number.value - first) / *step;
  const Int128 whole = steps.numerator() / steps.denominator();
  if (whole >= Int128{kMostValues}) {
    too_many(item, to_decimal(whole + 1));
    return;
  }
  values_.push_back(range.first);
  for (Int128 i = 1; i <= whole; ++i) {
    const Exact value = first + *step * Exact::of(i, 1);
    const bool is_end = value == range.last.number.value;
    const Kind kind = range.first.kind == Kind::kFactor ? Kind::kFactor : Kind::kComputed;
    values_.push_back(is_end ? range.last : AxisValue{kind, "", {value, range.first.number.word}});
  }
}

/// Both ends as written, and count - 2 values between them at equal distances or ratios.
void ItemReader::by_count(const Range& range) {
  const Exact& first = range.first.number.value;
  const Exact& last = range.last.number.value;
  const Kind kind = range.first.kind == Kind::kFactor ? Kind::kFactor : Kind::kComputed;
  const auto gaps = static_cast<std::int64_t>(range.cut.count - 1);
  values_.push_back(range.first);
  for (std::int64_t i = 1; i < gaps; ++i) {
    AxisValue value{kind, "", {0, range.first.number.word}, false, range.cut.is_log};
    if (range.cut.is_log) {
      const double exponent = static_cast<double>(i) / static_cast<double>(gaps);
      value.number.value = Exact::near(first.value() * std::pow(last.value() / first.value(), exponent));
    } else {
      value.number.value = first + (last - first) * Exact::of(i, gaps);
    }
    values_.push_back(std::move(value));
  }
  values_.push_back(range.last);
}

void ItemReader::range(std::string_view item, std::size_t dots) {
  const std::string_view tail = item.substr(dots + 2);
  const std::size_t end = std::min(tail.find_first_of(":+"), tail.size());
  const std::string_view from = trim(item.substr(0, dots));
  const std::string_view to = trim(tail.substr(0, end));
  if (from.empty() || to.empty()) {
    add(in_quotes(item) + " lacks an end", "write A..B, A..B:COUNT, A..B:COUNTlog or A..B+STEP");
    return;
  }
  const std::optional<AxisValue> first = value(from);
  const std::optional<AxisValue> last = value(to);
  const std::optional<Cut> how = cut(item, tail.substr(end));
  if (!first || !last || !how) {
    return;
  }
  const Range range{*first, *last, *how};
  if (!is_sound(item, range)) {
    return;
  }
  const bool has_cut = end < tail.size();
  if (!has_cut && (first->kind == Kind::kFactor || !domain_.counts())) {
    add(in_quotes(item) + " does not say which values to take",
        "so many of them, " + std::string(item) + ":5 or :5log, or a step, " + std::string(item) + "+STEP");
    return;
  }
  how->count > 0 ? by_count(range) : by_step(item, range);
}

void ItemReader::read(std::string_view item) {
  item = trim(item);
  if (item.empty()) {
    add("has an empty value", "values separated by commas, such as 66,99,132");
    return;
  }
  const bool is_file = domain_.is_parameter() && item.find('/') != std::string_view::npos;  // such as ../a.mtx
  const std::size_t dots = domain_.is_numeric() && !is_file ? item.find("..") : std::string_view::npos;
  if (dots != std::string_view::npos) {
    range(item, dots);
  } else if (std::optional<AxisValue> single = value(item)) {
    values_.push_back(std::move(*single));
  }
}

}  // namespace

std::vector<AxisValue> parse_items(const Domain& domain, std::span<const std::string> items,
                                   const SourceLocation& where, ProblemList& problems) {
  ItemReader reader(domain, where, problems);
  for (const std::string& item : items) {
    reader.read(item);
    if (reader.is_full()) {
      problems.add({where, "has more than " + with_thousands(kMostValues) + " values", ""});
      return {};
    }
  }
  if (items.empty()) {
    problems.add({where, "has no values", "such as 66,99,132"});
  }
  return reader.take();
}

}  // namespace gpusim::sweep

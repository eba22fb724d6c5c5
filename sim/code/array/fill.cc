// SPDX-License-Identifier: MIT
#include "sim/code/array/fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/base/trimmed.h"
#include "sim/code/array/random.h"

namespace gpusim::array {
namespace {

constexpr std::array<FillWord, kFillWords> kWords{
    {{"zeros", "0 everywhere; what a buffer without a fill holds"},
     {"ones", "1 everywhere"},
     {"3.5", "this number everywhere"},
     {"iota(START, STEP)", "START, START + STEP, ...; `iota` counts 0, 1, 2"},
     {"uniform(LOW, HIGH, seed=N)", "random numbers from LOW on, below HIGH; `random` is 0 to 1, of integers 0 to 99"},
     {"normal(MEAN, DEVIATION, seed=N)", "random numbers around MEAN; `normal` is normal(0, 1)"},
     {"x.npy", "the elements of a file that `numpy.save` wrote"}}};

constexpr std::string_view kFillHint =
    "expected zeros, ones, a number, iota(0, 1), random, uniform(-1, 1, seed=7), normal(0, 1) or a .npy file";

[[noreturn]] void fail(const SourceLocation& where, const std::string& message, const std::string& hint) {
  throw InputError({where, message, hint});
}

std::string quoted(std::string_view text) {
  return "'" + printable(clipped(text, 60)) + "'";
}

/// "uniform(-1, 1, seed=7)" as its parts.
struct Call {
  std::string_view name;
  std::vector<Number> numbers;
  std::optional<std::uint64_t> seed;
};

void take_argument(std::string_view text, const SourceLocation& where, Call& call) {
  constexpr std::string_view kSeed = "seed";
  if (text.starts_with(kSeed)) {
    std::string_view value = trimmed(text.substr(kSeed.size()));
    const bool has_equals = value.starts_with('=');
    value = trimmed(value.substr(has_equals ? 1 : 0));
    call.seed = parse_unsigned(value);
    if (!has_equals || !call.seed) {
      fail(where, quoted(text) + " is not a seed", "such as seed=7");
    }
    return;
  }
  const std::optional<Number> number = parse_number(text);
  if (!number) {
    fail(where, quoted(text) + " is not a number", std::string(kFillHint));
  }
  call.numbers.push_back(*number);
}

Call parse_call(std::string_view text, const SourceLocation& where) {
  Call call;
  const std::size_t open = text.find('(');
  call.name = trimmed(text.substr(0, open));
  if (open == text.npos) {
    return call;
  }
  if (!text.ends_with(')')) {
    fail(where, "the '(' of " + quoted(text) + " is not closed", std::string(kFillHint));
  }
  std::string_view rest = text.substr(open + 1, text.size() - open - 2);
  while (!trimmed(rest).empty()) {
    const std::size_t comma = rest.find(',');
    take_argument(trimmed(rest.substr(0, comma)), where, call);
    rest = comma == rest.npos ? std::string_view{} : rest.substr(comma + 1);
  }
  return call;
}

Fill fill_of(const Call& call, std::string_view text, const SourceLocation& where) {
  const auto with = [&](Fill::Kind kind, std::size_t least, std::size_t most) {
    const bool may_have_seed = kind == Fill::Kind::kUniform || kind == Fill::Kind::kNormal;
    if (call.numbers.size() < least || call.numbers.size() > most || (call.seed && !may_have_seed)) {
      fail(where, quoted(text) + " has the wrong arguments", std::string(kFillHint));
    }
    Fill fill;
    fill.kind = kind;
    fill.seed = call.seed;
    fill.first = call.numbers.empty() ? whole(0) : call.numbers[0];
    fill.second = call.numbers.size() < 2 ? whole(1) : call.numbers[1];
    return fill;
  };
  if (call.name == "zeros" || call.name == "ones") {
    Fill fill = with(Fill::Kind::kConstant, 0, 0);
    fill.first = whole(call.name == "ones" ? 1 : 0);
    return fill;
  }
  if (call.name == "iota") {
    return with(Fill::Kind::kIota, 0, 2);
  }
  if (call.name == "random") {
    return with(Fill::Kind::kUniform, 0, 0);
  }
  if (call.name == "normal") {
    return with(Fill::Kind::kNormal, 0, 2);
  }
  if (call.name == "uniform") {
    Fill fill = with(Fill::Kind::kUniform, 2, 2);
    fill.has_range = true;
    if (!(fill.first.real < fill.second.real)) {
      fail(where, quoted(text) + " has no numbers", "the first must be below the second");
    }
    return fill;
  }
  static constexpr std::array<std::string_view, 6> kNames{"zeros", "ones", "iota", "random", "uniform", "normal"};
  const std::string_view near = nearest(call.name, kNames);
  fail(where, "unknown fill " + quoted(text),
       near.empty() ? std::string(kFillHint) : "did you mean '" + std::string(near) + "'?");
}

std::uint64_t encoded(Element element, const Number& number, const SourceLocation& where) {
  const std::optional<std::uint64_t> bits = encode(element, number);
  if (!bits) {
    fail(where,
         (number.is_whole ? std::to_string(number.whole) : std::to_string(number.real)) + " is not a number of type " +
             name_of(element),
         "");
  }
  return *bits;
}

/// The step of an arithmetic series; whole numbers wrap as those of 64 bits do.
Number series_at(const Fill& fill, std::uint64_t index) {
  if (fill.first.is_whole && fill.second.is_whole) {
    return whole(static_cast<std::int64_t>(static_cast<std::uint64_t>(fill.first.whole) +
                                           static_cast<std::uint64_t>(fill.second.whole) * index));
  }
  return real(fill.first.real + fill.second.real * static_cast<double>(index));
}

Number uniform_number(const Fill& fill, Element element, std::uint64_t seed, std::uint64_t index) {
  const ElementKind kind = info(element).kind;
  if (kind == ElementKind::kFloat) {
    const double low = fill.has_range ? fill.first.real : 0;
    const double high = fill.has_range ? fill.second.real : 1;
    return real(low + (high - low) * uniform_at(seed, index));
  }
  const std::int64_t low = fill.has_range ? fill.first.whole : 0;
  const std::int64_t high = fill.has_range ? fill.second.whole : kind == ElementKind::kBool ? 2 : 100;
  const std::uint64_t count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  return whole(static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + below_at(seed, index, count)));
}

Number number_at(const Fill& fill, Element element, std::uint64_t seed, std::uint64_t index) {
  switch (fill.kind) {
    case Fill::Kind::kIota: return series_at(fill, index);
    case Fill::Kind::kUniform: return uniform_number(fill, element, seed, index);
    case Fill::Kind::kNormal: {
      const double value = fill.first.real + fill.second.real * normal_at(seed, index);
      const bool is_float = info(element).kind == ElementKind::kFloat;
      return real(is_float ? value : std::nearbyint(value));
    }
    default: return fill.first;
  }
}

}  // namespace

const FillWord* fill_words() {
  return kWords.data();
}

Fill parse_fill(std::string_view text, const SourceLocation& where) {
  text = trimmed(text);
  Fill fill;
  if (text.ends_with(".npy")) {
    fill.kind = Fill::Kind::kFile;
    fill.file = text;
    return fill;
  }
  if (const std::optional<Number> number = parse_number(text)) {
    fill.first = *number;
    return fill;
  }
  return fill_of(parse_call(text, where), text, where);
}

void fill_elements(const Fill& fill, Element element, std::uint64_t count, std::uint64_t seed,
                   const SourceLocation& where, char* to) {
  const unsigned bytes = bytes_of(element);
  const bool is_float = info(element).kind == ElementKind::kFloat;
  if (fill.kind == Fill::Kind::kUniform && fill.has_range && !is_float &&
      !(fill.first.is_whole && fill.second.is_whole)) {
    fail(where, "uniform() of " + name_of(element) + " needs whole numbers", "such as uniform(0, 10)");
  }
  const std::uint64_t used_seed = fill.seed.value_or(seed);
  if (fill.kind == Fill::Kind::kConstant) {
    const std::uint64_t bits = encoded(element, fill.first, where);
    for (std::uint64_t i = 0; bits != 0 && i < count; ++i) {
      put_bits(to + i * bytes, bits, bytes);
    }
    return;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    put_bits(to + i * bytes, encoded(element, number_at(fill, element, used_seed, i), where), bytes);
  }
}

}  // namespace gpusim::array

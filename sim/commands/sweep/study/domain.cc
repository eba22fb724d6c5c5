// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/study/domain.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/base/text.h"
#include "sim/commands/sweep/study/key_book.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/value.h"

namespace gpusim::sweep {
namespace {

using arch::Unit;

/// A computed value has no more digits than people read.
constexpr int kDigits = 6;
constexpr int kDecimals = 6;
constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kBytesOfRounding = 1024;

std::uint64_t to_unsigned(Int128 value) {
  constexpr Int128 kMost = std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(std::clamp<Int128>(value, 0, kMost));
}

std::uint64_t whole_bytes(const Exact& value, bool rough, std::uint64_t granule) {
  if (value == 0) {
    return 0;
  }
  Int128 multiple = granule;
  if (granule == 1 && (rough || !value.is_whole())) {
    while (value >= Exact::of(multiple * 2 * kBytesOfRounding, 1)) {
      multiple *= 2;
    }
  }
  const Int128 times = (value / Exact::of(multiple, 1)).rounded();
  return to_unsigned(std::max<Int128>(times, 1) * multiple);
}

/// At most six digits, at most six of them decimals: loading takes no more.
std::string decimal_text(const Exact& value) {
  const Exact millionths = at_digits(value, kDigits) * kMillion;
  return to_decimal(Exact::of(millionths.rounded(), kMillion), kDecimals);
}

/// The text of a ratio: a decimal where that is exact, or else a fraction if an architecture file can hold it.
std::string ratio_text(const Exact& value, bool rough) {
  constexpr Int128 kLargestNumerator = 100 * kMillion;
  const std::string exact = rough ? std::string() : to_decimal(value, kDecimals);
  if (!exact.empty()) {
    return exact;
  }
  if (!rough && value.denominator() <= kMillion && value.numerator() <= kLargestNumerator) {
    return to_decimal(value.numerator()) + "/" + to_decimal(value.denominator());
  }
  return decimal_text(value);
}

}  // namespace

std::optional<Domain> Domain::of(std::string_view key) {
  constexpr std::uint64_t kMega = 1'000'000;
  constexpr std::uint64_t kPeta = 1000 * kMega * kMega;
  if (key.starts_with(kParamPrefix)) {
    arch::Key row{std::string(key), Unit::kCount, 0, 0, "", arch::PeakField{0}, {}};
    return key.size() > kParamPrefix.size() ? std::optional(Domain(std::move(row), true)) : std::nullopt;
  }
  if (key == kBandwidthKey) {
    return Domain({std::string(key), Unit::kBytesPerSecond, kMega, kPeta, "", arch::PeakField{0}, {}}, false);
  }
  const std::optional<std::size_t> index = arch::find_key(key);
  return index ? std::optional(Domain(arch::schema()[*index], false)) : std::nullopt;
}

std::optional<Domain> Domain::of(std::string_view key, const Study& study) {
  if (study.keys == nullptr) {
    return of(key);
  }
  std::optional<arch::Key> row = study.keys->find(key);
  return row ? std::optional(Domain(*std::move(row), study.keys->is_parameter(key))) : std::nullopt;
}

bool Domain::is_numeric() const {
  return row_.unit != Unit::kText && !arch::is_list(row_.unit) && row_.unit != Unit::kPeak &&
         row_.unit != Unit::kUnsupported;
}

bool Domain::counts() const {
  return row_.unit == Unit::kCount || row_.unit == Unit::kCycles || row_.unit == Unit::kBytesPerCycle ||
         row_.unit == Unit::kBits || row_.unit == Unit::kPercent;
}

ParsedNumber Domain::parse(std::string_view text, const arch::Key& row) const {
  if (is_parameter_) {
    const std::optional<std::int64_t> number = parse_signed(text);
    return number ? ParsedNumber{{*number, ""}, "", ""}
                  : ParsedNumber{{}, arch::in_quotes(text) + " is not an integer", integers_only(text)};
  }
  const arch::ParsedValue parsed = arch::parse_value(row, text);
  if (!parsed.error.empty()) {
    return {{}, parsed.error, parsed.hint};
  }
  return {{Exact(parsed.value.number), row.unit == Unit::kTiming ? parsed.value.word : ""}, "", ""};
}

ParsedNumber Domain::parse_step(std::string_view text) const {
  arch::Key any = row_;
  any.min = 0;
  any.max = std::numeric_limits<std::uint64_t>::max();
  return parse(text, any);
}

std::string Domain::text(const Number& number, bool rough, std::uint64_t granule) const {
  const Exact& value = number.value;
  const Exact readable = rough || !value.is_whole() ? at_digits(value, kDigits) : value;
  switch (row_.unit) {
    case Unit::kCount: return to_decimal(value.rounded());
    case Unit::kBytes: return arch::format_decimal(row_.unit, whole_bytes(value, rough, granule));
    case Unit::kHertz:
    case Unit::kNanoseconds:
    case Unit::kBytesPerSecond: return arch::format_decimal(row_.unit, to_unsigned(readable.rounded()));
    case Unit::kRatio: return ratio_text(value, rough);
    case Unit::kTiming:
      return (number.word == "clocks" ? to_decimal(value.rounded()) : decimal_text(readable)) + " " + number.word;
    default: return arch::format_number(row_.unit, to_unsigned(value.rounded()));
  }
}

Exact dram_bandwidth(const arch::Arch& arch) {
  const arch::DramConfig& dram = arch.dram;
  return Exact::of(Int128{dram.channels} * dram.burst_bytes * static_cast<Int128>(dram.command_hz), dram.timing.CCDS);
}

}  // namespace gpusim::sweep

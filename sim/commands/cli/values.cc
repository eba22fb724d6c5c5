// SPDX-License-Identifier: MIT
#include "sim/commands/cli/values.h"

#include <optional>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"

namespace gpusim::cli {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 100;  // no message is to fill the screen with what somebody typed
  return "'" + clipped(text, kLongest) + "'";
}

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

std::uint64_t count_or(std::string_view option, std::string_view text, std::uint64_t otherwise, std::uint64_t least,
                       std::uint64_t most) {
  return text.empty() ? otherwise : parse_count(option, text, least, most);
}

}  // namespace gpusim::cli

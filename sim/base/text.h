// SPDX-License-Identifier: MIT
// Texts: strict numbers as architecture files, traces and options write them; numbers, names and cells to be shown.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gpusim {

/// A decimal integer without sign, leading zero or trailing text; empty when it is anything else or overflows.
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view text);

/// A decimal integer, which may be negative; empty when it is anything else or overflows.
[[nodiscard]] std::optional<std::int64_t> parse_signed(std::string_view text);

/// True for letters, digits and '_', with no digit first: what a trace may call a value.
[[nodiscard]] bool is_word(std::string_view text);

/// Adds its decimal digits, without a string in between.
void append_number(std::string& text, std::uint64_t number);
void append_number(std::string& text, std::int64_t number);

/// "integers only, such as 8192": the hint about a text that is not an integer. Where the text has a suffix, the hint
/// has the number that was probably meant: "integers only, such as 1048576 or 1000000 for 1M".
[[nodiscard]] std::string integers_only(std::string_view text, std::string_view allowed = "such as 8192");

/// "1,234,567".
[[nodiscard]] std::string with_thousands(std::uint64_t value);

/// "1 point", "2,000 points".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// "3, 5, 7 to 65": numbers in ascending order, each once; after ten parts "...".
[[nodiscard]] std::string ranges_text(std::span<const std::uint64_t> numbers);

/// "12.0 KiB", "3.35 TB/s" and the like: `value` scaled by 1000 (SI) with at most three significant digits.
/// Without a unit "14.5 G", or "12.0" where there is no prefix either.
[[nodiscard]] std::string with_si_prefix(double value, std::string_view unit);

/// "50 MiB": exact when the value is whole in the largest fitting binary unit, else two decimals.
[[nodiscard]] std::string with_binary_prefix(std::uint64_t bytes);

/// At most `width` characters; "..." at the end stands for what is left out.
[[nodiscard]] std::string clipped(std::string_view text, std::size_t width);

/// Printable ASCII stays (names come from input files), everything else becomes '?'.
[[nodiscard]] std::string printable(std::string_view text);

/// What a terminal or a reader of lines would obey (control characters of ASCII) becomes '?'; everything else stays.
[[nodiscard]] std::string without_controls(std::string_view text);

/// One after the other with `between` them: "a, b, c".
template <class Texts>
[[nodiscard]] std::string joined(const Texts& texts, std::string_view between) {
  std::string out;
  for (std::string_view separator; const std::string_view text : texts) {
    out.append(separator).append(text);
    separator = between;
  }
  return out;
}

/// One cell of a CSV file (RFC 4180): in quotes where it holds a comma, a quote or the end of a line; else as it is.
[[nodiscard]] std::string csv_cell(std::string_view text);

}  // namespace gpusim

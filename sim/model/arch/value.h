// SPDX-License-Identifier: MIT
// The text of a value, read strictly by its key's unit: exact decimals, no octal, no exponents, no rounding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/ratio.h"

namespace gpusim::arch {

struct Key;
enum class Unit : std::uint8_t;

/// A parsed value. Which members count depends on the key's unit.
struct Value {
  Ratio number{0, 1};               ///< in the base unit: bytes, hertz, nanoseconds, cycles, bytes/s, FLOP/s
  std::vector<std::uint64_t> list;  ///< for kByteList and kHertzList: the values
  std::string word;                 ///< the text; "ns" or "clocks" of a timing; the clock of a peak; else the unit's
};

/// A value, or why the text is none (`error` is empty when it is fine) and what to write instead.
struct ParsedValue {
  Value value;
  std::string error;
  std::string hint;
};

/// Parses and checks the range.
[[nodiscard]] ParsedValue parse_value(const Key& key, std::string_view text);

/// Parses the value of --set dram.bandwidth: "4.8 TB/s", in bytes per second.
[[nodiscard]] ParsedValue parse_bandwidth(std::string_view text);

/// A number of base units as files write it: "50 MiB", "1309500 kHz", "132".
[[nodiscard]] std::string format_number(Unit unit, std::uint64_t number);

/// The same with up to three decimals where they are exact: "1.25 GiB", "4190.4 GB/s".
[[nodiscard]] std::string format_decimal(Unit unit, std::uint64_t number);

/// The words that may follow a number: "B", "KiB", ...; none for plain numbers and texts.
[[nodiscard]] std::vector<std::string_view> unit_words(Unit unit);

/// What a unit's values look like: "bytes (B, KiB, MiB, GiB)", for the documentation.
[[nodiscard]] std::string_view unit_meaning(Unit unit);

/// "1 KiB to 2 GiB", or the choices of a text; empty when any text will do.
[[nodiscard]] std::string allowed_values(const Key& key);

/// A word of the input for a message: in quotes, at most 60 characters, control characters replaced.
[[nodiscard]] std::string in_quotes(std::string_view word);

/// Whole clocks of a timing: nanoseconds are rounded up, clocks taken as they are.
[[nodiscard]] std::uint64_t to_clocks(const Value& timing, std::uint64_t command_hz);

}  // namespace gpusim::arch

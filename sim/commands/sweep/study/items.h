// SPDX-License-Identifier: MIT
// The items of an axis: values, factors and ranges, as the values they stand for. Internal to the module.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/commands/sweep/study/domain.h"
#include "sim/commands/sweep/study/exact.h"

namespace gpusim::sweep {

/// A value of an axis before an architecture is known.
struct AxisValue {
  enum class Kind : std::uint8_t {
    kWritten,   ///< `text`, with the number it says where the key has numbers
    kComputed,  ///< `number`, between the ends of a range
    kFactor     ///< `number.value` times the base value
  };
  Kind kind = Kind::kWritten;
  std::string text;
  Number number;
  bool is_word = false;  ///< `text` is a word, which only the trace can tell
  bool rough = false;    ///< true for a value of a logarithmic step, which is irrational and so is rounded
};

/// All values of an axis in order, repeats included. What is wrong is added to `problems`; the other items are read
/// nevertheless.
[[nodiscard]] std::vector<AxisValue> parse_items(const Domain& domain, std::span<const std::string> items,
                                                 const SourceLocation& where, ProblemList& problems);

}  // namespace gpusim::sweep

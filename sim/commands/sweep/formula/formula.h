// SPDX-License-Identifier: MIT
// Formulas over the keys of a sweep: the conditions of --where, and the cost of --cost.
//
//   sm.count * 1.0 + dram.bandwidth / 1e12 * 20          a number
//   sm.count * l2.bytes <= 8 GiB and not param.seq > 4096      a condition
//
// Names are paths of keys and names of metrics; numbers may carry the units of architecture files and count in base
// units. Operators bind as usual: - (sign), * /, + -, comparisons, not, and, or.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::sweep {

struct UnitWord;

class Formula {
 public:
  /// Throws InputError that names `option`, the formula and the place in it.
  [[nodiscard]] static Formula number(std::string_view option, std::string_view text);
  [[nodiscard]] static Formula condition(std::string_view option, std::string_view text);

  /// The names that occur, each once, in the order of their first occurrence.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// The formula's value where the names have these values, in the order of names(); 1 and 0 of a condition. Not finite
  /// after a division by zero.
  [[nodiscard]] double value(std::span<const double> values) const;
  [[nodiscard]] bool holds(std::span<const double> values) const { return value(values) != 0; }

  [[nodiscard]] const std::string& text() const { return text_; }

  enum class Op : std::uint8_t {
    kNumber,
    kName,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kEqual,
    kNotEqual,
    kAnd,
    kOr,
    kNot,
    kNegate
  };
  /// One step of a machine with a stack.
  struct Step {
    Op op;
    std::size_t at;                  ///< place of its word in text()
    std::size_t size;                ///< length of a number's digits, without the unit
    double number = 0;               ///< for kNumber: the value in base units
    const UnitWord* unit = nullptr;  ///< for kNumber: its unit
    std::size_t name = 0;            ///< for kName: index into names()
  };
  /// For those who give the words a meaning of their own: operands first, then their operator.
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

 private:
  friend class FormulaParser;

  std::string text_;
  std::vector<std::string> names_;
  std::vector<Step> steps_;
};

}  // namespace gpusim::sweep

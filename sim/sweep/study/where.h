// SPDX-License-Identifier: MIT
// Conditions of --where: "sm.count * l2.bytes <= 8 GiB and not param.seq > 4096". Exact arithmetic on the values of a
// resolved architecture and of a trace's parameters; units are checked when a condition is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/arch/loader.h"
#include "sim/base/problem.h"
#include "sim/sweep/study/exact.h"
#include "sim/sweep/study/study.h"

namespace gpusim::sweep {

class Condition {
 public:
  enum class Op : std::uint8_t {
    kNumber,
    kKey,
    kBandwidth,  ///< dram.bandwidth, the computed peak
    kParameter,
    kNegate,
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
    kNot,
    kAnd,
    kOr
  };
  /// A step in postfix order, so that evaluating a condition needs no recursion.
  struct Step {
    Op op;
    Exact number;         ///< of kNumber, in bytes and seconds
    std::size_t key = 0;  ///< of kKey: index into arch::schema()
    std::string name;     ///< of kParameter
  };

  Condition(std::string text, std::vector<Step> steps) : text_(std::move(text)), steps_(std::move(steps)) {}

  /// Throws InputError where there is no answer: a parameter that the trace lacks, a key that the architecture lacks,
  /// division by zero, numbers beyond 128 bits.
  [[nodiscard]] bool holds(const arch::Resolved& arch, const Parameters& parameters) const;

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Names of the trace's parameters it asks for.
  [[nodiscard]] std::vector<std::string> parameters() const;

 private:
  std::string text_;
  std::vector<Step> steps_;
};

/// Reads a condition; what is wrong is added to `problems` with the character at which it stands, and nothing returned.
[[nodiscard]] std::optional<Condition> parse_condition(std::string_view text, const SourceLocation& where,
                                                       ProblemList& problems);

/// Study::where, read. Throws InputError.
[[nodiscard]] std::vector<Condition> conditions(const Study& study);

}  // namespace gpusim::sweep

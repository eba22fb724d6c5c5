// SPDX-License-Identifier: MIT
// Conditions of --where: formulas over the keys of a resolved architecture, dram.bandwidth and param.NAME. Keys, and
// whether units fit each other, are checked when a condition is read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/commands/sweep/formula/formula.h"
#include "sim/commands/sweep/study/study.h"
#include "sim/model/arch/loader.h"

namespace gpusim::sweep {

/// A condition whose names are all keys with numbers.
class Condition {
 public:
  explicit Condition(Formula formula) : formula_(std::move(formula)) {}

  /// Throws InputError where there is no answer: a parameter that the trace lacks, a key that the architecture lacks.
  [[nodiscard]] bool holds(const arch::Resolved& arch, const Parameters& parameters) const;

  [[nodiscard]] const std::string& text() const { return formula_.text(); }
  /// Names of the trace's parameters it asks for.
  [[nodiscard]] std::vector<std::string> parameters() const;

 private:
  Formula formula_;
};

/// Reads a condition; what is wrong is added to `problems` with its place in the text, and nothing returned.
[[nodiscard]] std::optional<Condition> parse_condition(std::string_view text, const SourceLocation& where,
                                                       ProblemList& problems);

/// Study::where, read. Throws InputError.
[[nodiscard]] std::vector<Condition> conditions(const Study& study);

}  // namespace gpusim::sweep

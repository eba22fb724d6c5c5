// SPDX-License-Identifier: MIT
// Conditions of --where: formulas over the keys of a resolved architecture, dram.bandwidth and param.NAME, or over the
// keys of a study of steps. Keys, and whether units fit each other, are checked when a condition is read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/commands/sweep/formula/formula.h"
#include "sim/commands/sweep/study/domain.h"
#include "sim/commands/sweep/study/study.h"

namespace gpusim {
class ProblemList;
struct SourceLocation;
}  // namespace gpusim
namespace gpusim::arch {
struct Resolved;
}  // namespace gpusim::arch

namespace gpusim::sweep {

/// What the keys of a study of steps are at one of its points.
struct StepValues {
  std::function<std::string(const std::string& key)> text;  ///< as --set takes it; empty where the key has no value
  std::uint64_t dram_command_hz = 0;                        ///< in which timings may be counted
};

/// A condition whose names are all keys with numbers.
class Condition {
 public:
  /// `domains`: of the formula's names, in their order.
  Condition(Formula formula, std::vector<Domain> domains);

  /// Throws InputError where there is no answer: a parameter that the trace lacks, a key that the architecture lacks.
  [[nodiscard]] bool holds(const arch::Resolved& arch, const Parameters& parameters) const;
  /// The same for a step. Throws InputError for a key without a value, and for a value that is not a number.
  [[nodiscard]] bool holds(const StepValues& values) const;

  [[nodiscard]] const std::string& text() const { return formula_.text(); }
  /// Names of the trace's parameters it asks for.
  [[nodiscard]] std::vector<std::string> parameters() const;

 private:
  Formula formula_;
  std::vector<Domain> domains_;
};

/// Reads a condition over keys of the study; what is wrong is added to `problems` with its place in the text, and
/// nothing returned.
[[nodiscard]] std::optional<Condition> parse_condition(std::string_view text, const Study& study,
                                                       const SourceLocation& where, ProblemList& problems);

/// Study::where, read. Throws InputError.
[[nodiscard]] std::vector<Condition> conditions(const Study& study);

}  // namespace gpusim::sweep

// SPDX-License-Identifier: MIT
// The clauses behind an address source, such as "expect 16384", and those that an instruction asks for.
#pragma once

#include <set>
#include <string_view>

#include "sim/input/text/environment.h"

namespace gpusim::frontend {

/// The clauses of one instruction. Owns the words that it asked for. Reports a clause that is missing, and those that
/// mean nothing to the instruction.
class Clauses {
 public:
  Clauses(const Statement& statement, Environment& names) : statement_(statement), names_(names) {}

  /// The clause that begins with `word`, which means something to this instruction; null when it has none.
  [[nodiscard]] const Clause* find(std::string_view word);
  /// The number of a clause that the instruction needs; kNoExpr (reported) when it has none.
  [[nodiscard]] trace::ExprId value(std::string_view word);
  /// Reports the clauses that were not asked for.
  void refuse_others();

 private:
  const Statement& statement_;
  Environment& names_;
  std::set<std::string_view> asked_for_;
};

}  // namespace gpusim::frontend

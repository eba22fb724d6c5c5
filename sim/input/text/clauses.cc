// SPDX-License-Identifier: MIT
#include "sim/input/text/clauses.h"

#include <algorithm>

namespace gpusim::frontend {

const Clause* Clauses::find(std::string_view word) {
  asked_for_.insert(word);
  const auto found = std::ranges::find(statement_.clauses, word, [](const Clause& one) { return one.word.text; });
  return found == statement_.clauses.end() ? nullptr : &*found;
}

trace::ExprId Clauses::value(std::string_view word) {
  if (const Clause* const found = find(word)) {
    return names_.uniform(found->value, "'" + found->word.text + "'");
  }
  names_.reporter().add(statement_.access->place, "'" + statement_.name + "' needs '" + std::string(word) + " NUMBER'",
                        "behind the mbarrier");
  return trace::kNoExpr;
}

void Clauses::refuse_others() {
  for (const Clause& one : statement_.clauses) {
    if (!asked_for_.contains(one.word.text)) {
      std::string taken;
      for (const std::string_view word : asked_for_) {
        taken += (taken.empty() ? "it takes '" : ", '") + std::string(word) + "'";
      }
      names_.reporter().add(one.word.place,
                            "'" + one.word.text + "' means nothing to '" + names_.expand(statement_.opcode) + "'",
                            taken.empty() ? "mbarriers and bulk copies have such clauses" : taken);
    }
  }
}

}  // namespace gpusim::frontend

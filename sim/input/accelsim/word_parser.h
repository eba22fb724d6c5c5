// SPDX-License-Identifier: MIT
// What the parsers of an instruction line share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/types.h"
#include "sim/input/accelsim/tokens.h"

namespace gpusim::frontend::accelsim {

/// What is wrong with a line, and where.
struct LineProblem {
  std::uint32_t column = 0;
  std::string message;
  std::string hint;
};

class WordParser {
 protected:
  WordParser(Tokens& tokens, LineProblem& problem) : tokens_(tokens), problem_(problem) {}

  /// The word that came last is not a `what`. Always false.
  bool fail(std::string_view what, std::string hint) { return fail(what, tokens_.word(), std::move(hint)); }
  bool fail(std::string_view what, std::string_view word, std::string hint) {
    problem_.column = tokens_.column();
    problem_.message = word.empty() ? "the line ends before its " + std::string(what)
                                    : std::string(what) + " '" + std::string(word) + "' makes no sense";
    problem_.hint = std::move(hint);
    return false;
  }

  bool parse_address(std::string_view what, Address& address) {
    const auto value = tokens_.next_address();
    address = value.value_or(0);
    return value || fail(what, "expected 0x and hexadecimal digits");
  }

  Tokens& tokens_;
  LineProblem& problem_;
};

}  // namespace gpusim::frontend::accelsim

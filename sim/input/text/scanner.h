// SPDX-License-Identifier: MIT
// Reads one logical line from left to right: words, numbers, punctuation and expressions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/input/text/syntax.h"

namespace gpusim::frontend {

/// A problem of the line being read: it ends the reading of this line only.
struct LineError {
  Place place;
  std::string message;
  std::string hint;
};

/// A problem after which reading on makes no sense.
struct FatalError {
  LineError error;
};

/// Levels of parentheses, and of blocks.
inline constexpr unsigned kMostNesting = 64;

/// True for a character of a name: a letter, a digit or '_'.
[[nodiscard]] bool is_word(char c);

class Scanner {
 public:
  Scanner(const LogicalLine& line, Syntax& syntax, std::unordered_map<std::string, std::uint32_t>& name_ids)
      : line_(&line), syntax_(&syntax), name_ids_(&name_ids) {}

  [[nodiscard]] bool at_end();
  [[nodiscard]] char peek();
  [[nodiscard]] bool next_is(std::string_view text);
  [[nodiscard]] Place place();
  [[nodiscard]] Place place_of(std::size_t offset) const { return line_->place(offset); }
  [[nodiscard]] std::size_t offset() const { return at_; }
  void seek(std::size_t offset) { at_ = offset; }
  [[nodiscard]] std::string_view text() const { return line_->text; }

  /// Takes `text` when it comes next. Letters and digits must not run on into a longer word.
  bool accept(std::string_view text);
  void expect(std::string_view text, std::string_view after);
  void expect_end();
  /// Takes a name (letters, digits, '_'; begins with no digit); `what` names it in the message when there is none.
  Word name(std::string_view what);
  /// The name that comes next, without taking it; empty when there is none.
  [[nodiscard]] std::string_view peek_name();
  std::string quoted(std::string_view what);
  /// The rest up to the matching ']' of a '[' that comes next, with both.
  std::string bracketed();

  /// Takes a '?' and notes that something is to be filled in.
  bool hole();
  /// A whole expression, as far as it goes.
  SyntaxId expression();
  /// Text with expressions in braces, which may choose between texts: {wide ? ".128" : ""}.
  Template expand_braces(std::size_t begin, std::size_t end);

  [[noreturn]] void fail(std::string message, std::string hint = "");

 private:
  struct Operator {
    std::string_view text;
    int precedence;
    trace::ExprOp op;
    bool swapped;
  };
  static const Operator* find_operator(std::string_view rest);

  SyntaxId binary(int least);
  SyntaxId unary();
  SyntaxId primary();
  SyntaxId number();
  SyntaxId named();
  SyntaxId add(SyntaxNode node);
  std::uint32_t intern(std::string_view name);
  void skip_blanks();
  void enter();

  const LogicalLine* line_;
  Syntax* syntax_;
  std::unordered_map<std::string, std::uint32_t>* name_ids_;
  std::size_t at_ = 0;
  bool in_braces_ = false;
  unsigned depth_ = 0;
  unsigned nodes_ = 0;
};

}  // namespace gpusim::frontend

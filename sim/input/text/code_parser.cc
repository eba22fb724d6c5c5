// SPDX-License-Identifier: MIT
// The part of the parser that reads the code of kernels: blocks, instructions and their sources.
#include <array>
#include <cctype>

#include "sim/base/nearest.h"
#include "sim/input/text/parser.h"
#include "sim/model/isa/decode.h"

namespace gpusim::frontend {
namespace {

constexpr std::size_t kMostStatements = 1U << 18U;
constexpr std::array<std::string_view, 7> kCodeWords{"loop", "unroll", "if", "static", "else", "end", "let"};

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}
/// Where a word ends: at a blank that is not in braces, or with the line.
std::size_t word_end(std::string_view text, std::size_t begin) {
  bool braces = false;
  std::size_t end = begin;
  while (end < text.size() && (braces || !is_blank(text[end]))) {
    braces = (braces && text[end] != '}') || text[end] == '{';
    ++end;
  }
  return end;
}
/// Where the operands of an instruction end: at '@', at the word 'when', or with the line.
std::size_t operands_end(std::string_view text, std::size_t begin) {
  constexpr std::string_view kWhen = "when";
  bool braces = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    braces = (braces && text[i] != '}') || text[i] == '{';
    if (braces) {
      continue;
    }
    const std::size_t after = i + kWhen.size();
    const bool word = text.substr(i).starts_with(kWhen) && (after >= text.size() || !is_word(text[after])) && i > 0 &&
                      is_blank(text[i - 1]);
    if (text[i] == '@' || word) {
      return i;
    }
  }
  return text.size();
}

bool looks_like_label(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
             std::string_view::npos;
}

/// Whether a line that begins with an unknown word looks like a misspelt 'loop', 'unroll' or 'if'.
bool may_open_block(std::string_view word, std::string_view line) {
  if (word.empty() || std::islower(static_cast<unsigned char>(word.front())) == 0) {
    return false;
  }
  const std::string_view meant = nearest(word, kCodeWords);
  const bool has_range = line.find('=') != std::string_view::npos && line.find("..") != std::string_view::npos;
  return ((meant == "loop" || meant == "unroll") && has_range) || (meant == "if" && !line.ends_with(word));
}

}  // namespace

Parser::BlockEnd Parser::block(std::vector<Statement>& into, bool may_else, std::string* else_control) {
  BlockEnd how = BlockEnd::kFile;
  bool open = true;
  while (open && on_next_line([&](Scanner& in) {
           if (in.accept("end")) {
             how = BlockEnd::kEnd;
             open = false;
             in.expect_end();
           } else if (in.accept("else")) {
             if (!may_else) {
               in.fail("'else' without 'if'");
             }
             how = BlockEnd::kElse;
             open = false;
             *else_control = control_bits(in);
             in.expect_end();
           } else {
             statement(in, into);
           }
         })) {
  }
  return how;
}

void Parser::open_block(Statement& statement, const std::string& what) {
  if (++depth_ > kMostNesting) {
    throw FatalError{{statement.place, "blocks are nested too deeply: at most " + std::to_string(kMostNesting), ""}};
  }
  std::string else_control;
  const bool is_if = statement.kind == Statement::Kind::kIf || statement.kind == Statement::Kind::kStaticIf;
  BlockEnd how = block(statement.body, is_if, &else_control);
  if (how == BlockEnd::kElse) {
    statement.name = "else";
    statement.else_control = std::move(else_control);
    how = block(statement.otherwise, false, nullptr);
  }
  if (how == BlockEnd::kFile && !guessed_block_) {
    report({statement.place, "'" + what + "' is not closed by 'end'", ""});
  }
  --depth_;
}

void Parser::statement(Scanner& in, std::vector<Statement>& into) {
  Statement made;
  made.place = in.place();
  if (++statements_ > kMostStatements) {
    throw FatalError{{made.place, "the file's code has more than " + std::to_string(kMostStatements) + " lines",
                      "use 'unroll' or 'loop'"}};
  }
  const std::string word(in.peek_name());
  if (in.accept("loop")) {
    loop(in, made);
  } else if (in.accept("unroll")) {
    unroll(in, made);
  } else if (in.accept("if")) {
    branch_block(in, made);
  } else if (in.accept("static")) {
    static_if(in, made);
  } else if (in.accept("let")) {
    made.kind = Statement::Kind::kLet;
    made.name = in.name("the value's name").text;
    in.expect("=", "'" + made.name + "'");
    made.expression = in.expression();
    in.expect_end();
  } else {
    const std::size_t begin = in.offset();
    if (!word.empty()) {
      in.accept(word);
    }
    if (!word.empty() && in.accept(":") && in.at_end()) {
      made.kind = Statement::Kind::kLabel;
      made.name = word;
    } else {
      in.seek(begin);
      if (!parse_instruction(in, made, word)) {
        return;
      }
    }
  }
  into.push_back(std::move(made));
}

bool Parser::parse_instruction(Scanner& in, Statement& statement, const std::string& word) {
  try {
    instruction(in, statement);
    return true;
  } catch (const LineError& error) {
    skip(error);
  }
  if (!may_open_block(word, in.text())) {
    return false;
  }
  // A misspelt word: what follows up to 'end' is its block, not the rest of the code.
  guessed_block_ = true;
  const Place place = statement.place;
  statement = {};
  statement.kind = Statement::Kind::kIf;
  statement.place = place;
  open_block(statement, word);
  return true;
}

void Parser::range(Scanner& in, Statement& statement) {
  statement.name = in.name("the counter's name").text;
  in.expect("=", "'" + statement.name + "'");
  statement.begin = in.expression();
  in.expect("..", "the first value");
  statement.end = in.expression();
  if (in.accept("step")) {
    statement.step = in.expression();
  }
}

std::string Parser::control_bits(Scanner& in) {
  if (!in.next_is("[")) {
    return "";
  }
  const std::size_t before = in.offset();
  std::string text = in.bracketed();
  if (!isa::parse_control_bits(text)) {
    in.seek(before);
    in.fail("'" + text + "' are not control bits", "they look like [B--2---:R0:W3:Y:S04]");
  }
  return text;
}

void Parser::predicate(Scanner& in, Statement& statement) {
  const std::size_t begin = in.offset();
  std::size_t end = begin;
  bool braces = false;
  const std::string_view text = in.text();
  end += end < text.size() && text[end] == '!' ? 1 : 0;
  while (end < text.size() && (braces || is_word(text[end]) || text[end] == '{')) {
    braces = (braces && text[end] != '}') || text[end] == '{';
    ++end;
  }
  statement.guard = in.expand_braces(begin, end);
  in.seek(end);
}

void Parser::loop(Scanner& in, Statement& statement) {
  statement.kind = Statement::Kind::kLoop;
  try {
    range(in, statement);
    if (in.accept("using")) {
      (void)in.place();
      predicate(in, statement);
    }
    statement.control = control_bits(in);
    in.expect_end();
  } catch (const LineError& error) {
    skip(error);
  }
  open_block(statement, "loop");
}

void Parser::unroll(Scanner& in, Statement& statement) {
  statement.kind = Statement::Kind::kUnroll;
  try {
    range(in, statement);
    in.expect_end();
  } catch (const LineError& error) {
    skip(error);
  }
  open_block(statement, "unroll");
}

void Parser::branch_block(Scanner& in, Statement& statement) {
  statement.kind = Statement::Kind::kIf;
  try {
    const std::size_t begin = in.offset();
    (void)in.place();
    const bool named = in.peek() == 'P' || in.next_is("U");
    const std::size_t colon = in.text().find(':', begin);
    // "if P3: condition"; a ternary's colon has a '?' before it.
    if ((named || in.peek() == 'U') && colon != std::string_view::npos &&
        in.text().substr(begin, colon - begin).find('?') == std::string_view::npos) {
      predicate(in, statement);
      in.expect(":", "the predicate of 'if'");
    }
    statement.expression = in.expression();
    statement.control = control_bits(in);
    in.expect_end();
  } catch (const LineError& error) {
    skip(error);
  }
  open_block(statement, "if");
}

void Parser::static_if(Scanner& in, Statement& statement) {
  statement.kind = Statement::Kind::kStaticIf;
  try {
    in.expect("if", "'static'");
    statement.expression = in.expression();
    in.expect_end();
  } catch (const LineError& error) {
    skip(error);
  }
  open_block(statement, "static if");
}

void Parser::instruction(Scanner& in, Statement& statement) {
  statement.control = control_bits(in);
  if (in.next_is("@")) {
    const std::size_t begin = in.offset();
    const std::size_t end = word_end(in.text(), begin);
    statement.guard = in.expand_braces(begin, end);
    in.seek(end);
  }
  const std::string word(in.peek_name());
  if (word.empty()) {
    in.fail(in.at_end() ? "expected an opcode, the line ends"
                        : std::string("expected an opcode or a statement, found '") + in.peek() + "'");
  }
  if (std::isupper(static_cast<unsigned char>(word.front())) == 0) {
    in.fail("unknown statement '" + word + "'", suggestion(word, kCodeWords) + "; opcodes are in capitals");
  }
  const std::size_t begin = in.offset();
  const std::size_t end = word_end(in.text(), begin);
  statement.name = std::string(in.text().substr(begin, end - begin));
  statement.opcode = in.expand_braces(begin, end);
  in.seek(end);
  operands(in, statement, operands_end(in.text(), end));
  sources(in, statement);
  in.expect_end();
}

void Parser::operands(Scanner& in, Statement& statement, std::size_t end) {
  const std::string_view text = in.text();
  std::size_t begin = in.offset();
  int depth = 0;
  for (std::size_t i = begin; i <= end; ++i) {
    if (i < end && (text[i] == '[' || text[i] == '{' || text[i] == '(')) {
      ++depth;
    } else if (i < end && (text[i] == ']' || text[i] == '}' || text[i] == ')')) {
      --depth;
    } else if (i == end || (text[i] == ',' && depth == 0)) {
      std::size_t first = begin;
      std::size_t last = i;
      while (first < last && is_blank(text[first])) {
        ++first;
      }
      while (last > first && is_blank(text[last - 1])) {
        --last;
      }
      if (first < last) {
        statement.operands.push_back(in.expand_braces(first, last));
        statement.label.reset();
        if (looks_like_label(text.substr(first, last - first))) {
          statement.label = Word{std::string(text.substr(first, last - first)), in.place_of(first)};
        }
      } else if (i < end || !statement.operands.empty()) {
        in.seek(i);
        in.fail("an operand is missing");
      }
      begin = i + 1;
    }
  }
  in.seek(end);
}

void Parser::sources(Scanner& in, Statement& statement) {
  while (!in.at_end()) {
    if (!statement.access && in.accept("@")) {
      statement.access = access(in);
      if (in.accept("<-")) {
        statement.shared_destination = std::move(statement.access);
        statement.access = access(in);
      }
      clauses(in, statement);
    } else if (statement.expression == kNoSyntax && in.accept("when")) {
      statement.expression = in.expression();
    } else {
      return;
    }
  }
}

AccessSyntax Parser::access(Scanner& in) {
  AccessSyntax access;
  const Word name = in.name("a buffer's name");
  access.buffer = name.text;
  access.place = name.place;
  if (in.accept("[")) {
    access.is_index = true;
    access.expression = in.expression();
    while (in.accept(",")) {
      access.more.push_back(in.expression());
    }
    in.expect("]", "the index");
  } else if (in.next_is("+") || in.next_is("-")) {
    // "buffer + a - b": the sign belongs to the first term.
    access.expression = in.expression();
  }
  if (in.accept("in")) {
    in.expect("cta", "'in'");
    in.expect("(", "'in cta'");
    access.rank = in.expression();
    in.expect(")", "the rank");
  }
  return access;
}

}  // namespace gpusim::frontend

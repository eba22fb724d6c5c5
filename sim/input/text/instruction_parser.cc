// SPDX-License-Identifier: MIT
#include "sim/input/text/instruction_parser.h"

#include <cctype>

#include "sim/base/nearest.h"
#include "sim/model/isa/decode.h"

namespace gpusim::frontend {
namespace {

constexpr std::array<std::string_view, 7> kValueClauses{"init",   "arrive", "expect",   "complete",
                                                        "parity", "bytes",  "multicast"};

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

void operands(Scanner& in, Statement& statement, std::size_t end) {
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

AccessSyntax access(Scanner& in) {
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

void clauses(Scanner& in, Statement& statement) {
  for (bool found = true; found;) {
    found = false;
    Clause clause;
    clause.word.place = in.place();
    const std::string word(in.peek_name());
    if (word == "signals") {
      found = in.accept(word);
      clause.barrier = access(in);
    } else {
      for (const std::string_view known : kValueClauses) {
        found = found || (word == known && in.accept(known));
      }
      clause.value = found ? in.expression() : kNoSyntax;
    }
    if (found) {
      clause.word.text = word;
      statement.clauses.push_back(std::move(clause));
    }
  }
}

void sources(Scanner& in, Statement& statement) {
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

}  // namespace

std::string parse_control_bits(Scanner& in) {
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

void parse_predicate(Scanner& in, Statement& statement) {
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

void parse_instruction(Scanner& in, Statement& statement) {
  statement.control = parse_control_bits(in);
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

}  // namespace gpusim::frontend

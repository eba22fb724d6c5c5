// SPDX-License-Identifier: MIT
#include "sim/input/text/code_parser.h"

#include <cctype>

#include "sim/base/nearest.h"
#include "sim/input/text/instruction_parser.h"

namespace gpusim::frontend {
namespace {

constexpr std::size_t kMostStatements = 1U << 18U;

/// Whether a line that begins with an unknown word looks like a misspelt 'loop', 'unroll' or 'if'.
bool may_open_block(std::string_view word, std::string_view line) {
  if (word.empty() || std::islower(static_cast<unsigned char>(word.front())) == 0) {
    return false;
  }
  const std::string_view meant = nearest(word, kCodeWords);
  const bool has_range = line.find('=') != std::string_view::npos && line.find("..") != std::string_view::npos;
  return ((meant == "loop" || meant == "unroll") && has_range) || (meant == "if" && !line.ends_with(word));
}

void range(Scanner& in, Statement& statement) {
  statement.name = in.name("the counter's name").text;
  in.expect("=", "'" + statement.name + "'");
  statement.begin = in.expression();
  in.expect("..", "the first value");
  statement.end = in.expression();
  if (in.accept("step")) {
    statement.step = in.expression();
  }
}

}  // namespace

CodeParser::BlockEnd CodeParser::block(std::vector<Statement>& into, bool may_else, std::string* else_control) {
  BlockEnd how = BlockEnd::kFile;
  bool open = true;
  while (open && lines_.on_next([&](Scanner& in) {
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
      *else_control = parse_control_bits(in);
      in.expect_end();
    } else {
      statement(in, into);
    }
  })) {
  }
  return how;
}

void CodeParser::open_block(Statement& statement, const std::string& what) {
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
    lines_.report({statement.place, "'" + what + "' is not closed by 'end'", ""});
  }
  --depth_;
}

void CodeParser::statement(Scanner& in, std::vector<Statement>& into) {
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
      if (!instruction(in, made, word)) {
        return;
      }
    }
  }
  into.push_back(std::move(made));
}

bool CodeParser::instruction(Scanner& in, Statement& statement, const std::string& word) {
  try {
    parse_instruction(in, statement);
    return true;
  } catch (const LineError& error) {
    lines_.skip(error);
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

void CodeParser::loop(Scanner& in, Statement& statement) {
  statement.kind = Statement::Kind::kLoop;
  try {
    range(in, statement);
    if (in.accept("using")) {
      (void)in.place();
      parse_predicate(in, statement);
    }
    statement.control = parse_control_bits(in);
    in.expect_end();
  } catch (const LineError& error) {
    lines_.skip(error);
  }
  open_block(statement, "loop");
}

void CodeParser::unroll(Scanner& in, Statement& statement) {
  statement.kind = Statement::Kind::kUnroll;
  try {
    range(in, statement);
    in.expect_end();
  } catch (const LineError& error) {
    lines_.skip(error);
  }
  open_block(statement, "unroll");
}

void CodeParser::branch_block(Scanner& in, Statement& statement) {
  statement.kind = Statement::Kind::kIf;
  try {
    const std::size_t begin = in.offset();
    (void)in.place();
    const bool named = in.peek() == 'P' || in.next_is("U");
    const std::size_t colon = in.text().find(':', begin);
    // "if P3: condition"; a ternary's colon has a '?' before it.
    if ((named || in.peek() == 'U') && colon != std::string_view::npos &&
        in.text().substr(begin, colon - begin).find('?') == std::string_view::npos) {
      parse_predicate(in, statement);
      in.expect(":", "the predicate of 'if'");
    }
    statement.expression = in.expression();
    statement.control = parse_control_bits(in);
    in.expect_end();
  } catch (const LineError& error) {
    lines_.skip(error);
  }
  open_block(statement, "if");
}

void CodeParser::static_if(Scanner& in, Statement& statement) {
  statement.kind = Statement::Kind::kStaticIf;
  try {
    in.expect("if", "'static'");
    statement.expression = in.expression();
    in.expect_end();
  } catch (const LineError& error) {
    lines_.skip(error);
  }
  open_block(statement, "static if");
}

}  // namespace gpusim::frontend

// SPDX-License-Identifier: MIT
#include "sim/input/text/scanner.h"

#include <array>
#include <cctype>
#include <charconv>

#include "sim/base/text.h"

namespace gpusim::frontend {
namespace {

using trace::ExprOp;

constexpr unsigned kMostNodesPerLine = 4000;
constexpr std::size_t kMostNodes = 4U << 20U;

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
/// "[B--2---:", the begin of control bits, which an index is not.
bool is_control(std::string_view rest) {
  constexpr std::size_t kColon = 8;
  return rest.size() > kColon && rest.starts_with("[B") && rest[kColon] == ':';
}
bool is_name_begin(char c) {
  return is_word(c) && !is_digit(c);
}

}  // namespace

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

void Scanner::skip_blanks() {
  while (at_ < text().size() && std::isspace(static_cast<unsigned char>(text()[at_])) != 0) {
    ++at_;
  }
}

bool Scanner::at_end() {
  skip_blanks();
  return at_ >= text().size();
}

char Scanner::peek() {
  return at_end() ? '\0' : text()[at_];
}

bool Scanner::next_is(std::string_view text_) {
  skip_blanks();
  if (!text().substr(at_).starts_with(text_)) {
    return false;
  }
  const std::size_t after = at_ + text_.size();
  return !is_word(text_.back()) || after >= text().size() || !is_word(text()[after]);
}

Place Scanner::place() {
  skip_blanks();
  return line_->place(at_);
}

bool Scanner::accept(std::string_view text_) {
  if (!next_is(text_)) {
    return false;
  }
  at_ += text_.size();
  return true;
}

void Scanner::fail(std::string message, std::string hint) {
  throw LineError{place(), std::move(message), std::move(hint)};
}

void Scanner::expect(std::string_view text_, std::string_view after) {
  if (!accept(text_)) {
    fail("expected '" + std::string(text_) + "' after " + std::string(after) +
         (at_end() ? ", the line ends" : std::string(", found '") + peek() + "'"));
  }
}

void Scanner::expect_end() {
  if (!at_end()) {
    const std::string_view rest = text().substr(at_);
    const std::size_t blank = rest.find(' ');
    fail("unexpected '" + std::string(rest.substr(0, blank)) + "'");
  }
}

std::string_view Scanner::peek_name() {
  skip_blanks();
  std::size_t end = at_;
  while (end < text().size() && (end == at_ ? is_name_begin(text()[end]) : is_word(text()[end]))) {
    ++end;
  }
  return text().substr(at_, end - at_);
}

Word Scanner::name(std::string_view what) {
  const Place where = place();
  const std::string_view found = peek_name();
  if (found.empty()) {
    fail("expected " + std::string(what) + (at_end() ? ", the line ends" : std::string(", found '") + peek() + "'"));
  }
  at_ += found.size();
  return {std::string(found), where};
}

std::string Scanner::quoted(std::string_view what) {
  if (!accept("\"")) {
    fail("expected " + std::string(what) + " in double quotes");
  }
  const std::size_t end = text().find('"', at_);
  if (end == std::string_view::npos) {
    fail("the quotes around " + std::string(what) + " are not closed");
  }
  std::string value(text().substr(at_, end - at_));
  at_ = end + 1;
  return value;
}

std::string Scanner::bracketed() {
  skip_blanks();
  const std::size_t end = text().find(']', at_);
  if (end == std::string_view::npos) {
    fail("'[' is not closed by ']'");
  }
  std::string value(text().substr(at_, end + 1 - at_));
  at_ = end + 1;
  return value;
}

SyntaxId Scanner::add(SyntaxNode node) {
  if (++nodes_ > kMostNodesPerLine) {
    fail("the line's expressions are too long: at most " + std::to_string(kMostNodesPerLine) + " terms");
  }
  if (syntax_->nodes.size() >= kMostNodes) {
    throw FatalError{{place(), "the file's expressions are too many: at most " + std::to_string(kMostNodes) + " terms",
                      "use 'unroll'"}};
  }
  syntax_->nodes.push_back(node);
  return static_cast<SyntaxId>(syntax_->nodes.size() - 1);
}

std::uint32_t Scanner::intern(std::string_view name) {
  const auto [entry, is_new] = name_ids_->emplace(std::string(name), static_cast<std::uint32_t>(syntax_->names.size()));
  if (is_new) {
    syntax_->names.push_back(entry->first);
  }
  return entry->second;
}

void Scanner::enter() {
  if (++depth_ > kMostNesting) {
    fail("the expression is nested too deeply: at most " + std::to_string(kMostNesting) + " levels");
  }
}

const Scanner::Operator* Scanner::find_operator(std::string_view rest) {
  // Longer operators before those they begin with. Precedences are C's.
  static constexpr std::array<Operator, 18> kOperators{{{"||", 1, ExprOp::kLogicOr, false},
                                                        {"&&", 2, ExprOp::kLogicAnd, false},
                                                        {"|", 3, ExprOp::kOr, false},
                                                        {"^", 4, ExprOp::kXor, false},
                                                        {"&", 5, ExprOp::kAnd, false},
                                                        {"==", 6, ExprOp::kEqual, false},
                                                        {"!=", 6, ExprOp::kNotEqual, false},
                                                        {"<<", 8, ExprOp::kShiftLeft, false},
                                                        {">>", 8, ExprOp::kShiftRight, false},
                                                        {"<=", 7, ExprOp::kLessEqual, false},
                                                        {">=", 7, ExprOp::kLessEqual, true},
                                                        {"<", 7, ExprOp::kLess, false},
                                                        {">", 7, ExprOp::kLess, true},
                                                        {"+", 9, ExprOp::kAdd, false},
                                                        {"-", 9, ExprOp::kSubtract, false},
                                                        {"*", 10, ExprOp::kMultiply, false},
                                                        {"/", 10, ExprOp::kDivide, false},
                                                        {"%", 10, ExprOp::kModulo, false}}};
  if (rest.starts_with("<-")) {
    // The arrow of LDGSTS; "a < -b" needs its blank.
    return nullptr;
  }
  for (const Operator& op : kOperators) {
    if (rest.starts_with(op.text)) {
      return &op;
    }
  }
  return nullptr;
}

SyntaxId Scanner::expression() {
  enter();
  SyntaxId value = binary(1);
  if (next_is("?")) {
    const Place where = place();
    accept("?");
    SyntaxNode node;
    node.kind = SyntaxNode::Kind::kOperator;
    node.op = ExprOp::kSelect;
    node.place = where;
    node.args[0] = value;
    node.args[1] = expression();
    expect(":", "the second part of '?:'");
    node.args[2] = expression();
    value = add(node);
  }
  --depth_;
  return value;
}

SyntaxId Scanner::binary(int least) {
  SyntaxId left = unary();
  for (;;) {
    skip_blanks();
    const Operator* op = find_operator(text().substr(at_));
    if (op == nullptr || op->precedence < least) {
      return left;
    }
    SyntaxNode node;
    node.kind = SyntaxNode::Kind::kOperator;
    node.op = op->op;
    node.place = place();
    at_ += op->text.size();
    const SyntaxId right = binary(op->precedence + 1);
    node.args = {op->swapped ? right : left, op->swapped ? left : right, kNoSyntax};
    left = add(node);
  }
}

SyntaxId Scanner::unary() {
  const char c = peek();
  if (c != '-' && c != '!' && c != '+' && c != '~') {
    return primary();
  }
  enter();
  SyntaxNode node;
  node.kind = SyntaxNode::Kind::kOperator;
  node.place = place();
  ++at_;
  if (c == '!') {
    node.op = ExprOp::kNot;
    node.args[0] = unary();
  } else {
    // -x is 0 - x, ~x is -1 - x.
    SyntaxNode from;
    from.place = node.place;
    from.value = c == '~' ? -1 : 0;
    node.op = c == '+' ? ExprOp::kAdd : ExprOp::kSubtract;
    node.args[0] = add(from);
    node.args[1] = unary();
  }
  --depth_;
  return add(node);
}

bool Scanner::hole() {
  const Place where = place();
  if (!accept("?")) {
    return false;
  }
  syntax_->holes.push_back({where, "", ""});
  return true;
}

SyntaxId Scanner::primary() {
  if (accept("(")) {
    const SyntaxId value = expression();
    expect(")", "the expression");
    return value;
  }
  if (is_digit(peek())) {
    return number();
  }
  if (const Place where = place(); hole()) {
    SyntaxNode node;  // has the value 0, which nobody asks for before the hole is filled
    node.place = where;
    return add(node);
  }
  if (is_name_begin(peek())) {
    return named();
  }
  if (in_braces_ && peek() == '"') {
    SyntaxNode node;
    node.kind = SyntaxNode::Kind::kText;
    node.place = place();
    node.name = intern(quoted("the text"));
    return add(node);
  }
  fail("expected a number, a name or '('" + (at_end() ? ", the line ends" : std::string(", found '") + peek() + "'"));
}

SyntaxId Scanner::number() {
  SyntaxNode node;
  node.place = place();
  const std::string_view rest = text().substr(at_);
  const bool hex = rest.starts_with("0x") || rest.starts_with("0X");
  std::size_t end = 0;
  while (end < rest.size() && is_word(rest[end])) {
    ++end;
  }
  const bool fraction = end + 1 < rest.size() && rest[end] == '.' && is_digit(rest[end + 1]);
  const std::string_view digits = rest.substr(hex ? 2 : 0, hex ? end - 2 : end);
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), node.value, hex ? 16 : 10);
  if (error == std::errc::result_out_of_range) {
    fail("the number " + std::string(rest.substr(0, end)) + " does not fit into 64 bits");
  }
  if (error != std::errc() || stop != digits.data() + digits.size() || fraction) {
    const std::string_view word = rest.substr(0, end);
    fail("'" + std::string(word) + "' is not an integer", integers_only(word, "decimal or 0x hexadecimal"));
  }
  at_ += end;
  return add(node);
}

SyntaxId Scanner::named() {
  SyntaxNode node;
  node.kind = SyntaxNode::Kind::kName;
  node.place = place();
  std::string full(peek_name());
  at_ += full.size();
  // "ctaid.x", but not the dots of a range.
  if (at_ + 1 < text().size() && text()[at_] == '.' && is_name_begin(text()[at_ + 1])) {
    ++at_;
    const std::string_view member = peek_name();
    full += '.';
    full += member;
    at_ += member.size();
  }
  if (accept("(")) {
    node.kind = SyntaxNode::Kind::kCall;
    for (std::size_t i = 0; i < node.args.size() && (i == 0 || accept(",")); ++i) {
      node.args[i] = expression();
    }
    expect(")", "the arguments of '" + full + "'");
  } else if (skip_blanks(); !is_control(text().substr(at_)) && accept("[")) {
    node.kind = SyntaxNode::Kind::kIndex;
    node.args[0] = expression();
    expect("]", "the index of '" + full + "'");
  }
  node.name = intern(full);
  return add(node);
}

Template Scanner::expand_braces(std::size_t begin, std::size_t end) {
  Template made;
  made.literals.emplace_back();
  const std::size_t resume = at_;
  for (std::size_t i = begin; i < end;) {
    if (text()[i] != '{') {
      made.literals.back() += text()[i++];
      continue;
    }
    at_ = i + 1;
    in_braces_ = true;
    made.holes.push_back(expression());
    in_braces_ = false;
    expect("}", "the expression in braces");
    made.literals.emplace_back();
    i = at_;
  }
  at_ = resume;
  return made;
}

}  // namespace gpusim::frontend

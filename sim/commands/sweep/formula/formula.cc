// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/formula/formula.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/sweep/formula/quantity.h"

namespace gpusim::sweep {
namespace {

constexpr std::size_t kLongest = 2000;
constexpr int kDeepest = 100;

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_name_part(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9') || c == '.';
}

bool is_digit_or_dot(char c) {
  return (c >= '0' && c <= '9') || c == '.';
}

}  // namespace

/// Recursive descent, one function a level of precedence. Every function says whether it read a number or a condition.
class FormulaParser {
 public:
  FormulaParser(std::string_view option, std::string_view text) : option_(option), text_(text) {
    formula_.text_ = text;
    if (text.size() > kLongest) {
      fail(kLongest, "the formula is longer than " + std::to_string(kLongest) + " characters");
    }
  }

  Formula parse(bool condition) {
    const Kind kind = disjunction();
    if (at_ < text_.size()) {
      fail_unexpected("an operator, or the end");
    }
    if (kind != (condition ? Kind::kCondition : Kind::kNumber)) {
      fail(0, condition ? "this is a number, not a condition" : "this is a condition, not a number",
           condition ? "a comparison, as in sm.count <= 160" : "");
    }
    return std::move(formula_);
  }

 private:
  using Op = Formula::Op;
  enum class Kind : std::uint8_t { kNumber, kCondition };
  struct Spelling {
    std::string_view text;
    Op op;
  };

  [[noreturn]] void fail(std::size_t at, const std::string& what, const std::string& hint = "") const {
    throw InputError({{std::string(option_), 0, 0},
                      "'" + printable(clipped(text_, 80)) + "': " + what + ", at character " + std::to_string(at + 1),
                      hint.empty() ? hint : "expected " + hint});
  }

  /// Fails at an unexpected word. The hint is our spelling of an operator of other languages, or else `allowed`.
  [[noreturn]] void fail_unexpected(const std::string& allowed) const {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOthers{
        {{"=>", ">="}, {"=<", "<="}, {"=", "=="}, {"&", "and"}, {"|", "or"}, {"!", "not"}}};
    const auto* const other =
        std::ranges::find_if(kOthers, [this](const auto& each) { return text_.substr(at_).starts_with(each.first); });
    fail(at_, "unexpected " + word_here(), other == kOthers.end() ? allowed : "'" + std::string(other->second) + "'");
  }

  [[nodiscard]] std::string word_here() const {
    std::size_t end = at_;
    while (end < text_.size() && is_name_part(text_[end])) {
      ++end;
    }
    const std::string_view word = text_.substr(at_, std::max<std::size_t>(end - at_, 1));
    return word.empty() ? "end" : "'" + printable(clipped(word, 40)) + "'";
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size()); }

  [[nodiscard]] std::string_view name_here() const {
    std::size_t end = at_;
    while (end < text_.size() && is_name_part(text_[end])) {
      ++end;
    }
    return end > at_ && is_name_start(text_[at_]) ? text_.substr(at_, end - at_) : std::string_view{};
  }

  bool take_word(std::string_view word) {
    const bool is_here = name_here() == word;
    at_ += is_here ? word.size() : 0;
    skip_blanks();
    return is_here;
  }

  /// The first of `spellings` that stands here.
  template <std::size_t N>
  std::optional<Op> take(const std::array<Spelling, N>& spellings) {
    for (const Spelling& spelling : spellings) {
      if (text_.substr(at_).starts_with(spelling.text)) {
        at_ += spelling.text.size();
        skip_blanks();
        return spelling.op;
      }
    }
    return std::nullopt;
  }

  void expect(Kind kind, Kind wanted, std::size_t at) const {
    if (kind != wanted) {
      fail(at, wanted == Kind::kNumber ? "a condition where a number belongs" : "a number where a condition belongs");
    }
  }

  void emit(Op op, std::size_t at) { formula_.steps_.push_back({op, at, 0}); }

  Kind logical(std::string_view word, Op op, Kind (FormulaParser::*part)()) {
    const std::size_t first = at_;
    const Kind kind = (this->*part)();
    for (std::size_t at = at_; take_word(word); at = at_) {
      expect(kind, Kind::kCondition, first);
      const std::size_t second = at_;
      expect((this->*part)(), Kind::kCondition, second);
      emit(op, at);
    }
    return kind;
  }

  Kind disjunction() {
    skip_blanks();
    return logical("or", Op::kOr, &FormulaParser::conjunction);
  }

  Kind conjunction() { return logical("and", Op::kAnd, &FormulaParser::negation); }

  Kind negation() {
    const Nesting nesting(*this);
    const std::size_t at = at_;
    if (!take_word("not")) {
      return comparison();
    }
    const std::size_t second = at_;
    expect(negation(), Kind::kCondition, second);
    emit(Op::kNot, at);
    return Kind::kCondition;
  }

  Kind comparison() {
    static constexpr std::array<Spelling, 6> kComparisons{{{"<=", Op::kLessEqual},
                                                           {">=", Op::kGreaterEqual},
                                                           {"==", Op::kEqual},
                                                           {"!=", Op::kNotEqual},
                                                           {"<", Op::kLess},
                                                           {">", Op::kGreater}}};
    const std::size_t first = at_;
    const Kind kind = sum();
    const std::size_t at = at_;
    const std::optional<Op> op = take(kComparisons);
    if (!op) {
      return kind;
    }
    expect(kind, Kind::kNumber, first);
    const std::size_t second = at_;
    expect(sum(), Kind::kNumber, second);
    emit(*op, at);
    return Kind::kCondition;
  }

  template <std::size_t N>
  Kind chain(const std::array<Spelling, N>& operators, Kind (FormulaParser::*part)()) {
    const std::size_t first = at_;
    const Kind kind = (this->*part)();
    for (std::size_t at = at_; const std::optional<Op> op = take(operators); at = at_) {
      expect(kind, Kind::kNumber, first);
      const std::size_t second = at_;
      expect((this->*part)(), Kind::kNumber, second);
      emit(*op, at);
    }
    return kind;
  }

  Kind sum() {
    static constexpr std::array<Spelling, 2> kOperators{{{"+", Op::kAdd}, {"-", Op::kSubtract}}};
    return chain(kOperators, &FormulaParser::product);
  }

  Kind product() {
    static constexpr std::array<Spelling, 2> kOperators{{{"*", Op::kMultiply}, {"/", Op::kDivide}}};
    return chain(kOperators, &FormulaParser::sign);
  }

  Kind sign() {
    static constexpr std::array<Spelling, 1> kMinus{{{"-", Op::kNegate}}};
    const Nesting nesting(*this);
    const std::size_t at = at_;
    if (!take(kMinus)) {
      return operand();
    }
    const std::size_t second = at_;
    expect(sign(), Kind::kNumber, second);
    emit(Op::kNegate, at);
    return Kind::kNumber;
  }

  Kind operand() {
    if (at_ < text_.size() && text_[at_] == '(') {
      const std::size_t open = at_++;
      const Kind kind = disjunction();
      if (at_ == text_.size() || text_[at_] != ')') {
        fail_unexpected("')' for the '(' at character " + std::to_string(open + 1));
      }
      ++at_;
      skip_blanks();
      return kind;
    }
    if (at_ < text_.size() && is_digit_or_dot(text_[at_])) {
      read_number();
    } else {
      read_name();
    }
    skip_blanks();
    return Kind::kNumber;
  }

  void read_number() {
    double number = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (error != std::errc() || !std::isfinite(number)) {
      fail(at_, word_here() + " is not a number");
    }
    Formula::Step step{Op::kNumber, at_, static_cast<std::size_t>(end - begin), number};
    at_ += step.size;
    skip_blanks();
    step.unit = leading_unit(text_.substr(at_));
    if (step.unit != nullptr) {
      step.number *= step.unit->scale;
      at_ += step.unit->word.size();
    } else if (at_ < text_.size() && is_name_start(text_[at_]) && !is_joining_word(name_here())) {
      fail(at_, "unknown unit " + word_here(), "a unit of architecture files, such as MiB or GB/s, or an operator");
    }
    formula_.steps_.push_back(step);
  }

  static bool is_joining_word(std::string_view word) { return word == "and" || word == "or"; }

  void read_name() {
    const std::string name(name_here());
    if (name.empty() || name == "not" || is_joining_word(name)) {
      fail_unexpected("a number, a key or '('");
    }
    std::vector<std::string>& names = formula_.names_;
    const auto known = std::ranges::find(names, name);
    formula_.steps_.push_back({Op::kName, at_, 0, 0, nullptr, static_cast<std::size_t>(known - names.begin())});
    at_ += name.size();
    if (known == names.end()) {
      names.push_back(name);
    }
  }

  /// Counts levels of recursion, which a text decides.
  class Nesting {
   public:
    explicit Nesting(FormulaParser& parser) : depth_(parser.depth_) {
      if (++depth_ > kDeepest) {
        parser.fail(parser.at_, "the formula is nested too deeply");
      }
    }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    int& depth_;
  };

  std::string_view option_;
  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Formula formula_;
};

Formula Formula::number(std::string_view option, std::string_view text) {
  return FormulaParser(option, text).parse(false);
}

Formula Formula::condition(std::string_view option, std::string_view text) {
  return FormulaParser(option, text).parse(true);
}

double Formula::value(std::span<const double> values) const {
  std::vector<double> stack;
  const auto pop = [&stack] {
    const double top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const Step& step : steps_) {
    const bool is_leaf = step.op == Op::kNumber || step.op == Op::kName;
    const double b = is_leaf ? 0 : pop();
    const double a = is_leaf || step.op == Op::kNot || step.op == Op::kNegate ? 0 : pop();
    const auto truth = [&stack](bool holds) { stack.push_back(holds ? 1 : 0); };
    switch (step.op) {
      case Op::kNumber: stack.push_back(step.number); break;
      case Op::kName: stack.push_back(values[step.name]); break;
      case Op::kAdd: stack.push_back(a + b); break;
      case Op::kSubtract: stack.push_back(a - b); break;
      case Op::kMultiply: stack.push_back(a * b); break;
      case Op::kDivide: stack.push_back(a / b); break;
      case Op::kNegate: stack.push_back(-b); break;
      case Op::kLess: truth(a < b); break;
      case Op::kLessEqual: truth(a <= b); break;
      case Op::kGreater: truth(a > b); break;
      case Op::kGreaterEqual: truth(a >= b); break;
      case Op::kEqual: truth(a == b); break;
      case Op::kNotEqual: truth(a < b || a > b); break;  // a value that is not a number, 0 / 0, is neither
      case Op::kAnd: truth(a != 0 && b != 0); break;
      case Op::kOr: truth(a != 0 || b != 0); break;
      case Op::kNot: truth(b == 0); break;
    }
  }
  return stack.back();
}

}  // namespace gpusim::sweep

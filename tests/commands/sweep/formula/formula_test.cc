// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/formula/formula.h"

#include <cmath>
#include <string>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/commands/sweep/formula/quantity.h"

namespace gpusim::sweep {
namespace {

/// The value where every name is worth 7.
double number(const std::string& text) {
  const Formula formula = Formula::number("--cost", text);
  return formula.value(std::vector<double>(formula.names().size(), 7));
}

bool condition(const std::string& text) {
  const Formula formula = Formula::condition("--where", text);
  return formula.holds(std::vector<double>(formula.names().size(), 7));
}

std::string problem(const std::string& text) {
  try {
    (void)Formula::number("--cost", text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("A product binds tighter than a sum, a sign tighter than both, and equals go from the left") {
  CHECK(number("2 + 3 * 4") == 14);
  CHECK(number("(2 + 3) * 4") == 20);
  CHECK(number("10 - 3 - 2") == 5);
  CHECK(number("12 / 3 / 2") == 2);
  CHECK(number("-2 * -3 - -1") == 7);
  CHECK(number("1.5e3") == 1500);
  CHECK(number("sm.count*1.0 + dram.bandwidth/1e12*20") == Approx(7 + 140e-12));
}

TEST_CASE("A number may carry a unit, which ends where no unit goes on") {
  CHECK(number("8 GiB") == 8.0 * 1024 * 1024 * 1024);
  CHECK(number("3.35TB/s") == 3.35e12);
  CHECK(number("1 B/s + 1 B") == 2);
  CHECK(number("6 GB/s/2") == 3e9);
  CHECK(number("2 us*x") == 14e3);
  CHECK(number("80 % * x") == 560);
}

TEST_CASE("Conditions join comparisons with and, or, not and parentheses; and binds tighter than or") {
  CHECK(condition("x == 7"));
  CHECK_FALSE(condition("x != 7"));
  CHECK(condition("x <= 7 and x >= 7"));
  CHECK_FALSE(condition("x < 7 or x > 7"));
  CHECK(condition("x == 7 or x == 8 and x == 9"));
  CHECK_FALSE(condition("(x == 7 or x == 8) and x == 9"));
  CHECK(condition("not x == 8 and not (x < 1)"));
  CHECK(condition("x*2 KiB <= 14 KiB"));
}

TEST_CASE("Names are listed once, in the order in which they occur") {
  const Formula formula = Formula::number("--cost", "b.c - a * b.c + param.seq_2");
  CHECK(formula.names() == std::vector<std::string>{"b.c", "a", "param.seq_2"});
  CHECK(formula.value(std::vector<double>{1, 10, 100}) == 91);
}

TEST_CASE("What is not a formula is refused with the word and its place") {
  CHECK(problem("2 +") == "--cost: '2 +': unexpected end, at character 4 (expected a number, a key or '(')");
  CHECK(problem("") == "--cost: '': unexpected end, at character 1 (expected a number, a key or '(')");
  CHECK(problem("(1 + 2") ==
        "--cost: '(1 + 2': unexpected end, at character 7 (expected ')' for the '(' at character 1)");
  CHECK_THAT(problem("1 = 2"), Catch::Contains("unexpected '=', at character 3 (expected '==')"));
  CHECK_THAT(problem("(1 => 2)"), Catch::Contains("(expected '>=')"));
  CHECK_THAT(problem("1 & 2"), Catch::Contains("(expected 'and')"));
  CHECK(problem("1 2") == "--cost: '1 2': unexpected '2', at character 3 (expected an operator, or the end)");
  CHECK(
      problem("2 MB") ==
      "--cost: '2 MB': unknown unit 'MB', at character 3 (expected a unit of architecture files, such as MiB or GB/s, "
      "or an operator)");
  CHECK(problem("a < b") == "--cost: 'a < b': this is a condition, not a number, at character 1");
  CHECK(problem("a + (b < c)") == "--cost: 'a + (b < c)': a condition where a number belongs, at character 5");
  CHECK(problem("a and b") == "--cost: 'a and b': a number where a condition belongs, at character 1");
  CHECK(problem("1.2.3") == "--cost: '1.2.3': unexpected '.3', at character 4 (expected an operator, or the end)");
  CHECK(problem("a\x1b[0m") == "--cost: 'a?[0m': unexpected '?', at character 2 (expected an operator, or the end)");
  CHECK_THROWS_AS((void)Formula::condition("--where", "a + b"), InputError);
}

TEST_CASE("Every comparison with what is not a number is false") {
  for (const char* comparison : {"<", "<=", ">", ">=", "==", "!="}) {
    INFO(comparison);
    CHECK_FALSE(Formula::condition("--where", std::string("0 / 0 ") + comparison + " 1").holds({}));
    CHECK_FALSE(Formula::condition("--where", std::string("1 ") + comparison + " 0 / 0").holds({}));
  }
}

TEST_CASE("A hostile formula ends in an error, not in a crash") {
  CHECK_THAT(problem(std::string(1500, '(')), Catch::Contains("nested too deeply"));
  CHECK_THAT(problem(std::string(1500, '-') + "1"), Catch::Contains("nested too deeply"));
  CHECK_THAT(problem(std::string(3000, '1')), Catch::Contains("longer than 2000 characters"));
  CHECK_THAT(problem("1e999"), Catch::Contains("is not a number"));
  CHECK_FALSE(std::isfinite(number("1 / (x - 7)")));
}

TEST_CASE("A value with its unit becomes a number of base units") {
  const auto value = [](const char* text) {
    const std::optional<Quantity> quantity = parse_quantity(text);
    return quantity ? quantity->value : -1;
  };
  CHECK(value("132") == 132);
  CHECK(value("50 MiB") == 50.0 * 1024 * 1024);
  CHECK(value("4190 GB/s") == 4190e9);
  CHECK(value("4.19TB/s") == Approx(4.19e12));
  CHECK(value("25/4") == 6.25);
  CHECK(value("30 cycles") == 30);
  CHECK(parse_quantity("50 MiB")->unit->word == "MiB");
  CHECK(parse_quantity("132")->unit == nullptr);
}

TEST_CASE("A column has one unit, the one with the shortest texts, where all of its cells have one") {
  const auto column = [](std::vector<std::vector<std::string>> rows) {
    give_one_unit(rows, 0, 1);
    std::string text;
    for (const std::vector<std::string>& row : rows) {
      text += (text.empty() ? "" : ", ") + row.front();
    }
    return text;
  };
  CHECK(column({{"2.05 us"}, {"4100 ns"}, {"8.2 us"}}) == "2.05 us, 4.1 us, 8.2 us");
  CHECK(column({{"50 MiB"}, {"25MiB"}, {""}}) == "50 MiB, 25 MiB, ");
  CHECK(column({{"1.83 GHz"}, {"1GHz"}}) == "1.83 GHz, 1 GHz");
  CHECK(column({{"256 KiB"}, {"1 MiB"}}) == "0.25 MiB, 1 MiB");
  CHECK(column({{"20.9 %"}, {"0.0 %"}}) == "20.9 %, 0.0 %");  // digits that say how exact a number is
  CHECK(column({{"30 ns"}, {"12 clocks"}}) == "30 ns, 12 clocks");
  CHECK(column({{"66"}, {"1GHz"}}) == "66, 1GHz");
}

TEST_CASE("Words and malformed numbers are not quantities") {
  for (const char* text : {"", "gto", "5 apples", "1.2.3", "1/0", "4 GB/s at boost", "0 KiB, 64 KiB", "- 5"}) {
    INFO(text);
    CHECK_FALSE(parse_quantity(text));
  }
}

}  // namespace gpusim::sweep

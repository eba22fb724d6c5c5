// SPDX-License-Identifier: MIT
#include "sim/base/problem.h"

#include <array>
#include <string_view>

#include <catch2/catch.hpp>

#include "sim/base/nearest.h"
#include "sim/base/text.h"

using namespace gpusim;

TEST_CASE("a problem prints its place, its message and its hint") {
  CHECK(to_text({{"a.yaml", 3, 7}, "unknown key 'shcedulers'", "did you mean 'schedulers'?"}) ==
        "a.yaml:3:7: unknown key 'shcedulers' (did you mean 'schedulers'?)");
  CHECK(to_text({{"a.yaml", 0, 0}, "is empty", ""}) == "a.yaml: is empty");
}

TEST_CASE("a problem with a word of any length is cut to a readable line") {
  const std::string text = to_text({{"a.yaml", 3, 7}, "unknown key '" + std::string(100'000, 'x') + "'", "no hint"});
  CHECK(text.size() < 600);
  CHECK_THAT(text, Catch::Contains("xxx... (no hint)"));
  std::string umlauts = "'";
  for (int i = 0; i < 1000; ++i) {
    umlauts += "\xc3\xa4";
  }
  CHECK_THAT(to_text({{}, umlauts, ""}), Catch::EndsWith("\xc3\xa4..."));
}

TEST_CASE("a problem list throws everything it collected at once") {
  ProblemList list;
  CHECK_NOTHROW(list.throw_if_any());
  list.add({{}, "one", ""});
  list.add({{}, "two", ""});
  CHECK_THROWS_WITH(list.throw_if_any(), "one\ntwo");
}

TEST_CASE("a problem list keeps a bounded number and counts the rest") {
  ProblemList list;
  for (int i = 0; i < 1000; ++i) {
    list.add({{}, "problem " + std::to_string(i), ""});
  }
  CHECK(list.problems().size() == ProblemList::kMostKept);
  CHECK_THROWS_WITH(list.throw_if_any(), Catch::Contains("and 950 more problems"));
}

TEST_CASE("the same problem at the same place is told once, with how often it was met") {
  ProblemList problems;
  for (int i = 0; i < 16; ++i) {
    problems.add({{"a.trace", 112, 0}, "no such instruction", "another GPU has it"});
  }
  CHECK_THROWS_WITH(problems.throw_if_any(), "a.trace:112: no such instruction, 16 times (another GPU has it)");
}

TEST_CASE("many lines with the same problem are told in one line") {
  std::vector<Problem> problems;
  for (std::uint32_t line = 1; line <= 16; ++line) {
    problems.push_back({{"a.trace", line, 3}, "unknown word 'x'", ""});
  }
  problems.push_back({{"a.trace", 20, 0}, "something else", ""});
  CHECK(std::string(InputError(problems).what()) ==
        "a.trace:1:3: unknown word 'x'; 15 more lines like this: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, "
        "16\n"
        "a.trace:20: something else");
}

TEST_CASE("two lines with the same problem are told one by one") {
  const Problem problem{{"a.trace", 1, 0}, "unknown word 'x'", ""};
  std::vector<Problem> problems(2, problem);
  problems[1].where.line = 2;
  CHECK(std::string(InputError(problems).what()) == "a.trace:1: unknown word 'x'\na.trace:2: unknown word 'x'");
}

TEST_CASE("lines that have the same problem a different number of times are alike, and told in order") {
  ProblemList problems;
  for (const std::uint32_t line : {112U, 191U, 116U, 112U, 116U, 112U}) {
    problems.add({{"a.trace", line, 0}, "no such instruction", "another GPU has it"});
  }
  CHECK_THROWS_WITH(problems.throw_if_any(),
                    "a.trace:112: no such instruction (another GPU has it); 2 more lines like this: 116, 191");
}

TEST_CASE("the nearest word is found through a slip of the finger and not through nonsense") {
  static constexpr std::array<std::string_view, 3> kWords{"schedulers", "slices", "ways"};
  CHECK(nearest("shcedulers", kWords) == "schedulers");
  CHECK(nearest("WAYS", kWords) == "ways");
  CHECK(nearest("wya", kWords) == "ways");
  CHECK(nearest("wat", std::array<std::string_view, 2>{"fit", "wta"}) == "wta");
  CHECK(nearest("foo", std::array<std::string_view, 1>{"fit"}).empty());
  static constexpr std::array<std::string_view, 2> kShort{"sm", "l2"};
  CHECK(nearest("a0", kShort).empty());
  CHECK(nearest("bandwidth", kWords).empty());
  CHECK(suggestion("bandwidth", kWords) == "known: schedulers, slices, ways");
}

TEST_CASE("unsigned numbers are read strictly") {
  CHECK(parse_unsigned("0") == 0U);
  CHECK(parse_unsigned("18446744073709551615") == 18446744073709551615ULL);
  CHECK_FALSE(parse_unsigned("010"));
  CHECK_FALSE(parse_unsigned("12abc"));
  CHECK_FALSE(parse_unsigned("-1"));
  CHECK_FALSE(parse_unsigned(""));
  CHECK_FALSE(parse_unsigned("18446744073709551616"));
}

TEST_CASE("numbers print as people read them") {
  CHECK(with_thousands(1234567) == "1,234,567");
  CHECK((counted(1, "point") == "1 point" && counted(0, "point") == "0 points" &&
         counted(2000, "point") == "2,000 points"));
  CHECK(with_thousands(123) == "123");
  CHECK(with_si_prefix(3.3523e12, "B/s") == "3.35 TB/s");
  CHECK(with_si_prefix(14.52e9, "") == "14.5 G");
  CHECK(with_si_prefix(12, "") == "12.0");
  CHECK(with_binary_prefix(52428800) == "50 MiB");
}

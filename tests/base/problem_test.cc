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
        "a.trace:1:3: unknown word 'x'; 15 more lines like this (2 to 16)\n"
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
                    "a.trace:112: no such instruction (another GPU has it); 2 more lines like this (116, 191)");
}

TEST_CASE("a flood of one problem is counted in whole, however many lines it has") {
  ProblemList problems;
  for (std::uint32_t line = 6; line <= 65; ++line) {
    problems.add({{"a.trace", line, 23}, "undefined buffer 'nosuch'", "the kernel has no buffers"});
  }
  CHECK_THROWS_WITH(problems.throw_if_any(),
                    "a.trace:6:23: undefined buffer 'nosuch' (the kernel has no buffers); 59 more lines like this (7 "
                    "to 65)");
}

TEST_CASE("what is beyond a flood's bounds is counted") {
  ProblemList problems;
  for (std::uint32_t line = 1; line <= ProblemList::kMostOfKinds + 5; ++line) {
    problems.add({{"a.trace", line, 0}, "unknown word 'x'", ""});
  }
  CHECK_THROWS_WITH(problems.throw_if_any(),
                    "a.trace:1: unknown word 'x'; 1,999 more lines like this (2 to 2000)\n"
                    "and 5 more problems");
}

TEST_CASE("many problems that differ in the words they quote are told in one, with some of the words") {
  ProblemList problems;
  for (std::uint32_t i = 0; i < 50; ++i) {
    problems.add({{"a.yaml", 3 + i, 3}, "unknown key 'sm.foo" + std::to_string(i) + "'", "known: count"});
  }
  problems.add({{"a.yaml", 60, 1}, "a key's value 'x' is missing", ""});
  CHECK_THROWS_WITH(problems.throw_if_any(),
                    "a.yaml:3:3: unknown key 'sm.foo0' (known: count); 49 more lines like this (4 to 52): 'sm.foo1', "
                    "'sm.foo2', 'sm.foo3', 'sm.foo4', 'sm.foo5', 'sm.foo6', 'sm.foo7', 'sm.foo8', ...\n"
                    "a.yaml:60:1: a key's value 'x' is missing");
}

TEST_CASE("many wrong options of one kind are told in one") {
  ProblemList problems;
  for (int i = 0; i < 30; ++i) {
    const std::string key = "sm.foo" + std::to_string(i);
    problems.add({{"--set " + key, 0, 0}, "unknown key '" + key + "'", "known: count"});
  }
  CHECK_THROWS_WITH(
      problems.throw_if_any(),
      "--set sm.foo0: unknown key 'sm.foo0' (known: count); 29 more like this: --set sm.foo1, --set "
      "sm.foo2, --set sm.foo3, --set sm.foo4, --set sm.foo5, --set sm.foo6, --set sm.foo7, --set sm.foo8, ...");
}

TEST_CASE("what a file lacks as a whole is named in one line") {
  ProblemList problems;
  for (const char* const key : {"a", "b", "c", "d", "e", "f", "g", "h", "i"}) {
    problems.add({{"v.yaml", 0, 0}, "lacks '" + std::string(key) + "'", "every key needs a value"});
  }
  CHECK_THROWS_WITH(problems.throw_if_any(),
                    "v.yaml: lacks 'a' (every key needs a value); 8 more like this: 'b', 'c', "
                    "'d', 'e', 'f', 'g', 'h', 'i'");
}

TEST_CASE("a few problems that differ in the words they quote are told one by one") {
  std::vector<Problem> problems;
  for (std::uint32_t i = 1; i <= 8; ++i) {
    problems.push_back({{"a.yaml", i, 0}, "unknown key 'k" + std::to_string(i) + "'", ""});
  }
  CHECK(told(problems).size() == 8);
}

TEST_CASE("a flood within one line says so") {
  std::vector<Problem> problems;
  for (std::uint32_t i = 1; i <= 20; ++i) {
    problems.push_back({{"a.yaml", 1, i}, "unknown key 'k'", ""});
  }
  CHECK(told(problems) == std::vector<std::string>{"a.yaml:1:1: unknown key 'k'; 19 more like this in the line"});
}

TEST_CASE("numbers are told as ranges, and many of them are cut") {
  const auto text = [](const std::vector<std::uint64_t>& numbers) { return ranges_text(numbers); };
  CHECK(text({3, 4, 7, 8, 9, 12}) == "3, 4, 7 to 9, 12");
  CHECK(text({}).empty());
  CHECK(text({1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21}) == "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, ...");
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

TEST_CASE("a name that goes on from a word, or from which the word goes on, is meant before one that is only alike") {
  static constexpr std::array<std::string_view, 4> kGpus{"A100", "H100 SXM5", "H100 SXM", "H100-PCIe"};
  CHECK(name_suggestion("h100", kGpus) == "did you mean 'H100 SXM'?");
  CHECK(name_suggestion("H100-PCI", kGpus) == "did you mean 'H100-PCIe'?");
  CHECK(name_suggestion("a100-sxm", kGpus) == "did you mean 'A100'?");
  CHECK(name_suggestion("h10", kGpus) == "did you mean 'A100'?");
  CHECK(name_suggestion("T4", kGpus) == "known: A100, H100 SXM5, H100 SXM, H100-PCIe");
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

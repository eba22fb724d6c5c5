// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "tests/input/text/support.h"

namespace holes_test {

using namespace gpusim;
using namespace gpusim::test;

namespace {

const std::string kWithHoles =
    "gpusim trace 1\n"
    "param n = ? in 1..64\n"
    "test n=2\n"
    "kernel k\n"
    "  grid (n)\n"
    "  block (32)\n"
    "code\n"
    "  EXIT\n"
    "end\n";

}  // namespace

TEST_CASE("a parameter without a value is filled by the one that is given, or by the test set's") {
  CHECK(load_error(kWithHoles) == "t.trace:2:11: to be filled in: param n = ? in 1..64 (or give --param n=VALUE)");
  trace::ParameterChoice given;
  given.overrides = {{"n", 5}};
  CHECK(load(kWithHoles, given).kernels[0].grid.x == 5);
  trace::ParameterChoice small;
  small.use_test_set = true;
  CHECK(load(kWithHoles, small).kernels[0].grid.x == 2);
  given.overrides = {{"n", 65}};
  CHECK(load_error(kWithHoles, given).find("allowed: 1 to 64") != std::string::npos);
}

TEST_CASE("every line with a hole is named, once") {
  CHECK(load_error("gpusim trace 1\nkernel k\n  grid (?, ?)\n  block (32)\n  buffer x = ?\ncode\n"
                   "  LDG.E R4, [R2.64]  @ x[? + 1]\n  @P0 EXIT when ?\n  EXIT\nend\n") ==
        "t.trace:3:9: to be filled in: grid (?, ?)\n"
        "t.trace:5:14: to be filled in: buffer x = ?\n"
        "t.trace:7:26: to be filled in: LDG.E R4, [R2.64]  @ x[? + 1]\n"
        "t.trace:8:17: to be filled in: @P0 EXIT when ?");
}

TEST_CASE("more holes than problems are kept are named, too") {
  std::string code;
  for (int i = 0; i < 70; ++i) {
    code += "  @P0 NOP when ?\n";
  }
  const std::string error = load_error(kernel_text("grid (1)\nblock (32)\n", code + "  EXIT\n"));
  CHECK_THAT(error, Catch::Contains(": to be filled in: @P0 NOP when ?; 69 more lines like this (7 to 75)"));
}

TEST_CASE("problems are told before holes") {
  CHECK(load_error("gpusim trace 1\nkernel k\n  grid (?)\n  blokc (32)\ncode\n  EXIT\nend\n").find("blokc") !=
        std::string::npos);
  CHECK(load_error(kernel_text("grid (1)\nblock (32)\nbuffer x = 3\n", "  EXIT\n")).find("or '= ?'") !=
        std::string::npos);
}

TEST_CASE("a '?' that chooses is not a hole") {
  CHECK(load("gpusim trace 1\nlet n = 1 > 0 ? 3 : 4\nkernel k\n  grid (n)\n  block (32)\ncode\n  EXIT\nend\n")
            .kernels[0]
            .grid.x == 3);
}

TEST_CASE("a loop's branch may test a predicate the other way round, or none") {
  const auto branches = [](const std::string& predicate) {
    const auto trace = load(
        kernel_text("grid (1)\nblock (32)\n", "  loop i = 0..tid using " + predicate + "\n    NOP\n  end\n  EXIT\n"));
    const auto& texts = trace.kernels[0].texts;
    return std::pair(texts[0].text.substr(0, 8), texts[2].text.substr(0, 8));
  };
  CHECK(branches("P1") == std::pair<std::string, std::string>("@!P1 BRA", "@P1 BRA "));
  CHECK(branches("!P1") == std::pair<std::string, std::string>("@P1 BRA ", "@!P1 BRA"));
  CHECK(branches("PT").second == "@PT BRA ");
}

}  // namespace holes_test

// SPDX-License-Identifier: MIT
#include "tools/silicon/host/residency.h"

#include <catch2/catch.hpp>

#include "tools/silicon/host/step.h"

namespace gpusim::silicon {
namespace {

TEST_CASE("a CTA takes the place that has been free the longest on its own SM") {
  const std::vector<Life> lives{
      {.begin = 0, .end = 100, .sm = 0},   {.begin = 10, .end = 120, .sm = 0}, {.begin = 130, .end = 200, .sm = 0},
      {.begin = 135, .end = 210, .sm = 0}, {.begin = 5, .end = 50, .sm = 1},   {.begin = 57, .end = 90, .sm = 1},
  };
  CHECK_THAT(turnarounds(lives), Catch::Matchers::UnorderedEquals(std::vector<double>{30, 15, 7}));
}

TEST_CASE("CTAs that begin before any has ended took nobody's place") {
  const std::vector<Life> lives{{.begin = 0, .end = 100, .sm = 3}, {.begin = 99, .end = 150, .sm = 3}};
  CHECK(turnarounds(lives).empty());
}

TEST_CASE("the first wave ends when as many CTAs as run at once have begun") {
  const std::vector<Life> lives{{.nanoseconds = 900}, {.nanoseconds = 40}, {.nanoseconds = 70}, {.nanoseconds = 55}};
  CHECK(first_wave(lives, 3).first == 40);
  CHECK(first_wave(lives, 3).last == 70);
  CHECK(first_wave(lives, 9).last == 900);
}

TEST_CASE("a step names its instructions with plus signs between them") {
  CHECK(instructions_of("FFMA") == std::vector<std::string>{"FFMA"});
  CHECK(instructions_of("ISETP+VIMNMX|IMNMX+SEL") == std::vector<std::string>{"ISETP", "VIMNMX|IMNMX", "SEL"});
}

}  // namespace
}  // namespace gpusim::silicon

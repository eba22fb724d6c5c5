// SPDX-License-Identifier: MIT
#include "sim/commands/lab/course/draw.h"

#include <set>

#include <catch2/catch.hpp>

using namespace gpusim;

namespace {

lab::Lab lab_of(std::vector<std::string> choices) {
  lab::Lab lab;
  lab.name = "tiny";
  lab.parameters.push_back({"n", std::move(choices), ""});
  return lab;
}

}  // namespace

TEST_CASE("a seed follows from lab and student, and differs between both") {
  CHECK(lab::seed_of("tiny", "mary") == lab::seed_of("tiny", "mary"));
  CHECK(lab::seed_of("tiny", "mary") != lab::seed_of("tiny", "john"));
  CHECK(lab::seed_of("tiny", "mary") != lab::seed_of("other", "mary"));
}

TEST_CASE("a seed is the same on every machine and in every version") {
  CHECK(lab::seed_of("coalescing", "mary") == 3843160181U);
}

TEST_CASE("every choice is drawn for some student") {
  const lab::Lab lab = lab_of({"1", "2", "3", "4"});
  std::set<std::string> drawn;
  for (int i = 0; i < 100; ++i) {
    drawn.insert(lab::draw(lab, lab::seed_of(lab.name, "student " + std::to_string(i))).at(0).second);
  }
  CHECK(drawn.size() == 4);
}

TEST_CASE("a parameter that is added changes no other one") {
  lab::Lab lab = lab_of({"1", "2", "3", "4"});
  const lab::Setting before = lab::draw(lab, 7).at(0);
  lab.parameters.insert(lab.parameters.begin(), {"m", {"5", "6"}, ""});
  CHECK(lab::draw(lab, 7).at(1) == before);
}

TEST_CASE("a parameter that goes with another one is drawn from the same place") {
  lab::Lab lab = lab_of({"1", "2", "3", "4"});
  lab.parameters.push_back({"square", {"1", "4", "9", "16"}, "n"});
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const std::vector<lab::Setting> drawn = lab::draw(lab, seed);
    const int n = std::stoi(drawn.at(0).second);
    CHECK(drawn.at(1).second == std::to_string(n * n));
  }
}

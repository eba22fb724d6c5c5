// SPDX-License-Identifier: MIT
// Names of architectures in a sweep: one spelling each, whatever was typed.
#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/commands/sweep/asked_study.h"
#include "sim/commands/sweep/command.h"
#include "sim/commands/sweep/prices.h"

namespace gpusim::sweep_names_test {

using Catch::Matchers::Contains;
using commands::Prices;

std::vector<std::string> archs_of(const std::vector<std::string>& typed) {
  commands::SweepOptions options;
  options.arch = typed;
  options.trace = {"saxpy"};
  return commands::sweep_study(options).file.study.archs;
}

std::vector<sweep::PointRow> points_of(const std::string& arch) {
  sweep::PointRow row;
  row.arch = arch;
  return {row};
}

TEST_CASE("an architecture that came along is swept once and under its own name, however it was typed") {
  CHECK(archs_of({"H100", "h100", "h100.yaml", "A100"}) == std::vector<std::string>{"h100", "a100"});
}

TEST_CASE("a file of the user's own keeps the name under which it was given") {
  CHECK(archs_of({"./Mine.yaml", "Mine"}) == std::vector<std::string>{"./Mine.yaml", "Mine"});
}

TEST_CASE("a price is that of an architecture in capitals of any kind") {
  const Prices prices("h100=2.99,A100=1.49");
  CHECK(prices.of("H100") == "2.99");
  CHECK(prices.of("a100") == "1.49");
  CHECK_NOTHROW(Prices("h100=2.99").require_gpus(points_of("H100")));
  CHECK_NOTHROW(Prices("H100=2.99").require_gpus(points_of("h100")));
  CHECK_THROWS_WITH(Prices("h100=1,H100=2"), Contains("'H100=2' is given twice"));
}

TEST_CASE("a price of an architecture without points names it as it was typed") {
  CHECK_THROWS_WITH(Prices("H10=1").require_gpus(points_of("h100")),
                    Contains("no point has the architecture 'H10' (did you mean 'h100'?)"));
}

}  // namespace gpusim::sweep_names_test

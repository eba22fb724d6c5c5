// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/cost.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"

#include "tests/commands/sweep/analysis/rows.h"

namespace gpusim::sweep {
namespace {

/// Architectures of which only the H100 has a price.
KeySource prices() {
  KeySource source;
  source.find = [](const PointRow& row, const std::string& key) -> std::optional<std::string> {
    if (key == "price.usd_per_hour" && row.arch == "h100") {
      return "2.5";
    }
    return key == "l2.bytes"   ? std::optional<std::string>("50 MiB")
           : key == "l2.model" ? std::optional<std::string>("ideal")
                               : std::nullopt;
  };
  source.known = {"price.usd_per_hour", "l2.bytes", "l2.model", "l2.ways"};
  return source;
}

std::string problem(const std::vector<PointRow>& rows, const std::string& formula) {
  try {
    (void)costs_of(rows, formula, prices());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("A cost takes what was varied, what followed, metrics and the architecture's own keys") {
  PointRow row = roofline(20, 2);
  row.derived = {{"noc.gpcs", "3"}};
  const std::vector<PointRow> rows{row};
  const auto cost = [&rows](const std::string& formula) { return *costs_of(rows, formula, prices()).by_row.at(0); };
  CHECK(cost("sm.count + dram.bandwidth / 1 TB/s * 20") == Approx(60));
  CHECK(cost("noc.gpcs * 2") == 6);
  CHECK(cost("tflops") == Approx(15));
  CHECK(cost("price.usd_per_hour * time_us") == Approx(150));
  CHECK(cost("l2.bytes / 1 MiB") == 50);
}

TEST_CASE("What was varied counts before what the architecture has") {
  const std::vector<PointRow> rows{done({{"l2.bytes", "10 MiB"}}, 1), done({}, 1)};
  const Costs costs = costs_of(rows, "l2.bytes / 1 MiB", prices());
  CHECK(costs.by_row[0] == 10);
  CHECK(costs.by_row[1] == 50);
}

TEST_CASE("A GPU without a price has no cost, and is named once") {
  std::vector<PointRow> rows{done({}, 1), done({}, 2), done({}, 3), lost(kFailed, "x", {})};
  rows[1].arch = rows[2].arch = "a100";
  const Costs costs = costs_of(rows, "price.usd_per_hour", prices());
  CHECK(costs.by_row == std::vector<std::optional<double>>{2.5, std::nullopt, std::nullopt, std::nullopt});
  REQUIRE(costs.without.size() == 1);
  CHECK(costs.without[0].arch == "a100");
  CHECK(costs.without[0].key == "price.usd_per_hour");
}

TEST_CASE("A price that no GPU has is refused, with the way to say it") {
  PointRow row = done({}, 1);
  row.arch = "a100";
  CHECK(problem({row}, "price.usd_per_hour") ==
        "--cost: 'price.usd_per_hour' is not known of any GPU: a100 (give it as --price NAME=2.5, or in the GPU's "
        "file, as price: "
        "{usd_per_hour: [2.5, given, \"who asks that, 2026-01-31\"]}, or --set price.usd_per_hour=2.5)");
}

TEST_CASE("A key that nothing has, and one that is not a number, are refused") {
  CHECK(problem({done({{"sm.count", "8"}}, 1)}, "sm.cuont * 2") ==
        "--cost: no point has 'sm.cuont' (did you mean 'sm.count'?)");
  CHECK(problem({done({}, 1)}, "l2.way") == "--cost: no point has 'l2.way' (did you mean 'l2.ways'?)");
  CHECK(problem({done({}, 1)}, "l2.model") == "--cost: 'l2.model' is 'ideal', which is not a number");
  CHECK(problem({lost(kFailed, "x", {})}, "anything").empty());
}

TEST_CASE("A cost that is not finite is none") {
  CHECK_FALSE(costs_of(std::vector<PointRow>{done({{"a", "1"}}, 1)}, "1 / (a - 1)", {}).by_row[0]);
}

}  // namespace gpusim::sweep

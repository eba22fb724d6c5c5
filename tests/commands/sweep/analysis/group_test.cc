// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/group.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"

#include "tests/commands/sweep/analysis/rows.h"

namespace gpusim::sweep {
namespace {

Group only_group(const std::vector<PointRow>& rows, const KeySource& source = {}) {
  const std::vector<Group> groups = make_groups(rows, Metric{}, source);
  REQUIRE(groups.size() == 1);
  return groups.front();
}

std::vector<std::string> texts_of(const Dimension& dimension) {
  std::vector<std::string> out;
  std::ranges::transform(dimension.levels, std::back_inserter(out), &Level::text);
  return out;
}

std::string metric_problem(const std::string& name, const std::vector<PointRow>& rows) {
  try {
    (void)find_metric(name, rows);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string centre_text(const Group& group, const TextPairs& fixed = {}) {
  check_fixed(std::array{group}, fixed);
  return place_text(group, group.samples[find_centre(group, fixed)]);
}

}  // namespace

TEST_CASE("Levels are sorted by size, not by text, and equal sizes are one level") {
  const Group group = only_group({done({{"l2.bytes", "100 MiB"}}, 1), done({{"l2.bytes", "9 MiB"}}, 2),
                                  done({{"l2.bytes", "1 GiB"}}, 3), done({{"l2.bytes", "9216 KiB"}}, 4)});
  REQUIRE(group.dimensions.size() == 1);
  CHECK(texts_of(group.dimensions[0]) == std::vector<std::string>{"9 MiB", "100 MiB", "1 GiB"});
  CHECK(group.dimensions[0].is_numeric);
  CHECK(group.hidden == 1);
}

TEST_CASE("Words keep the order in which they occur") {
  const Group group =
      only_group({done({{"sm.scheduler.policy", "lrr"}}, 1), done({{"sm.scheduler.policy", "gto"}}, 2)});
  CHECK(texts_of(group.dimensions[0]) == std::vector<std::string>{"lrr", "gto"});
  CHECK_FALSE(group.dimensions[0].is_numeric);
}

TEST_CASE("A key with one value is not a dimension") {
  const Group group =
      only_group({done({{"sm.count", "8"}, {"l2.ways", "4"}}, 1), done({{"sm.count", "9"}, {"l2.ways", "4"}}, 2)});
  REQUIRE(group.dimensions.size() == 1);
  CHECK(group.dimensions[0].key == "sm.count");
}

TEST_CASE("A key that a point does not name has its architecture's value") {
  const std::vector<PointRow> rows{done({{"sm.count", "100"}}, 1), done({{"l2.ways", "4"}}, 2)};
  KeySource source;
  source.find = [](const PointRow& row, const std::string& key) -> std::optional<std::string> {
    return row.arch == "h100" && key == "sm.count" ? std::optional<std::string>("132") : std::nullopt;
  };
  const Group group = only_group(rows, source);
  REQUIRE(group.dimensions.size() == 2);
  CHECK(texts_of(group.dimensions[0]) == std::vector<std::string>{"100", "132"});
  CHECK(texts_of(group.dimensions[1]) == std::vector<std::string>{"(base)", "4"});
}

TEST_CASE("A key that a point does not name has the value that followed from those it does") {
  std::vector<PointRow> rows{done({{"sm.count", "160"}}, 1), done({{"noc.gpcs", "7"}}, 2)};
  rows[0].derived = {{"noc.gpcs", "9"}};
  const Group group = only_group(rows);
  REQUIRE(group.dimensions.size() == 2);
  CHECK(texts_of(group.dimensions[1]) == std::vector<std::string>{"7", "9"});
}

TEST_CASE("A zero among the values of a key leaves them numbers, one below zero makes them words") {
  const auto is_numeric = [](std::initializer_list<const char*> values) {
    std::vector<PointRow> rows;
    for (const char* value : values) {
      rows.push_back(done({{"param.x", value}}, 1));
    }
    return only_group(rows).dimensions.at(0).is_numeric;
  };
  CHECK(is_numeric({"0", "1", "2"}));
  CHECK_FALSE(is_numeric({"0", "1"}));
  CHECK_FALSE(is_numeric({"-1", "1", "2"}));
}

TEST_CASE("One simulation that was asked for twice hides nothing, another at its place is counted") {
  std::vector<PointRow> rows{done({{"a", "1"}}, 1), done({{"a", "2"}}, 1), done({{"a", "1"}}, 1),
                             done({{"a", "1"}}, 2)};
  rows[0].key = rows[2].key = "same";
  rows[3].key = "other";
  CHECK(only_group(rows).hidden == 1);
}

TEST_CASE("Only finished points with the metric are samples, and the others are counted") {
  std::vector<PointRow> rows{done({{"sm.count", "1"}}, 5), lost(kFailed, "x", {{"sm.count", "2"}}),
                             done({{"sm.count", "3"}}, 0)};
  const Group group = only_group(rows);
  CHECK(group.samples.size() == 1);
  CHECK(group.unusable == 1);
}

TEST_CASE("Each trace on each architecture is a group of its own") {
  std::vector<PointRow> rows{done({}, 1), done({}, 2), done({}, 3)};
  rows[1].arch = "a100";
  rows[2].trace = "gemm";
  const std::vector<Group> groups = make_groups(rows, Metric{}, {});
  REQUIRE(groups.size() == 3);
  CHECK(groups[1].arch == "a100");
  CHECK(groups[2].trace == "gemm");
}

TEST_CASE("Rates are better when they are more, times when they are less") {
  const std::vector<PointRow> rows{roofline(10, 1)};
  CHECK(find_metric("tflops", rows).more_is_better);
  CHECK(find_metric("tflops", rows).speedup(8, 2) == 4);
  CHECK_FALSE(find_metric("time_us", rows).more_is_better);
  CHECK(find_metric("cycles", rows).speedup(2, 8) == 4);
  CHECK(metric_problem("tflop", rows) == "--metric: no point has 'tflop' (did you mean 'tflops'?)");
}

TEST_CASE("The centre of a grid is the point nearest to the middle of every key") {
  std::vector<PointRow> rows;
  for (const char* sms : {"1", "2", "3", "4", "5"}) {
    for (const char* ways : {"1", "2", "3"}) {
      rows.push_back(done({{"sm.count", sms}, {"l2.ways", ways}}, 1));
    }
  }
  CHECK(centre_text(only_group(rows)) == "sm.count=3, l2.ways=2");
}

TEST_CASE("The centre of a one-at-a-time study is its base, wherever that lies") {
  const std::vector<PointRow> rows{done({{"a", "9"}, {"b", "1"}}, 1), done({{"a", "8"}, {"b", "1"}}, 1),
                                   done({{"a", "7"}, {"b", "1"}}, 1), done({{"a", "9"}, {"b", "2"}}, 1),
                                   done({{"a", "9"}, {"b", "3"}}, 1)};
  CHECK(centre_text(only_group(rows)) == "a=9, b=1");
}

TEST_CASE("The centre can be pinned, by number or by text, and what is not there is refused") {
  const Group group = only_group(roofline_grid());
  CHECK(centre_text(group, {{"sm.count", "80"}, {"dram.bandwidth", "4000 GB/s"}}) ==
        "sm.count=80, dram.bandwidth=4 TB/s");
  CHECK_THROWS_WITH(centre_text(group, {{"sm.count", "81"}}),
                    "--at: 'sm.count' was never '81' (its values: 10, 20, 40, 80)");
  CHECK_THROWS_WITH(centre_text(group, {{"sm.cout", "80"}}),
                    "--at: 'sm.cout' was not varied (did you mean 'sm.count'?)");
}

TEST_CASE("A pinned value that one group lacks leaves that group its own middle") {
  std::vector<PointRow> rows;
  for (const char* sms : {"1", "2", "3"}) {
    rows.push_back(done({{"sm.count", sms}}, 1));
  }
  for (const char* sms : {"4", "5", "6"}) {
    rows.push_back(done({{"sm.count", sms}}, 1));
    rows.back().trace = "gemm";
  }
  const std::vector<Group> groups = make_groups(rows, Metric{}, {});
  CHECK_NOTHROW(check_fixed(groups, {{"sm.count", "3"}}));
  CHECK(place_text(groups[0], groups[0].samples[find_centre(groups[0], {{"sm.count", "3"}})]) == "sm.count=3");
  CHECK(place_text(groups[1], groups[1].samples[find_centre(groups[1], {{"sm.count", "3"}})]) == "sm.count=5");
  CHECK_THROWS_WITH(check_fixed(groups, {{"sm.count", "7"}}),
                    "--at: 'sm.count' was never '7' (its values: 1, 2, 3, 4, 5, 6)");
}

TEST_CASE("Pinned values that no point has together are refused") {
  const std::vector<PointRow> rows{done({{"a", "1"}, {"b", "1"}}, 1), done({{"a", "2"}, {"b", "2"}}, 1)};
  CHECK_THROWS_WITH(centre_text(only_group(rows), {{"a", "1"}, {"b", "2"}}),
                    "--at: no finished point has all of these values");
}

TEST_CASE("Slices differ in one key only") {
  const Group group = only_group(roofline_grid());
  CHECK(slices_along(group, 0).size() == 3);
  CHECK(slices_along(group, 1).size() == 4);
  const Slice slice = slice_through(group, 0, find_centre(group, {{"dram.bandwidth", "4 TB/s"}}));
  REQUIRE(slice.samples.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(group.samples[slice.samples[i]].level == std::vector<std::size_t>{i, 2});
  }
}

}  // namespace gpusim::sweep

// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/findings.h"

#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include "sim/commands/sweep/analysis/fit.h"

#include "tests/commands/sweep/analysis/rows.h"

namespace gpusim::sweep {
namespace {

Group group_of(const std::vector<PointRow>& rows) {
  return make_groups(rows, Metric{}, {}).front();
}

std::vector<Sensitivity> sensitivities(const std::vector<PointRow>& rows) {
  const Group group = group_of(rows);
  return rank_sensitivities(group, find_centre(group, {}));
}

std::vector<Scaling> scalings(const std::vector<PointRow>& rows, const Metric& metric = {}) {
  const Group group = make_groups(rows, metric, {}).front();
  return scalings_of(group, find_centre(group, {}), metric);
}

/// Times 12, 6, 4, 3.6 with 1, 2, 3, 4 SMs.
std::vector<PointRow> tiring() {
  return {done({{"sm.count", "1"}}, 12), done({{"sm.count", "2"}}, 6), done({{"sm.count", "3"}}, 4),
          done({{"sm.count", "4"}}, 3.6)};
}

std::vector<double> values_of(const std::vector<Costed>& points) {
  std::vector<double> out;
  std::ranges::transform(points, std::back_inserter(out), &Costed::value);
  return out;
}

}  // namespace

TEST_CASE("A line through points is found, with the error of its slope") {
  const std::vector<std::vector<double>> x{{0, 1, 2, 3}};
  // Residuals 1, -1, -1, 1 about 2 x + 1: they are orthogonal to 1 and x, so the slope stays.
  const std::vector<double> y{2, 2, 4, 8};
  const Fit fit = fit_least_squares(x, y);
  REQUIRE(fit.coefficients[0]);
  CHECK(fit.coefficients[0]->value == Approx(2));
  CHECK(fit.residual == Approx(1));
  // sqrt(sum of squares / (4 - 2) / sum of (x - 1.5)^2) = sqrt(4 / 2 / 5)
  CHECK(*fit.coefficients[0]->error == Approx(std::sqrt(0.4)));
}

TEST_CASE("Columns that move together are not told apart, and others still are") {
  const std::vector<std::vector<double>> x{{0, 1, 2, 3}, {0, 2, 4, 6}, {1, 0, 0, 1}};
  const std::vector<double> y{5, 1, 2, 8};  // column 0 + 5 of column 2
  const Fit fit = fit_least_squares(x, y);
  CHECK_FALSE(fit.coefficients[0]);
  CHECK_FALSE(fit.coefficients[1]);
  REQUIRE(fit.coefficients[2]);
  CHECK(fit.coefficients[2]->value == Approx(5));
}

TEST_CASE("Blocks have constants of their own") {
  const std::vector<std::vector<double>> x{{0, 1, 0, 1}};
  const std::vector<double> y{0, 3, 100, 103};
  const std::vector<std::size_t> blocks{0, 0, 1, 1};
  CHECK(fit_least_squares(x, y, blocks).coefficients[0]->value == Approx(3));
  CHECK(fit_least_squares(x, y, blocks).residual == Approx(0).margin(1e-9));
}

TEST_CASE("A power law's exponent is its sensitivity") {
  std::vector<PointRow> rows;
  for (const int sms : {50, 100, 200}) {
    for (const int ways : {2, 4, 8}) {
      rows.push_back(done({{"l2.ways", std::to_string(ways)}, {"sm.count", std::to_string(sms)}},
                          7 * std::pow(sms, -0.8) * std::pow(ways, -0.1)));
    }
  }
  const std::vector<Sensitivity> found = sensitivities(rows);
  REQUIRE(found.size() == 2);
  CHECK(found[0].dimension == 1);  // sm.count matters more
  CHECK(found[0].evidence == Evidence::kSlice);
  CHECK(found[0].elasticity == Approx(-0.8));
  CHECK(found[0].points == 3);
  CHECK(found[0].low == "50");
  CHECK(found[0].high == "200");
  CHECK(found[0].fit_error_pct == Approx(0).margin(1e-6));
  CHECK(found[1].elasticity == Approx(-0.1));
}

TEST_CASE("What a power law does not fit has an error, and two points have none to know") {
  const std::vector<Sensitivity> bent =
      sensitivities({done({{"sm.count", "1"}}, 8), done({{"sm.count", "2"}}, 8), done({{"sm.count", "4"}}, 2)});
  // ln times: ln 8 - {0, 0, 2 ln 2}; the slope is -1, the residuals ln 2 x {-1, 2, -1} / 3.
  CHECK(bent[0].elasticity == Approx(-1));
  CHECK(bent[0].fit_error_pct == Approx(100 * (std::exp(std::log(2.0) * std::sqrt(2.0) / 3) - 1)));
  const std::vector<Sensitivity> two = sensitivities({done({{"sm.count", "1"}}, 8), done({{"sm.count", "2"}}, 4)});
  CHECK(two[0].elasticity == Approx(-1));
  CHECK_FALSE(two[0].error);
}

TEST_CASE("A zero has no part in the power law, and stays on the curve") {
  const std::vector<PointRow> rows{done({{"l2.ways", "0"}}, 20), done({{"l2.ways", "2"}}, 8),
                                   done({{"l2.ways", "4"}}, 4), done({{"l2.ways", "8"}}, 2)};
  const std::vector<Sensitivity> found = sensitivities(rows);
  CHECK(found.at(0).evidence == Evidence::kSlice);
  CHECK(found[0].elasticity == Approx(-1));
  CHECK(found[0].fit_error_pct == Approx(0).margin(1e-6));
  CHECK(found[0].spread == Approx(10));
  const Scaling scaling = scalings(rows).at(0);
  REQUIRE(scaling.points.size() == 4);
  CHECK(scaling.points[3].speedup == Approx(10));
  CHECK_FALSE(scaling.points[0].efficiency);
  CHECK(*scaling.points[1].efficiency == Approx(1));
  CHECK(*scaling.points[3].efficiency == Approx(1));
  CHECK_FALSE(scaling.knee);
}

TEST_CASE("When a latency may be zero, the curve ends there and its knee lies above zero") {
  const std::vector<PointRow> rows{done({{"l2.latency", "0"}}, 4.9), done({{"l2.latency", "100"}}, 5),
                                   done({{"l2.latency", "200"}}, 5.1), done({{"l2.latency", "400"}}, 10)};
  const Scaling scaling = scalings(rows).at(0);
  CHECK(scaling.falls);
  CHECK_FALSE(scaling.points.at(3).efficiency);
  REQUIRE(scaling.knee);
  CHECK(scaling.knee->point == 1);
}

TEST_CASE("Points at zero have no part in the fit of all points together") {
  std::vector<PointRow> rows;
  for (const auto& [a, b] : {std::pair(1, 3), std::pair(2, 1), std::pair(4, 5), std::pair(8, 2), std::pair(0, 7)}) {
    rows.push_back(done({{"a", std::to_string(a)}, {"b", std::to_string(b)}}, a == 0 ? 99 : 64.0 / a));
  }
  const std::vector<Sensitivity> found = sensitivities(rows);
  CHECK(found.at(0).evidence == Evidence::kRegression);
  CHECK(found[0].elasticity == Approx(-1));
  CHECK(found.at(1).elasticity == Approx(0).margin(1e-9));
}

TEST_CASE("The bound changes somewhere between zero and a value, and no place is made up") {
  std::vector<PointRow> rows{done({{"l2.ways", "0"}}, 9, "dram"), done({{"l2.ways", "2"}}, 8, "tensor"),
                             done({{"l2.ways", "4"}}, 4, "tensor")};
  rows[0].metrics = {{"dram_pct", 90}, {"tensor_pct", 50}};
  rows[1].metrics = {{"dram_pct", 50}, {"tensor_pct", 90}};
  const std::vector<BoundCrossover> found = find_bound_crossovers(group_of(rows), rows);
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].least);
}

TEST_CASE("Words have a spread: the best and the worst") {
  const std::vector<Sensitivity> found =
      sensitivities({done({{"sm.scheduler.policy", "lrr"}}, 5), done({{"sm.scheduler.policy", "gto"}}, 4),
                     done({{"sm.scheduler.policy", "oldest"}}, 4.5)});
  CHECK(found[0].evidence == Evidence::kSpread);
  CHECK(found[0].low == "gto");
  CHECK(found[0].high == "lrr");
  CHECK(found[0].spread == Approx(1.25));
}

TEST_CASE("Points drawn at random are fitted all together") {
  std::mt19937 random(7);
  std::vector<PointRow> rows;
  for (int i = 0; i < 30; ++i) {
    const int a = 10 + static_cast<int>(random() % 1000);
    const int b = 10 + static_cast<int>(random() % 1000);
    rows.push_back(done({{"a", std::to_string(a)}, {"b", std::to_string(b)}}, std::pow(a, -0.5) * std::pow(b, 0.25)));
  }
  const std::vector<Sensitivity> found = sensitivities(rows);
  CHECK(found[0].evidence == Evidence::kRegression);
  CHECK(found[0].elasticity == Approx(-0.5));
  CHECK(found[1].elasticity == Approx(0.25));
}

TEST_CASE("Keys that were varied together are not told apart") {
  const std::vector<Sensitivity> found = sensitivities(
      {done({{"a", "1"}, {"b", "2"}}, 8), done({{"a", "2"}, {"b", "4"}}, 4), done({{"a", "4"}, {"b", "8"}}, 2)});
  CHECK(found[0].evidence == Evidence::kNone);
  CHECK(found[1].evidence == Evidence::kNone);
}

TEST_CASE("A parameter of the trace comes after what can be built") {
  std::vector<PointRow> rows;
  for (const int n : {1, 2}) {
    for (const int sms : {1, 2}) {
      rows.push_back(done({{"param.n", std::to_string(n)}, {"sm.count", std::to_string(sms)}}, 10.0 * n * n / sms));
    }
  }
  const std::vector<Sensitivity> found = sensitivities(rows);
  CHECK(found[0].dimension == 1);
  CHECK(found[1].elasticity == Approx(2));
}

TEST_CASE("Speed-up and efficiency count from the smallest value") {
  const std::vector<Scaling> found = scalings(tiring());
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].points.size() == 4);
  CHECK(found[0].points[2].speedup == Approx(3));
  CHECK(*found[0].points[2].efficiency == Approx(1));
  CHECK(found[0].points[3].speedup == Approx(12 / 3.6));
  CHECK(*found[0].points[3].efficiency == Approx(12 / 3.6 / 4));
}

TEST_CASE("The knee is where returns fall below the share for good") {
  const std::vector<Scaling> found = scalings(tiring());
  REQUIRE(found[0].knee);
  CHECK(found[0].knee->point == 2);
  CHECK(found[0].knee->elasticity_beyond == Approx(std::log(4 / 3.6) / std::log(4.0 / 3)));
  std::vector<PointRow> rows = tiring();
  rows.push_back(done({{"sm.count", "5"}}, 2.88));  // recovers: 4/5 of the time with 5/4 of the SMs
  CHECK_FALSE(scalings(rows)[0].knee);
}

TEST_CASE("A key that is better when it is less scales from its largest value down") {
  const std::vector<Scaling> found =
      scalings({done({{"l2.data_latency", "10"}}, 3), done({{"l2.data_latency", "20"}}, 4),
                done({{"l2.data_latency", "40"}}, 8)});
  REQUIRE(found[0].falls);
  CHECK(found[0].points[0].sample == 2);
  CHECK(found[0].points[1].speedup == Approx(2));
  CHECK(*found[0].points[1].efficiency == Approx(1));
  CHECK(*found[0].points[2].efficiency == Approx(8.0 / 3 / 4));
  REQUIRE(found[0].knee);
  CHECK(found[0].knee->point == 1);
}

TEST_CASE("A difference of chance does not turn a key around") {
  const std::vector<Scaling> found = scalings({done({{"sm.count", "66"}}, 1), done({{"sm.count", "132"}}, 1.02)});
  CHECK_FALSE(found[0].falls);
  CHECK(scalings({done({{"sm.count", "66"}}, 1), done({{"sm.count", "132"}}, 1.04)})[0].falls);
}

TEST_CASE("Values that go up and down by more than their ends lie apart have no trend, and turn no key around") {
  const auto scaling = [](double second, double third) {
    return scalings({done({{"sm.count", "66"}}, 1), done({{"sm.count", "88"}}, second),
                     done({{"sm.count", "110"}}, third), done({{"sm.count", "132"}}, 1.05)})[0];
  };
  const Scaling noise = scaling(1.08, 1.0);
  CHECK_FALSE(noise.has_trend);
  CHECK_FALSE(noise.falls);
  CHECK_FALSE(noise.knee);
  CHECK(noise.spread == Approx(1.08));
  CHECK(scaling(1.02, 1.04).has_trend);
  CHECK(scaling(1.02, 1.04).falls);
}

TEST_CASE("More work takes longer: there is no efficiency, and no knee") {
  const std::vector<Scaling> found = scalings({done({{"param.n", "10"}}, 1), done({{"param.n", "20"}}, 2)});
  CHECK_FALSE(found[0].falls);
  CHECK(found[0].points[1].speedup == Approx(0.5));
  CHECK_FALSE(found[0].points[1].efficiency);
  CHECK_FALSE(found[0].knee);
}

TEST_CASE("A rate scales up as it grows") {
  const std::vector<PointRow> rows = roofline_grid();
  const std::vector<Scaling> found = scalings(rows, find_metric("tflops", rows));
  REQUIRE(found.size() == 2);
  // The centre of four and three levels has 20 SMs and 2 TB/s: compute takes 60 us there, memory 30.
  CHECK(found[0].points[1].speedup == Approx(2));
  CHECK(found[0].points[2].speedup == Approx(4));
  CHECK(found[0].points[3].speedup == Approx(4));
}

TEST_CASE("The bound changes hands where the units' shares cross") {
  const std::vector<PointRow> rows = roofline_grid();
  const Group group = group_of(rows);
  const std::vector<BoundCrossover> found = find_bound_crossovers(group, rows);
  // 1200 / SMs = 60 / TB/s: at 20 SMs for 1 TB/s (where memory wins the tie), 40 for 2, 80 for 4; at half the SMs
  // compute leads by 50 points, at the crossing both are at 100.
  REQUIRE(found.size() == 5);
  CHECK(found[0].from == "tensor");
  CHECK(found[0].to == "dram");
  CHECK(group.dimensions[0].levels[found[0].low].text == "10");
  CHECK(group.dimensions[0].levels[found[0].high].text == "20");
  CHECK(found[0].slices == 1);
  CHECK(found[0].example == "dram.bandwidth=1 TB/s");
  CHECK(*found[0].least == Approx(20));
  // Along the bandwidth: with 20 SMs memory leads at 1 TB/s by nothing, compute at 2 TB/s by 50.
  CHECK(found[3].dimension == 1);
  CHECK(found[3].from == "dram");
  CHECK(found[3].to == "tensor");
  CHECK(*found[3].least == Approx(1e12));
}

TEST_CASE("A change between the same values in several slices is one, with the range of where") {
  const auto row = [](const char* sms, const char* ways, const char* bound, double tensor, double dram) {
    PointRow out = done({{"sm.count", sms}, {"l2.ways", ways}}, 1, bound);
    out.metrics = {{"tensor_share_pct", tensor}, {"dram_pct", dram}};
    return out;
  };
  const std::vector<PointRow> rows{row("1", "4", "tensor", 90, 70), row("4", "4", "dram", 60, 80),
                                   row("1", "8", "tensor", 90, 80), row("4", "8", "dram", 60, 90)};
  const Group group = group_of(rows);
  const std::vector<BoundCrossover> found = find_bound_crossovers(group, rows);
  REQUIRE(found.size() == 1);
  CHECK(found[0].slices == 2);
  // Leads +20, -20: half way of 1 .. 4 on a logarithmic scale. Leads +10, -30: a quarter of the way.
  CHECK(*found[0].most == Approx(2));
  CHECK(*found[0].least == Approx(std::sqrt(2.0)));
}

TEST_CASE("A change to latency lies where the unit falls below 60 per cent of its peak") {
  PointRow busy = done({{"sm.count", "1"}}, 1, "dram");
  PointRow idle = done({{"sm.count", "16"}}, 1, "latency");
  busy.metrics = {{"dram_pct", 80}};
  idle.metrics = {{"dram_pct", 40}};
  const std::vector<PointRow> rows{busy, idle};
  CHECK(*find_bound_crossovers(group_of(rows), rows).at(0).least == Approx(4));
}

TEST_CASE("A change whose shares are unknown or do not cross has only its interval") {
  PointRow low = done({{"sm.count", "1"}}, 1, "dram");
  PointRow high = done({{"sm.count", "2"}}, 1, "launch");
  const std::vector<PointRow> rows{low, high};
  const std::vector<BoundCrossover> found = find_bound_crossovers(group_of(rows), rows);
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].least);
}

TEST_CASE("The front holds what costs less or does better than all others") {
  const std::vector<Costed> points{{0, 5, 10}, {1, 1, 30}, {2, 3, 20}, {3, 4, 25}, {4, 6, 10}, {5, 3, 20}};
  CHECK(values_of(pareto_front(points, Metric{})) == std::vector<double>{30, 20, 20, 10});
  CHECK(values_of(pareto_front(points, Metric{"tflops", "", true})) == std::vector<double>{30});
  CHECK(pareto_front({}, Metric{}).empty());
}

TEST_CASE("No point of a front is dominated, and every other point is") {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    const Metric metric{"m", "", round % 2 == 0};
    std::vector<Costed> points;
    const std::size_t count = 1 + random() % 30;
    for (std::size_t i = 0; i < count; ++i) {
      points.push_back({i, static_cast<double>(random() % 8), static_cast<double>(random() % 8)});
    }
    const std::vector<Costed> front = pareto_front(points, metric);
    const auto dominates = [&metric](const Costed& a, const Costed& b) {
      const bool no_worse = a.cost <= b.cost && !metric.prefers(b.value, a.value);
      return no_worse && (a.cost < b.cost || metric.prefers(a.value, b.value));
    };
    for (const Costed& point : points) {
      const bool is_dominated =
          std::ranges::any_of(points, [&](const Costed& other) { return dominates(other, point); });
      const bool is_on_front = std::ranges::any_of(front, [&](const Costed& f) { return f.row == point.row; });
      CHECK(is_dominated != is_on_front);
    }
  }
}

}  // namespace gpusim::sweep

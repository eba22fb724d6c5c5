// SPDX-License-Identifier: MIT
// What holds for every study: made-up ones by the thousand, and damaged ones.
#include <algorithm>
#include <array>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include "sim/commands/sweep/study/study_file.h"
#include "sim/commands/sweep/study/where.h"
#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"

#include "tests/commands/sweep/study/support.h"

using namespace gpusim;
using namespace gpusim::sweep;
using namespace gpusim::sweep::test;

namespace {

/// Makes studies that are in order: a key, and items of values within its range.
class Maker {
 public:
  explicit Maker(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return random_() % count; }

  Study make() {
    static constexpr std::array kCombinations{Combination::kGrid, Combination::kZip, Combination::kRandom,
                                              Combination::kOneAtATime};
    Study study = test::study({}, kCombinations[below(kCombinations.size())]);
    std::vector<Row> rows(kRows.begin(), kRows.end());
    std::ranges::shuffle(rows, random_);
    rows.resize(below(4));
    for (const Row& row : rows) {
      study.axes.push_back(axis(row, study.combination == Combination::kZip));
    }
    study.random_count = study.combination == Combination::kRandom ? 1 + below(60) : 0;
    study.seed = study.random_count > 0 ? random_() : 1;
    return study;
  }

  /// Text with everything that YAML or a shell might trip over.
  std::string text() {
    static constexpr std::string_view kBites = "abcXYZ019 .,:-#'\"\\/[]{}&*!|>%@`\t\n~=?\x01\x7f";
    std::string out;
    for (std::size_t i = 1 + below(12); i > 0; --i) {
      out += kBites[below(kBites.size())];
    }
    return out;
  }

 private:
  struct Row {
    std::string_view key;
    std::uint64_t least;
    std::uint64_t most;
    std::string_view unit;
  };
  static constexpr std::array<Row, 9> kRows{{{"sm.count", 1, 1024, ""},
                                             {"l2.bytes", 1, 900, " MiB"},
                                             {"dram.bandwidth", 1, 900, " TB/s"},
                                             {"clocks.sm", 1, 9000, " MHz"},
                                             {"dram.timing.RCDRD", 1, 500, " ns"},
                                             {"sm.timing.fma.interval", 1, 1000, ""},
                                             {"launch.kernel_ns", 1, 900, " us"},
                                             {"param.seq", 1, 1'000'000, ""},
                                             {"sm.l1.hit_latency", 1, 1000, " cycles"}}};

  std::string value(const Row& row, std::uint64_t number) { return std::to_string(number) + std::string(row.unit); }

  std::string item(const Row& row, bool is_single) {
    const std::uint64_t a = row.least + below(row.most - row.least);
    const std::uint64_t b = a + below(row.most - a) + 1;
    const std::string ends = value(row, a) + ".." + value(row, std::min(b, row.most));
    const std::string count = std::to_string(2 + below(6));
    switch (is_single ? below(2) : below(6)) {
      case 0: return value(row, a);
      case 1: return std::to_string(1 + below(3)) + "." + std::to_string(below(100)) + "x";
      case 2: return ends + ":" + count;
      case 3: return ends + ":" + count + "log";
      case 4: return ends + "+" + value(row, 1 + (b - a) / (1 + below(6)));
      default: return "0.5x..3x:" + count + (below(2) == 0 ? "" : "log");
    }
  }

  Axis axis(const Row& row, bool is_zipped) {
    Axis axis{std::string(row.key), {}};
    for (std::size_t i = is_zipped ? 3 : 1 + below(3); i > 0; --i) {
      axis.items.push_back(item(row, is_zipped));
    }
    return axis;
  }

  std::mt19937 random_;
};

std::vector<Point> all_points(const Plan& plan) {
  std::vector<Point> points;
  for (std::uint64_t i = 0; i < plan.size(); ++i) {
    points.push_back(plan[i]);
  }
  return points;
}

std::size_t differences(const Point& a, const Point& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.settings.size(); ++i) {
    count += a.settings[i] == b.settings[i] ? 0 : 1;
  }
  return count;
}

/// Changes a few characters of a text that was in order.
std::string damaged(std::string text, Maker& maker) {
  static constexpr std::string_view kBites = ".:+x,log0919 []()<=>*/-MGiBnsand\"\n{}&*\xff";
  for (std::size_t i = 1 + maker.below(4); i > 0; --i) {
    const std::size_t at = maker.below(text.size() + 1);
    switch (maker.below(3)) {
      case 0: text.erase(at, maker.below(4)); break;
      case 1: text.insert(at, 1, kBites[maker.below(kBites.size())]); break;
      default: text.insert(at, text.substr(maker.below(text.size() + 1), maker.below(12)));
    }
  }
  return text;
}

}  // namespace

TEST_CASE("a study in order has as many different points as its plan says") {
  Maker maker(1);
  for (int i = 0; i < 300; ++i) {
    const Study study = maker.make();
    INFO(write_study({study, "", "", ""}));
    const std::vector<Point> points = all_points(plan(study));
    std::set<std::string> seen;
    for (const Point& point : points) {
      CHECK(point.settings.size() == study.axes.size());
      seen.insert(test::to_text(point));
    }
    CHECK(!points.empty());
    CHECK((study.combination == Combination::kZip || seen.size() == points.size()));
  }
}

TEST_CASE("one at a time, every point but the first differs from the base in one axis, and no two are equal") {
  Maker maker(2);
  for (int i = 0; i < 200; ++i) {
    Study study = maker.make();
    study.combination = Combination::kOneAtATime;
    study.random_count = 0;
    const std::vector<Point> points = all_points(plan(study));
    CHECK(overrides_of(study, points.front()).empty());
    for (std::size_t k = 1; k < points.size(); ++k) {
      INFO(test::to_text(points[k]));
      CHECK(differences(points.front(), points[k]) == 1);
    }
  }
}

TEST_CASE("a random sample is a part of the grid") {
  Maker maker(3);
  for (int i = 0; i < 100; ++i) {
    Study study = maker.make();
    study.combination = Combination::kGrid;
    study.random_count = 0;
    const std::vector<Point> grid = all_points(plan(study));
    study.combination = Combination::kRandom;
    study.random_count = 5;
    const std::vector<Point> sample = all_points(plan(study));
    CHECK(sample.size() == std::min<std::size_t>(5, grid.size()));
    for (const Point& point : sample) {
      CHECK(std::ranges::find(grid, point) != grid.end());
    }
  }
}

TEST_CASE("every computed value is one that its key reads, between the ends of its range and in order") {
  Maker maker(4);
  for (int i = 0; i < 400; ++i) {
    const Study made = maker.make();
    for (const Axis& axis : made.axes) {
      Study study = test::study({});
      study.axes = {{axis.key, {axis.items.front()}}};
      const std::optional<std::size_t> key = arch::find_key(axis.key);
      double last = 0;
      for (const Point& point : all_points(plan(study))) {
        const std::string& text = point.settings.front().text;
        INFO(axis.key << "=" << axis.items.front() << ": " << text);
        // A factor of the base may leave the range, which the point then says.
        const arch::ParsedValue parsed = key ? arch::parse_value(arch::schema()[*key], text) : arch::ParsedValue();
        CHECK((parsed.error.empty() || parsed.error.ends_with("is out of range")));
        const double value = parsed.value.number.value();
        CHECK((value == 0 || value > last));
        last = value;
      }
    }
  }
}

TEST_CASE("writing a study and reading it back changes nothing") {
  Maker maker(5);
  for (int i = 0; i < 300; ++i) {
    StudyFile file{maker.make(), maker.text(), "7", "sm.count * 2 + price.usd_per_hour"};
    file.study.archs = {maker.text(), maker.text()};
    file.study.traces = {maker.text()};
    file.study.set = {"name=" + maker.text(), "description=" + maker.text()};
    file.study.param = {"batch=-7"};
    file.study.kernel = "^a{2,3}|\\.[b\"'#: ]$";
    file.study.where = {"sm.count > 1", "param.seq * 2 < 8 or not l2.bytes == 1 GiB"};
    const std::string text = write_study(file);
    INFO(text);
    CHECK(parse_study(text, "s.yaml") == file);
  }
}

TEST_CASE("a damaged axis is expanded or refused with problems, and nothing else happens") {
  Maker maker(6);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    Study study = maker.make();
    study.combination = Combination::kGrid;
    study.random_count = 0;
    for (Axis& axis : study.axes) {
      axis.items.front() = damaged(axis.items.front(), maker);
    }
    INFO(write_study({study, "", "", ""}));
    refused += input_error_of([&] {
                 const Plan all = plan(study);
                 if (all.size() <= kMostPoints) {
                   (void)overrides_of(study, all[all.size() - 1]);
                 }
               }).empty()
                   ? 0
                   : 1;
  }
  CHECK(refused > 1000);
  CHECK(refused < 2900);
}

TEST_CASE("a damaged condition has an answer or is refused with problems, and nothing else happens") {
  Maker maker(7);
  for (int i = 0; i < 2000; ++i) {
    Study study;
    study.where = {damaged("not (sm.count * l2.bytes <= 8 GiB or param.seq > 4 and clocks.sm < 1.5 GHz)", maker)};
    INFO(study.where.front());
    (void)input_error_of([&] { (void)conditions(study).front().holds(h100(), parameters()); });
  }
}

TEST_CASE("a damaged study file is read or refused with problems, and nothing else happens") {
  Maker maker(8);
  for (int i = 0; i < 1000; ++i) {
    StudyFile file{maker.make(), "a.db", "", ""};
    file.study.set = {"l2.model=ideal"};
    file.study.where = {"sm.count > 1"};
    const std::string text = damaged(write_study(file), maker);
    INFO(text);
    (void)input_error_of([&] { (void)parse_study(text, "s.yaml"); });
  }
}

// SPDX-License-Identifier: MIT
// Scripts and data for gnuplot, as text; the app's tests run gnuplot on them.
#include "sim/commands/sweep/analysis/pictures.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include <catch2/catch.hpp>

#include "sim/commands/sweep/analysis/gnuplot.h"

#include "tests/commands/sweep/analysis/rows.h"
#include "tests/support/golden.h"

namespace gpusim::sweep {
namespace {

std::vector<Picture> pictures_of(const std::vector<PointRow>& rows, const std::string& cost = "") {
  Question question;
  question.cost = cost;
  return make_pictures(analyse(rows, question)).drawn;
}

/// All that follows "title " in a script.
std::vector<std::string> titles_of(const std::string& script) {
  std::vector<std::string> titles;
  constexpr std::string_view kBefore = " title '";
  for (std::size_t at = script.find(kBefore); at != std::string::npos; at = script.find(kBefore, at + 1)) {
    const std::size_t begin = at + kBefore.size();
    titles.push_back(script.substr(begin, script.find('\'', begin) - begin));
  }
  return titles;
}

}  // namespace

TEST_CASE("A grid gives a curve for each key, a map, and with a cost a front") {
  for (const Picture& picture : pictures_of(roofline_grid(), "sm.count")) {
    const std::string path = "tests/commands/sweep/analysis/golden/" + picture.name;
    CHECK(picture.script == golden(path + ".gp", picture.script));
    CHECK(picture.data == golden(path + ".dat", picture.data));
  }
  CHECK(pictures_of(roofline_grid(), "sm.count").size() == 4);
  CHECK(pictures_of(roofline_grid()).size() == 3);
}

TEST_CASE("A single point has no pictures, and one key no map") {
  CHECK(pictures_of({done({}, 1)}).empty());
  CHECK(pictures_of({done({{"a", "1"}}, 1), done({{"a", "2"}}, 2)}).size() == 1);
}

TEST_CASE("An axis with a zero is not logarithmic, however wide it is") {
  const std::vector<Picture> pictures =
      pictures_of({done({{"a", "0"}}, 9), done({{"a", "1"}}, 4), done({{"a", "64"}}, 2)});
  REQUIRE(pictures.size() == 1);
  CHECK_THAT(pictures[0].script, Catch::Contains("what a buys") && !Catch::Contains("logscale"));
  CHECK_THAT(pictures[0].data, Catch::StartsWith("0,1,"));
}

TEST_CASE(
    "The key of a front has no more and no longer titles than there is room for; names of keys then stand above") {
  std::vector<PointRow> rows;
  for (int i = 1; i <= 40; ++i) {
    const std::string value = std::to_string(i);
    rows.push_back(
        done({{"sm.timing.hmma_16816_f32.interval", value}, {"sm.timing.mufu.interval", value}, {"x", value}},
             100.0 / i, i % 2 == 0 ? "dram" : std::string(60, 'b')));
  }
  const Picture front = pictures_of(rows, "x").back();
  REQUIRE(front.name == "pareto-saxpy");
  const std::vector<std::string> titles = titles_of(front.script);
  CHECK(titles.size() == 2 + 1 + 12);
  for (const std::string& title : titles) {
    CHECK(title.size() <= kMostKeyLetters);
  }
  CHECK_THAT(front.script,
             Catch::Contains("set label 3 'numbers: sm.timing.hmma_16816_f32.interval / sm.timing.mufu.interval / x'"));
}

TEST_CASE("Equal points of a front are numbered once, and numbers that would lie on each other share a label") {
  std::vector<PointRow> rows{done({{"a", "1"}, {"b", "1"}}, 100), done({{"a", "1"}, {"b", "2"}}, 100)};
  rows.push_back(done({{"a", "50"}, {"b", "1"}}, 10));
  rows.push_back(done({{"a", "50.1"}, {"b", "1"}}, 9.9));
  rows.push_back(done({{"a", "100"}, {"b", "1"}}, 1));
  const Picture front = pictures_of(rows, "a").back();
  CHECK_THAT(front.script, Catch::Contains("title '1: 1 / 1 (2 equal)'") && Catch::Contains("title '2: 50 / 1'"));
  CHECK_THAT(front.data, Catch::EndsWith("1,100,\"1\"\n50,10,\"2, 3\"\n100,1,\"4\"\n"));
}

TEST_CASE("Ticks that would touch their neighbours have no text") {
  std::vector<PointRow> rows;
  for (int i = 1; i <= 40; i += 3) {
    rows.push_back(done({{"sm.count", std::to_string(i)}}, 100.0 / i));
  }
  CHECK_THAT(pictures_of(rows).front().script,
             Catch::Contains("'1' 1, '4' 4, '7' 7, '10' 10") && Catch::Contains("'' 34, '' 37, '40' 40)"));
}

TEST_CASE("A colour bar with long numbers has room for its title") {
  const auto map_of = [](double slowest) {
    std::vector<PointRow> rows;
    for (const auto& [a, b, time] :
         {std::tuple("1", "1", slowest), {"2", "1", 100.1}, {"1", "2", 100.1}, {"2", "2", 100.0}}) {
      rows.push_back(done({{"a", a}, {"b", b}}, time));
    }
    return pictures_of(rows).back().script;
  };
  CHECK_THAT(map_of(100.2), Catch::Contains("set rmargin"));
  CHECK_THAT(map_of(300), !Catch::Contains("set rmargin"));
}

TEST_CASE("Among points here and there only lines of several are drawn, the one through the centre among them") {
  std::vector<PointRow> rows;
  for (int i = 1; i <= 20; ++i) {
    const std::string value = std::to_string(i);
    rows.push_back(done({{"a", value}, {"b", value}, {"c", value}}, 100 + i));
  }
  rows.push_back(done({{"a", "6"}, {"b", "5"}, {"c", "6"}}, 50));
  rows.push_back(done({{"a", "5"}, {"b", "6"}, {"c", "6"}}, 50));
  const std::vector<Picture> pictures = pictures_of(rows);
  CHECK(pictures.size() == 3);
  for (const Picture& picture : pictures) {
    CHECK_THAT(picture.script, Catch::Contains("\nplot '" + picture.name + ".dat'"));
  }
}

TEST_CASE("What is not drawn is told, and why") {
  std::vector<PointRow> rows;
  for (const char* value : {"1", "2"}) {
    for (const char* policy : {"gto", "lrr"}) {
      rows.push_back(done({{"a", value}, {"policy", policy}}, 1));
    }
  }
  CHECK(make_pictures(analyse(rows, {})).left_out ==
        std::vector<std::string>{"policy of saxpy on h100 (its values are not numbers above 0)"});
  rows.clear();
  for (int i = 1; i <= 8; ++i) {
    for (int k = 1; k <= 2; ++k) {
      rows.push_back(done({{"a", std::to_string(i)}, {"b", std::to_string(k)}}, 10.0 / (i + 5 * k)));
    }
  }
  CHECK(make_pictures(analyse(rows, {})).left_out ==
        std::vector<std::string>{"2 of the 8 lines of a in scaling-saxpy-h100-b"});
  CHECK(make_pictures(analyse(std::vector{done({}, 1)}, {})).left_out ==
        std::vector<std::string>{"saxpy on h100 (nothing varies in it)"});
}

TEST_CASE("Several GPUs without costs are compared as bars, the best first") {
  std::vector<PointRow> rows{done({}, 4), done({}, 3, "tensor")};
  rows[1].arch = "a100";
  const Pictures pictures = make_pictures(analyse(rows, {}));
  CHECK(pictures.left_out.empty());
  REQUIRE(pictures.drawn.size() == 1);
  CHECK(pictures.drawn[0].name == "parts-saxpy");
  CHECK(pictures.drawn[0].data == "4,1,4\n\n\n3,0,3\n");
  CHECK_THAT(pictures.drawn[0].script, Catch::Contains("set ytics ('a100' 0, 'h100' 1)"));
}

TEST_CASE("A text of the user stays within its quotes") {
  CHECK(script_text("it's") == "'it''s'");
  CHECK(script_text("a\nb`c`") == "'a?b`c`'");
  CHECK(data_cell("a,b\"c#\n") == "a b'c ?");
  CHECK(data_cell("").size() == 1);
}

TEST_CASE("Names of files are harmless, and no two are equal") {
  CHECK(file_stem("../../etc/passwd") == "_.._.._etc_passwd");
  CHECK(file_stem("a b'c|d") == "a_b_c_d");
  CHECK(file_stem("").size() == 1);
  CHECK(file_stem(std::string(500, 'x')).size() == 100);
  std::vector<PointRow> rows;
  for (const char* trace : {"my trace", "my_trace", "my/trace"}) {
    for (const char* value : {"1", "2"}) {
      rows.push_back(done({{"a", value}}, 1));
      rows.back().trace = trace;
    }
  }
  std::set<std::string> names;
  for (const Picture& picture : pictures_of(rows)) {
    names.insert(picture.name);
    CHECK_THAT(picture.script, Catch::Contains("set output '" + picture.name + ".svg'"));
  }
  CHECK(names ==
        std::set<std::string>{"scaling-my_trace-h100-a", "scaling-my_trace-h100-a-2", "scaling-my_trace-h100-a-3"});
}

TEST_CASE("Parameters of the trace cost time, and are drawn so") {
  const std::vector<Picture> pictures =
      pictures_of({done({{"param.n", "1"}}, 1), done({{"param.n", "2"}}, 4), done({{"param.n", "4"}}, 16)});
  REQUIRE(pictures.size() == 1);
  CHECK_THAT(pictures[0].script, Catch::Contains("what more param.n costs") && Catch::Contains("set ylabel 'time_us'"));
  CHECK_THAT(pictures[0].data, Catch::Contains("4,16,"));
}

}  // namespace gpusim::sweep

// SPDX-License-Identifier: MIT
// Scripts and data for gnuplot, as text; the app's tests run gnuplot on them.
#include "sim/sweep/answer/pictures.h"

#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include "sim/sweep/answer/gnuplot.h"

#include "tests/support/golden.h"
#include "tests/sweep/answer/rows.h"

namespace gpusim::sweep {
namespace {

std::vector<Picture> pictures_of(const std::vector<PointRow>& rows, const std::string& cost = "") {
  Question question;
  question.cost = cost;
  return make_pictures(answer(rows, question));
}

}  // namespace

TEST_CASE("A grid gives a curve for each key, a map, and with a cost a front") {
  for (const Picture& picture : pictures_of(roofline_grid(), "sm.count")) {
    const std::string path = "tests/sweep/answer/golden/" + picture.name;
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

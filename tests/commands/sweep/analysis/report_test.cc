// SPDX-License-Identifier: MIT
#include <algorithm>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/commands/sweep/analysis/analysis.h"

#include "tests/commands/sweep/analysis/rows.h"
#include "tests/support/golden.h"

namespace gpusim::sweep {
namespace {

using Json = nlohmann::json;

/// The grid, a failure, a skipped point.
std::vector<PointRow> sample() {
  std::vector<PointRow> rows = roofline_grid();
  rows.push_back(lost(kFailed, "l2.bytes leaves no whole set", {{"sm.count", "160"}, {"dram.bandwidth", "1 TB/s"}}));
  rows.push_back(lost(kFailed, "l2.bytes leaves no whole set", {{"sm.count", "160"}, {"dram.bandwidth", "2 TB/s"}}));
  rows.push_back(lost(kSkipped, "--where sm.count < 200", {{"sm.count", "320"}, {"dram.bandwidth", "1 TB/s"}}));
  return rows;
}

Question with_cost() {
  Question question;
  question.cost = "sm.count + 10 * dram.bandwidth / 1 TB/s";
  question.top = 3;
  return question;
}

std::vector<PointRow> three_gpus() {
  std::vector<PointRow> rows{done({}, 10), done({}, 20, "tensor"), done({}, 15)};
  rows[1].arch = "a100";
  rows[2].arch = "l4";
  return rows;
}

Question with_prices() {
  Question question;
  question.cost = "price.usd_per_hour";
  question.source.find = [](const PointRow& row, const std::string&) -> std::optional<std::string> {
    return row.arch == "h100"   ? std::optional<std::string>("4")
           : row.arch == "a100" ? std::optional<std::string>("1")
                                : std::nullopt;
  };
  return question;
}

}  // namespace

TEST_CASE("The text report on a grid with a cost") {
  const std::vector<PointRow> rows = sample();
  const std::string text = to_text(analyse(rows, with_cost()), layout::Look{});
  CHECK(text == golden("tests/commands/sweep/analysis/golden/grid.txt", text));
}

TEST_CASE("The text report on GPUs that are compared") {
  const std::vector<PointRow> rows = three_gpus();
  const std::string text = to_text(analyse(rows, with_prices()), layout::Look{});
  CHECK(text == golden("tests/commands/sweep/analysis/golden/parts.txt", text));
}

TEST_CASE("A page's table has a column for each varied key, in numbers of one unit") {
  const std::vector<PointRow> rows{done({{"sm.count", "10"}, {"l2.bytes", "1 MiB"}, {"sm.scheduler", "gto"}}, 5),
                                   done({{"sm.count", "10"}, {"l2.bytes", "512 KiB"}, {"sm.scheduler", "lrr"}}, 7)};
  const Json page = Json::parse(to_page_table(analyse(rows, {})));
  CHECK(page["title"] == "2 finished points of saxpy on h100");
  CHECK(page["axes"] == Json::parse(R"(["l2.bytes [MiB]", "sm.scheduler"])"));
  CHECK(page["columns"] == Json::parse(R"(["l2.bytes [MiB]", "sm.scheduler", "time_us", "relative to the best", "bound",
          "cycles"])"));
  CHECK(page["rows"] ==
        Json::parse(R"([[1.0, "gto", 5.0, 1.0, "dram", 5000.0], [0.5, "lrr", 7.0, 1.4, "dram", 7000.0]])"));
  CHECK(page["note"] == "2 points: 2 done. Judged by time_us: less is better.");
  CHECK(page["metrics"] == Json::parse(R"(["time_us"])"));
}

TEST_CASE("A page's table says which points are on the Pareto front, and why others have no result") {
  const std::vector<PointRow> rows = sample();
  const Json page = Json::parse(to_page_table(analyse(rows, with_cost())));
  const auto cell = [&page](std::size_t row, const std::string& name) {
    const auto& columns = page["columns"];
    return page["rows"][row][std::find(columns.begin(), columns.end(), name) - columns.begin()];
  };
  CHECK(cell(0, "on the Pareto front") == "yes");
  CHECK(cell(2, "on the Pareto front") == "no");
  CHECK(cell(0, "cost") == 20);
  CHECK(cell(12, "time_us").is_null());
  CHECK(cell(12, "status") == "failed");
  CHECK(cell(12, "reason") == "l2.bytes leaves no whole set");
}

namespace {

/// What stands between a title and the next one, of the page's table of that title.
const Json& table_of(const Json& page, const std::string& title) {
  const Json& tables = page["tables"];
  const auto found = std::ranges::find_if(tables, [&title](const Json& table) { return table["title"] == title; });
  REQUIRE(found != tables.end());
  return *found;
}

}  // namespace

TEST_CASE("A page tells what the text tells: each heading, sentence and number") {
  const std::vector<PointRow> rows = sample();
  const Analysis analysis = analyse(rows, with_cost());
  const Json page = Json::parse(to_page_table(analysis));
  const std::string text = to_text(analysis, layout::Look{.width = 1000});
  CHECK(page["note"] == "15 points: 12 done, 2 failed, 1 skipped. Judged by time_us: less is better.");
  std::vector<std::string> titles;
  for (const Json& table : page["tables"]) {
    titles.push_back(table["title"]);
    CHECK_THAT(text, Catch::Contains(titles.back()));
    for (const Json& row : table["rows"]) {
      CHECK(row.size() == table["columns"].size());
      CHECK(row.size() == table["align"].get<std::string>().size());
    }
  }
  CHECK(titles == std::vector<std::string>{"Without a result", "Best points", "Worth their cost", "What buys most",
                                           "Scaling with sm.count", "Scaling with dram.bandwidth",
                                           "Where the bound changes"});
  CHECK(table_of(page, "Without a result")["rows"][0] ==
        Json::array({"2", "failed", "l2.bytes leaves no whole set",
                     "sm.count=160, dram.bandwidth=1 TB/s (saxpy on h100); "
                     "sm.count=160, dram.bandwidth=2 TB/s (saxpy on h100)"}));
  CHECK(table_of(page, "Best points")["rows"][0] ==
        Json::parse(R"(["1", "80", "4 TB/s", "15", "1.000", "dram", "120"])"));
  const Json& buys = table_of(page, "What buys most");
  CHECK_THAT(buys["before"][0].get<std::string>(), Catch::StartsWith("One key at a time, the others as in sm.count="));
  CHECK(buys["columns"][4] == "fit error");
}

TEST_CASE("Equal points of a page share their rank") {
  const std::vector<PointRow> rows{done({{"a", "1"}}, 5), done({{"a", "2"}}, 3), done({{"a", "3"}}, 3)};
  const Json page = Json::parse(to_page_table(analyse(rows, {})));
  const Json& best = table_of(page, "Best points")["rows"];
  CHECK(best[0][0] == "1");
  CHECK(best[1][0] == "1");
  CHECK(best[2][0] == "3");
  CHECK(best[2][3] == "1.667");
}

TEST_CASE("A page names the point of each trace and GPU that its curves go through") {
  const std::vector<PointRow> rows = sample();
  const Analysis analysis = analyse(rows, {});
  const Json page = Json::parse(to_page_table(analysis));
  const GroupAnalysis& group = analysis.groups.at(0);
  CHECK(page["middles"] == Json::array({group.group.samples.at(group.centre).row}));
}

TEST_CASE("A page folds those of many scaling curves that matter less") {
  TextPairs base;
  for (const char* key : {"a", "b", "c", "d", "e"}) {
    base.emplace_back(key, "10");
  }
  std::vector<PointRow> rows{done(base, 10)};
  for (std::size_t i = 0; i < base.size(); ++i) {
    TextPairs other = base;
    other[i].second = "20";
    rows.push_back(done(other, 9 - static_cast<double>(i)));
  }
  const Json page = Json::parse(to_page_table(analyse(rows, {})));
  std::vector<bool> folded;
  for (const Json& table : page["tables"]) {
    if (table["title"].get<std::string>().starts_with("Scaling")) {
      folded.push_back(table["folded"]);
    }
  }
  CHECK(folded == std::vector<bool>{false, false, false, false, true});
}

TEST_CASE("A page's table of GPUs that are compared has their names as an axis") {
  const std::vector<PointRow> rows = three_gpus();
  const Json page = Json::parse(to_page_table(analyse(rows, with_prices())));
  CHECK(page["axes"] == Json::parse(R"(["arch"])"));
  CHECK(page["rows"][1][0] == "a100");
  CHECK(page["columns"][5] == "on the Pareto front");
  CHECK(page["rows"][2][5] == "no");
}

TEST_CASE("Best points come first, and equal ones in the order of the study") {
  const std::vector<PointRow> rows{done({{"a", "1"}}, 5), done({{"a", "2"}}, 3), done({{"a", "3"}}, 3)};
  CHECK(analyse(rows, {}).traces.at(0).order == std::vector<std::size_t>{1, 2, 0});
  CHECK_THAT(to_text(analyse(rows, {}), layout::Look{}), Catch::Contains("  1  2        3     1.000") &&
                                                             Catch::Contains("  1  3        3     1.000") &&
                                                             Catch::Contains("  3  1        5     1.667"));
}

TEST_CASE("GPUs are ranked by the metric, with what a run costs beside it") {
  const std::vector<PointRow> rows = three_gpus();
  const Analysis analysis = analyse(rows, with_prices());
  const std::vector<RankedGpu>& gpus = analysis.traces.at(0).gpus;
  REQUIRE(gpus.size() == 3);
  CHECK(gpus[0].row == 0);
  CHECK(gpus[1].row == 2);
  CHECK_FALSE(gpus[1].cost);
  CHECK(gpus[2].row == 1);
  CHECK(analysis.traces[0].front.size() == 2);
  REQUIRE(analysis.without_cost.size() == 1);
  CHECK(analysis.without_cost[0].arch == "l4");
  CHECK(analysis.without_cost[0].key == "price.usd_per_hour");
}

TEST_CASE("What a run costs is not put in relation to a run that costs nothing") {
  const std::vector<PointRow> rows = three_gpus();
  Question question;
  question.cost = "time_us - 10";
  const Analysis analysis = analyse(rows, question);
  const std::vector<RankedGpu>& gpus = analysis.traces.at(0).gpus;
  CHECK(gpus.at(0).spent_rank == 1);
  CHECK_FALSE(gpus[0].spent_relative);
  CHECK_FALSE(gpus[1].spent_relative);
  CHECK_THAT(to_text(analysis, layout::Look{}), !Catch::Contains("nan") && !Catch::Contains("inf"));
}

TEST_CASE("Points whose cost is not finite are named with the reason") {
  const std::vector<PointRow> rows{done({{"a", "0"}}, 5), done({{"a", "1"}}, 4), done({{"a", "2"}}, 3)};
  Question question;
  question.cost = "1 / a";
  const Analysis analysis = analyse(rows, question);
  CHECK_THAT(to_text(analysis, layout::Look{}),
             Catch::Contains("The cost of 1 point of h100 is not finite, such as that of a=0 (saxpy on h100)."));
  CHECK(Json::parse(to_json(analysis))["without_cost"] ==
        Json::parse(R"([{"arch": "h100", "key": null, "points": [0]}])"));
}

TEST_CASE("Points that another program computed are said to be left out") {
  const std::vector<PointRow> rows{done({}, 1)};
  Question question;
  question.other_programs = 3;
  CHECK_THAT(to_text(analyse(rows, question), layout::Look{}),
             Catch::Contains("3 points that another version of gpusim computed are left out"));
  CHECK(Json::parse(to_json(analyse(rows, question)))["other_programs"] == 3);
}

TEST_CASE("JSON counts the points of each group, and what a run on a GPU costs") {
  std::vector<PointRow> rows = three_gpus();
  rows.push_back(done({}, 0));
  rows.push_back(done({}, 12));
  const Json json = Json::parse(to_json(analyse(rows, with_prices())));
  CHECK(json["groups"][0] ==
        Json::parse(R"({"trace": "saxpy", "arch": "h100", "points": 1, "hidden": 1, "unusable": 1})"));
  const Json& gpus = json["best"][0]["parts"];
  CHECK(gpus[0]["cost_x_time"] == 40);
  CHECK(gpus[0]["cost_x_time_relative"] == 2);
  CHECK(gpus[0]["cost_x_time_rank"] == 2);
  CHECK(gpus[1]["cost_x_time"].is_null());
  CHECK(gpus[1]["cost_x_time_rank"].is_null());
  CHECK(gpus[2]["cost_x_time_rank"] == 1);
}

TEST_CASE("A curve that begins at zero has its returns from the first value above it") {
  const std::vector<PointRow> rows{done({{"a", "0"}}, 9), done({{"a", "1"}}, 8), done({{"a", "64"}}, 7)};
  CHECK_THAT(to_text(analyse(rows, {}), layout::Look{}),
             Catch::Contains("Knee at 1: beyond it") && !Catch::Contains("inf"));
}

TEST_CASE("JSON has every point, and findings that refer to them") {
  const std::vector<PointRow> rows = sample();
  const Json json = Json::parse(to_json(analyse(rows, with_cost())));
  CHECK(json["schema"] == "gpusim.sweep/1");
  CHECK(json["done"] == 12);
  CHECK(json["failed"] == 2);
  CHECK(json["skipped"] == 1);
  REQUIRE(json["points"].size() == 15);
  CHECK(json["points"][0] == Json::parse(R"({"trace": "saxpy", "arch": "h100", "status": "done", "cycles": 120000,
      "parameters": {"sm.count": "10", "dram.bandwidth": "1 TB/s"}, "time_us": 120.0, "bound": "tensor",
      "metrics": {"tensor_share_pct": 100.0, "dram_pct": 50.0, "tflops": 7.5}, "cost": 20.0,
      "derived": {}, "key": null})"));
  CHECK(json["points"][14]["reason"] == "--where sm.count < 200");
  CHECK_FALSE(json["points"][14].contains("time_us"));
  CHECK(json["best"][0]["points"] == Json({11, 7, 8}));
  CHECK(json["sensitivity"].size() == 2);
  CHECK(json["scaling"][0]["points"].size() == 4);
  CHECK(json["bound_crossovers"][0]["from"] == "tensor");
  CHECK(json["pareto"][0]["points"][0]["point"] == 0);
  CHECK(json["centres"][0]["point"] == 4);
}

TEST_CASE("JSON survives names that are not UTF-8") {
  std::vector<PointRow> rows{done({{"a\xff", "\xfe"}}, 1)};
  rows[0].arch = "\xff";
  CHECK(Json::parse(to_json(analyse(rows, {})))["points"].size() == 1);
}

TEST_CASE("CSV is one line per point, with quotes where a cell needs them") {
  std::vector<PointRow> rows{done({{"sm.count", "8"}}, 1.5), lost(kFailed, "no \"sets\", sorry", {{"l2.ways", "3"}})};
  rows[0].metrics = {{"tflops", 2.25}};
  Question question;
  question.cost = "sm.count * 2";
  CHECK(to_csv(analyse(rows, question)) ==
        "trace,arch,sm.count,l2.ways,status,bound,cycles,time_us,tflops,cost,reason,key\n"
        "saxpy,h100,8,,done,dram,1500,1.5,2.25,16,,\n"
        "saxpy,h100,,3,failed,,,,,,\"no \"\"sets\"\", sorry\",\n");
}

TEST_CASE("Nothing stored, nothing finished and a single point are answered too") {
  const std::vector<PointRow> none;
  const std::vector<PointRow> unfinished{lost(kFailed, "why", {{"a", "1"}})};
  const std::vector<PointRow> one{done({}, 1)};
  CHECK_THAT(to_text(analyse(none, {}), layout::Look{}), Catch::StartsWith("0 points: 0 done."));
  CHECK_THAT(to_text(analyse(unfinished, {}), layout::Look{}), Catch::Contains("1 failed: why"));
  CHECK_THAT(to_text(analyse(one, {}), layout::Look{}), Catch::Contains("Best points"));
  CHECK(Json::parse(to_json(analyse(none, {})))["points"].empty());
}

}  // namespace gpusim::sweep

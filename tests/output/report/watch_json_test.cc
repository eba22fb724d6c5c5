// SPDX-License-Identifier: MIT
// The recorded intervals in the JSON of a result.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/problem.h"
#include "sim/output/report/report.h"

#include "tests/output/report/sample.h"

namespace watch_json_test {

using namespace gpusim;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

stats::Result watched_result() {
  stats::Result result = report::sample_result();
  result.watch = report::sample_watch();
  return result;
}

json json_of(const stats::Result& result) {
  return json::parse(report::to_json(result));
}

std::string message_of(const json& root) {
  try {
    (void)report::parse_json(root.dump(), "saved.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the JSON of a watched run has one row per interval") {
  const json watch = json_of(watched_result())["watch"];
  CHECK(watch["columns"] == json({"kernel", "sm", "sub_core", "warp_slot", "cta", "warp", "begin", "end", "state",
                                  "index", "lanes", "lanes_on", "producer"}));
  REQUIRE(watch["rows"].size() == report::sample_watch().size());
  CHECK(watch["rows"][0] == json({0, 0, 3, 3, 0, 3, 104, 105, "selected", 0, 4294967295U, 4294967295U, nullptr}));
  CHECK(watch["rows"][5] == json({0, 0, 3, 3, 0, 3, 112, 133, "long_scoreboard", 3, 4294967295U, 4294901760U, 1}));
}

TEST_CASE("a run that was not watched has no intervals in its JSON") {
  CHECK_FALSE(json_of(report::sample_result()).contains("watch"));
}

TEST_CASE("recorded intervals are read back as they were") {
  const std::string text = report::to_json(watched_result());
  const stats::Result again = report::parse_json(text, "saved.json");
  CHECK(again.watch.size() == report::sample_watch().size());
  CHECK(report::to_json(again) == text);
}

TEST_CASE("a run that stopped after its watch says so, and is read back so") {
  stats::Result result = watched_result();
  CHECK_FALSE(json_of(result).contains("stopped_after_watch"));
  result.complete = false;
  result.stopped_after_watch = true;
  CHECK(json_of(result)["stopped_after_watch"] == true);
  CHECK(report::parse_json(report::to_json(result), "saved.json").stopped_after_watch);
}

TEST_CASE("columns of a watch may stand elsewhere, and there may be more") {
  json root = json_of(watched_result());
  json& watch = root["watch"];
  watch["columns"].insert(watch["columns"].begin(), "colour");
  for (json& row : watch["rows"]) {
    row.insert(row.begin(), "red");
  }
  CHECK(report::parse_json(root.dump(), "saved.json").watch.size() == report::sample_watch().size());
}

TEST_CASE("a damaged watch is refused with the row and what is wrong there") {
  struct Damage {
    std::size_t column;
    json value;
    std::string message;
  };
  const json good = json_of(watched_result());
  for (const auto& [column, value, message] : {
           Damage{0, 1, "'kernel' is not below the number of kernels"},
           Damage{1, 4294967296, "'sm' is not a whole number, or too large"},
           Damage{6, -1, "'begin' is not a whole number, or too large"},
           Damage{7, 100, "'end' is not behind 'begin'"},
           Damage{8, "snoozing", "'state' is not a warp state"},
           Damage{9, 1000, "'index' is not below the number of instructions"},
           Damage{12, 1000, "'producer' is not below the number of instructions"},
           Damage{12, "x", "'producer' is not below the number of instructions"},
           Damage{6, 100, "is not behind the row before it"},
       }) {
    json root = good;
    root["watch"]["rows"][3][column] = value;
    INFO(message);
    CHECK_THAT(message_of(root), Contains("'watch.rows[3]'") && Contains(message));
  }
  json short_row = good;
  short_row["watch"]["rows"][2].erase(0);
  CHECK_THAT(message_of(short_row), Contains("'watch.rows[2]': is not a list with a value for each column"));
  json no_state = good;
  no_state["watch"]["columns"][8] = "mood";
  CHECK_THAT(message_of(no_state), Contains("'watch.columns': lacks 'state'"));
  json no_rows = good;
  no_rows["watch"].erase("rows");
  CHECK_THAT(message_of(no_rows), Contains("'watch': has no lists 'columns' and 'rows'"));
}

TEST_CASE("a watch with more rows than a recording can have is refused") {
  json root = json_of(watched_result());
  json rows = json::array();
  rows.get_ref<json::array_t&>().resize(stats::kMostWatchIntervals + 1);
  root["watch"]["rows"] = std::move(rows);
  CHECK_THAT(message_of(root), Contains("'watch.rows': are more than 1,000,000"));
}

}  // namespace watch_json_test

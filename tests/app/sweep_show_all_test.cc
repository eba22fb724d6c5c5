// SPDX-License-Identifier: MIT
// gpusim sweep show --study all: points of studies that fixed different things.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/commands/sweep/run/model_version.h"
#include "sim/commands/sweep/store/store.h"

#include "tests/app/program.h"
#include "tests/commands/sweep/analysis/rows.h"

namespace gpusim::app::sweep_show_all_test {
namespace {

using sweep::done;
using sweep::PointRow;
using Json = nlohmann::json;

/// Stores a study whose points are numbered keys; what all studies here say alike is added to `text`.
void store_study(const Workshop& workshop, const std::string& text, std::vector<PointRow> rows,
                 const std::string& program = "test") {
  sweep::Store store(workshop.folder() / "points.db", sweep::Store::Access::kWrite);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].key.empty()) {
      rows[i].key = text + program + std::to_string(i);
    }
    store.put(rows[i], "{}", program);
  }
  store.record({"", "arch: [h100]\ntrace: [saxpy]\n" + text, std::move(rows)});
}

Json show_all(const Workshop& workshop, const std::string& options = "") {
  return Json::parse(workshop.run("sweep show --db points.db --study all --format json " + options).out);
}

/// The values of a curve, with the metric at each: {"25 MiB": 3.0, ...}.
Json curve(const Json& json, const std::string& key) {
  Json out = Json::object();
  for (const Json& scaling : json["scaling"]) {
    for (const Json& point : scaling["points"]) {
      if (scaling["key"] == key) {
        out[point["value"].get<std::string>()] = point["metric"];
      }
    }
  }
  return out;
}

}  // namespace

TEST_CASE("Across all studies, what one fixed and another varied is one curve with the values that were run") {
  const Workshop workshop;
  store_study(workshop, "set: {l2.bytes: 6400KiB}\n", {done({}, 9)});
  store_study(workshop, "vary: {l2.bytes: [1x, 2x]}\n",
              {done({{"l2.bytes", "50 MiB"}}, 5), done({{"l2.bytes", "100 MiB"}}, 4)});
  const Json json = show_all(workshop);
  CHECK(curve(json, "l2.bytes") == Json::parse(R"({"6400KiB": 9.0, "50 MiB": 5.0, "100 MiB": 4.0})"));
  CHECK(json["groups"][0]["hidden"] == 0);
}

TEST_CASE("Across all studies, parameters that one fixed and another varied are one curve") {
  const Workshop workshop;
  store_study(workshop, "param: {n: 1024}\n", {done({}, 1)});
  store_study(workshop, "vary: {param.n: [2048, 4096]}\n",
              {done({{"param.n", "2048"}}, 2), done({{"param.n", "4096"}}, 4)});
  CHECK(curve(show_all(workshop), "param.n") == Json::parse(R"({"1024": 1.0, "2048": 2.0, "4096": 4.0})"));
}

TEST_CASE("Across all studies, cold and warm runs are two curves") {
  const Workshop workshop;
  for (const char* cache : {"warm", "cold"}) {
    const double slower = cache == std::string("cold") ? 2 : 1;
    store_study(workshop, std::string("cache: ") + cache + "\nvary: {sm.count: [66, 132]}\n",
                {done({{"sm.count", "66"}}, 4 * slower), done({{"sm.count", "132"}}, 2 * slower)});
  }
  const Json json = show_all(workshop, "--at cache=warm");
  CHECK(json["groups"][0]["points"] == 4);
  CHECK(curve(json, "sm.count") == Json::parse(R"({"66": 4.0, "132": 2.0})"));
  CHECK(curve(show_all(workshop, "--at cache=cold"), "sm.count") == Json::parse(R"({"66": 8.0, "132": 4.0})"));
}

TEST_CASE("Across all studies, what followed from a fixed value is that of the point") {
  const Workshop workshop;
  store_study(workshop, "set: {sm.count: 66}\n", {done({}, 4)});
  store_study(workshop, "set: {dram.stacks: 2}\n", {done({}, 9)});
  const auto cost = [&workshop](const std::string& formula) {
    const Json points = show_all(workshop, "--cost '" + formula + "'")["points"];
    return std::vector<double>{points.at(0).at("cost"), points.at(1).at("cost")};
  };
  CHECK(cost("noc.gpcs") == std::vector<double>{8, 4});
  CHECK(cost("sm.count") == std::vector<double>{132, 66});
  const std::vector<double> bandwidth = cost("dram.bandwidth");
  CHECK(bandwidth[0] == Approx(bandwidth[1] * 2 / 5));  // the H100 has five stacks
}

TEST_CASE("Across all studies, one point that two asked for is shown once") {
  const Workshop workshop;
  for (const char* values : {"[66, 132]", "[132, 160]"}) {
    std::vector<PointRow> rows{done({{"sm.count", "132"}}, 2)};
    rows[0].key = "same";
    store_study(workshop, std::string("vary: {sm.count: ") + values + "}\n", rows);
  }
  CHECK(show_all(workshop)["points"].size() == 1);
}

TEST_CASE("Across all studies, points of the present program are shown and the others counted") {
  const Workshop workshop;
  const std::string study = "vary: {sm.count: [66, 132]}\n";
  const auto rows = [](double time) {
    return std::vector<PointRow>{done({{"sm.count", "66"}}, time), done({{"sm.count", "132"}}, time / 2)};
  };
  store_study(workshop, study, rows(8), "0.0.1");
  CHECK(show_all(workshop)["points"].size() == 2);
  store_study(workshop, study, rows(4), sweep::program_version());
  store_study(workshop, "cache: cold\n" + study, rows(2), "0.0.2");
  const Json json = show_all(workshop);
  CHECK(curve(json, "sm.count") == Json::parse(R"({"66": 4.0, "132": 2.0})"));
  CHECK(json["other_programs"] == 4);
}

}  // namespace gpusim::app::sweep_show_all_test

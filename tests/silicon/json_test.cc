// SPDX-License-Identifier: MIT
#include "tools/silicon/host/json.h"

#include <limits>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tools/silicon/host/measurement.h"

namespace gpusim::silicon {
namespace {

using nlohmann::json;

TEST_CASE("text reads back as it was written, whatever is in it") {
  for (const std::string text :
       {"", "plain", "a \"quoted\" \\ path", "tab\tline\nreturn\r", "\x01\x1f", "caf\xc3\xa9"}) {
    CHECK(json::parse(json_string(text)).get<std::string>() == text);
  }
}

TEST_CASE("bytes that are not UTF-8 become the replacement character, the rest stays") {
  CHECK(json::parse(json_string("a\xff"
                                "b"))
            .get<std::string>() ==
        "a\xef\xbf\xbd"
        "b");
  CHECK(json::parse(json_string("cut \xe2\x82")).get<std::string>() == "cut \xef\xbf\xbd\xef\xbf\xbd");
}

TEST_CASE("numbers read back to the same number, and those JSON cannot say become null") {
  for (const double number : {0.0, 4.0, -1.5, 0.1, 1e300, 3.0517578125e-05, 1980.000001}) {
    CHECK(json::parse(json_number(number)).get<double>() == number);
  }
  CHECK(json_number(std::numeric_limits<double>::quiet_NaN()) == "null");
  CHECK(json_number(-std::numeric_limits<double>::infinity()) == "null");
}

TEST_CASE("a measurement is one line with everything beside the figure") {
  Measurement measurement{.metric = "latency", .unit = "cycles", .summary = summarize({4, 4, 5}), .clock = {1755, 2}};
  measurement.launch.kernel = "_Z5chainv";
  measurement.launch.grid = {132, 2, 1};
  measurement.launch.registers = 24;
  measurement.params = {{"op", "FFMA"}, {"warps", 4}, {"ratio", 0.5}};
  measurement.input = Input::Random;
  measurement.cache = Cache::Cold;
  measurement.trace = {"saxpy.trace", {{"n", 1000}}};
  measurement.note = "two\nlines";
  const std::string line = to_json("micro/alu/fp32", measurement);
  CHECK(line.find('\n') == std::string::npos);
  const json record = json::parse(line);
  CHECK(record["type"] == "measurement");
  CHECK(record["experiment"] == "micro/alu/fp32");
  CHECK(record["value"] == 4.0);
  CHECK(record["spread"] == 0.5);
  CHECK(record["n"] == 3);
  CHECK(record["clock_mhz"] == 1755.0);
  CHECK(record["launch"]["grid"] == json({132, 2, 1}));
  CHECK(record["launch"]["registers"] == 24);
  CHECK(record["params"] == json({{"op", "FFMA"}, {"warps", 4}, {"ratio", 0.5}}));
  CHECK(record["input"] == "random");
  CHECK(record["cache"] == "cold");
  CHECK(record["trace_params"]["n"] == 1000);
  CHECK(record["note"] == "two\nlines");
}

TEST_CASE("wrong numbers are recorded with their difference and without a figure") {
  Comparison comparison;
  comparison.wrong = 3;
  const json record = json::parse(to_json("kernels/saxpy", WrongNumbers{"saxpy", {{"n", 64}}, comparison}));
  CHECK(record["type"] == "wrong");
  CHECK(record["params"]["n"] == 64);
  CHECK_THAT(record["difference"].get<std::string>(), Catch::Contains("3 elements off"));
  CHECK_FALSE(record.contains("value"));
}

TEST_CASE("every ending of an experiment has a word") {
  const auto status = [](Outcome outcome) {
    return json::parse(to_json("micro/a", outcome, "why", 1.5))["status"].get<std::string>();
  };
  CHECK(status(Outcome::Ok) == "ok");
  CHECK(status(Outcome::Skipped) == "skipped");
  CHECK(status(Outcome::Wrong) == "wrong");
  CHECK(status(Outcome::Fault) == "fault");
}

}  // namespace
}  // namespace gpusim::silicon

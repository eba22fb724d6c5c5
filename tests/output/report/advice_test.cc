// SPDX-License-Identifier: MIT
// How reports show what advice finds: in the text, the verdict and the JSON.
#include <algorithm>
#include <sstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/problem.h"
#include "sim/output/report/report.h"
#include "sim/output/report/text_options.h"
#include "sim/output/report/verdict.h"
#include "sim/output/report/writers.h"
#include "sim/output/text/layout.h"

#include "tests/output/report/sample.h"

namespace advice_test {

using namespace gpusim;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

std::string text_of(const stats::Result& result) {
  return report::to_text(result, {});
}

std::string verdict_of(const stats::Result& result) {
  return report::verdict(report::explained_view(result).kernels[0]);
}

/// The sample, with a 32-way bank conflict.
stats::Result conflicting_sample() {
  stats::Result result = report::sample_result();
  result.kernels[0].pcs[3].opcode = "LDS";
  result.kernels[0].pcs[3].shared_wavefronts = 16'000;
  result.kernels[0].pcs[3].shared_ideal_wavefronts = 500;
  result.kernels[0].sm.shared_wavefronts = 16'000;
  return result;
}

stats::Result advised_sample() {
  stats::Result result = report::sample_result();
  result.kernels[0].advice = {{"one_more_cta", 8, 7, {"occupancy"}},
                              {"no_bank_conflicts", 8, 7.99, {"bank_conflicts"}}};
  return result;
}

}  // namespace

TEST_CASE("the text shows three findings, with --details all") {
  const std::string text = text_of(report::sample_result());
  CHECK_THAT(text, Contains("\n  3. Occupancy not reached"));
  CHECK_THAT(text, !Contains("\n  4. "));
  CHECK_THAT(text, Contains("and 2 more (--details)"));
  CHECK_THAT(report::to_text(report::sample_result(), {layout::Look(), true}), Contains("\n  5. Bank conflicts"));
}

TEST_CASE("a finding with a lesson for larger kernels is shown, however little it gains here") {
  stats::Result result = conflicting_sample();
  const std::vector<report::Finding> findings = report::explained_view(result).kernels[0].findings;
  const auto lesson = std::ranges::find_if(findings, [](const report::Finding& each) { return !each.lesson.empty(); });
  REQUIRE(lesson != findings.end());
  CHECK_THAT(text_of(result), Contains(std::string(lesson->title)));
}

TEST_CASE("a launch-bound verdict names a bank conflict, whatever it costs") {
  stats::Result result = conflicting_sample();
  result.kernels[0].launch_us = 20;
  CHECK_THAT(verdict_of(result), Contains("launch-bound"));
  CHECK_THAT(verdict_of(result),
             Contains("LDS at line 13 takes 32.0 x the passes that its bytes need, for bank conflicts"));
}

TEST_CASE("a launch-bound verdict names an uncoalesced load") {
  stats::Result result = report::sample_result();
  result.kernels[0].launch_us = 20;
  CHECK_THAT(verdict_of(result), !Contains("x the sectors"));
  result.kernels[0].pcs[1].opcode = "LDG.E";
  result.kernels[0].pcs[1].memory_ideal_sectors = 4 * result.kernels[0].pcs[1].memory_requests;
  result.kernels[0].pcs[1].memory_sectors = 32 * result.kernels[0].pcs[1].memory_requests;
  CHECK_THAT(verdict_of(result), Contains("LDG.E at line 12 touches 8.0 x the sectors that its bytes fill"));
}

TEST_CASE("a verdict of another bound does not name an access pattern that costs nothing") {
  stats::Result result = conflicting_sample();
  result.kernels[0].sm.shared_wavefronts = 600;
  CHECK_THAT(verdict_of(result), !Contains("bank conflicts"));
}

TEST_CASE("what-ifs stand in the text with their gain, and one without gain says so") {
  const std::string text = text_of(advised_sample());
  CHECK_THAT(text, Contains("What if  simulated again"));
  CHECK_THAT(text, Contains("one_more_cta       7.00        8.00    12.5  occupancy"));
  CHECK_THAT(text, Contains("bank_conflicts: no gain, the estimate was 2 %"));
  CHECK_THAT(text, Contains("simulated: 12.5 % of the time; the estimate was 12 %"));
}

TEST_CASE("without what-ifs there is no section of them") {
  CHECK_THAT(text_of(report::sample_result()), !Contains("What if"));
}

TEST_CASE("the JSON has the findings, which are derived again when it is read") {
  const std::string text = report::to_json(report::sample_result());
  const json finding = json::parse(text)["kernels"][0]["findings"][0];
  CHECK(finding["id"] == "stalls");
  CHECK(finding["line"] == 13);
  CHECK(finding["index"] == 3);
  CHECK(finding["simulated"] == false);
  CHECK(finding["estimate_pct"] == finding["gain_pct"]);
  json damaged = json::parse(text);
  damaged["kernels"][0]["findings"] = 5;
  CHECK(report::to_json(report::parse_json(damaged.dump(), "r.json")) == text);
}

TEST_CASE("the JSON keeps what-ifs") {
  const std::string text = report::to_json(advised_sample());
  const json advice = json::parse(text)["kernels"][0]["advice"];
  REQUIRE(advice.size() == 2);
  CHECK(advice[0]["what_if"] == "one_more_cta");
  CHECK(advice[0]["gain_pct"] == 12.5);
  CHECK(advice[0]["findings"] == json::array({"occupancy"}));
  CHECK(report::to_json(report::parse_json(text, "r.json")) == text);
}

TEST_CASE("damaged what-ifs are refused with their place") {
  json root = json::parse(report::to_json(advised_sample()));
  root["kernels"][0]["advice"][1].erase("time_us");
  CHECK_THROWS_WITH(report::parse_json(root.dump(), "r.json"), Contains("'kernels[0].advice[1].time_us': is missing"));
  root["kernels"][0]["advice"] = 1;
  CHECK_THROWS_WITH(report::parse_json(root.dump(), "r.json"), Contains("'kernels[0].advice': is not a list"));
}

TEST_CASE("no line of the advice is wider than a report, whatever a trace calls its instructions") {
  stats::Result result = conflicting_sample();
  for (stats::PcResult& pc : result.kernels[0].pcs) {
    pc.opcode += ".<b>\x1b" + std::string(5000, 'x');
  }
  std::istringstream lines(text_of(result));
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 100);
    CHECK(line.find('\x1b') == std::string::npos);
  }
}

}  // namespace advice_test

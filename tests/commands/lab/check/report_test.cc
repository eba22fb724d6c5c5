// SPDX-License-Identifier: MIT
#include "sim/commands/lab/check/report.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace report_test {

using namespace gpusim;
using Catch::Matchers::Contains;
using lab::Standing;

namespace {

struct Written {
  Written() {
    lab.name = "tiny";
    lab.text.title = "A lab";
    for (const char* const key : {"one", "two", "three"}) {
      lab::Task task;
      task.key = key;
      lab.tasks.push_back(task);
    }
    report = {&lab, {"tiny", "mary", 7}, {}, {}, {}, false};
    report.verdicts = {{&lab.tasks[0], Standing::kRight, "Found it.", "", ""},
                       {&lab.tasks[1], Standing::kNotYet, "", "Is a < b & \"c\"?", "half"},
                       {&lab.tasks[2], Standing::kWaiting, "", "Write your answer.", ""}};
  }
  lab::Lab lab;
  lab::Report report;
};

}  // namespace

TEST_CASE("a report for people has one line per task, hints, and points") {
  const Written written;
  const std::string text = lab::report_text(written.report, {});
  CHECK_THAT(text, Contains("  right    one\n") && Contains("  not yet  two\n") && Contains("  waiting  three\n") &&
                       Contains("Is a < b") && Contains("1 of 3 points\n") && !Contains("passed"));
}

TEST_CASE("a guess is noted, right or wrong") {
  Written written;
  written.lab.tasks[0].kind = lab::TaskKind::kPredict;
  CHECK_THAT(lab::report_text(written.report, {}), Contains("  noted    one\n"));
}

TEST_CASE("files that were judged in place of others are said") {
  Written written;
  written.report.notes = {"kernel.cu is checked in place of kernel.trace."};
  CHECK_THAT(lab::report_text(written.report, {}), Contains("\nkernel.cu is checked in place of kernel.trace.\n"));
  CHECK(nlohmann::json::parse(lab::report_json(written.report)).at("notes").size() == 1);
}

TEST_CASE("a report as JSON says the same") {
  Written written;
  written.report.problems = {"kernel.trace:1:1: no"};
  const auto json = nlohmann::json::parse(lab::report_json(written.report));
  CHECK(json.at("schema") == "gpusim.lab-check/1");
  CHECK(json.at("passed") == false);
  CHECK(json.at("points") == 1);
  CHECK(json.at("of_points") == 3);
  CHECK(json.at("tasks").at(1).at("standing") == "not yet");
  CHECK(json.at("tasks").at(1).at("hint_key") == "half");
  CHECK(json.at("problems").at(0) == "kernel.trace:1:1: no");
}

TEST_CASE("a report as JUnit XML counts failures, and escapes what it quotes") {
  const Written written;
  const std::string xml = lab::report_junit(written.report);
  CHECK_THAT(xml, Contains("<testsuite name=\"tiny\" tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"0\">") &&
                      Contains("<failure type=\"not yet\" message=\"Is a &lt; b &amp; &quot;c&quot;?\">"));
}

TEST_CASE("a task that waits for an answer is a failure for programs that read JUnit XML") {
  const Written written;
  CHECK_THAT(lab::report_junit(written.report),
             Contains("<failure type=\"waiting\" message=\"Write your answer.\">") && !Contains("<skipped"));
}

TEST_CASE("work that cannot be checked is an error as JUnit XML, and not passed as JSON") {
  const std::vector<std::string> problems{"a/student.yaml:3:1: is <another>", "b"};
  CHECK_THAT(lab::refusal_junit(problems), Contains("tests=\"1\" failures=\"0\" errors=\"1\"") &&
                                               Contains("<error message=\"a/student.yaml:3:1: is &lt;another&gt;\">"));
  const auto json = nlohmann::json::parse(lab::refusal_json(problems));
  CHECK(json.at("schema") == "gpusim.lab-check/1");
  CHECK(json.at("passed") == false);
  CHECK(json.at("problems") == problems);
}

TEST_CASE("XML holds no control characters") {
  CHECK(lab::xml_escaped("a\x01\x1b[31m\nb") == "a??[31m&#10;b");
}

}  // namespace report_test

// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "tests/commands/validate/support.h"

using namespace gpusim;
using test::cases_from;
using test::said_by;
using validate::Case;

namespace {

const std::string kCommon = R"(common:
  gpu: RTX A6000
  metric: issue_cycle
  unit: cycles
  source: somebody
  confidence: high
  from: a
  to: b
  program: |
    a:
      ${op}
    b:
      FADD R1, R4, R5
)";

std::string refusal(const std::string& cases) {
  return said_by([&] { (void)cases_from(kCommon + "cases:\n" + cases); });
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("rows share what their case and their file say, and what they say themselves wins") {
  const std::vector<Case> cases = cases_from(kCommon + R"(
cases:
  - id: add
    with: {op: "FADD R4, R5, R6"}
    rows:
      - {id: one, measured: 4}
      - {id: two, measured: [4, 5], with: {op: "IADD3 R4, R5, R6, R7"}, confidence: low}
  - {id: alone, gpu: a card, measured: 6, with: {op: "MOV R4, R5"}, counted: false, tolerance: 3 %, clock_mhz: 1800}
)");
  REQUIRE(cases.size() == 3);
  CHECK(cases[0].id == "add/one");
  CHECK(cases[0].program.find("FADD R4, R5, R6") != std::string::npos);
  CHECK(cases[0].counted);
  CHECK(cases[0].suite == "own");
  CHECK(cases[0].tolerance.value == 0.5);
  CHECK(cases[1].id == "add/two");
  CHECK(cases[1].program.find("IADD3") != std::string::npos);
  CHECK(cases[1].measured.is_range());
  CHECK_FALSE(cases[1].counted);
  CHECK(cases[2].arch == "a6000.yaml");
  CHECK(cases[2].set == std::vector<validate::NamedText>{{"sm.count", "2"}});
  CHECK_FALSE(cases[2].counted);
  CHECK(cases[2].tolerance.is_percent);
  CHECK(cases[2].tolerance.value == 3);
}

TEST_CASE("a case of a GPU that no file describes, and one that nobody has written, are kept and cannot run") {
  const std::vector<Case> cases = cases_from(R"(
common: {metric: cycles, measured: 1, unit: cycles, source: x, confidence: high}
cases:
  - {id: a, gpu: unknown to us, trace: saxpy}
  - {id: b, gpu: RTX A6000, make: a ring of atomics}
  - {id: c, gpu: RTX A6000, trace: saxpy, params: {n: 4096}}
)");
  CHECK_FALSE(cases[0].can_run());
  CHECK_FALSE(cases[1].can_run());
  CHECK(cases[2].can_run());
}

TEST_CASE("unknown words are refused with their place and the nearest known one") {
  CHECK(refusal("  - {id: a, mesured: 4, with: {op: NOP}}").starts_with("cases.yaml:15:13: unknown key 'mesured'"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, metric: isue_cycle, with: {op: NOP}}"),
                 "unknown metric 'isue_cycle' (did you mean 'issue_cycle'?)"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, gpu: RTX A600, with: {op: NOP}}"), "did you mean 'RTX A6000'?"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, confidence: hihg, with: {op: NOP}}"), "did you mean 'high'?"));
}

TEST_CASE("what a case lacks is told, all of it at once") {
  const std::string said = said_by([] { (void)cases_from("cases:\n  - {id: a}\n"); });
  for (const char* const part :
       {"lacks 'metric'", "lacks 'measured'", "lacks 'unit'", "lacks 'source'", "lacks 'confidence'",
        "lacks 'gpu' or 'arch'", "'trace', 'program', 'make' or 'estimate'"}) {
    CHECK(mentions(said, part));
  }
}

TEST_CASE("values that make no sense are refused") {
  const std::string with = ", with: {op: NOP}}";
  CHECK(mentions(refusal("  - {id: a, measured: four" + with), "'four' is not a number"));
  CHECK(mentions(refusal("  - {id: a, measured: [5, 4]" + with), "[least, greatest]"));
  CHECK(mentions(refusal("  - {id: a, measured: [4]" + with), "a list of 1 values"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, warps: 33" + with), "allowed: 1 to 32"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, tolerance: some" + with), "'some' is not a number"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, from: 3x" + with), "'3x' is not a mark"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, set: 5" + with), "'set' must be a map"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, confidence: low, counted: true" + with), "never counted"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, unit: GB/s" + with), "lacks 'tolerance'"));
}

TEST_CASE("a case says what it runs exactly once") {
  CHECK(mentions(refusal("  - {id: a, measured: 4, arch: h100, with: {op: NOP}}"), "more than one of 'gpu' or 'arch'"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, trace: saxpy, with: {op: NOP}}"), "more than one of 'trace'"));
  CHECK(mentions(refusal("  - {id: a, measured: 4}"), "the program's '${op}' is not in 'with'"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, with: {op: NOP, other: NOP}}"), "the program has no '${other}'"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, params: {n: 1}, with: {op: NOP}}"), "'params' goes with 'trace'"));
}

TEST_CASE("a metric has the marks that it needs and no others") {
  CHECK(mentions(refusal("  - {id: a, measured: 4, of: a, with: {op: NOP}}"), "takes no 'of'"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, metric: issue_interval, with: {op: NOP}}"), "lacks 'of'"));
  CHECK(mentions(said_by([] {
                   (void)cases_from(
                       "cases:\n  - {id: a, gpu: a card, trace: saxpy, metric: clock_cycles, measured: 1, "
                       "unit: cycles, source: x, confidence: high}\n");
                 }),
                 "metric 'clock_cycles' is of a 'program'"));
}

TEST_CASE("a quotient's second run is the first with what it changes") {
  const std::string head =
      "common: {gpu: a card, metric: cycles, measured: 1, unit: ratio, source: x, confidence: low, slow: true}\n"
      "cases:\n  - id: a\n    trace: saxpy\n    params: {n: 64, m: 2}\n    relative_to: ";
  const Case of = cases_from(head + "{trace: triad, params: {n: 128}, set: {sm.count: 4}}\n").at(0);
  CHECK(of.slow);
  CHECK(of.trace == "saxpy");
  REQUIRE(of.relative_to.size() == 1);
  const Case& other = of.relative_to.front();
  CHECK(other.trace == "triad");
  CHECK(other.params == std::vector<validate::NamedText>{{"n", "128"}, {"m", "2"}});
  CHECK(other.set == std::vector<validate::NamedText>{{"sm.count", "4"}});
  CHECK(of.set == std::vector<validate::NamedText>{{"sm.count", "2"}});
  const auto said = [&head](const std::string& change) { return said_by([&] { (void)cases_from(head + change); }); };
  CHECK(mentions(said("{traec: triad}"), "'relative_to' cannot change 'traec' (did you mean 'trace'?)"));
  CHECK(mentions(said("{params: 5}"), "'params' must be a map"));
  CHECK(mentions(said("triad"), "'relative_to' must be a map"));
  CHECK(mentions(refusal("  - {id: a, measured: 4, with: {op: NOP}, relative_to: {trace: saxpy}}"),
                 "'trace' goes with 'trace', which is not given"));
}

TEST_CASE("a difference's second run has the program with its own texts; both forms at once are refused") {
  const std::string head =
      "common: {gpu: a card, metric: cycles, measured: 1, unit: ratio, source: x, confidence: low}\n"
      "cases:\n  - {id: a, program: \"${op}\", with: {op: NOP}, less: {with: {op: EXIT}}, per: 2";
  const Case of = cases_from(head + "}\n").at(0);
  REQUIRE(of.less.size() == 1);
  CHECK(of.program == "NOP");
  CHECK(of.less.front().program == "EXIT");
  CHECK(of.per == 2);
  const auto said = [&head](const std::string& more) { return said_by([&] { (void)cases_from(head + more); }); };
  CHECK(mentions(said(", rate_of: 3}"), "case 'a' has both 'per' and 'rate_of'"));
  CHECK(mentions(said(", relative_to: {set: {}}}"), "case 'a' has both 'less' and 'relative_to'"));
  CHECK(mentions(said(", plus: []}"), "'plus' must be a map, or a list of maps"));
  CHECK(mentions(said(", plus: [{with: {op: NOP}}, 5]}"), "'plus' must be a map, or a list"));
  CHECK(mentions(said_by([] { (void)cases_from("common: {}\ncases: [{id: a, per: 0}]\n"); }),
                 "'per' must be more than 0"));
}

TEST_CASE("what is taken off a measurement of several kernels is a smaller one of all of them") {
  const std::string head =
      "common: {gpu: a card, metric: total_us, measured: 1, unit: us, source: x, confidence: low}\n"
      "cases:\n  - {id: a, trace: saxpy, params: {n: 4096}, plus: [{trace: triad}, {params: {n: 2048}}], less: ";
  const Case of = cases_from(head + "{params: {n: 1024}}}\n").at(0);
  const auto runs = [](const std::vector<Case>& cases) {
    std::vector<std::string> all;
    for (const Case& each : cases) {
      all.push_back(each.trace + " " + each.params.at(0).second);
    }
    return all;
  };
  CHECK(runs(of.plus) == std::vector<std::string>{"triad 4096", "saxpy 2048"});
  CHECK(runs(of.less) == std::vector<std::string>{"saxpy 1024", "triad 1024", "saxpy 1024"});
  CHECK(mentions(said_by([&head] { (void)cases_from(head + "{trace: triad}}\n"); }),
                 "with 'plus', 'less' cannot change 'trace'"));
}

TEST_CASE("an id is given once") {
  CHECK(mentions(refusal("  - {id: a, measured: 4, with: {op: NOP}}\n  - {id: a, measured: 4, with: {op: NOP}}"),
                 "id 'a' is given twice (first in line 15)"));
}

TEST_CASE("a file that is not a list of cases is refused") {
  CHECK(mentions(said_by([] { (void)cases_from("[1, 2"); }), "is not YAML"));
  CHECK(mentions(said_by([] { (void)cases_from("common: {unit: cycles}\n"); }), "lacks 'cases'"));
  CHECK(mentions(said_by([] { (void)cases_from("cases: 5\n"); }), "'cases' must be a list"));
  CHECK(mentions(said_by([] { (void)cases_from("cases: []\n"); }), "'cases' is empty"));
  CHECK(mentions(said_by([] { (void)cases_from("cases:\n  - 5\n"); }), "a case must be a map"));
  CHECK(mentions(said_by([] { (void)cases_from("case: []\n"); }), "did you mean 'cases'?"));
}

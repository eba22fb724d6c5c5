// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/commands/validate/report.h"

#include "tests/commands/validate/support.h"

using namespace gpusim;
using Catch::Matchers::Contains;
using Catch::Matchers::Message;
using Catch::Matchers::StartsWith;
using test::cases_from;
using test::said_by;
using validate::Outcome;

namespace {

/// A case that asks for the rate of a run less itself, which is 0.
constexpr const char* kRateOfNothing =
    "cases:\n  - {id: a, gpu: RTX A6000, program: NOP, less: {set: {}}, rate_of: 1, metric: cycles, measured: 1, "
    "unit: ratio, source: x, confidence: low}\n";

std::vector<Outcome> run(const std::vector<validate::Case>& cases, const validate::Sources& sources) {
  std::vector<Outcome> outcomes;
  validate::run_cases(cases, sources, outcomes);
  return outcomes;
}

std::vector<Outcome> run(const std::string& cases) {
  return run(cases_from(cases), test::sources_of_tree());
}

/// A case of the A6000 with `keys` and a program.
double simulated(const std::string& keys, const std::string& program) {
  std::string text =
      "cases:\n  - id: a\n    gpu: RTX A6000\n    measured: 1\n    unit: cycles\n    source: x\n"
      "    confidence: high\n    " +
      keys + "\n    program: |\n";
  std::size_t begin = 0;
  while (begin < program.size()) {
    const std::size_t end = program.find('\n', begin);
    text += "      " + program.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return run(text).at(0).simulated.value();
}

Outcome outcome(double simulated, double low, double high, bool counted) {
  Outcome out;
  out.of.measured = {low, high};
  out.of.counted = counted;
  out.of.tolerance = {0.5, false};
  out.simulated = simulated;
  out.measured = out.of.measured.nearest(simulated);
  out.error_pct = 100.0 * (simulated - out.measured) / out.measured;
  return out;
}

}  // namespace

TEST_CASE("issue_cycle counts from one marked line to another, in the warm pass") {
  // FFMA takes 4 cycles until its result may be used, on every GPU.
  CHECK(simulated("metric: issue_cycle\n    from: a\n    to: b",
                  "a:\n  FFMA R4, R5, R6, R7\nb:\n  FADD R8, R4, R9\n") == 4);
  // A mark names the n-th time, the last time, and the warp.
  const std::string program = "a:\n  unroll k = 0..4\n    [B------:R-:W-:-:S03] FFMA R4, R5, R6, R7\n  end\n";
  CHECK(simulated("metric: issue_cycle\n    from: a\n    to: a#3", program) == 6);
  CHECK(simulated("metric: issue_cycle\n    from: a#2\n    to: a#last", program) == 6);
  CHECK(simulated("metric: issue_cycle\n    warps: 2\n    from: a@1\n    to: a#2@1", program) == 3);
}

TEST_CASE("clock_cycles lies between the first and the last read of the clock") {
  CHECK(simulated("metric: clock_cycles",
                  "[B------:R-:W-:-:S01] CS2R R2, SR_CLOCKLO\n[B------:R-:W-:-:S07] NOP\n"
                  "[B------:R-:W-:-:S01] CS2R R4, SR_CLOCKLO\n") == 8);
}

TEST_CASE("issue_interval and lanes_per_cycle take what the pipe lets through") {
  // The ALU has 16 lanes a sub-core: two cycles an instruction, 64 lanes in the SM.
  const std::string program = "op:\n  unroll k = 0..32\n    IADD3 R{4+k}, R40, R41, R42\n  end\n";
  CHECK(simulated("metric: issue_interval\n    of: op", program) == 2);
  CHECK(simulated("metric: lanes_per_cycle\n    of: op\n    warps: 4", program) == 64);
}

TEST_CASE("numbers of the result are metrics by their names there") {
  CHECK(simulated("metric: warp_instructions\n    cache: cold", "NOP\nNOP\n") == 3);
  CHECK(simulated("metric: stalls.selected\n    cache: cold\n    ctas: 2", "NOP\n") == 4);
}

TEST_CASE("a quotient divides by what its second run gives") {
  // The same copy on a quarter of the SMs: four times the instructions each.
  const std::string one =
      "cases:\n  - {id: a, gpu: RTX A6000, trace: saxpy, params: {n: 65536}, metric: warp_instructions, measured: 1, "
      "unit: ratio, tolerance: 1, source: x, confidence: low, relative_to: {params: {n: 16384}}}\n";
  CHECK(run(one).at(0).simulated.value() == Approx(4));
}

TEST_CASE("total_us is the time of all kernels of a trace, time_us that of the last") {
  const auto measured = [](const std::string& metric) {
    return run("cases:\n  - {id: a, gpu: RTX A6000, trace: bias-gelu-unfused, params: {rows: 16, columns: 256}, "
               "metric: " +
               metric + ", measured: 1, unit: us, tolerance: 1, source: x, confidence: high}\n")
        .at(0)
        .simulated.value();
  };
  CHECK(measured("total_us") > 1.5 * measured("time_us"));
}

TEST_CASE("a difference takes away what its second run gives, and is by the piece or a rate") {
  // 48 more instructions, each issued once.
  const auto difference = [](const std::string& more) {
    return run("cases:\n  - {id: a, gpu: RTX A6000, program: \"unroll i = 0..${n}\\nNOP\\nend\\n\", with: {n: 64}, "
               "less: {with: {n: 16}}, metric: warp_instructions, cache: cold, measured: 1, unit: ratio, source: x, "
               "confidence: low" +
               more + "}\n")
        .at(0)
        .simulated.value();
  };
  CHECK(difference("") == 48);
  CHECK(difference(", per: 96") == Approx(0.5));
  CHECK(difference(", rate_of: 96") == Approx(2));
}

TEST_CASE("a rate over a difference of nothing is refused") {
  CHECK(said_by([&] { (void)run(kRateOfNothing); }).find("'cycles' is 0 and no rate") != std::string::npos);
}

TEST_CASE("a slow case is simulated on request only") {
  const auto cases = cases_from(
      "cases:\n  - {id: a, gpu: RTX A6000, program: NOP, metric: cycles, measured: 1, unit: cycles, source: x, "
      "confidence: low, slow: true}\n");
  validate::Sources sources = test::sources_of_tree();
  CHECK_FALSE(run(cases, sources).at(0).simulated.has_value());
  sources.slow_ones = true;
  CHECK(run(cases, sources).at(0).simulated.has_value());
}

TEST_CASE("the case in which a run is stopped is left out, and those before are there") {
  const std::string one =
      "  - {id: ID, gpu: RTX A6000, program: NOP, metric: cycles, measured: 1, unit: cycles, source: x, confidence: "
      "low}\n";
  std::string both = "cases:\n" + one + one;
  both.replace(both.rfind("ID"), 2, "second");
  validate::Sources sources = test::sources_of_tree();
  int answers = 0;
  sources.keep_going = [&answers] { return ++answers < 2; };
  const std::vector<Outcome> outcomes = run(cases_from(both), sources);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].of.id == "ID");
}

TEST_CASE("a case that a stop leaves without a result has no problem") {
  validate::Sources sources = test::sources_of_tree();
  sources.keep_going = [] { return false; };
  CHECK(run(cases_from(kRateOfNothing), sources).empty());
}

TEST_CASE("a program that does not parse is refused at its line of the case file") {
  const std::string text =
      "cases:\n  - id: a\n    gpu: RTX A6000\n    measured: 1\n    unit: cycles\n    source: x\n"
      "    confidence: high\n    metric: cycles\n    program: |\n      NOP\n      BRA nowhere\n";
  CHECK(said_by([&] { (void)run(text); }).starts_with("cases.yaml:11"));
}

TEST_CASE("what is wrong with several rows is told once, with the first of them and how many others there are") {
  const std::string head =
      "cases:\n  - id: a\n    gpu: RTX A6000\n    metric: cycles\n    unit: cycles\n    source: x\n"
      "    confidence: high\n";
  const std::string rows =
      "    rows:\n      - {id: x, measured: 1}\n      - {id: y, measured: 2}\n      - {id: z, measured: 4}\n";
  const auto refusal = [&](const std::string& runs) { return said_by([&] { (void)run(head + runs + rows); }); };
  CHECK_THAT(
      refusal("    program: |\n      FADD R1, R999, R2\n"),
      StartsWith("cases.yaml:9: case 'a/x' and 2 other cases: operand 'R999' is not a register") && !Contains("\n"));
  CHECK_THAT(refusal("    trace: saxpy\n    params: {m: 1}\n"),
             StartsWith("cases.yaml:11:9: case 'a/x' and 2 other cases: ") && Contains("unknown parameter 'm'") &&
                 !Contains("\n"));
}

TEST_CASE("a program that does not end says which limit it met, and not an option that validate lacks") {
  const auto cases = cases_from(
      "cases:\n  - id: a\n    gpu: RTX A6000\n    metric: cycles\n    measured: 1\n    unit: cycles\n    source: x\n"
      "    confidence: low\n    program: |\n      loop k = 0..100000000 using PT\n        NOP\n      end\n");
  CHECK_THROWS_MATCHES(run(cases, test::sources_of_tree()), CannotFinishError,
                       Message("case 'a': kernel 'case' cannot finish within 10,000,000 cycles (the limit of a case "
                               "with 'program'): a warp has more instructions than that"));
}

TEST_CASE("marks that a program lacks are refused") {
  const auto refusal = [](const std::string& to) {
    return said_by(
        [&] { (void)simulated("metric: issue_cycle\n    from: a\n    to: " + to, "a:\n  NOP\nb:\n  NOP\n"); });
  };
  CHECK(refusal("c").find("the program has no label 'c'") != std::string::npos);
  CHECK(refusal("b@1").find("is of a warp that the program does not have") != std::string::npos);
  CHECK(refusal("b#2").find("warp 0 issues that line 1 times") != std::string::npos);
}

TEST_CASE("a range has no error inside, and outside the distance to its nearer end") {
  CHECK(outcome(5, 4, 6, true).error_pct == 0);
  CHECK(outcome(3, 4, 6, true).error_pct == -25);
  CHECK(outcome(9, 4, 6, true).error_pct == 50);
}

TEST_CASE("the summary is over the counted cases, P90 by the nearest rank") {
  std::vector<Outcome> outcomes;
  for (int i = 1; i <= 10; ++i) {
    outcomes.push_back(outcome(100 + i, 100, 100, true));
  }
  outcomes.push_back(outcome(200, 100, 100, false));
  const validate::Summary summary = validate::summarize(outcomes);
  CHECK(summary.cases == 10);
  CHECK(summary.mean_abs_error_pct == Approx(5.5));
  CHECK(summary.p90_abs_error_pct == Approx(9));
  CHECK(summary.max_abs_error_pct == Approx(10));
  CHECK(summary.outside == 10);
  outcomes.erase(outcomes.begin());
  CHECK(validate::summarize(outcomes).p90_abs_error_pct == Approx(10));  // nine cases: 8.1 of them, so all nine
  CHECK(validate::summarize({}).max_abs_error_pct == 0);
}

TEST_CASE("the worst come first, counted before others") {
  std::vector<Outcome> outcomes{outcome(4, 4, 4, true), outcome(40, 4, 4, false), outcome(4.4, 4, 4, true),
                                outcome(100, 99, 99, true)};
  validate::sort_worst_first(outcomes);
  CHECK(outcomes[0].simulated == 100);  // a hundredth, but beyond its tolerance
  CHECK(outcomes[1].simulated == 4.4);
  CHECK(outcomes[2].simulated == 4);
  CHECK(outcomes[3].simulated == 40);
  CHECK(validate::to_text(outcomes, {}).find("OFF") != std::string::npos);
}

TEST_CASE("where no case counts the text claims nothing of errors and says how to simulate more") {
  const std::string text = validate::to_text(std::vector<Outcome>{outcome(4, 4, 4, false)}, {});
  CHECK(text.find("none of 1 case counted") != std::string::npos);
  CHECK(text.find("--all") != std::string::npos);
  CHECK(text.find("within") == std::string::npos);
}

TEST_CASE("the JSON has the keys that programs rely on") {
  const auto json = nlohmann::json::parse(validate::to_json(std::vector<Outcome>{outcome(9, 4, 6, true)}, true));
  CHECK(json.at("schema") == "gpusim.validation/1");
  const auto& of = json.at("cases").at(0);
  for (const char* const key :
       {"id", "arch", "metric", "simulated", "measured", "error_pct", "source", "confidence", "counted"}) {
    CHECK(of.contains(key));
  }
  CHECK(of.at("measured") == 6);
  CHECK(of.at("error_pct") == 50);
  CHECK(json.at("summary").at("cases") == 1);
  CHECK(json.at("summary").at("p90_abs_error_pct") == 50);
}

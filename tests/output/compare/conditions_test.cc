// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "sim/base/problem.h"

#include "tests/output/compare/results.h"

using namespace gpusim;
using namespace gpusim::compare;
using Catch::Matchers::Contains;

namespace {

std::string refusal_of(const std::string& text) {
  try {
    static_cast<void>(parse_condition(text));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

/// A takes 10 us, B the rest of `cycles` at 1,000 a microsecond.
bool fails(const std::string& condition, std::uint64_t cycles) {
  const stats::Result first = result_of({kernel_of("a", 10'000, {})});
  const stats::Result second = result_of({kernel_of("a", cycles, {})});
  const Comparison comparison = compare_two(first, second);
  const std::vector<Outcome> outcomes = check({parse_condition(condition)}, comparison);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].run == 1);
  return outcomes[0].failed;
}

}  // namespace

TEST_CASE("a condition is a metric, a comparison, and a number or a factor, with or without spaces") {
  const Condition factor = parse_condition("time_us > 1.02x");
  CHECK(factor.metric == "time_us");
  CHECK(factor.relation == Relation::kMore);
  CHECK(factor.number == 1.02);
  CHECK(factor.is_factor);
  const Condition tight = parse_condition("counters.l1.wavefronts<=1e6");
  CHECK(tight.metric == "counters.l1.wavefronts");
  CHECK(tight.relation == Relation::kAtMost);
  CHECK(tight.number == 1e6);
  CHECK_FALSE(tight.is_factor);
  CHECK(parse_condition("  throughput.dram_pct<60 ").relation == Relation::kLess);
  CHECK(parse_condition("stalls.barrier >= 0.5x").relation == Relation::kAtLeast);
}

TEST_CASE("a bad condition is refused with its column, and what would be right") {
  CHECK(refusal_of("tiem_us > 1.02x") ==
        "--fail-if 'tiem_us > 1.02x': column 1: no metric is called 'tiem_us' (did you mean 'time_us'?)");
  CHECK_THAT(refusal_of(" dram_pct > 5"), Contains("column 2") && Contains("did you mean 'throughput.dram_pct'?"));
  CHECK_THAT(refusal_of("throughput.dram_pkt > 5"), Contains("did you mean 'throughput.dram_pct'?"));
  CHECK_THAT(refusal_of("ipc > 5"), Contains("did you mean 'ipc_active'?"));
  CHECK_THAT(refusal_of("zzzzzzzzzzzz > 5"), Contains("docs/metrics.md lists them"));
  CHECK_THAT(refusal_of("verdict > 5"), Contains("column 1: 'verdict' is not a number"));
  CHECK_THAT(refusal_of("time_us => 1"), Contains("column 9: '=>' is not a comparison (<, <=, > or >=)"));
  CHECK_THAT(refusal_of("time_us == 1"), Contains("column 9: '==' is not a comparison"));
  CHECK_THAT(refusal_of("time_us 1.02x"), Contains("column 9: a comparison is missing"));
  CHECK_THAT(refusal_of("time_us >"), Contains("column 10: a number is missing"));
  CHECK_THAT(refusal_of("time_us > fast"), Contains("column 11: 'fast' is not a number"));
  CHECK_THAT(refusal_of("time_us > inf"), Contains("'inf' is not a number"));
  CHECK_THAT(refusal_of("time_us > nanx"), Contains("is not a number"));
  CHECK_THAT(refusal_of("time_us > 1e999"), Contains("is not a number"));
  CHECK_THAT(refusal_of("time_us > 1.02x or so"), Contains("column 17: 'or so' is too much"));
  CHECK_THAT(refusal_of("time_us > 102%"), Contains("column 14: '%' is too much"));
  CHECK_THAT(refusal_of("time_us > 0x10"), Contains("column 11: '0x10' is not a number"));
  CHECK_THAT(refusal_of("time_us > -1x"), Contains("column 11: '-1x' is negative (no metric is below 0)"));
  CHECK_THAT(refusal_of("total.time_us > 1x"), Contains("did you mean 'time_us'?"));
  CHECK_THAT(refusal_of("kernels[0].cycles > 1x"), Contains("did you mean 'cycles'?"));
  CHECK_THAT(refusal_of(""), Contains("column 1: a metric is missing"));
  CHECK_THAT(refusal_of("> 5"), Contains("column 1: a metric is missing"));
}

TEST_CASE("a factor that makes a limit beyond all numbers is refused") {
  const stats::Result result = result_of({kernel_of("a", 10'000, {})});
  CHECK_THROWS_WITH(check({parse_condition("cycles > 1e308x")}, compare_two(result, result)),
                    "--fail-if 'cycles > 1e308x': the limit is beyond all numbers");
}

TEST_CASE("a refusal shows hostile text cut and without control characters") {
  const std::string said = refusal_of(std::string(5000, 'a') + "\x1b[2J > 1");
  CHECK(said.size() < 300);
  CHECK(said.find('\x1b') == std::string::npos);
}

TEST_CASE("a condition holds as its comparison says, at the limit, too") {
  CHECK_FALSE(fails("time_us > 1.02x", 10'200));
  CHECK(fails("time_us >= 1.02x", 10'200));
  CHECK(fails("time_us > 1.02x", 10'201));
  CHECK(fails("time_us < 0.5x", 4000));
  CHECK_FALSE(fails("time_us < 0.5x", 5000));
  CHECK(fails("cycles <= 5000", 5000));
  CHECK_FALSE(fails("cycles < 5000", 5000));
  CHECK(fails("counters.dram.read_bytes >= 1x", 10'000));  // none in both
}

TEST_CASE("every condition is checked on every result but the first") {
  const stats::Result first = result_of({kernel_of("a", 1000, {})});
  const stats::Result second = result_of({kernel_of("a", 2000, {})});
  const std::vector<Input> inputs{{"a", &first}, {"b", &first}, {"c", &second}};
  const Comparison comparison = compare::compare(inputs);
  const std::vector<Outcome> outcomes =
      check({parse_condition("time_us > 1.5x"), parse_condition("cycles < 1")}, comparison);
  REQUIRE(outcomes.size() == 4);
  CHECK_FALSE(outcomes[0].failed);
  CHECK(outcomes[1].failed);
  CHECK(outcomes[1].run == 2);
  CHECK(outcomes[1].limit == 1.5);
  CHECK_FALSE(outcomes[3].failed);
}

TEST_CASE("a condition on what a result does not know is an error that names the result") {
  stats::Result first = result_of({kernel_of("a", 1000, {})});
  stats::Result earlier = first;
  earlier.machine.noc_ports.reset();
  const Comparison comparison = compare_two(first, earlier);
  CHECK_THROWS_WITH(check({parse_condition("throughput.noc_pct > 50")}, comparison),
                    Contains("second.json: ") && Contains("B has no value of 'throughput.noc_pct'"));
}

TEST_CASE("a condition on a run that was stopped is refused") {
  const stats::Result first = result_of({kernel_of("a", 1000, {})});
  stats::Result stopped = result_of({kernel_of("a", 100, {})});
  stopped.complete = false;
  for (const char* text : {"time_us > 1.02x", "time_us > 5"}) {
    CHECK_THROWS_WITH(check({parse_condition(text)}, compare_two(first, stopped)),
                      Contains("second.json: ") && Contains("the run of B stopped before its end"));
  }
  CHECK_THROWS_WITH(check({parse_condition("time_us > 1.02x")}, compare_two(stopped, first)),
                    Contains("first.json: ") && Contains("the run of A stopped before its end"));
  CHECK_NOTHROW(check({parse_condition("time_us > 5")}, compare_two(stopped, first)));
}

TEST_CASE("a factor between runs of different CTAs is refused") {
  stats::Result whole = result_of({kernel_of("a", 1000, {})});
  whole.kernels[0].grid = {100, 1, 1};
  whole.kernels[0].simulated_ctas = 100;
  stats::Result part = whole;
  part.kernels[0].simulated_ctas = 10;
  CHECK_THROWS_WITH(check({parse_condition("time_us > 1.02x")}, compare_two(whole, part)),
                    Contains("A simulated 100 of 100 CTAs, B 10 of 100"));
  CHECK_NOTHROW(check({parse_condition("time_us > 1.02x")}, compare_two(part, part)));
  CHECK_NOTHROW(check({parse_condition("time_us > 5")}, compare_two(whole, part)));
}

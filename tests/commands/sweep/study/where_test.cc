// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/study/where.h"

#include <catch2/catch.hpp>

#include "tests/commands/sweep/study/support.h"

using namespace gpusim;
using namespace gpusim::sweep;
using namespace gpusim::sweep::test;

namespace {

bool holds(const std::string& text, const arch::Resolved& arch = h100()) {
  Study study;
  study.where = {text};
  return conditions(study).front().holds(arch, parameters());
}

std::string problem_of(const std::string& text) {
  Study study;
  study.where = {text};
  return input_error_of([&] { (void)conditions(study); });
}

}  // namespace

TEST_CASE("a condition compares the values of the resolved architecture and the trace's parameters") {
  CHECK(holds("sm.count == 132"));
  CHECK(holds("l2.bytes == 50 MiB and l2.bytes / l2.slices < 1 MiB"));
  CHECK_FALSE(holds("sm.count * l2.bytes <= 1 GiB"));
  CHECK(holds("param.seq * param.batch == 2048"));
  CHECK(holds("param.shift < 0"));
  CHECK(holds("not (clocks.sm > 5 GHz or sm.count < 100)"));
}

TEST_CASE("a condition sees what followed from an override") {
  const arch::Resolved large = resolved("h100", {{"sm.count", "160"}});
  CHECK(holds("noc.gpcs == 9", large));
  CHECK(holds("dram.bandwidth == 4 TB/s", resolved("h100", {{"dram.bandwidth", "4 TB/s"}})));
}

TEST_CASE("timings compare as times, whatever they are written in") {
  CHECK(holds("dram.timing.CCDS > 1 ns and dram.timing.CCDS < 1.9 ns"));  // 2 clocks
  CHECK_THAT(problem_of("dram.timing.CCDS == 2"), Catch::Contains("ns are compared with plain numbers"));
}

TEST_CASE("a forgotten unit is refused") {
  CHECK(problem_of("l2.bytes <= 50") ==
        "--where: 'l2.bytes <= 50': bytes are compared with plain numbers, at character 10 (units on both sides, such "
        "as l2.bytes <= 50 MiB)");
  CHECK_THAT(problem_of("l2.bytes + sm.count > 0 B"), Catch::Contains("bytes are joined with plain numbers"));
  CHECK_THAT(problem_of("dram.bandwidth > 3 GHz"), Catch::Contains("bytes x 1/s are compared with 1/s"));
  CHECK_THAT(problem_of("clocks.sm > 1 GiB"), Catch::Contains("(both sides in one unit)"));
  CHECK_THAT(problem_of("clocks.sm > 1"), Catch::Contains("(units on both sides, such as clocks.sm <= 1.5 GHz)"));
  CHECK(problem_of("dram.bandwidth / clocks.sm > 1000 B").empty());
  CHECK(problem_of("sm.tensor.flops_per_cycle.bf16 * sm.count * clocks.sm > 500 TFLOP/s").empty());
}

TEST_CASE("an unknown key in a condition is refused with its place and the nearest key") {
  CHECK(problem_of("sm.count > 1 and l2.byts > 1 MiB") ==
        "--where: unknown key 'l2.byts', at character 18 (did you mean 'l2.bytes'?)");
  CHECK_THAT(problem_of("sm.scheduler.policy == 1"), Catch::Contains("has no number to compare, at character 1"));
  CHECK_THAT(problem_of("sm.count"), Catch::Contains("this is a number, not a condition") &&
                                         Catch::Contains("(expected a comparison, as in sm.count <= 160)"));
}

TEST_CASE("a condition on a parameter that the trace lacks is refused before anything runs") {
  Study asked = study({"sm.count=66"});
  asked.where = {"param.sec > 1"};
  CHECK(input_error_of([&] { (void)plan(asked); }) ==
        "--where: 'a.trace' has no parameter 'sec' (did you mean 'seq'?)");
  Study study;
  study.where = {"param.other > 1"};
  CHECK_THROWS_AS(conditions(study).front().holds(h100(), parameters()), InputError);
}

TEST_CASE("hostile conditions are refused") {
  CHECK_THAT(problem_of(std::string(1500, '(')), Catch::Contains("nested too deeply"));
  CHECK_FALSE(problem_of(std::string(100'000, '1')).empty());
  CHECK_FALSE(problem_of("").empty());
}

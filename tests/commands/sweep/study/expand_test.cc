// SPDX-License-Identifier: MIT
// How the values of several axes make points.
#include "sim/commands/sweep/study/expand.h"

#include <limits>
#include <set>

#include <catch2/catch.hpp>

#include "sim/model/arch/sheet.h"

#include "tests/commands/sweep/study/support.h"

using namespace gpusim;
using namespace gpusim::sweep;
using namespace gpusim::sweep::test;

TEST_CASE("a grid takes every value with every other, the last axis fastest") {
  CHECK(points_of(study({"sm.count=66,132", "param.seq=1..3"})) == "66 / 1, 66 / 2, 66 / 3, 132 / 1, 132 / 2, 132 / 3");
}

TEST_CASE("a study without axes is one point for each architecture and trace") {
  for (const Combination combination : {Combination::kGrid, Combination::kZip, Combination::kOneAtATime}) {
    CHECK(plan(study({}, combination)).size() == 1);
  }
}

TEST_CASE("zip goes through all axes together and keeps repeats") {
  CHECK(points_of(study({"sm.count=66,66,132", "param.seq=1,2,3"}, Combination::kZip)) == "66 / 1, 66 / 2, 132 / 3");
}

TEST_CASE("one at a time begins with the base and then changes one axis alone") {
  CHECK(points_of(study({"sm.count=66,132,198", "dram.stacks=1x,2x", "sm.scheduler.policy=gto,gty"},
                        Combination::kOneAtATime)) ==
        "(132) / (5) / (gty), 66 / (5) / (gty), 198 / (5) / (gty), (132) / 10 / (gty), (132) / (5) / gto");
}

TEST_CASE("a random sample has no repeats, and a larger one begins with the smaller one of its seed") {
  Study study = test::study({"sm.count=1..100", "param.seq=1..100"}, Combination::kRandom);
  study.random_count = 300;
  const Plan large = plan(study);
  std::set<std::string> seen;
  for (std::uint64_t i = 0; i < large.size(); ++i) {
    seen.insert(test::to_text(large[i]));
  }
  CHECK(seen.size() == 300);
  study.random_count = 30;
  const Plan small = plan(study);
  for (std::uint64_t i = 0; i < small.size(); ++i) {
    CHECK(small[i] == large[i]);
  }
  study.seed = 2;
  CHECK_FALSE(plan(study)[0] == small[0]);
}

TEST_CASE("a random sample is the same on every machine") {
  Study study = test::study({"sm.count=1..100", "param.seq=1..100"}, Combination::kRandom);
  study.random_count = 4;
  CHECK(points_of(study) == "25 / 66, 86 / 20, 6 / 91, 3 / 36");
}

TEST_CASE("a sample larger than its grid is the grid") {
  Study study = test::study({"sm.count=1..5", "param.seq=1..5"}, Combination::kRandom);
  study.random_count = 1000;
  CHECK(plan(study).size() == 25);
}

TEST_CASE("every architecture has its own base values, and every trace its own points") {
  Study study = test::study({"sm.count=1x,0.5x", "param.seq=1x,8"});
  study.archs = {"h100", "a100"};
  study.traces = {"a.trace", "b.trace"};
  const std::vector<arch::Resolved> archs{h100(), resolved("a100")};
  const std::vector<Parameters> traces{parameters(), {{"seq", 512}}};
  const Plan all(study, archs, traces);
  REQUIRE(all.size() == 16);
  CHECK(test::to_text(all[0]) == "(132) / (2048)");
  CHECK(test::to_text(all[6]) == "54 / (2048)");
  CHECK(all[6].arch == 1);
  CHECK(all[6].trace == 0);
  CHECK(test::to_text(all[10]) == "66 / (512)");
  CHECK(all[15] == Point{1, 1, {{"sm.count", "54", false}, {"param.seq", "8", false}}});
}

TEST_CASE("what is fixed comes before what is varied, and base values are not set again") {
  Study study = test::study({"sm.count=1x,66", "param.seq=1x,8"});
  study.set = {"l2.model=ideal"};
  study.param = {"batch=2"};
  const Plan all = plan(study);
  CHECK(overrides_of(study, all[0]).size() == 1);
  CHECK(parameters_of(study, all[0]) == Choices{{"batch", "2"}});
  const std::vector<arch::Override> changed = overrides_of(study, all[3]);
  REQUIRE(changed.size() == 2);
  CHECK(changed[0].key + "=" + changed[0].value == "l2.model=ideal");
  CHECK(changed[1].key + "=" + changed[1].value == "sm.count=66");
  CHECK(parameters_of(study, all[3]) == Choices{{"batch", "2"}, {"seq", "8"}});
}

TEST_CASE("a parameter that a trace lacks is refused with the nearest, once for all architectures") {
  Study study = test::study({"param.sec=1,2"});
  study.archs = {"h100", "h100"};
  const std::vector<arch::Resolved> archs{h100(), h100()};
  CHECK(input_error_of([&] {
          (void)Plan(study, archs, {&parameters(), 1});
        }) == "--vary param.sec: 'a.trace' has no parameter 'sec' (did you mean 'seq'?)");
}

TEST_CASE("the values of a parameter may be words, by name or by number, each once") {
  Study study = test::study({"param.type=f16,1,f32,1x"});
  study.combination = Combination::kGrid;
  const Parameters traces{{"type", 1, {"f32", "f16"}}};
  const Plan all(study, {&h100(), 1}, {&traces, 1});
  REQUIRE(all.size() == 2);
  CHECK(test::to_text(all[0]) == "f16");
  CHECK(test::to_text(all[1]) == "f32");
  CHECK(parameters_of(study, all[1]) == Choices{{"type", "f32"}});
}

TEST_CASE("the values of a parameter that takes a file may be any names of files") {
  const Study study = test::study({"param.A=../g.txt,1k.mtx,./2x.mtx,random"});
  const Parameters matrix{{"A", 0, {"random"}, true}};
  const Plan all(study, {&h100(), 1}, {&matrix, 1});
  REQUIRE(all.size() == 4);
  CHECK(test::to_text(all[0]) == "../g.txt");
  CHECK(test::to_text(all[1]) == "1k.mtx");
  CHECK(test::to_text(all[2]) == "./2x.mtx");
  const Parameters words{{"A", 0, {"random"}}};
  CHECK(input_error_of([&] {
          (void)Plan(study, {&h100(), 1}, {&words, 1});
        }) ==
        "--vary param.A: '../g.txt' is not a value of the parameter (known: random)\n"
        "--vary param.A: '1k.mtx' is not a value of the parameter (known: random)\n"
        "--vary param.A: './2x.mtx' is not a value of the parameter (known: random)");
}

TEST_CASE("a word that a parameter lacks is refused with the nearest") {
  const Parameters traces{{"type", 1, {"f32", "f16"}}, {"seq", 512}};
  const auto refusal = [&](const char* axis) {
    const Study study = test::study({axis});
    return input_error_of([&] { (void)Plan(study, {&h100(), 1}, {&traces, 1}); });
  };
  CHECK(refusal("param.type=f32,fp16") ==
        "--vary param.type: 'fp16' is not a value of the parameter (did you mean 'f16'?)");
  CHECK(refusal("param.seq=512,long") == "--vary param.seq: 'long' is not an integer (integers only, such as 8192)");
  CHECK(refusal("param.type=f32..f16") ==
        "--vary param.type: 'f32..f16' is a range of words (words separated by commas, such as f16,bf16)");
  CHECK(refusal("param.type=0..2:3") ==
        "--vary param.type: is a range over words (known: f32, f16)\n"
        "--vary param.type: '2' is not a value of the parameter (known: f32, f16)");
  CHECK(refusal("param.type=2x") == "--vary param.type: 'a.trace' has no value to multiply");
}

TEST_CASE("words that are fixed are passed on") {
  Study study = test::study({"param.seq=8"});
  study.param = {"type=f16"};
  CHECK(parameters_of(study, plan(study)[0]) == Choices{{"type", "f16"}, {"seq", "8"}});
}

TEST_CASE("a factor of what an architecture lacks is refused") {
  Study study = test::study({"sm.timing.hmma_fp8.latency=2x"});
  CHECK(problems_of(study).find("unknown key") != std::string::npos);
  study.axes = {parse_axis("interconnect.nvlink_bytes_per_second=2x")};
  arch::Resolved bare = h100();
  bare.sheet = arch::Sheet();
  CHECK(input_error_of([&] {
          (void)Plan(study, {&bare, 1}, {&parameters(), 1});
        }) == "--vary interconnect.nvlink_bytes_per_second: 'h100' has no value to multiply");
}

TEST_CASE("a huge grid is counted without being made") {
  Study study = test::study({"param.seq=1..2000", "param.batch=1..2000", "param.shift=1..2000"});
  CHECK(plan(study).size() == 8'000'000'000);
  for (int i = 0; i < 6; ++i) {
    study.axes.push_back(parse_axis("sm.l1.hit_latency=1..600"));
    study.axes.back().key = std::vector<std::string>{
        "l2.ways", "l2.mshrs", "noc.gpcs", "sm.l1.ways", "sm.l1.mshrs", "l2.tag_latency"}[static_cast<std::size_t>(i)];
  }
  CHECK(plan(study).size() == ~std::uint64_t{0});
  study.combination = Combination::kRandom;
  study.random_count = 10;
  CHECK_THAT(input_error_of([&] { (void)plan(study); }), Catch::Contains("the grid to draw from"));
}

TEST_CASE("a factor that leaves the range of a parameter is refused when its point is run") {
  const Study study = test::study({"param.seq=1000000x"});
  CHECK(parameters_of(study, plan(study)[0]).front().second == "2048000000");
  const Parameters large{{"seq", std::numeric_limits<std::int64_t>::max()}};
  const Plan beyond(study, {&h100(), 1}, {&large, 1});
  CHECK_THROWS_AS(parameters_of(study, beyond[0]), InputError);
}

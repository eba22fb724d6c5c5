// SPDX-License-Identifier: MIT
// Why a warp waits in a cycle.
#include "sim/output/timeline/why.h"

#include <algorithm>
#include <tuple>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/problem.h"
#include "sim/output/timeline/timeline.h"

#include "tests/output/timeline/sample.h"

using namespace gpusim;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;
using timeline::Moment;

namespace {

Moment at(std::uint32_t warp, Cycle cycle) {
  return {.kernel = 1, .sm = 2, .warp_slot = warp, .cycle = cycle};
}

constexpr std::size_t kWidePage = 200;

std::string answer(const Moment& moment, std::size_t width = layout::kPageWidth) {
  const stats::Result result = timeline::recorded_result();
  timeline::TextOptions options;
  options.width = width;
  return timeline::to_text(result, timeline::why(result, moment), options);
}

std::string refusal(const Moment& moment) {
  try {
    (void)timeline::why(timeline::recorded_result(), moment);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

stats::PcResult instruction(const std::string& text) {
  stats::PcResult out;
  out.text = text;
  out.opcode = text.substr(0, text.find(' '));
  return out;
}

}  // namespace

TEST_CASE("a wait for a load is answered in five lines") {
  CHECK(answer(at(3, 412)) ==
        "warp 3 of SM 2 (5.3), cycle 412: long_scoreboard, it waits for a result from L1TEX: global, local\n"
        "  when        cycles 127 to 702 (576); then not_selected; next: line 13: FFMA R5, R4, R6, R7\n"
        "  released by line 12: LDG.E R4, [R2.64], issued in cycle 126\n"
        "  in the way  R4, of line 12 and line 13\n"
        "  meanwhile   sub-core 3 issued nothing in that cycle\n");
}

TEST_CASE("what the warp waits for is wrapped where the page is too narrow for it, and loses no word") {
  CHECK_THAT(answer(at(3, 412), 80),
             StartsWith("warp 3 of SM 2 (5.3), cycle 412: long_scoreboard, it waits for a result from\n"
                        "L1TEX: global, local\n"
                        "  when        cycles 127 to 702"));
}

TEST_CASE("every state has an answer that names it, of five lines where the page is wide") {
  for (const auto& [warp, cycle, state, obstacle] : {
           std::tuple{3U, Cycle{100}, "selected", "nothing"},
           std::tuple{3U, Cycle{101}, "short_scoreboard", "R3, of line 10 and line 11"},
           std::tuple{3U, Cycle{122}, "wait", "R2..R3, of line 11 and line 12"},
           std::tuple{3U, Cycle{703}, "not_selected", "the issue slot of sub-core 3"},
           std::tuple{3U, Cycle{729}, "barrier", "barrier 0x1 of the CTA"},
           std::tuple{3U, Cycle{731}, "lg_throttle", "its queue for local and global"},
           std::tuple{3U, Cycle{749}, "drain", "stores on their way"},
           std::tuple{7U, Cycle{759}, "math_pipe_throttle", "the fma pipe of sub-core 3"},
       }) {
    const std::string text = answer(at(warp, cycle), kWidePage);
    INFO(text);
    CHECK(std::count(text.begin(), text.end(), '\n') == 5);
    CHECK_THAT(text, Contains(": " + std::string(state) + ", it ") && Contains("in the way  " + std::string(obstacle)));
  }
}

TEST_CASE("an answer is wrapped where the page is too narrow, and loses nothing") {
  stats::Result result = timeline::recorded_result();
  result.kernels[1].pcs[3].text = "FFMA R5, R4, R6, " + std::string(60, '7');
  timeline::TextOptions options;
  options.width = 80;
  const std::string text = timeline::to_text(result, timeline::why(result, at(3, 412)), options);
  CHECK_THAT(text, Contains("line 13: FFMA\n              R5, R4, R6,\n              " + std::string(60, '7') + "\n"));
  CHECK_THAT(text, !Contains("..."));
}

TEST_CASE("a warp that issues: the answer says which instruction, and what the warp waits for next") {
  CHECK_THAT(answer(at(3, 100), kWidePage),
             StartsWith("warp 3 of SM 2 (5.3), cycle 100: selected, it issues line 10: S2R R3, SR_TID.X\n"
                        "  when        cycle 100; then short_scoreboard up to cycle 120, for a result from the MIO: "
                        "shared memory, XU, shuffle; next: line 11: IMAD.WIDE R2, R3, R7, c[0x0][0x168]\n"));
  CHECK_THAT(answer(at(3, 732)), Contains("cycle 732; then it issues line 16: EXIT"));
}

TEST_CASE("a warp that drains has issued its EXIT, and then leaves") {
  CHECK_THAT(answer(at(3, 733)), Contains("selected, it issues line 16: EXIT") && Contains("cycle 733; then drain"));
  CHECK_THAT(answer(at(3, 740)), Contains("cycles 734 to 749 (16), after line 16: EXIT; then the warp leaves\n"));
}

TEST_CASE("at a barrier the answer names the warp that arrives last, and when") {
  stats::Result result = timeline::recorded_result();
  stats::WatchInterval last = result.watch.back();
  last.warp_slot = last.warp = 9;
  last.begin = 726;
  last.end = 727;
  last.state = stats::Stall::kSelected;
  last.pc = 4;
  result.watch.push_back(last);
  timeline::TextOptions options;
  options.width = kWidePage;
  const std::string text = timeline::to_text(result, timeline::why(result, at(3, 720)), options);
  CHECK_THAT(text, Contains("released by w9 5.9, the last warp at the barrier: it arrives in cycle 726, with line 14: "
                            "BAR.SYNC 0x1\n"));
  result.watch.back().cta = 6;
  CHECK_THAT(timeline::to_text(result, timeline::why(result, at(3, 720)), options),
             Contains("released by the last warp that arrives at the barrier\n"));
}

TEST_CASE("the answer as JSON has the facts of the text") {
  const stats::Result result = timeline::recorded_result();
  const json why = json::parse(timeline::to_json(result, timeline::why(result, at(3, 412))));
  CHECK(why["schema"] == "gpusim.why/1");
  CHECK(why["state"] == "long_scoreboard");
  CHECK(why["begin"] == 127);
  CHECK(why["end"] == 703);
  CHECK(why["instruction"]["text"] == "FFMA R5, R4, R6, R7");
  CHECK(why["next"]["state"] == "not_selected");
  CHECK(why["leaves"] == false);
  CHECK(why["released_by"]["instruction"]["line"] == 12);
  CHECK(why["released_by"]["cycle"] == 126);
  CHECK(why["in_the_way"] == "R4, of line 12 and line 13");
  CHECK(why["meanwhile"].is_null());
  CHECK(json::parse(timeline::to_json(result, timeline::why(result, at(3, 703))))["meanwhile"]["warp_slot"] == 7);
}

TEST_CASE("the answer says what the sub-core issued instead") {
  CHECK_THAT(answer(at(3, 703)), Contains("sub-core 3 issued line 11: IMAD.WIDE R2, R3, R7, c[0x0][0x168] of w7 5.7"));
  CHECK_THAT(answer(at(3, 704)), Contains("sub-core 3 issued line 13: FFMA R5, R4, R6, R7 of this warp"));
}

TEST_CASE("where the recording ends the answer says so") {
  CHECK_THAT(answer(at(7, 750)), Contains("cycles 704 to 759 (56); the recording ends there"));
}

TEST_CASE("a question about what is not there says what is") {
  CHECK_THAT(refusal({.kernel = 2, .sm = 2, .warp_slot = 3, .cycle = 412}),
             Contains("kernel=2: there is no such kernel in the run") && Contains("allowed: 0 to 1"));
  CHECK_THAT(refusal({.kernel = 1, .sm = 4, .warp_slot = 3, .cycle = 412}),
             Contains("sm=4: there is no such sm in Toy GPU") && Contains("allowed: 0 to 3"));
  CHECK_THAT(refusal(at(64, 412)), Contains("warp=64: there is no such warp in an SM") && Contains("0 to 63"));
  CHECK_THAT(refusal(at(3, 800)),
             Contains("cycle=800: there is no such cycle in kernel 1, which has 800 cycles") && Contains("0 to 799"));
  CHECK_THAT(refusal(at(4, 412)),
             Contains("warp=4: no warp is in this slot of SM 2 in cycle 412") && Contains("slots with warps: 3, 7"));
  CHECK_THAT(refusal({.kernel = 1, .sm = 1, .warp_slot = 3, .cycle = 412}),
             Contains("no warp of SM 1 is recorded in cycle 412") && Contains("recorded: SM 2, cycles 100 to 759"));
  CHECK_THAT(refusal({.kernel = 0, .sm = 2, .warp_slot = 3, .cycle = 412}), Contains("--record warps=SM[:A..B]"));
}

TEST_CASE("before a warp arrives, and after it left, the answer says when it does") {
  const auto known = [](std::uint32_t warp, Cycle cycle) {
    Moment moment = at(warp, cycle);
    moment.recorded_from = 0;
    return refusal(moment);
  };
  CHECK_THAT(known(3, 50), Contains("--why: warp 3 of SM 2 (5.3) arrives at cycle 100"));
  CHECK_THAT(refusal(at(3, 50)), Contains("no warp of SM 2 is recorded in cycle 50"));
  CHECK_THAT(refusal(at(7, 100)), Contains("warp 7 of SM 2 (5.7) arrives at cycle 101"));
  CHECK_THAT(refusal(at(3, 755)), Contains("warp 3 of SM 2 (5.3) leaves after cycle 749"));
  CHECK_THAT(refusal(at(3, 780)), Contains("warp 3 of SM 2 (5.3) leaves after cycle 749"));
  CHECK_THAT(refusal(at(7, 780)), Contains("no warp of SM 2 is recorded in cycle 780"));
}

TEST_CASE("where the producer wrote no register of the waiter, the answer says that they share a dependence counter") {
  stats::Result result = timeline::recorded_result();
  for (stats::PcResult& pc : result.kernels[1].pcs) {
    if (pc.opcode.starts_with("LDG")) {
      pc.text = "LDG.E R20, [R2.64]";
    }
  }
  const timeline::TextOptions options{};
  CHECK_THAT(timeline::to_text(result, timeline::why(result, at(3, 412)), options),
             Catch::Contains("a dependence counter: it is zero only when line 12 is done as well, of which line 13"));
}

TEST_CASE("the registers between two instructions are found in their texts") {
  const auto between = [](const std::string& first, const std::string& second) {
    return timeline::shared_registers(instruction(first), instruction(second));
  };
  CHECK(between("LDG.E.128 R4, [R2.64]", "FFMA R1, R6, R6, R9") == "R6");
  CHECK(between("LDG.E.128 R4, [R2.64]", "STG.E.64 [R2.64], R6") == "R6..R7");
  CHECK(between("ISETP.GE.AND P0, PT, R6, R7, PT", "@P0 EXIT") == "P0");
  CHECK(between("STG.E [R2.64], R5", "MOV R5, R9") == "R5");  // written after it is read
  CHECK(between("LDG.E R4, [R2.64]", "LDG.E R4, [R8.64]") == "R4");
  CHECK(between("UMOV UR4, 0x1", "IADD3 R1, R2, UR4, RZ") == "UR4");
  CHECK(between("LDG.E R4, [R2.64]", "BAR.SYNC 0x0").empty());
  CHECK(between("no SASS at all {", "LDG.E R4, [R2.64]").empty());
}

// SPDX-License-Identifier: MIT
// Run-time predicates in text traces, walked with and without a machine that answers.
#include <limits>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/model/trace/box.h"
#include "sim/model/trace/replay.h"

#include "tests/input/text/support.h"

namespace runtime_predicate_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Matchers::Contains;

namespace {

trace::Trace waiting(const std::string& behind = "") {
  return one_warp("again:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ b parity 0\n@!P0 BRA again when !live\n" +
                      behind + "EXIT\n",
                  "shared dynamic 64\nmbarrier b at 0\n");
}

}  // namespace

TEST_CASE("without a machine every poll succeeds at once") {
  const auto events = walk(waiting().kernels.at(0));
  CHECK(opcodes(events) == "SYNCS.PHASECHK.TRANS64.TRYWAIT BRA EXIT");
  CHECK(events[1].mask == 0);
}

TEST_CASE("the walker does not run past a branch with a run-time predicate before it is answered") {
  const trace::Trace trace = waiting("@P0 FADD R1, R2, R3 when live && lane < 4\n");
  trace::Walker walker(trace.kernels.at(0), {}, 0, trace::PollAnswers::kOfMachine);
  trace::Step step;
  REQUIRE(walker.next(step));
  for (const bool answer : {false, false, true}) {
    CHECK(step.pc == 0);
    REQUIRE(walker.next(step));
    CHECK(step.pc == 1);
    walker.resolve(answer, step);
    CHECK(step.mask == (answer ? 0 : kAllLanes));
    REQUIRE(walker.next(step));
  }
  CHECK(step.pc == 2);
  walker.resolve(true, step);
  CHECK(step.mask == 0xfU);
}

TEST_CASE("the operands of engines are evaluated where the warp gets there") {
  const trace::Trace trace = one_warp(
      "loop k = 0..3\nUTMALDG.2D [UR8], [UR4] @ s + k*256 <- t[k*8, 5 - k] signals b[k%2]\nend\nEXIT\n",
      "shared dynamic 1024\nbuffer x f32[4200]\nshared_buffer s f32[192] at 256\nmbarrier a at 0\nmbarrier b[2] at 8\n"
      "tensor_map t f32(64, 60) over x + 128 strides (272) box (16, 4)\n");
  trace::Walker walker(trace.kernels.at(0), {}, 0);
  trace::Step step;
  for (std::uint32_t k = 0; k < 3; ++k) {
    REQUIRE(walker.next(step));
    const trace::AsyncOperands load = walker.async_operands();
    CHECK(load.action == trace::AsyncAction::kLoad);
    CHECK(load.barrier == 1 + k % 2);
    CHECK(load.bytes == 256);
    CHECK(load.at[0] == 8 * k);
    CHECK(load.at[1] == 5 - k);
    const trace::BoxRows rows(load);
    CHECK(rows.row().begin == 0x7f0000000000ULL + 128 + (5 - k) * 272 + 8 * k * 4);
    CHECK(rows.row().bytes == 64);
    REQUIRE(walker.next(step));
  }
}

TEST_CASE("a box is cut at the edges of its tensor, and into lines") {
  trace::TensorMap map;
  map.base = 0x1000 + 16;
  map.element_bytes = 4;
  map.rank = 3;
  map.size = {40, 3, 2, 1, 1};
  map.stride = {4, 160, 480, 0, 0};
  map.box = {8, 4, 2, 1, 1};
  trace::AsyncOperands copy;
  copy.map = &map;
  copy.at = {-2, 1, 1, 0, 0};
  std::vector<Address> begins;
  for (trace::BoxRows rows(copy); !rows.done(); rows.advance()) {
    begins.push_back(rows.row().begin - map.base);
    CHECK(rows.row().bytes == 24);
  }
  CHECK(begins == std::vector<Address>{160 + 480, 320 + 480});
  copy.map = nullptr;
  copy.global = 0x1070;
  copy.bytes = 160;
  trace::BoxLines lines(copy);
  const trace::LinePart first = lines.next();
  CHECK((first.line == 0x1000 && first.sectors == 8 && first.full == 0 && first.bytes == 16));
  const trace::LinePart second = lines.next();
  CHECK((second.line == 0x1080 && second.sectors == 15 && second.full == 15 && second.bytes == 128));
  const trace::LinePart third = lines.next();
  CHECK((third.line == 0x1100 && third.sectors == 1 && third.full == 0 && third.bytes == 16));
  CHECK(lines.done());
}

TEST_CASE("a box that lies outside its tensor has nothing of it, however far away it is") {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  // Constant expressions: an overflow does not compile.
  constexpr auto count = [](std::int64_t at, std::uint32_t box, std::int64_t size) {
    const trace::BoxSpan span = trace::span_in_tensor(at, box, size);
    return std::max<std::int64_t>(span.end - span.first, 0);
  };
  STATIC_REQUIRE(count(kMost, 8, 40) == 0);
  STATIC_REQUIRE(count(kLeast, 8, 40) == 0);
  STATIC_REQUIRE(count(40, 8, 40) == 0);
  STATIC_REQUIRE(count(-8, 8, 40) == 0);
  STATIC_REQUIRE(count(39, 8, 40) == 1);
  STATIC_REQUIRE(count(-7, 8, 40) == 1);
  STATIC_REQUIRE(count(-7, 100, 40) == 40);
  STATIC_REQUIRE(count(kMost - 3, 8, kMost) == 3);
  const trace::Trace trace = one_warp(
      "UTMAPF.L2.2D [UR8], [UR4] @ t[9223372036854775807, 0]\nUTMAPF.L2.2D [UR8], [UR4] @ t[0, "
      "-9223372036854775807]\nEXIT\n",
      "buffer x f32[4096]\ntensor_map t f32(64, 64) over x box (16, 4)\n");
  trace::Walker walker(trace.kernels.at(0), {}, 0);
  trace::Step step;
  for (int i = 0; i < 2; ++i) {
    REQUIRE(walker.next(step));
    CHECK(trace::BoxRows(walker.async_operands()).done());
  }
}

TEST_CASE("what a recording cannot say is not recorded") {
  const trace::Trace trace = waiting();
  trace::RecordingBuilder builder(trace.kernels.at(0).code, {1, 1, 1}, 1);
  CHECK_THROWS_WITH(trace::replay(trace.kernels.at(0), builder, 0, 1), Contains("depends on what the machine answers"));
}

TEST_CASE("an operation without a source takes its time, with a warning") {
  const trace::Trace trace = one_warp("SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR4], RZ\nUTMALDG.2D [UR8], [UR4]\nEXIT\n");
  CHECK(trace.warnings.size() == 2);
  CHECK_THAT(trace.warnings.at(0), Contains("without a source: it takes its time and signals nobody"));
}

}  // namespace runtime_predicate_test

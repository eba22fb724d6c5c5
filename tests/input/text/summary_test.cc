// SPDX-License-Identifier: MIT
#include "sim/model/trace/summary.h"

#include <catch2/catch.hpp>

#include "sim/model/trace/dump.h"

#include "tests/input/text/support.h"

namespace summary_test {

using namespace gpusim;
using namespace gpusim::test;
using isa::FlopClass;
using isa::MemSpace;

namespace {

std::uint64_t flops(const trace::KernelSummary& summary, FlopClass c) {
  return summary.flops[static_cast<std::size_t>(c)];
}

const std::string kHead =
    "grid (3)\nblock (40)\nshared static 4096\nbuffer x f32[4096]\nshared_buffer s bytes[4096] at 0\n";

}  // namespace

TEST_CASE("a summary counts instructions, lanes, FLOPs and bytes of the whole grid") {
  const trace::Trace trace = load(kernel_text(kHead,
                                              "loop i = 0..5\nFFMA R1, R2, R3, R4\nend\n"
                                              "LDG.E R4, [R2.64] @ x[tid]\n"
                                              "@P0 STG.E.64 [R2.64], R4 @ x[tid*2] when lane < 4\n"
                                              "LDGSTS.E.128 [R3], [R2.64] @ s + lane*16 <- x[lane*4]\n"
                                              "HMMA.16816.F32 R4, R8, R12, R4\nEXIT\n"));
  const trace::KernelSummary summary = trace::summarize(trace.kernels.at(0));
  constexpr std::uint64_t kCtas = 3;
  CHECK(summary.walked.complete());
  CHECK(summary.total.issues == kCtas * 2 * (5 * 2 + 5));
  CHECK(flops(summary, FlopClass::kFp32) == kCtas * 40 * 5 * 2);
  CHECK(flops(summary, FlopClass::kTensorFp16) == kCtas * 2 * 4096);
  CHECK(summary.of(MemSpace::kGlobal).read == kCtas * 40 * (4 + 16));
  CHECK(summary.of(MemSpace::kGlobal).written == kCtas * 8 * 8);
  CHECK(summary.of(MemSpace::kShared).written == kCtas * 40 * 16);
  CHECK(summary.by_opcode.at(0).opcode == "BRA");
  CHECK(summary.by_opcode.at(0).count.issues == kCtas * 2 * 5);
}

TEST_CASE("a summary that stops at its limit says what it walked and scales nothing") {
  const trace::Trace trace = load(kernel_text("grid (100)\nblock (32)\n", "FADD R1, R2, R3\nEXIT\n"));
  const trace::KernelSummary some = trace::summarize(trace.kernels.at(0), {7, 1'000'000});
  CHECK(some.walked.ctas == 7);
  CHECK(some.walked.of_ctas == 100);
  CHECK_FALSE(some.walked.complete());
  CHECK(some.total.issues == 14);
  const trace::KernelSummary cut = trace::summarize(trace.kernels.at(0), {100, 5});
  CHECK(cut.walked.cut_off);
  CHECK(cut.walked.ctas == 2);
  CHECK(cut.total.issues == 4);
}

TEST_CASE("a summary that is cut off counts whole CTAs, and a part of one only where there is no other") {
  const trace::Trace trace = load(kernel_text("grid (100)\nblock (64)\n", "FADD R1, R2, R3\nFADD R1, R2, R3\nEXIT\n"));
  const trace::KernelSummary whole = trace::summarize(trace.kernels.at(0), {100, 17});
  CHECK(whole.walked.ctas == 2);
  CHECK(whole.walked.steps == 12);
  CHECK(whole.by_instruction.at(0).lanes == 2 * 64);
  CHECK(whole.active_lanes == 12 * 32);
  const trace::KernelSummary part = trace::summarize(trace.kernels.at(0), {100, 4});
  CHECK(part.walked.ctas == 0);
  CHECK(part.total.issues == 4);
}

TEST_CASE("an endless loop is counted only up to the limit") {
  const trace::Trace trace = one_warp("top:\n@P1 EXIT when lane > 40\n@P0 BRA top when lane < 32\nEXIT\n");
  CHECK(trace::summarize(trace.kernels.at(0), {1, 1000}).walked.cut_off);
  CHECK(trace::check(trace, {1, 1000}).walked.at(0).cut_off);
}

TEST_CASE("a warp that walks a loop for longer than allowed is given up, with the jump back named") {
  const trace::Trace trace = one_warp("top:\n@P1 EXIT when lane > 40\n@P0 BRA top when lane < 32\nEXIT\n");
  for (const trace::Simt simt : {trace::Simt::kStack, trace::Simt::kIndependent}) {
    trace::Walker walker(trace.kernels.at(0), {}, 0, trace::PollAnswers::kAlwaysYes, simt, 1000);
    trace::Step step;
    const auto walk_on = [&] {
      for (int steps = 0; steps < 1010; ++steps) {
        (void)walker.next(step);
      }
    };
    CHECK_THROWS_WITH(walk_on(), Catch::Contains("t.trace:8:1:") && Catch::Contains("after 1,000 instructions") &&
                                     Catch::Contains("--max-warp-instructions"));
  }
}

TEST_CASE("loops with a count are walked to their end when the limit allows it") {
  const trace::Trace trace = one_warp("loop i = 0..100\nNOP\nend\nEXIT\n");
  trace::Walker walker(trace.kernels.at(0), {}, 0, trace::PollAnswers::kAlwaysYes, trace::Simt::kStack, 300);
  trace::Step step;
  std::uint64_t steps = 0;
  while (walker.next(step)) {
    ++steps;
  }
  CHECK(steps == 2 * 100 + 1);
}

TEST_CASE("a check takes an unknown opcode for a problem, with the nearest name, once") {
  const trace::CheckResult result = trace::check(one_warp("FFMMA R1, R2, R3, R4\nFFMMA R1, R2, R3, R4\nEXIT\n"));
  REQUIRE(result.problems.size() == 1);
  CHECK(result.problems[0].message == "unknown opcode 'FFMMA'");
  CHECK(result.problems[0].hint == "did you mean 'FFMA'?");
}

TEST_CASE("a check reports each line that goes wrong once, and the last CTA is among those it walks") {
  const trace::Trace trace = load(kernel_text("grid (1000000)\nblock (32)\nbuffer x f32[31999999]\nbuffer y f32[16]\n",
                                              "LDG.E R4, [R2.64] @ x[ctaid.x*32 + lane]\nEXIT\n"));
  const trace::CheckResult result = trace::check(trace, {16, 1'000'000});
  REQUIRE(result.problems.size() == 1);
  CHECK(result.problems[0].where.line == 8);
  CHECK(result.problems[0].message.find("CTA (999999,0,0), warp 0, lane 31") != std::string::npos);
  CHECK(result.walked.at(0).ctas == 16);
}

TEST_CASE("a check finds lanes that never meet, and CTAs that the cluster has not") {
  const trace::CheckResult lanes =
      trace::check(one_warp("BSSY B2, meet\n@P0 BRA side when lane < 8\nmeet:\nBSYNC B2\nEXIT\nside:\n"
                            "WARPSYNC 0xffffffff\nEXIT\n"));
  REQUIRE(lanes.problems.size() == 1);
  CHECK(lanes.problems[0].message.find("lanes 8-31 at barrier B2") != std::string::npos);
  const trace::CheckResult rank =
      trace::check(load(kernel_text("grid (4)\ncluster (2)\nblock (32)\nshared static 64\nmbarrier b at 0\n",
                                    "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R4], RZ @ b in cta (ctaid.x)\nEXIT\n")));
  REQUIRE(rank.problems.size() == 1);
  CHECK(rank.problems[0].message.find("rank 2") != std::string::npos);
}

TEST_CASE("a program dumps as its expanded instructions") {
  const trace::Trace trace = one_warp("unroll k = 0..2\nFADD R{1+k}, R2, R3\nend\nif lane < 16\nNOP\nend\nEXIT\n");
  CHECK(trace::dump_program(trace.kernels.at(0)) ==
        "kernel k\n"
        "000000  FADD R1, R2, R3  # line 7\n"
        "000010  FADD R2, R2, R3  # line 7\n"
        "000020  @!P6 BRA 0x40  # line 9\n"
        "000030  NOP  # line 10\n"
        "000040  EXIT  # line 12\n");
}

TEST_CASE("a warp dumps as its steps with lanes and addresses") {
  const trace::Trace trace =
      one_warp("LDG.E R4, [R2.64] @ x[lane]\n@P0 LDG.E R4, [R2.64] @ x[(lane*lane)%7] when lane < 3\nEXIT\n",
               "buffer x f32[64]\n");
  CHECK(trace::dump_warp(trace.kernels.at(0), {}, 0, 100) ==
        "kernel k, CTA (0,0,0), warp 0\n"
        "       0  000000  ffffffff  LDG.E R4, [R2.64]  @ 0x7f0000000000 + 4*lane\n"
        "       1  000010  00000007  @P0 LDG.E R4, [R2.64]  @ 0x7f0000000000 0x7f0000000004 0x7f0000000010\n"
        "       2  000020  ffffffff  EXIT\n");
  CHECK(trace::dump_warp(trace.kernels.at(0), {}, 0, 1).ends_with("... only the first 1 steps are shown\n"));
  CHECK_THROWS_WITH(trace::dump_warp(trace.kernels.at(0), {0, 1, 0}, 0, 1),
                    "kernel 'k' has no CTA (0,1,0) (its grid is (1,1,1))");
  CHECK_THROWS_WITH(trace::dump_warp(trace.kernels.at(0), {}, 1, 1),
                    "kernel 'k' has no warp 1 (its CTAs have 1 warps)");
}

TEST_CASE("a walk that is spread over the grid has its first and its last CTA, and says how much it saw") {
  const trace::Trace trace = load(
      "gpusim trace 1\nkernel k\ngrid (101)\nblock (32)\nbuffer x f32[101*32]\ncode\n"
      "LDG.E R2, [R4.64] @ x[ctaid.x*32 + lane]\n@P0 EXIT when ctaid.x < 100\nNOP\nEXIT\nend\n");
  const auto walked = [&](bool spread) {
    trace::Footprint footprint;
    const trace::KernelSummary summary = trace::summarize(trace.kernels[0], {3, 1000, spread}, &footprint);
    CHECK(summary.walked.ctas == 3);
    CHECK(footprint.by_buffer(trace.kernels[0]).at(0).bytes == 3 * 128);
    return summary;
  };
  CHECK(walked(false).total.issues == 6);
  CHECK(walked(true).total.issues == 8);
  CHECK(walked(true).active_lanes == 8 * 32);
}

}  // namespace summary_test

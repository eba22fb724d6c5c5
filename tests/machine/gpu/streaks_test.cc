// SPDX-License-Identifier: MIT
// Issue streaks: a warp that issues in cycle after cycle is taken there by a short way. An SM that is watched goes the
// long way, and both find the same.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/input/text/load.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/loader.h"

#include "tests/support/same_counts.h"

namespace streaks_test {

using namespace gpusim;

namespace {

/// So many instructions that may issue in cycle after cycle; the accumulators take turns.
std::string plain(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    const std::string accumulator = "R" + std::to_string(16 + i % 16);
    text += "    FFMA " + accumulator + ", R4.reuse, R5.reuse, " + accumulator + "\n";
  }
  return text;
}

/// A kernel whose warps run `body` three times.
std::string kernel_of(std::uint32_t threads, const std::string& body) {
  return "gpusim trace 1\nkernel streaks\n  grid (2)\n  block (" + std::to_string(threads) +
         ")\n  registers 40\n  buffer out f32[4096]\ncode\n  S2R R0, SR_TID.X\n  loop i = 0..3\n" + body +
         "  end\n  STG.E [R2.64], R8 @ out[ctaid.x*1024 + tid]\n  EXIT\nend\n";
}

/// Between plain instructions one of each kind that ends a streak: a pipe that stays closed, registers that need more
/// reads than there are ports, a constant, a stall count.
std::string with_ends() {
  std::string body;
  for (const char* end : {"FFMA R9, R11, R13, R15", "MUFU.EX2 R8, R9", "FFMA R8, R8, c[0x0][0x160], R9",
                          "DFMA R8, R10, R12, R14", "IMAD R6, R6, R7, R6"}) {
    body += plain(20) + "    " + end + "\n";
  }
  return body;
}

/// Guarded instructions at the head of a streak, inside one and at its end, for some lanes, for all and for none.
std::string with_guards() {
  std::string body;
  for (const char* when : {"lane < 20", "(i + lane) % 3 == 0", "i == 1", "tid < 0", "tid >= 0"}) {
    const std::string guarded = "    @P0 FFMA R10, R4, R5, R10 when " + std::string(when) + "\n";
    body += "    DFMA R8, R12, R12, R14\n" + guarded + plain(9) + guarded + plain(1) + guarded + plain(20) + guarded +
            "    IMAD R6, R6, R7, R6\n";
  }
  return body;
}

/// Lanes part and meet again in the middle of instructions that follow each other in the code.
std::string with_joins() {
  std::string body;
  for (const char* some : {"lane < 16", "(lane + i) % 4 == 0", "i == 1", "bit(hash(7, tid), i)"}) {
    const std::string begin = plain(10) + "    if P0: " + some + "\n" + plain(15);
    body += begin + "    end\n" + begin + "    else\n" + plain(12) + "    end\n";
  }
  return body + plain(10) + "    loop j = 0..1 + lane % 3\n" + plain(20) + "    end\n" + plain(10);
}

stats::KernelResult run(const trace::Trace& trace, const std::vector<arch::Override>& overrides, bool is_watched) {
  const arch::Arch arch = arch::load_arch(std::string(GPUSIM_SOURCE_DIR) + "/configs/h100.yaml", overrides);
  gpu::SimulateOptions options;
  for (std::uint32_t sm = 0; is_watched && sm < arch.sm.count; ++sm) {
    options.watch.push_back({.sm = sm});
  }
  return gpu::simulate(arch, trace, options).kernels.at(0);
}

void check_same(std::uint32_t threads, const std::string& body, const std::vector<arch::Override>& overrides) {
  const trace::Trace trace = frontend::load_trace_text(kernel_of(threads, body), "streaks.trace", {});
  CHECK(testing::count_difference(run(trace, overrides, false), run(trace, overrides, true)) == "");
}

/// With a front end that interrupts streaks, and without; with lanes that wait on a stack, and on their own.
void check_widely(const std::string& body) {
  for (const std::uint32_t threads : {20U, 32U, 96U, 256U, 1024U}) {
    CAPTURE(threads);
    check_same(threads, body, {});
    check_same(threads, body, {{"sm.simt", "stack"}});
    check_same(threads, body, {{"sm.front_end.model", "ideal"}});
    check_same(threads, body, {{"sm.front_end.model", "ideal"}, {"sm.simt", "stack"}});
  }
}

}  // namespace

TEST_CASE("streaks of one warp and of many are issued as cycle by cycle") {
  check_widely(with_ends());
}

TEST_CASE("streaks with guarded instructions count the lanes that take part") {
  check_widely(with_guards());
}

TEST_CASE("streaks end where lanes part or meet") {
  check_widely(with_joins());
}

TEST_CASE("a streak may be longer than is counted at most") {
  for (const unsigned count : {256U, 600U}) {
    CAPTURE(count);
    check_widely(plain(count));
  }
}

TEST_CASE("streaks are the same under each policy, and without register ports") {
  for (const std::string& body : {with_ends(), with_guards(), with_joins()}) {
    for (const std::string policy : {"gto", "lrr", "oldest", "two-level", "fair"}) {
      CAPTURE(policy);
      check_same(512, body, {{"sm.scheduler.policy", policy}});
    }
    check_same(512, body, {{"sm.register_file.model", "ideal"}});
  }
}

}  // namespace streaks_test

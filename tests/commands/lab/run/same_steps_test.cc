// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/same_steps.h"

#include <catch2/catch.hpp>

#include "sim/input/text/load.h"

using namespace gpusim;
using Catch::Matchers::Contains;

namespace same_steps_test {
namespace {

/// A kernel that stores what it loaded to `looked` when `seen` is yes, with this code between both.
trace::Trace copy(bool is_seen, const std::string& between, const std::string& head = "  grid (2)\n") {
  trace::ParameterChoice choice;
  choice.words.push_back({"seen", is_seen ? "yes" : "no"});
  return frontend::load_trace_text("gpusim trace 1\nparam seen = no in no | yes \"\"\nkernel k\n" + head +
                                       "  block (64)\n  shared static 256\n  buffer x f32[128]\n"
                                       "  buffer looked f32[seen ? 128 : 1]\n  buffer y f32[128]\n"
                                       "  shared_buffer s f32[64] at 0\ncode\n  let i = ctaid.x*64 + tid\n"
                                       "  LDG.E R4, [R2.64] @ x[i]\n  static if seen\n"
                                       "    STG.E [R6.64], R4 @ looked[i]\n  end\n" +
                                       between + "  STG.E [R2.64], R4 @ y[i]\n  EXIT\nend\n",
                                   "copy.trace", choice);
}

std::string parting(const std::string& between, const std::string& head = "  grid (2)\n") {
  return lab::other_steps(copy(true, between, head), copy(false, between, head), "looked");
}

}  // namespace

TEST_CASE("a kernel that only stores more while the check looks does the same, wherever its buffers and branches lie") {
  CHECK(parting("").empty());
  CHECK(parting("  if P0: tid < 7\n    FADD R4, R4, R4\n  end\n  loop t = 0..3\n    FADD R4, R4, R4\n  end\n").empty());
}

TEST_CASE("an instruction that is there only while the check looks is found, with its place") {
  CHECK_THAT(parting("  static if seen\n    FADD R4, R4, R4\n  end\n"),
             Contains("warp 0 of CTA 0,0,0 does 'FADD R4, R4, R4' at line 18 while the check looks into it") &&
                 Contains("and 'STG.E [R2.64], R4' at line 20 in the run that is measured"));
  CHECK_THAT(parting("  static if seen == 0\n    EXIT\n  end\n"),
             Contains("'EXIT' at line 18 in the run that is measured"));
}

TEST_CASE("other lanes, registers, addresses and buffers are found") {
  CHECK_FALSE(parting("  @P0 FADD R4, R4, R4 when seen || tid < 3\n").empty());
  CHECK_FALSE(parting("  FADD R{4+seen}, R4, R4\n").empty());
  CHECK_THAT(parting("  STS [R0], R4 @ s[seen ? tid : 63 - tid]\n"),
             Contains("does 'STS [R0], R4' at line 17 for other lanes, or at other addresses, while the check looks"));
  CHECK_FALSE(parting("  LDG.E R5, [R2.64] @ x[seen ? i : 0]\n").empty());
}

TEST_CASE("a store to another buffer than the witness counts") {
  CHECK_THAT(parting("  static if seen\n    STG.E [R2.64], R4 @ x[i]\n  end\n"),
             Contains("while the check looks into it"));
}

TEST_CASE("another launch is found") {
  CHECK_THAT(parting("", "  grid (seen ? 2 : 1)\n"), Contains("'k' has another grid"));
  CHECK_THAT(parting("", "  grid (2)\n  registers seen ? 40 : 32\n"), Contains("number of registers"));
}

}  // namespace same_steps_test

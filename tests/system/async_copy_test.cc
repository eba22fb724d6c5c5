// SPDX-License-Identifier: MIT
// LDGSTS with and without a look into L1: what PTX calls cp.async.ca and cp.async.cg.
#include <string>

#include <catch2/catch.hpp>

#include "tests/system/on_h100.h"

namespace async_copy_test {

using namespace gpusim;

namespace {

const std::string kHead =
    "grid (1)\nblock (32)\nshared static 1024\nbuffer x f32[1024]\nshared_buffer s f32[256] at 0\n";
const std::string kWait = "LDGDEPBAR\nDEPBAR.LE SB0, 0x0\n";

std::string copy(const std::string& opcode) {
  return opcode + " [R8], [R2.64] @ s + lane*16 <- x[lane*4]\n" + kWait;
}

stats::L1Counters l1_of(const std::string& body) {
  return test::on_h100(kHead, body).l1;
}

const std::string kThroughL1 = copy("LDGSTS.E.128");
const std::string kPastL1 = copy("LDGSTS.E.BYPASS.128");

}  // namespace

TEST_CASE("a copy through L1 leaves its lines there, one that bypasses L1 does not") {
  const std::string load = "LDG.E.128 R4, [R2.64] @ x[lane*4]\nFADD R5, R4, R4\n";
  CHECK(l1_of(kThroughL1 + load).load_hits == 16);
  CHECK(l1_of(kThroughL1 + load).fill_sectors == 16);
  CHECK(l1_of(kPastL1 + load).load_hits == 0);
  CHECK(l1_of(kPastL1 + load).fill_sectors == 32);
}

TEST_CASE("a copy finds in L1 what was loaded before, unless it bypasses L1") {
  const std::string load = "LDG.E.128 R4, [R2.64] @ x[lane*4]\nFADD R5, R4, R4\n";
  CHECK(l1_of(load + kThroughL1).load_hits == 16);
  CHECK(l1_of(load + kThroughL1).bypass_sectors == 0);
  CHECK(l1_of(load + kPastL1).bypass_sectors == 16);
  CHECK(l1_of(load + kPastL1).fill_sectors == 32);
}

TEST_CASE("a second copy of the same lines asks L2 again only when it bypasses L1") {
  CHECK(l1_of(kThroughL1 + kThroughL1).fill_sectors == 16);
  CHECK(l1_of(kPastL1 + kPastL1).fill_sectors == 32);
}

TEST_CASE("copies to the same lines share one request while it is under way, with or without L1") {
  for (const std::string opcode : {"LDGSTS.E.128", "LDGSTS.E.BYPASS.128"}) {
    const std::string one = opcode + " [R8], [R2.64] @ s + lane*16 <- x[lane*4]\n";
    const stats::L1Counters l1 = l1_of(one + one + kWait);
    CHECK(l1.fill_sectors == 16);
    CHECK(l1.mshr_merges == 16);
  }
}

TEST_CASE("a copy that hits in L1 is there sooner than one that goes to L2, and both wait in long_scoreboard") {
  const auto cycles = [](const std::string& body) { return test::on_h100(kHead, body).cycles; };
  const Cycle hit = cycles(kThroughL1 + kThroughL1);
  const Cycle past = cycles(kThroughL1 + kPastL1);
  CHECK(past > hit + 150);
  CHECK(test::waited(test::on_h100(kHead, kPastL1), "DEPBAR", stats::Stall::kLongScoreboard) > 150);
}

}  // namespace async_copy_test

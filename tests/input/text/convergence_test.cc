// SPDX-License-Identifier: MIT
// Lanes that part and meet as since Volta: convergence barriers, WARPSYNC, YIELD, and what of them makes no sense.
#include <catch2/catch.hpp>

#include "sim/base/problem.h"

#include "tests/input/text/support.h"

namespace convergence_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Matchers::Contains;

namespace {

/// "FADD:ffffffff BRA:ffff": opcodes with the lanes on the path, under independent thread scheduling.
std::string with_lanes(const std::string& code, const std::string& head = "") {
  std::string text;
  for (const Event& event : walk(one_warp(code, head).kernels.at(0), {}, 0, 1000, trace::Simt::kIndependent)) {
    std::array<char, 16> lanes{};
    std::snprintf(lanes.data(), lanes.size(), "%x", event.active);
    text += (text.empty() ? "" : " ") + event.opcode + ":" + lanes.data();
  }
  return text;
}

std::string stuck(const std::string& code) {
  try {
    (void)with_lanes(code);
  } catch (const CannotFinishError& error) {
    return error.what();
  }
  return "no error";
}

std::string refused(const std::string& code, const std::string& head = "block (32)\n") {
  return load_error(kernel_text("grid (1)\n" + head, code));
}

}  // namespace

TEST_CASE("lanes that part between BSSY and BSYNC wait there for all that were together at BSSY") {
  CHECK(with_lanes("BSSY B0, meet\n"
                   "@P0 BRA side when lane < 8\n"
                   "FADD R1, R1, R1\n"
                   "BRA meet\n"
                   "side:\n"
                   "FMUL R1, R1, R1\n"
                   "meet:\n"
                   "BSYNC B0\n"
                   "EXIT\n") ==
        "BSSY:ffffffff BRA:ffffffff FADD:ffffff00 BRA:ffffff00 BSYNC:ffffff00 FMUL:ff BSYNC:ff EXIT:ffffffff");
}

TEST_CASE("a barrier around two ifs brings their lanes together only at its end") {
  const std::string ifs =
      "if lane < 8\nFADD R1, R1, R1\nend\n"
      "if lane < 16\nFMUL R1, R1, R1\nend\n";
  CHECK(with_lanes(ifs + "EXIT\n") == "BRA:ffffffff FADD:ff BRA:ffffffff FMUL:ffff EXIT:ffffffff");
  CHECK(with_lanes("BSSY B3, meet\n" + ifs + "BSYNC B3\nmeet:\nEXIT\n") ==
        "BSSY:ffffffff BRA:ffffffff FADD:ff BRA:ff FMUL:ff BSYNC:ff BRA:ffffff00 FMUL:ff00 BSYNC:ff00 BSYNC:ffff0000 "
        "EXIT:ffffffff");
}

TEST_CASE("nobody waits for lanes that left a barrier by BREAK, or exited") {
  CHECK(with_lanes("BSSY B0, meet\n"
                   "@P0 BREAK B0 when lane < 8\n"
                   "@P0 BRA out when lane < 8\n"
                   "@P1 EXIT when lane >= 16\n"
                   "BSYNC B0\n"
                   "meet:\n"
                   "FADD R1, R1, R1\n"
                   "out:\n"
                   "EXIT\n") ==
        "BSSY:ffffffff BREAK:ffffffff BRA:ffffffff EXIT:ffffff00 BSYNC:ff00 FADD:ff00 EXIT:ff00 EXIT:ff");
}

TEST_CASE("the last lane to leave lets those go on that wait at the barrier") {
  CHECK(with_lanes("BSSY B0, meet\n"
                   "@P0 BRA side when lane < 8\n"
                   "meet:\n"
                   "BSYNC B0\n"
                   "EXIT\n"
                   "side:\n"
                   "EXIT\n") == "BSSY:ffffffff BRA:ffffffff BSYNC:ffffff00 EXIT:ff EXIT:ffffff00");
}

TEST_CASE("WARPSYNC waits for the lanes of its mask, wherever they reach one") {
  const std::string code =
      "BSSY B0, meet\n"
      "if lane < 8\nWARPSYNC 0xffff\nFADD R1, R1, R1\n"
      "else\nFMUL R1, R1, R1\n@P0 WARPSYNC 0xffff when lane < 16\nend\n"
      "meet:\nBSYNC B0\nEXIT\n";
  CHECK(with_lanes(code) ==
        "BSSY:ffffffff BRA:ffffffff WARPSYNC:ff FMUL:ffffff00 WARPSYNC:ffffff00 BSYNC:ffffff00 FADD:ff BRA:ff BSYNC:ff "
        "EXIT:ffffffff");
  CHECK(with_lanes("WARPSYNC.ALL\nWARPSYNC 4294967295\nWARPSYNC R4\nEXIT\n") ==
        "WARPSYNC.ALL:ffffffff WARPSYNC:ffffffff WARPSYNC:ffffffff EXIT:ffffffff");
}

TEST_CASE("a split that yields comes after all others that can run") {
  CHECK(with_lanes("if lane < 8\nYIELD\nFADD R1, R1, R1\nYIELD\nFADD R1, R1, R1\n"
                   "else\nFMUL R1, R1, R1\nYIELD\nFMUL R1, R1, R1\nend\nEXIT\n") ==
        "BRA:ffffffff YIELD:ff FMUL:ffffff00 YIELD:ffffff00 FADD:ff YIELD:ff FMUL:ffffff00 FADD:ff BRA:ff "
        "EXIT:ffffffff");
  CHECK(with_lanes("YIELD\nEXIT\n") == "YIELD:ffffffff EXIT:ffffffff");
}

TEST_CASE("a stack takes no notice of barriers and yields") {
  const trace::Trace trace =
      one_warp("BSSY B0, meet\nif lane < 8\nYIELD\nFADD R1, R1, R1\nend\nBSYNC B0\nmeet:\nEXIT\n");
  CHECK(opcodes(walk(trace.kernels.at(0))) == "BSSY BRA YIELD FADD BSYNC EXIT");
}

TEST_CASE("each lane has its own barrier registers") {
  // Lanes 0 to 7 begin B1 and meet there while the others, behind them in time, begin it anew.
  CHECK(with_lanes("BSSY B0, meet\n"
                   "@P0 BRA other when lane >= 8\n"
                   "BSSY B1, one\nif lane < 4\nYIELD\nend\none:\nBSYNC B1\nBRA meet\n"
                   "other:\n"
                   "BSSY B1, two\nif lane < 16\nYIELD\nend\ntwo:\nBSYNC B1\n"
                   "meet:\nBSYNC B0\nEXIT\n")
            .ends_with("EXIT:ffffffff"));
}

TEST_CASE("lanes of different iterations do not become one split") {
  const std::string walked = with_lanes(
      "BSSY B0, meet\nloop i = 0..2\nif lane + i == 0\nFADD R1, R1, R1\nend\nend\n"
      "meet:\nBSYNC B0\nEXIT\n");
  CHECK(walked.ends_with("EXIT:ffffffff"));
}

TEST_CASE("lanes that can never meet are named, with what they wait for") {
  const std::string said = stuck(
      "BSSY B2, meet\n"
      "@P0 BRA side when lane < 8\n"
      "meet:\n"
      "BSYNC B2\n"
      "EXIT\n"
      "side:\n"
      "WARPSYNC 0xffffffff\n"
      "EXIT\n");
  CHECK_THAT(said,
             Contains("kernel 'k' cannot finish: the lanes of a warp wait for each other in CTA (0,0,0), warp 0:"));
  CHECK_THAT(said, Contains("lanes 8-31 at barrier B2, begun in line 6, for lanes 0-7\n"));
  CHECK_THAT(said, Contains("lanes 0-7 at the WARPSYNC of lanes 0-31, first reached in line 12, for lanes 8-31\n"));
}

TEST_CASE("convergence that makes no sense is refused with its line") {
  CHECK_THAT(refused("BSSY B16, l\nl:\nBSYNC B16\nEXIT\n"),
             Contains("t.trace:6:1: there is no convergence barrier B16 (a warp has B0 to B15)"));
  CHECK_THAT(refused("BSYNC\nEXIT\n"), Contains("t.trace:6:1: 'BSYNC' names no convergence barrier"));
  CHECK_THAT(refused("BSYNC B1\nEXIT\n"),
             Contains("t.trace:6:1: 'BSYNC B1': no path that leads here has begun barrier B1"));
  CHECK_THAT(refused("BSSY B0, l\nl:\nBSYNC B0\n@P0 BREAK B1 when lane < 2\nEXIT\n"),
             Contains("t.trace:9:1: '@P0 BREAK B1': no path that leads here has begun barrier B1"));
  CHECK_THAT(refused("BSSY B0, nowhere\nEXIT\n"), Contains("t.trace:6:10: undefined label 'nowhere'"));
  CHECK_THAT(
      refused("BSSY B0, l\nBSSY B1, m\nl:\nBSYNC B1\nm:\nEXIT\n"),
      Contains("t.trace:6:10: there is no BSYNC B0 at 'l', where its lanes are to meet (the label stands in line "
               "8, and BSYNC at it or right before it)"));
  CHECK_THAT(refused("WARPSYNC 0x100000000\nEXIT\n"),
             Contains("t.trace:6:1: '0x100000000' names lanes that do not exist"));
  CHECK_THAT(refused("WARPSYNC 0x0\nEXIT\n"), Contains("'0x0' names lanes that do not exist"));
  CHECK_THAT(refused("WARPSYNC 0xff00\nEXIT\n", "block (8)\n"), Contains("'0xff00' names lanes that do not exist"));
  CHECK(refused("WARPSYNC 0xffffffff\nEXIT\n", "block (8)\n") == "no error");
}

TEST_CASE("a barrier that only some paths begin may be waited for") {
  CHECK(refused("if lane < 4\nBSSY B0, l\nend\nl:\nBSYNC B0\nEXIT\n") == "no error");
  CHECK(refused("BMOV.32 B5, R2\nBSYNC B5\nEXIT\n") == "no error");
}

}  // namespace convergence_test

// SPDX-License-Identifier: MIT
// Barriers in shared memory: phases of arrivals and bytes, polls that the machine answers, and what is said of those
// that nobody will ever complete.
#include <string>

#include <catch2/catch.hpp>

#include "tests/system/on_h100.h"

namespace mbarrier_test {

using namespace gpusim;
using Catch::Matchers::Contains;
using test::executed;
using test::waited;

namespace {

const std::string kHead =
    "grid (1)\nblock (64)\nshared dynamic 4096\nbuffer x f32[4096]\nshared_buffer s f32[512] at 1024\n"
    "mbarrier full[2] at 0\nmbarrier done at 64\n";

/// One thread initialises `done` for `arrivals`, and all warps meet.
std::string initialised(const std::string& arrivals) {
  return "if P1: warp == 0 && lane == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ done init " + arrivals +
         "\nend\nNANOSLEEP 0x10\nBAR.SYNC 0x0\n";
}

const std::string kWait =
    "again:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ done parity 0\n@!P0 BRA again when !live\n";

stats::KernelResult run(const std::string& body, const std::vector<arch::Override>& overrides = {}) {
  return test::on_h100(kHead, body, overrides);
}

std::string failure(const std::string& body) {
  return test::failure_on_h100(kHead, body);
}

const std::string kProducerSleeps =
    "if P2: warp == 0\nNANOSLEEP 0x400\nNOP\n@P3 SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR4], RZ @ done when lane == "
    "0\nelse\n" +
    kWait + "end\n";

}  // namespace

TEST_CASE("a warp waits at an mbarrier until the last arrival, and the wait is its poll's") {
  const auto kernel = run(initialised("1") + kProducerSleeps);
  // 1024 ns at 1.83 GHz are 1874 cycles. The poll is suspended all the while: one is enough.
  CHECK(executed(kernel, "SYNCS.PHASECHK") == 1);
  const std::uint64_t cycles = waited(kernel, "@!P0 BRA", stats::Stall::kLongScoreboard);
  CHECK(cycles > 1874 - 100);
  CHECK(cycles < 1874 + 100);
}

TEST_CASE("an answer comes when the phase ends, a limit makes the warp ask again") {
  const auto once = run(initialised("1") + kProducerSleeps);
  const auto often = run(initialised("1") + kProducerSleeps, {{"sm.mbarrier.try_wait_limit", "100 cycles"}});
  CHECK(executed(often, "SYNCS.PHASECHK") > 10);
  CHECK(executed(often, "SYNCS.PHASECHK") < 19);
  CHECK(executed(often, "BRA") - executed(once, "BRA") == executed(often, "SYNCS.PHASECHK") - 1);
}

TEST_CASE("every lane that takes part arrives") {
  const std::string all = "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR4], RZ @ done\n" + kWait;
  CHECK(executed(run(initialised("64") + all), "SYNCS.PHASECHK") == 2);
  CHECK_THAT(failure(initialised("65") + all), Contains("64 of 65 arrivals made, 0 bytes outstanding"));
  CHECK_THAT(failure(initialised("63") + all), Contains("gets 32 arrivals where its phase lacks 31"));
}

TEST_CASE("a phase lasts until its bytes have come, and the next one expects the same arrivals") {
  const std::string lane0 = "if P2: warp == 0 && lane == 0\n";
  const std::string arrive = "SYNCS.ARRIVE.TRANS64 RZ, [UR4], R2 @ done expect 64\n";
  const std::string complete = "SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [UR4], R2 @ done complete 32\n";
  CHECK_THAT(failure(initialised("1") + lane0 + arrive + complete + "end\n" + kWait),
             Contains("1 of 1 arrival made, 32 bytes outstanding"));
  CHECK(failure(initialised("1") + lane0 + arrive + complete + complete + "end\n" + kWait).empty());
  const std::string second =
      "next:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ done parity 1\n@!P0 BRA next when !live\n";
  CHECK_THAT(failure(initialised("1") + lane0 + arrive + complete + complete + "end\n" + kWait + second),
             Contains("parity 1: phase 1 has 0 of 1 arrival made, 0 bytes outstanding"));
}

TEST_CASE("the bytes may come before they are expected") {
  CHECK(failure(initialised("2") +
                "if P2: warp == 0 && lane == 0\nSYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [UR4], R2 @ done complete 32\n"
                "SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [UR4], R2 @ done expect 32\n"
                "SYNCS.ARRIVE.TRANS64.ART0 RZ, [UR4], R2 @ done arrive 2\nend\n" +
                kWait)
            .empty());
}

TEST_CASE("a parity that is not the present phase's is over at once") {
  CHECK(executed(run(initialised("1") + "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ done parity 1\n"
                                        "@!P0 BRA out when !live\nFADD R1, R2, R3\nout:\n"),
                 "FADD") == 2);
}

TEST_CASE("warps that wait for each other's mbarriers are explained as a circle") {
  const std::string text = failure(
      "if P1: warp == 0 && lane == 0\nunroll i = 0..2\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ full[i] init 1\nend\nend\n"
      "NANOSLEEP 0x10\nBAR.SYNC 0x0\nagain:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ full[warp] parity 0\n"
      "@!P0 BRA again when !live\nSYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR4], RZ @ full[1 - warp]\n");
  CHECK_THAT(text, Contains("warp 0 of CTA 0 at 'SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2' (inline.trace:20), "
                            "waits for mbarrier 'full[0]', parity 0: "
                            "phase 0 has 0 of 1 arrival made, 0 bytes outstanding\n"
                            "  mbarrier 'full[0]' of CTA 0 waits for\n"
                            "  warp 1 of CTA 0"));
}

TEST_CASE("a test that does not wait spins, and a spin in which nobody else goes on is not progress") {
  const std::string spin =
      "again:\nSYNCS.PHASECHK.TRANS64 P0, [UR4], R2 @ done parity 0\n@P0 BRA out when live\n"
      "NANOSLEEP 0x20\nBRA again\nout:\n";
  CHECK_THAT(failure(initialised("1") + spin), Contains("waits for mbarrier 'done', parity 0"));
  const std::string arrives =
      "if P2: warp == 0\nNANOSLEEP 0x400\nNOP\n"
      "@P3 SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR4], RZ @ done when lane == 0\nelse\n" +
      spin + "NOP\nend\n";
  CHECK(executed(run(initialised("1") + arrives), "SYNCS.PHASECHK") > 10);
}

TEST_CASE("a loop that asks a few times and goes on is not a spin") {
  CHECK(executed(run(initialised("1") + "loop i = 0..8\nSYNCS.PHASECHK.TRANS64 P0, [UR4], R2 @ done parity 0\n"
                                        "@P0 FADD R1, R2, R3 when live\nend\n"),
                 "SYNCS.PHASECHK") == 16);
}

TEST_CASE("LDGSTS copies arrive at an mbarrier when they have come") {
  const auto kernel = run(initialised("32") +
                          "if P2: warp == 0\nLDGSTS.E.BYPASS.128 [R30], [R2.64] @ s + lane*16 <- "
                          "x[lane*4]\nARRIVES.LDGSTSBAR.64 [UR4] @ done\nelse\n" +
                          kWait + "end\n");
  // Nothing is in L2: 265 cycles to it and back, 290 more to DRAM.
  CHECK(waited(kernel, "@!P0 BRA", stats::Stall::kLongScoreboard) > 500);
}

TEST_CASE("an mbarrier that is used before or beside its initialisation is an error of the trace") {
  CHECK_THAT(failure(kWait), Contains("inline.trace:") && Contains("mbarrier 'done' is used before it is initialised"));
  CHECK_THAT(failure(initialised("1") + "if P2: warp == 0 && lane == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ done init 1\n"
                                        "end\n"),
             Contains("mbarrier 'done' is initialised a second time"));
  CHECK(failure(initialised("1") + "if P2: warp == 0 && lane == 0\nSYNCS.CCTL.IV [UR4] @ done\n"
                                   "SYNCS.EXCH.64 URZ, [UR4], UR6 @ done init 1\nend\n")
            .empty());
  CHECK_THAT(failure("SYNCS.EXCH.64 URZ, [UR4], UR6 @ full[warp + 1] init 1\n"),
             Contains("index 2 is outside mbarrier 'full'") && Contains("warp 1"));
}

TEST_CASE("runs with run-time predicates are the same for any number of threads and any window") {
  const auto cycles = [&](unsigned threads, unsigned divisor) {
    gpu::SimulateOptions options;
    options.threads = threads;
    options.window_divisor = divisor;
    return test::on_h100(kHead, initialised("1") + kProducerSleeps, {}, options).cycles;
  };
  CHECK(cycles(1, 1) == cycles(4, 1));
  CHECK(cycles(1, 1) == cycles(1, 8));
}

TEST_CASE("a GPU without mbarriers, and control bits that do not wait for the answer, are refused") {
  const trace::Trace trace = test::program(kHead, initialised("1") + "EXIT");
  CHECK_THROWS_WITH(gpu::simulate(test::shipped("v100"), trace, {}), Contains("SYNCS.EXCH.64 does not exist on"));
  const std::string bits = "[B------:R-:W-:-:S01] ";
  CHECK_THAT(failure(bits + "SYNCS.EXCH.64 URZ, [UR4], UR6 @ full[warp] init 32\n" + "again:\n" +
                     "[B------:R-:W0:-:S02] SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ full[warp] parity 0\n" +
                     bits + "@!P0 BRA again when !live\n" + bits),
             Contains("issues before the poll that writes its guard is answered"));
}

}  // namespace mbarrier_test

// SPDX-License-Identifier: MIT
// mbarriers that CTAs of a cluster share: arrivals and bytes from afar, stores that signal, arrivals that are dropped,
// and what is said of those that cannot be.
#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"
#include "sim/output/report/report.h"

#include "tests/system/on_h100.h"

namespace remote_mbarrier_test {

using namespace gpusim;
using Catch::Matchers::Contains;
using test::executed;
using test::failure_on_h100;
using test::load_failure;
using test::on_h100;
using test::waited;

namespace {

const std::string kHead =
    "grid (2)\ncluster (2)\nblock (32)\nshared static 4096\nshared_buffer s u32[512] at 1024\nmbarrier b[2] at 0\n";
const std::string kSync = "UCGABAR_ARV\nUCGABAR_WAIT\n";

/// Each CTA has an mbarrier for `arrivals`, then `body`, and nobody exits before the other is through.
std::string with_barrier(const std::string& arrivals, const std::string& body) {
  return "if P1: lane == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ b[0] init " + arrivals + "\nend\n" + kSync + body + kSync;
}
/// CTA 1 does something, CTA 0 waits for the phase of its own mbarrier.
std::string pair(const std::string& of_one, const std::string& parity = "0") {
  return "if P2: cluster_ctarank == 1\n" + of_one +
         "else\nagain:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ b[0] parity " + parity +
         "\n@!P0 BRA again when !live\nend\n";
}
const std::string kArrive = "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R4], RZ @ b[0] in cta (0)\n";

}  // namespace

TEST_CASE("an arrival reaches the mbarrier of another CTA one way through the switch after it left the SM") {
  const auto polled = [](const std::string& latency) {
    const auto kernel = on_h100(kHead, with_barrier("32", pair(kArrive)), {{"noc.dsmem_latency", latency + " cycles"}});
    return waited(kernel, "@!P0 BRA again", stats::Stall::kLongScoreboard);
  };
  // CTA 0 polls when CTA 1 arrives: what an arrival takes at home besides the way is hidden but for a few cycles.
  CHECK(polled("83") > 83);
  CHECK(polled("83") < 83 + 24);
  CHECK(polled("183") == polled("83") + 100);
}

TEST_CASE("arrivals and bytes from afar end a phase as those of the own CTA do") {
  CHECK(failure_on_h100(kHead, with_barrier("32", pair(kArrive))).empty());
  const std::string lane0 = "if P4: lane == 0\n";
  const std::string expects = "SYNCS.ARRIVE.TRANS64.RED RZ, [R4], R6 @ b[0] in cta (0) expect 64\n";
  const std::string completes = "SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [R4], R6 @ b[0] in cta (0) complete 64\n";
  CHECK(failure_on_h100(kHead, with_barrier("1", pair(lane0 + expects + completes + "end\n"))).empty());
  CHECK_THAT(failure_on_h100(kHead, with_barrier("1", pair(lane0 + expects + "end\n"))),
             Contains("1 of 1 arrival made, 64 bytes outstanding"));
  const std::string parts = "SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [R4], R6 @ b[0] in cta (0) expect 8\n" +
                            std::string("SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [R4], R6 @ b[0] in cta (0) complete 8\n") +
                            "SYNCS.ARRIVE.TRANS64.RED.ART0 RZ, [R4], R6 @ b[0] in cta (0) arrive 3\n";
  CHECK(failure_on_h100(kHead, with_barrier("3", pair(lane0 + parts + "end\n"))).empty());
}

TEST_CASE("an arrival in the own rank's name stays in the SM") {
  const std::string own = "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R4], RZ @ b[0] in cta (cluster_ctarank)\n";
  const auto kernel = on_h100(kHead, with_barrier("32", own));
  CHECK(kernel.dsmem.requests == 0);
  const auto remote = on_h100(
      kHead, with_barrier("32", "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R4], RZ @ b[0] in cta (1 - cluster_ctarank)\n"));
  CHECK(remote.dsmem.requests == 2);
}

TEST_CASE("a thread that drops out arrives once more, and later phases expect as many fewer") {
  const std::string head = "grid (1)\nblock (32)\nshared static 64\nmbarrier b[2] at 0\n";
  const std::string init = "if P1: lane == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ b[0] init 2\n";
  const std::string drop = "SYNCS.ARRIVE.TRANS64.OPTOUT.A1T0 RZ, [UR4], RZ @ b[0]\n";
  const std::string arrive = "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR4], RZ @ b[0]\n";
  const auto wait = [](const std::string& parity) {
    return "w" + parity + ":\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ b[0] parity " + parity + "\n@!P0 BRA w" +
           parity + " when !live\n";
  };
  CHECK(failure_on_h100(
            head, init + drop + arrive + "end\n" + wait("0") + "if P1: lane == 0\n" + arrive + "end\n" + wait("1"))
            .empty());
  CHECK_THAT(failure_on_h100(head, init + arrive + arrive + "end\n" + wait("0") + "if P1: lane == 0\n" + arrive +
                                       "end\n" + wait("1")),
             Contains("parity 1: phase 1 has 1 of 2 arrivals made"));
  const std::string announce = "SYNCS.ARRIVE.TRANS64.OPTOUT RZ, [UR4], R6 @ b[0] expect 128\n";
  CHECK_THAT(failure_on_h100(head, init + announce + arrive + "end\n" + wait("0")), Contains("128 bytes outstanding"));
  CHECK_THAT(
      failure_on_h100(head, "if P1: lane == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ b[0] init 1\n" + drop + drop + "end\n"),
      Contains("gets 1 arrivals where its phase lacks 0") && Contains("it expects 0 arrivals a phase"));
  const std::string remote = "if P4: lane == 0\nSYNCS.ARRIVE.TRANS64.RED.OPTOUT.A1T0 RZ, [R4], RZ @ b[0] in cta (0)\n";
  CHECK(failure_on_h100(kHead, with_barrier("2", pair(remote + kArrive + kArrive + "end\n", "1"))).empty());
}

TEST_CASE("a store that signals completes its bytes at the mbarrier of the CTA it goes to") {
  const std::string expects = "if P3: lane == 0\nSYNCS.ARRIVE.TRANS64 RZ, [UR4], R2 @ b[0] expect 256\nend\n";
  const std::string store = "STAS.64 [R4], R6 @ s + lane*8 in cta (0) signals b[0]\n";
  const auto kernel = on_h100(kHead, with_barrier("1", expects + pair(store)));
  CHECK(kernel.dsmem.write_sectors == 8);
  CHECK(kernel.dsmem.served_sectors == 8);
  const std::string reduce = "REDAS.ADD [R4], R6 @ s[lane/8] in cta (0) signals b[0]\n";
  CHECK(on_h100(kHead, with_barrier("1", expects + pair(reduce + reduce))).dsmem.atomic_sectors == 2);
  const std::string own = "STAS.64 [R4], R6 @ s + lane*8 in cta (cluster_ctarank) signals b[0]\n";
  CHECK(on_h100(kHead, with_barrier("1", expects + own)).sm.shared_write_bytes == 2 * 256);
  CHECK_THAT(failure_on_h100(kHead, with_barrier("1", expects + pair(""))), Contains("256 bytes outstanding"));
}

TEST_CASE("a fence waits for a store to another CTA and not for one that signals") {
  const auto waited_for = [](const std::string& store) {
    const std::string body = with_barrier("1", "if P2: cluster_ctarank == 1\n" + store + "MEMBAR.SC.GPU\nNOP\nend\n");
    return waited(on_h100(kHead, body, {{"sm.timing.fence.latency", "1 cycles"}}), "NOP", stats::Stall::kMembar);
  };
  const std::string expects =
      "@P3 SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [R4], R6 @ b[0] in cta (0) expect 128 when lane == 0\nNANOSLEEP 0x400\n";
  CHECK(waited_for(expects + "ST.E [R4], R6 @ s[lane] in cta (0)\n") > 150);
  CHECK(waited_for(expects + "STAS [R4], R6 @ s[lane] in cta (0) signals b[0]\n") < 5);
}

TEST_CASE(
    "operations at mbarriers that other CTAs have not initialised, or that get too many, are told where they began") {
  const std::string body =
      "if P1: lane == 0 && cluster_ctarank == 1\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ b[0] init 1\nend\n";
  const std::string by_one = "if P2: cluster_ctarank == 1\n";
  CHECK_THAT(failure_on_h100(kHead, body + kSync + by_one + kArrive + "end\n" + kSync),
             Contains("inline.trace:17: ") &&
                 Contains("mbarrier 'b[0]' of CTA 0 is used before it is initialised (SYNCS.EXCH.64 with 'init COUNT', "
                          "and a barrier of the cluster behind it)"));
  CHECK_THAT(failure_on_h100(kHead, with_barrier("31", pair(kArrive))),
             Contains("mbarrier 'b[0]' of CTA 0 gets 32 arrivals where its phase lacks 31") &&
                 Contains("it expects 31 arrivals a phase"));
  CHECK_THAT(
      failure_on_h100(kHead, body + kSync + by_one + "STAS [R4], R6 @ s[lane] in cta (0) signals b[1]\nend\n" + kSync),
      Contains("mbarrier 'b[1]' of CTA 0 is used before it is initialised"));
  CHECK_THAT(failure_on_h100(kHead, "@P0 EXIT when cluster_ctarank == 0\nNANOSLEEP 0x1000\n" + kArrive),
             Contains("of CTA 1 accesses the shared memory of CTA 0, which is not running"));
}

TEST_CASE("CTAs that wait for each other's arrivals are explained as a circle over both") {
  const std::string waits =
      "again:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ b[0] parity 0\n@!P0 BRA again when !live\n"
      "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R4], RZ @ b[0] in cta (1 - cluster_ctarank)\n";
  const std::string text = failure_on_h100(kHead, with_barrier("32", waits));
  CHECK_THAT(text, Contains("warp 0 of CTA 0 at 'SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2' (inline.trace:17), "
                            "waits for mbarrier 'b[0]', parity 0: phase "
                            "0 has 0 of 32 arrivals made, 0 bytes outstanding\n"
                            "  mbarrier 'b[0]' of CTA 0 waits for\n"
                            "  warp 0 of CTA 1"));
}

TEST_CASE("what stays at home is refused with another CTA's name, and stores that signal need one and an mbarrier") {
  CHECK_THAT(load_failure(kHead, "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [R4], RZ @ b[0] in cta (1)\n"),
             Contains("'SYNCS.ARRIVE.TRANS64.A1T0' does not reach the mbarrier of another CTA"));
  CHECK_THAT(load_failure(kHead, "SYNCS.EXCH.64 URZ, [UR4], UR6 @ b[0] in cta (1) init 1\n"),
             Contains("does not reach the mbarrier of another CTA"));
  CHECK_THAT(load_failure(kHead, "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R4], RZ @ b[0] in cta (2)\n"),
             Contains("rank 2 is outside the cluster"));
  CHECK_THAT(load_failure(kHead, "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R4], RZ @ b[0] in cta (lane%2)\n"),
             Contains("the rank differs between the lanes of a warp"));
  CHECK_THAT(load_failure(kHead, "STAS [R4], R6 @ s[lane] signals b[0]\n"), Contains("'STAS' names no CTA"));
  CHECK(failure_on_h100(kHead, "STAS.64 [R4], R6\nREDAS.ADD [R4], R6\n").empty());  // as imports have them: a warning
  CHECK_THAT(load_failure(kHead, "STAS [R4], R6 @ s[lane] in cta (0)\n"), Contains("'STAS' signals no mbarrier"));
  CHECK_THAT(failure_on_h100(kHead, with_barrier("1",
                                                 "SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [R4], R6 @ b[0] in cta (0) "
                                                 "expect 40000\n")),
             Contains("40000 bytes"));
}

TEST_CASE("signals between CTAs are the same for any number of threads and any window") {
  const std::string body =
      with_barrier("32",
                   "SYNCS.ARRIVE.TRANS64.RED RZ, [R4], R6 @ b[0] in cta (1 - cluster_ctarank) expect 4\n"
                   "STAS [R4], R6 @ s[lane] in cta (1 - cluster_ctarank) signals b[0]\nagain:\n"
                   "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ b[0] parity 0\n@!P0 BRA again when !live\n");
  const trace::Trace trace = test::program(kHead, body + "EXIT");
  for (const std::vector<arch::Override>& changes :
       {std::vector<arch::Override>{}, std::vector<arch::Override>{{"sm.l1.mshrs", "1"}}}) {
    const arch::Arch arch = test::shipped("h100", changes);
    gpu::SimulateOptions options;
    const stats::Result one = gpu::simulate(arch, trace, options);
    options.threads = 2;
    options.window_divisor = 5;
    stats::Result other = gpu::simulate(arch, trace, options);
    other.host = {};
    CHECK(report::to_json(other) == report::to_json(one));
  }
}

}  // namespace remote_mbarrier_test

// SPDX-License-Identifier: MIT
// Copies of the TMA to several CTAs of a cluster: what L2 is asked for, what each CTA gets and when, and what is
// refused.
#include <catch2/catch.hpp>

#include "tests/system/any_order.h"
#include "tests/system/on_h100.h"

namespace multicast_test {

using namespace gpusim;
using Catch::Matchers::Contains;
using test::failure_on_h100;
using test::load_failure;
using test::on_h100;
using test::waited;

namespace {

constexpr std::uint64_t kBox = 32 * 64 * 4;  ///< bytes: 64 lines

std::string head(unsigned ctas) {
  const std::string number = std::to_string(ctas);
  return "grid (" + number + ")\ncluster (" + number +
         ")\nblock (64)\nshared dynamic 65536\nbuffer x f32[262144]\nshared_buffer s f32[16128] at 1024\n"
         "mbarrier full[4] at 0\ntensor_map tx f32(512, 512) over x box (32, 64) swizzle 128B\n";
}

const std::string kSync = "UCGABAR_ARV\nUCGABAR_WAIT\n";
const std::string kInit =
    "if P1: warp == 0 && lane == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ full[0] init 1\n"
    "SYNCS.ARRIVE.TRANS64 RZ, [UR4], R2 @ full[0] expect 8192\nend\n" +
    kSync;
const std::string kWait =
    "again:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ full[0] parity 0\n@!P0 BRA again when !live\n" + kSync;

/// CTA `rank` has a box copied to the CTAs of the mask.
std::string copy(const std::string& mask, const std::string& rank = "0", const std::string& at = "32, 64") {
  return "if P2: warp == 0 && lane == 0 && cluster_ctarank == " + rank +
         "\nUTMALDG.2D.MULTICAST [UR8], [UR4], UR10 @ s <- tx[" + at + "] signals full[0] multicast " + mask +
         "\nend\n";
}

std::string wait_of(const std::string& ranks) {
  return "if P3: " + ranks + "\n" + kWait.substr(0, kWait.size() - kSync.size()) + "end\n" + kSync;
}

}  // namespace

TEST_CASE("a multicast asks L2 once and writes the box in each CTA of its mask") {
  const auto kernel = on_h100(head(4), kInit + copy("15") + kWait);
  CHECK(kernel.l2.read_sectors == kBox / 32);
  CHECK(kernel.l1.reply_sectors == kBox / 32);
  CHECK(kernel.sm.shared_write_bytes == 4 * kBox);
  CHECK(kernel.sm.shared_wavefronts == 4 * 64);
  CHECK(kernel.dsmem.multicast_sectors == 3 * kBox / 32);
}

TEST_CASE("all CTAs of the mask get a line at once: four copies take hardly longer than one") {
  const auto cycles = [](unsigned ctas, const std::string& mask) {
    return on_h100(head(ctas), kInit + copy(mask) + wait_of("cluster_ctarank == 0 || " + mask + " != 1"), {},
                   test::from(CacheState::kWarm))
        .cycles;
  };
  const Cycle alone = cycles(4, "1");
  const Cycle all = cycles(4, "15");
  CHECK(all >= alone);
  CHECK(all <= alone + 10);
}

TEST_CASE("the same copies by each CTA for itself ask L2 as often as there are CTAs") {
  const std::string each =
      "if P2: warp == 0 && lane == 0\nUTMALDG.2D [UR8], [UR4] @ s <- tx[32, 64] signals full[0]\nend\n";
  const auto kernel = on_h100(head(4), kInit + each + kWait);
  CHECK(kernel.l2.read_sectors + kernel.l2.joined_sectors == 4 * kBox / 32);
  CHECK(kernel.sm.shared_write_bytes == 4 * kBox);
  CHECK(kernel.dsmem.multicast_sectors == 0);
}

TEST_CASE("a CTA may copy to others and not to itself") {
  const auto kernel = on_h100(head(4), kInit + copy("10", "0") + wait_of("cluster_ctarank % 2 == 1"));
  CHECK(kernel.l2.read_sectors == kBox / 32);
  CHECK(kernel.sm.shared_write_bytes == 2 * kBox);
  CHECK(kernel.sm.shared_wavefronts == 2 * 64);
  CHECK_THAT(failure_on_h100(head(4), kInit + copy("10", "0") + kWait),
             Contains("of CTA 0") && Contains("1 of 1 arrival made, 8192 bytes outstanding"));
}

TEST_CASE("a mask of the own rank alone is a copy like any other") {
  const auto kernel = on_h100(head(2), kInit + copy("2", "1") + wait_of("cluster_ctarank == 1"));
  CHECK(kernel.sm.shared_write_bytes == kBox);
  CHECK(kernel.dsmem.multicast_asked_sectors == 0);
}

TEST_CASE("zeros from outside the tensor are complete in every CTA, though nobody is asked for them") {
  const auto corner = on_h100(head(2), kInit + copy("3", "0", "496, -48") + kWait);
  CHECK(corner.l2.read_sectors == 16 * 2);
  CHECK(corner.dsmem.multicast_sectors == 16 * 2);
  const auto outside = on_h100(head(2), kInit + copy("3", "0", "512, 0") + kWait);
  CHECK(outside.l2.read_sectors == 0);
  CHECK(outside.sm.shared_write_bytes == 2 * kBox);
}

TEST_CASE("consecutive bytes are multicast as boxes are") {
  const std::string bytes =
      "if P2: warp == 0 && lane == 0 && cluster_ctarank == 1\n"
      "UBLKCP.S.G.MULTICAST [UR8], [UR10], UR11 @ s <- x[64] bytes 8192 signals full[0] multicast 3\nend\n";
  CHECK(on_h100(head(2), kInit + bytes + kWait).sm.shared_write_bytes == 2 * kBox);
}

TEST_CASE("multicasts of every CTA at once conserve sectors, whatever the threads, the window and the network") {
  const std::string body =
      "if P1: warp == 0 && lane == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ full[0] init 1\n"
      "SYNCS.ARRIVE.TRANS64 RZ, [UR4], R2 @ full[0] expect 4*8192\nend\n" +
      kSync +
      "if P2: warp == 0 && lane == 0\nUTMALDG.2D.MULTICAST [UR8], [UR4], UR10 @ s <- tx[32*cluster_ctarank, ctaid.x] "
      "signals full[0] multicast 15\nend\n" +
      kWait + "EXIT";
  std::string launch = head(4);
  launch.replace(0, 8, "grid (96)");
  const trace::Trace trace = test::program(launch, body);
  for (const auto& changes :
       std::vector<std::vector<arch::Override>>{{}, {{"noc.model", "ideal"}}, {{"sm.tma.outstanding_lines", "1"}}}) {
    const stats::Result one = test::same_in_any_order(test::shipped("h100", changes), trace);
    CHECK(one.kernels[0].dsmem.multicast_sectors == 96 * 3 * kBox / 32);
  }
}

TEST_CASE("a multicast to a CTA that has exited, or whose mbarrier is not initialised, is told with its line") {
  const std::string leaves = "@P0 EXIT when cluster_ctarank == 1\nNANOSLEEP 0x1000\nNOP\n";
  CHECK_THAT(
      failure_on_h100(head(2), kInit + leaves + copy("3") + kWait),
      Contains("'UTMALDG.2D.MULTICAST [UR8], [UR4], UR10' of cluster 0 accesses the shared memory of CTA 1, which "
               "is not running"));
  const std::string only_first =
      "if P1: warp == 0 && lane == 0 && cluster_ctarank == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ "
      "full[0] init 1\nend\n" +
      kSync;
  CHECK_THAT(failure_on_h100(head(2), only_first + copy("2") + "NANOSLEEP 0x1000\n" + kSync),
             Contains("inline.trace:") && Contains("mbarrier 'full[0]' is used before it is initialised"));
}

TEST_CASE("masks outside the cluster, kernels without clusters and opcodes that say otherwise are refused") {
  CHECK_THAT(load_failure(head(2), copy("4")),
             Contains("mask 4 names no CTA, or some outside the cluster (it has a bit for each of the ranks 0 to 1)"));
  CHECK_THAT(load_failure(head(2), copy("0")), Contains("mask 0 names no CTA"));
  CHECK_THAT(failure_on_h100(head(2), kInit + copy("(ctaid.x + 4)") + kWait),
             Contains("a copy to the ranks of mask 4 in kernel 'k', CTA (0,0,0), warp 0"));
  std::string alone = head(2);
  alone.replace(alone.find("cluster"), 12, "");
  CHECK_THAT(load_failure(alone, copy("1")), Contains("a copy to several CTAs, and each is alone"));
  const std::string load = "UTMALDG.2D [UR8], [UR4] @ s <- tx[0, 0] signals full[0]";
  CHECK_THAT(load_failure(head(2), load + " multicast 3\n"), Contains("'UTMALDG.2D' goes to one CTA"));
  CHECK_THAT(load_failure(head(2), "UTMALDG.2D.MULTICAST [UR8], [UR4] @ s <- tx[0, 0] signals full[0]\n"),
             Contains("'UTMALDG.2D.MULTICAST' goes to several CTAs (add 'multicast MASK', one bit per rank)"));
  CHECK_THAT(load_failure(head(2), "UTMASTG.2D.MULTICAST [UR8], [UR4] @ tx[0, 0] <- s multicast 3\n"),
             Contains("cannot go to several CTAs"));
  CHECK_THAT(load_failure(head(2), load + " in cta (1)\n"), Contains("'UTMALDG.2D' takes no 'in cta' here"));
}

}  // namespace multicast_test

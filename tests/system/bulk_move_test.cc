// SPDX-License-Identifier: MIT
// Copies of the TMA from a CTA's shared memory to that of a CTA of its cluster: what moves, how long it takes, and what
// is refused.
#include <catch2/catch.hpp>

#include "tests/system/any_order.h"
#include "tests/system/on_h100.h"

namespace bulk_move_test {

using namespace gpusim;
using Catch::Matchers::Contains;
using test::failure_on_h100;
using test::load_failure;
using test::on_h100;

namespace {

std::string head(unsigned ctas) {
  const std::string number = std::to_string(ctas);
  return "grid (" + number + ")\ncluster (" + number +
         ")\nblock (32)\nshared static 40960\nbuffer x f32[65536]\nshared_buffer outbox f32[4096] at 1024\n"
         "shared_buffer inbox f32[4096] at 20480\nmbarrier full[2] at 0\n";
}

const std::string kSync = "UCGABAR_ARV\nUCGABAR_WAIT\n";

/// Each CTA's mbarrier expects so many bytes.
std::string initialised(const std::string& bytes) {
  return "if P1: lane == 0\nSYNCS.EXCH.64 URZ, [UR4], UR6 @ full[0] init 1\n"
         "SYNCS.ARRIVE.TRANS64 RZ, [UR4], R2 @ full[0] expect " +
         bytes + "\nend\n" + kSync;
}
const std::string kWait =
    "again:\nSYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2 @ full[0] parity 0\n@!P0 BRA again when !live\n";

std::string move(const std::string& rank, const std::string& bytes, const std::string& opcode = "UBLKCP.S.S",
                 const std::string& to = "inbox") {
  return "if P2: lane == 0\n" + opcode + " [UR8], [UR5], UR6 @ " + to + " in cta (" + rank + ") <- outbox bytes " +
         bytes + " signals full[0]\nend\n";
}

/// Each CTA copies to the next.
std::string ring(const std::string& bytes, unsigned ctas) {
  return initialised(bytes) + move("(cluster_ctarank + 1) % " + std::to_string(ctas), bytes) + kWait + kSync;
}

}  // namespace

TEST_CASE("a copy between shared memories passes the switch line by line, and nothing of L2") {
  const auto kernel = on_h100(head(2), ring("4096", 2));
  CHECK(kernel.dsmem.requests == 2);
  CHECK(kernel.dsmem.write_sectors == 2 * 4096 / 32);
  CHECK(kernel.dsmem.served_sectors == 2 * 4096 / 32);
  CHECK(kernel.dsmem.sent_bytes == 2 * 4096);
  CHECK(kernel.noc.dsmem_messages == 2 * 2 * 32);
  CHECK(kernel.sm.shared_read_bytes == 2 * 4096);
  CHECK(kernel.l2.requests == 0);
}

TEST_CASE("a place that does not begin at a line takes one line more") {
  const auto kernel = on_h100(
      head(2), initialised("4096") + move("cluster_ctarank ^ 1", "4096", "UBLKCP.S.S", "inbox[4]") + kWait + kSync);
  CHECK(kernel.noc.dsmem_messages == 2 * 2 * 33);
  CHECK(kernel.dsmem.sent_bytes == 2 * 32 * 129);  // 16 bytes in two sectors each, at both ends
}

TEST_CASE("a reduction counts as atomic sectors there") {
  const auto kernel = on_h100(head(2), initialised("2*1024") + move("0", "1024", "UBLKRED.S.S.ADD") +
                                           "if cluster_ctarank == 0\n" + kWait + "end\n" + kSync);
  CHECK(kernel.dsmem.atomic_sectors == 2 * 1024 / 32);
  CHECK(kernel.dsmem.write_sectors == 0);
}

TEST_CASE("a copy takes the way to the other SM once, and its lines follow at the switch's rate") {
  const auto cycles = [](const std::string& bytes, const std::string& latency, const std::string& rate) {
    return on_h100(head(2), ring(bytes, 2),
                   {{"noc.dsmem_latency", latency + " cycles"}, {"noc.dsmem_bytes_per_cycle", rate}})
        .cycles;
  };
  CHECK(cycles("4096", "583", "32") > cycles("4096", "183", "32") + 390);
  const Cycle short_one = cycles("4096", "183", "16");
  const Cycle long_one = cycles("12288", "183", "16");
  CHECK(long_one > short_one + 8192 / 16);
  CHECK(long_one < short_one + 8192 / 16 * 13 / 10);  // headers
}

TEST_CASE("a CTA may copy to itself, also where it is alone") {
  CHECK(on_h100(head(1), ring("1024", 1)).dsmem.write_sectors == 1024 / 32);
  CHECK(on_h100(head(2), initialised("1024") + move("cluster_ctarank", "1024") + kWait + kSync).dsmem.served_sectors ==
        2 * 1024 / 32);
}

TEST_CASE("copies of every CTA at once are the same for any number of threads and any window") {
  std::string launch = head(4);
  launch.replace(0, 8, "grid (64)");
  const trace::Trace trace = test::program(launch, ring("16384", 4) + "EXIT");
  for (const auto& changes :
       std::vector<std::vector<arch::Override>>{{}, {{"noc.model", "ideal"}}, {{"sm.tma.outstanding_lines", "1"}}}) {
    const stats::Result one = test::same_in_any_order(test::shipped("h100", changes), trace);
    CHECK(one.kernels[0].dsmem.served_sectors == 64 * 16384 / 32);
  }
}

TEST_CASE("a copy to a CTA that has exited, or whose mbarrier is not initialised, is told with its line") {
  const std::string leaves = "@P0 EXIT when cluster_ctarank == 1\nNANOSLEEP 0x1000\nNOP\n";
  CHECK_THAT(
      failure_on_h100(head(2), initialised("1024") + leaves + move("1", "1024") + kSync),
      Contains("'UBLKCP.S.S [UR8], [UR5], UR6' of CTA 0 accesses the shared memory of CTA 1, which is not running"));
  CHECK_THAT(failure_on_h100(head(2), kSync + move("cluster_ctarank ^ 1", "1024") + "NANOSLEEP 0x1000\n" + kSync),
             Contains("'full[0]'") && Contains("is used before it is initialised"));
  CHECK_THAT(failure_on_h100(head(2), initialised("2048") + move("cluster_ctarank ^ 1", "1024") + kWait + kSync),
             Contains("1 of 1 arrival made, 1024 bytes outstanding"));
}

TEST_CASE("a copy between shared memories without a rank, to a wrong one, or of a wrong size is refused") {
  const std::string form = "needs a source of the form (@ SHARED in cta (RANK) <- SHARED bytes N signals MBARRIER)";
  CHECK_THAT(load_failure(head(2), "UBLKCP.S.S [UR8], [UR5], UR6 @ inbox <- outbox bytes 64 signals full[0]\n"),
             Contains(form));
  CHECK_THAT(load_failure(head(2), "UBLKCP.S.S [UR8], [UR5], UR6 @ inbox in cta (1) <- outbox bytes 64\n"),
             Contains(form));
  CHECK_THAT(load_failure(head(2), move("2", "64")), Contains("rank 2 is outside the cluster"));
  CHECK_THAT(load_failure(head(2), "UBLKCP.S.S [UR8], [UR5], UR6 @ inbox in cta (1) <- x bytes 64 signals full[0]\n"),
             Contains("'x'"));
  CHECK_THAT(load_failure(head(2),
                          "UBLKCP.S.S [UR8], [UR5], UR6 @ inbox in cta (1) <- outbox in cta (0) bytes 64 "
                          "signals full[0]\n"),
             Contains("takes no 'in cta' here (the destination names the CTA, and the mbarrier is one of that CTA)"));
  CHECK_THAT(failure_on_h100(head(2), initialised("64") + move("ctaid.x ^ 1", "8 + ctaid.x*0") + kSync),
             Contains("a bulk copy of 8 bytes"));
  CHECK_THAT(
      failure_on_h100(head(2), initialised("64") + move("ctaid.x ^ 1", "64", "UBLKCP.S.S", "inbox[4096]") + kSync),
      Contains("is outside the buffer"));
}

}  // namespace bulk_move_test

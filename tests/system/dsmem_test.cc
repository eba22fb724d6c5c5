// SPDX-License-Identifier: MIT
// Distributed shared memory on a whole machine: latency, bandwidth, conservation, and accesses that cannot be.
#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"
#include "sim/model/stats/result.h"

#include "tests/system/any_order.h"
#include "tests/system/support.h"

namespace dsmem_test {

using namespace gpusim;
using Catch::Contains;

namespace {

const std::string kSync = "UCGABAR_ARV\nUCGABAR_WAIT\n";

trace::Trace kernel(const std::string& head, const std::string& body) {
  return test::program(head + "shared static 16384\nshared_buffer s u32[4096] at 0\n", body);
}

stats::KernelResult run(const std::string& head, const std::string& body,
                        const std::vector<arch::Override>& changes = {}) {
  return gpu::simulate(test::shipped("h100", changes), kernel(head, body), {}).kernels.at(0);
}

std::string refusal(const std::string& head, const std::string& body) {
  try {
    (void)run(head, body);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Cycles that each of the dependent accesses of one lane takes; the access names R4 as result and as address.
double cycles_each(const std::string& access) {
  const auto cycles = [&access](int count) {
    const std::string chase = "if P0: cluster_ctarank == 0\nloop i = 0.." + std::to_string(count) + "\n" + access +
                              "\nend\nend\n" + kSync + "EXIT";
    return run("grid (2)\ncluster (2)\nblock (1)\n", kSync + chase).cycles;
  };
  return static_cast<double>(cycles(200) - cycles(100)) / 100;
}

std::uint64_t cycles_in(const stats::KernelResult& kernel, stats::Stall state) {
  return kernel.stalls[static_cast<std::size_t>(state)];
}

}  // namespace

TEST_CASE(
    "a load from another CTA's shared memory takes two ways through the switch, one from the own CTA a hit's time") {
  const arch::Arch arch = test::shipped("h100");
  const double remote = arch.sm.l1.hit_latency + 2.0 * arch.noc.dsmem_latency;
  CHECK(remote == 199);  // mean of 1360 pairs measured on H800
  CHECK(cycles_each("LD.E R4, [R4] @ s[0] in cta (1)") == remote);
  CHECK(cycles_each("LD.E R4, [R4] @ s[0] in cta (cluster_ctarank)") == arch.sm.l1.hit_latency);
  CHECK(cycles_each("ATOM.E.ADD.STRONG.SM PT, R4, [R4], R5 @ s[0] in cta (1)") == remote);
}

TEST_CASE("a warp that needs what it loads from another CTA waits in the state 'long_scoreboard'") {
  const stats::KernelResult k =
      run("grid (2)\ncluster (2)\nblock (32)\n",
          kSync + "LD.E R4, [R2] @ s[lane] in cta (1 - cluster_ctarank)\n" + "FADD R5, R4, R4\n" + kSync + "EXIT");
  CHECK(cycles_in(k, stats::Stall::kLongScoreboard) == 2 * (199 - 1));
  CHECK(k.dsmem.requests == 2);
  CHECK(k.dsmem.read_sectors == 8);
  CHECK(k.dsmem.sent_bytes == 256);
}

TEST_CASE("all SMs together move what their ports to each other allow") {
  // Every CTA reads its neighbour's shared memory, 128 bytes a warp and turn. Each line moves a request, and an answer
  // of header and data, through a port each way.
  const arch::Arch arch = test::shipped("h100");
  const std::string body = kSync +
                           "loop i = 0..64\nunroll k = 0..4\n"
                           "LD.E R{4+k}, [R2] @ s[(i*4 + k)*32 % 4096 + lane] in cta ((cluster_ctarank + 1) % "
                           "cluster_nctarank)\nend\nend\n" +
                           kSync + "EXIT";
  for (const char* cluster : {"2", "4"}) {
    const stats::KernelResult k = run("grid (128)\ncluster (" + std::string(cluster) + ")\nblock (512)\n", body);
    const double lines = 16.0 * 64 * 4;
    const double cycles_a_line = (128.0 + 2 * arch.noc.request_header_bytes) / arch.noc.dsmem_bytes_per_cycle;
    const double least = lines * cycles_a_line;
    CHECK(static_cast<double>(k.cycles) > least);
    CHECK(static_cast<double>(k.cycles) < 1.15 * least + 2000);
    // Each of 128 SMs has a CTA: their ports are what limits the kernel, and say so.
    CHECK(k.noc.dsmem_messages == static_cast<std::uint64_t>(2 * 128 * lines));
    CHECK(static_cast<double>(k.noc.dsmem_send_busy_cycles) == 128 * least);
    CHECK(static_cast<double>(k.noc.dsmem_receive_busy_cycles) == 128 * least);
    CHECK(k.noc.dsmem_send_wait_cycles + k.noc.dsmem_receive_wait_cycles > k.noc.dsmem_messages);
  }
}

TEST_CASE("lanes that are far apart make a message each, and each takes a pass through the other SM's banks") {
  const stats::KernelResult k =
      run("grid (2)\ncluster (2)\nblock (32)\n",
          kSync + "LD.E R4, [R2] @ s[lane*32] in cta (1 - cluster_ctarank)\n" + kSync + "EXIT");
  CHECK(k.dsmem.read_sectors == 64);
  CHECK(k.sm.shared_wavefronts == 64);
}

TEST_CASE("accesses of every kind conserve bytes, and the result is the same for any number of threads and window") {
  const std::string body = kSync +
                           "loop i = 0..5\n"
                           "LD.E.128 R4, [R2] @ s[tid*4] in cta ((cluster_ctarank + i) % cluster_nctarank)\n"
                           "ST.E.64 [R2], R4 @ s[tid*2] in cta ((cluster_ctarank + 2*i + 1) % cluster_nctarank)\n"
                           "@P0 ATOM.E.ADD.STRONG.SM PT, R8, [R2], R5 @ s[hash(3, tid + i) % 4096] in cta (i % "
                           "cluster_nctarank) when lane < i * 7\n"
                           "RED.E.ADD.STRONG.SM [R2], R5 @ s[hash(4, tid*i) % 4096] in cta (warp % cluster_nctarank)\n"
                           "MEMBAR.SC.GPU\n"
                           "LDS R9, [R2] @ s[tid]\n"
                           "end\n" +
                           kSync + "EXIT";
  const trace::Trace trace = kernel("grid (96)\ncluster (4)\nblock (224)\n", body);
  for (const auto& changes :
       std::vector<std::vector<arch::Override>>{{},
                                                {{"sm.l1.mshrs", "1"}, {"noc.dsmem_bytes_per_cycle", "1"}},
                                                {{"noc.model", "ideal"}},
                                                {{"noc.dsmem_latency", "16"}, {"noc.cluster_barrier_latency", "16"}}}) {
    const stats::Result one = test::same_in_any_order(test::shipped("h100", changes), trace);
    CHECK(one.kernels[0].dsmem.served_sectors > 0);
    CHECK(one.kernels[0].dsmem.sent_bytes == one.kernels[0].dsmem.received_bytes);
  }
}

TEST_CASE("to arrive at the cluster's barrier is to release: it counts when the warp's stores to other CTAs are done") {
  const auto cycles = [](const std::string& store) {
    return run("grid (2)\ncluster (2)\nblock (32)\n", kSync + store + kSync + "EXIT").cycles;
  };
  const arch::Arch arch = test::shipped("h100");
  const Cycle there_and_back = arch.sm.l1.hit_latency + 2 * arch.noc.dsmem_latency;
  const Cycle more = cycles("ST.E [R2], R4 @ s[lane] in cta (1 - cluster_ctarank)\n") - cycles("");
  CHECK(more >= there_and_back);
  CHECK(more <= there_and_back + 2);
}

TEST_CASE("an access to a CTA that has exited is refused with CTA and line") {
  const std::string text = refusal("grid (2)\ncluster (2)\nblock (32)\n",
                                   "@P0 EXIT when cluster_ctarank == 1\nNANOSLEEP 0x1000\n"
                                   "LD.E R4, [R2] @ s[lane] in cta (1)\nEXIT");
  CHECK_THAT(text,
             Contains("inline.trace:12: kernel 'k': 'LD.E R4, [R2]' of CTA 0 accesses the shared memory of CTA 1, "
                      "which is not running") &&
                 Contains("the cluster's barrier comes before the first such access and after the last"));
}

TEST_CASE("ranks outside the cluster, lanes that disagree and opcodes that stay at home are refused") {
  const std::string head = "grid (4)\ncluster (2)\nblock (32)\n";
  CHECK_THAT(refusal(head, "LD.E R4, [R2] @ s[lane] in cta (2)\nEXIT"),
             Contains("inline.trace:10:33: rank 2 is outside the cluster (its CTAs have the ranks 0 to 1)"));
  CHECK_THAT(refusal(head, "LD.E R4, [R2] @ s[lane] in cta (ctaid.x)\nEXIT"),
             Contains("rank 2 is outside the cluster in kernel 'k', CTA (2,0,0), warp 0"));
  CHECK_THAT(refusal(head, "LD.E R4, [R2] @ s[lane] in cta (lane % 2)\nEXIT"),
             Contains("the rank differs between the lanes of a warp"));
  CHECK_THAT(
      refusal(head, "LDS R4, [R2] @ s[lane] in cta (1)\nEXIT"),
      Contains("'LDS' does not reach the shared memory of another CTA (generic accesses do: LD, ST, ATOM, RED)"));
}

}  // namespace dsmem_test

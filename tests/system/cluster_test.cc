// SPDX-License-Identifier: MIT
// Kernels launched in clusters on a whole machine: the barrier's time, exits, misuse, hangs, and what is refused.
#include <catch2/catch.hpp>

#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"
#include "sim/output/report/text_options.h"

#include "tests/system/support.h"

namespace cluster_test {

using namespace gpusim;
using Catch::Contains;

namespace {

const std::string kPair = "grid (2)\ncluster (2)\nblock (64)\n";
const std::string kSync = "UCGABAR_ARV\nUCGABAR_WAIT\n";

std::string refusal(const arch::Arch& arch, const trace::Trace& trace, const gpu::SimulateOptions& options = {}) {
  try {
    (void)gpu::simulate(arch, trace, options);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

stats::KernelResult run(const std::string& head, const std::string& body, unsigned threads = 1) {
  gpu::SimulateOptions options;
  options.threads = threads;
  return gpu::simulate(test::shipped("h100"), test::program(head, body), options).kernels.at(0);
}

std::uint64_t cycles_in(const stats::KernelResult& kernel, stats::Stall state) {
  return kernel.stalls[static_cast<std::size_t>(state)];
}

}  // namespace

TEST_CASE("a cluster's barrier costs its latency, and its warps wait in the state 'barrier'") {
  // One warp per CTA. Arrivals at 0 and a cycle later, the whole cycles of `cta_interval`; each further barrier begins
  // where the last one ended.
  const arch::Arch arch = test::shipped("h100");
  const std::string head = "grid (2)\ncluster (2)\nblock (32)\n";
  const Cycle one = run(head, kSync + "EXIT").cycles;
  const Cycle five = run(head, kSync + kSync + kSync + kSync + kSync + "EXIT").cycles;
  CHECK(five - one == 4 * arch.noc.cluster_barrier_latency);
  const stats::KernelResult kernel = run(head, kSync + "EXIT");
  // The last to arrive waits from the cycle after its UCGABAR_WAIT, which issued one after its UCGABAR_ARV.
  const std::uint64_t last = arch.noc.cluster_barrier_latency - 2;
  CHECK(cycles_in(kernel, stats::Stall::kBarrier) == 2 * last + 1);
}

TEST_CASE("a warp that comes late to UCGABAR_WAIT finds the barrier open and does not wait") {
  const std::string late = "UCGABAR_ARV\nNANOSLEEP 0x400\nUCGABAR_WAIT\n";
  const stats::KernelResult kernel = run("grid (2)\ncluster (2)\nblock (32)\n", late + "EXIT");
  CHECK(cycles_in(kernel, stats::Stall::kBarrier) == 0);
  CHECK(cycles_in(kernel, stats::Stall::kSleeping) > 0);
}

TEST_CASE("warps and CTAs that have exited count as arrived") {
  const std::string first_leaves = "@P0 EXIT when cluster_ctarank == 0\n";
  CHECK(run(kPair, first_leaves + kSync + kSync + "EXIT").sm.ctas == 2);
  CHECK(run(kPair, "@P0 EXIT when warp == 1\n" + kSync + kSync + "EXIT").sm.ctas == 2);
  CHECK(run(kPair, "UCGABAR_ARV\n@P0 EXIT when warp == cluster_ctarank\nUCGABAR_WAIT\n" + kSync + "EXIT").sm.ctas == 2);
}

TEST_CASE("a kernel that is not launched in clusters may use the barrier: its CTA is a cluster of one") {
  CHECK(run("grid (300)\nblock (64)\n", kSync + kSync + "EXIT").sm.ctas == 300);
}

TEST_CASE("clusters of every shape that fits finish, with the same bytes for any number of threads") {
  const std::string body = "loop i = 0..3 + clusterid.x % 3\n" + kSync + "FFMA R4, R4, R4, R4\nend\nEXIT";
  for (const char* cluster : {"(2)", "(4,2)", "(2,2,2)", "(8)", "(16)", "(3)"}) {
    const std::string head = "grid (48, 4, 2)\ncluster " + std::string(cluster) + "\nblock (96)\nregisters 64\n";
    gpu::SimulateOptions options;
    const trace::Trace trace = test::program(head, body);
    const arch::Arch arch = test::shipped("h100");
    const std::string expected = report::to_json(gpu::simulate(arch, trace, options));
    for (const unsigned threads : {2U, 3U}) {
      options.threads = threads;
      options.reverse_domain_order = threads == 3;
      options.window_divisor = threads;
      stats::Result result = gpu::simulate(arch, trace, options);
      result.host = {};
      CHECK(report::to_json(result) == expected);
    }
    CHECK_THAT(expected, Contains("\"cluster\""));
  }
}

TEST_CASE("a kernel without clusters has no key of theirs in its result") {
  const stats::Result result =
      gpu::simulate(test::shipped("h100"), test::program("grid (2)\nblock (32)\n", "EXIT"), {});
  CHECK_THAT(report::to_json(result), !Contains("\"cluster\"") && !Contains("\"dsmem\""));
}

TEST_CASE("the report counts waves of whole clusters, and says how many the GPU holds") {
  // 256 threads of 128 registers: two CTAs an SM. Of the GPCs of the H100, four have 17 SMs and four 16.
  const stats::Result result =
      gpu::simulate(test::shipped("h100"),
                    test::program("grid (1600)\ncluster (16)\nblock (256)\nregisters 128\n", kSync + "EXIT"), {});
  CHECK(result.kernels[0].occupancy.ctas_per_sm == 2);
  CHECK(result.kernels[0].occupancy.resident_clusters == 16);
  CHECK_THAT(report::to_text(result, {}),
             Contains("6.25 waves of CTAs") && Contains("16 clusters of 16 CTAs on the GPU at once"));
}

TEST_CASE("a saved result keeps the clusters") {
  const stats::Result result = gpu::simulate(test::shipped("h100"), test::program(kPair, kSync + "EXIT"), {});
  const std::string json = report::to_json(result);
  CHECK(report::to_json(report::parse_json(json, "saved.json")) == json);
}

TEST_CASE("a barrier that not all warps of a cluster reach is named, with the warps that wait for each other") {
  const trace::Trace trace = test::program(kPair, "if P0: cluster_ctarank == 0\n" + kSync +
                                                      "else\nif P1: warp == 0\nBAR.SYNC 0x1, 0x40\nend\n" + kSync +
                                                      "BAR.SYNC 0x1, 0x40\nend\nEXIT");
  const std::string text = refusal(test::shipped("h100"), trace);
  CHECK_THAT(text, Contains("the circle of waiting") && Contains("waits at the barrier of cluster 0") &&
                       Contains("the barrier of cluster 0 waits for") && Contains("waits at barrier 1"));
}

TEST_CASE("a warp that arrives twice, or waits without having arrived, is refused with its line") {
  const std::string twice = refusal(test::shipped("h100"), test::program(kPair, "UCGABAR_ARV\nUCGABAR_ARV\nEXIT"));
  CHECK_THAT(twice, Contains("inline.trace:9: kernel 'k': 'UCGABAR_ARV': warp ") &&
                        Contains("arrives at the barrier of its cluster a second time"));
  const std::string early = refusal(test::shipped("h100"), test::program(kPair, "UCGABAR_WAIT\nEXIT"));
  CHECK_THAT(early, Contains("inline.trace:8: ") && Contains("without having arrived"));
}

TEST_CASE("clusters that a GPU cannot run are refused before any kernel runs") {
  const arch::Arch h100 = test::shipped("h100");
  CHECK_THAT(refusal(test::shipped("a100"), test::program(kPair, "EXIT")),
             Contains("inline.trace:2") && Contains("is launched in clusters: A100 SXM4 80GB has no clusters"));
  CHECK_THAT(refusal(test::shipped("a100"), test::program("grid (2)\nblock (32)\n", kSync + "EXIT")),
             Contains("UCGABAR_ARV does not exist on A100") && Contains("the GPU has no clusters"));
  CHECK_THAT(refusal(h100, test::program("grid (32)\ncluster (32)\nblock (32)\n", "EXIT")),
             Contains("a cluster of 32 CTAs does not fit H100") && Contains("at most 16 CTAs a cluster"));
  const std::string large = "grid (16)\ncluster (16)\nblock (1024)\nshared dynamic 200*1024\n";
  CHECK_THAT(refusal(test::shipped("h100", {{"sm.count", "64"}, {"noc.gpcs", "8"}}), test::program(large, "EXIT")),
             Contains("no GPC of H100") && Contains("has room for the 16 CTAs of a cluster"));
}

TEST_CASE("a range of CTAs must not cut a cluster") {
  const trace::Trace trace = test::program("grid (16, 4)\ncluster (4, 2)\nblock (32)\n", kSync + "EXIT");
  gpu::SimulateOptions options;
  options.ctas = gpu::CtaRange{0, 31};
  CHECK(gpu::simulate(test::shipped("h100"), trace, options).kernels.at(0).sm.ctas == 32);
  options.ctas = gpu::CtaRange{0, 15};
  CHECK_THAT(refusal(test::shipped("h100"), trace, options),
             Contains("--ctas 0..15: kernel 'k' runs in clusters, of which the range cuts some") &&
                 Contains("a multiple of 32"));
}

}  // namespace cluster_test

// SPDX-License-Identifier: MIT
// Machines at the edges of what an architecture file may say: each finishes, and what goes in comes out (simulate()
// checks the invariants of conservation itself and throws when one is broken).
#include <catch2/catch.hpp>

#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/stats/result.h"

#include "tests/system/support.h"

namespace edges_test {

using namespace gpusim;

namespace {

/// Every kind of access, on few lines and on many, with warps that are not whole and lanes that leave.
trace::Trace every_access() {
  return test::program(
      "grid (40)\nblock (72)\nshared static 4096\nbuffer x u32[1048576]\nbuffer y u32[1024]\n"
      "shared_buffer s u32[1024] at 0",
      R"(
  loop i = 0..3
    LDG.E R4, [R2.64] @ x[hash(3, ctaid.x*1000 + i*72 + tid) % 1048576]
    LDG.E.STRONG.GPU R5, [R2.64] @ x[hash(4, ctaid.x*1000 + i*72 + tid) % 1048576]
    LDG.E R6, [R2.64] @ x[hash(4, ctaid.x*1000 + i*72 + tid) % 1048576]
    ATOMG.E.ADD.STRONG.GPU PT, R7, [R2.64], R4 @ y[hash(5, tid + i) % 1024]
    RED.E.ADD.STRONG.GPU [R2.64], R4 @ y[hash(6, tid + i*7) % 1024]
    STG.E [R2.64], R5 @ x[hash(7, ctaid.x*1000 + i*72 + tid) % 1048576]
    LDGSTS.E.BYPASS.128 [R1], [R2.64] @ s + tid*16 <- x[4*(hash(9, ctaid.x*1000 + tid) % 262144)]
    LDGDEPBAR
    if P0: lane < i*4 + 4
      ATOMS.ADD R7, [R1], R4 @ s[hash(10, tid) % 1024]
      MEMBAR.SC.GPU
    end
    DEPBAR.LE SB0, 0x0
    BAR.SYNC 0x0
    LDS R8, [R1] @ s[hash(10, tid) % 1024]
    SHFL.BFLY PT, R9, R8, 0x1, 0x1f
    MUFU.EX2 R10, R9
    @P2 EXIT when lane == i + 20
  end
  EXIT)");
}

struct Edge {
  std::string name;
  std::vector<arch::Override> changes;
};

std::vector<Edge> edges() {
  return {
      {"one of everything in L1", {{"sm.l1.mshrs", "1"}, {"sm.l1.mshr_merges", "1"}, {"sm.l1.ways", "1"}}},
      {"one queue entry and one lane", {{"sm.lsu.queue_entries", "1"}, {"sm.lsu.lanes", "1"}}},
      {"one MSHR and one place a slice", {{"l2.mshrs", "1"}, {"l2.queue_entries", "1"}, {"dram.queue_entries", "1"}}},
      {"one SM", {{"sm.count", "1"}}},
      {"one half of L2", {{"l2.halves", "1"}}},
      {"the shortest links",
       {{"noc.sm_to_gpc_latency", "8"},
        {"noc.gpc_to_l2_latency", "8"},
        {"noc.l2_to_gpc_latency", "8"},
        {"noc.gpc_to_sm_latency", "8"},
        {"noc.partition_link_latency", "8"},
        {"launch.cta_latency", "8"}}},
      {"ports of one byte per cycle",
       {{"noc.sm_request_bytes_per_cycle", "1"},
        {"noc.gpc_reply_bytes_per_cycle", "1"},
        {"noc.slice_request_bytes_per_cycle", "1"},
        {"noc.partition_link_bytes_per_cycle", "1"}}},
      {"no latency inside the SM",
       {{"sm.lsu.address_latency", "1"},
        {"sm.l1.hit_latency", "1"},
        {"sm.shared.latency", "1"},
        {"sm.barrier_latency", "0"},
        {"sm.front_end.branch_latency", "0"}}},
      {"bursts of two sectors",
       {{"dram.burst_bytes", "64 B"},
        {"dram.timing.BL", "4 clocks"},
        {"dram.timing.CCDS", "4 clocks"},
        {"dram.timing.CCDL", "4 clocks"}}},
      {"L2 and DRAM of small rooms, no TLBs",
       {{"l2.bytes", "6400 KiB"}, {"dram.refresh", "per_bank"}, {"tlb.model", "off"}}},
      {"nothing in the way", {{"noc.model", "ideal"}, {"l2.model", "ideal"}, {"dram.model", "ideal"}}},
  };
}

}  // namespace

TEST_CASE("a kernel with every kind of access finishes and conserves on machines at the edges of the schema") {
  const trace::Trace trace = every_access();
  for (const Edge& edge : edges()) {
    INFO(edge.name);
    for (const auto cache : {CacheState::kCold, CacheState::kWarm}) {
      gpu::SimulateOptions options;
      options.cache = cache;
      const stats::Result result = gpu::simulate(test::shipped("h100", edge.changes), trace, options);
      CHECK(result.kernels[0].sm.ctas == 40);
    }
  }
}

}  // namespace edges_test

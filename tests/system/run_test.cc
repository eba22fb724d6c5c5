// SPDX-License-Identifier: MIT
// What a whole run does at its edges: caches cold and warm, part of the grid, kernels that do not fit, kernels that
// cannot finish.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <catch2/catch.hpp>

#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/result.h"
#include "sim/model/trace/kernel.h"

#include "tests/system/support.h"

namespace run_test {

using namespace gpusim;
using Catch::Contains;
using Catch::StartsWith;

namespace {

const std::string kReadTwice = R"(
  LDG.E R4, [R2.64] @ x[tid.x]
  FADD R5, R4, R4
  EXIT)";
const std::string kOneCta = "grid (1)\nblock (32)\nbuffer x f32[1024]";

}  // namespace

TEST_CASE("a cold run reads DRAM and a warm run finds the data in L2") {
  const arch::Arch arch = test::shipped("h100");
  const trace::Trace trace = test::program(kOneCta, kReadTwice);
  gpu::SimulateOptions cold;
  cold.cache = CacheState::kCold;
  const auto cold_kernel = gpu::simulate(arch, trace, cold).kernels.at(0);
  const auto warm_kernel = gpu::simulate(arch, trace, {}).kernels.at(0);
  CHECK(cold_kernel.dram.read_bytes == 128);
  CHECK(warm_kernel.dram.read_bytes == 0);
  CHECK(warm_kernel.l2.read_hits == 4);
  CHECK(cold_kernel.cycles > warm_kernel.cycles);
}

TEST_CASE(
    "a second kernel finds what the first left in L2 but not in L1, and nothing when caches are flushed between") {
  const trace::Trace trace = frontend::load_trace_text(
      "gpusim trace 1\nbuffer x f32[1024]\nkernel a\ngrid (1)\nblock (32)\ncode\nLDG.E R4, [R2.64] @ "
      "x[tid.x]\nEXIT\nend\n"
      "kernel b\ngrid (1)\nblock (32)\ncode\nLDG.E R4, [R2.64] @ x[tid.x]\nEXIT\nend\n",
      "two.trace", {});
  const auto hits = [&](CacheState state) {
    gpu::SimulateOptions options;
    options.cache = state;
    const stats::Result result = gpu::simulate(test::shipped("h100"), trace, options);
    CHECK(result.cache_state == state);
    CHECK(result.kernels.at(1).l1.load_hits == 0);
    return std::pair(result.kernels.at(0).l2.read_hits, result.kernels.at(1).l2.read_hits);
  };
  CHECK(hits(CacheState::kWarm) == std::pair<std::uint64_t, std::uint64_t>(4, 4));
  CHECK(hits(CacheState::kCold) == std::pair<std::uint64_t, std::uint64_t>(0, 4));
  CHECK(hits(CacheState::kFlushBetween) == std::pair<std::uint64_t, std::uint64_t>(0, 0));
}

TEST_CASE("where L2 is full of modified lines each line that comes in has another written, until all have left") {
  const auto written = [](CacheState state, std::uint64_t bytes) {
    const trace::Trace trace = test::program(
        "grid (" + std::to_string(bytes / 4096) + ")\nblock (256)\nbuffer x f32[" + std::to_string(bytes / 4) + "]",
        "LDG.E.128 R4, [R2.64] @ x[1024 * ctaid.x + 4 * tid.x]\nFADD R8, R4, R4\nEXIT");
    gpu::SimulateOptions options;
    options.cache = state;
    const auto kernel = gpu::simulate(test::shipped("t4"), trace, options).kernels.at(0);
    CHECK(kernel.dram.read_bytes == bytes);
    return kernel.dram.write_bytes;
  };
  constexpr std::uint64_t kMiB = 1 << 20;
  CHECK(written(CacheState::kCold, kMiB) == 0);
  CHECK(written(CacheState::kDirty, kMiB) == kMiB);
  // The kernel's own lines are not modified: once they fill the L2 of 4 MiB nothing is written any more.
  CHECK(written(CacheState::kDirty, 16 * kMiB) == 4 * kMiB);
}

TEST_CASE("only the first kernel finds modified lines of others in L2") {
  const std::string kernel = "kernel k\ngrid (1)\nblock (32)\ncode\nLDG.E R4, [R2.64] @ x[tid.x]\nEXIT\nend\n";
  const trace::Trace trace =
      frontend::load_trace_text("gpusim trace 1\nbuffer x f32[1024]\n" + kernel + kernel, "two.trace", {});
  gpu::SimulateOptions options;
  options.cache = CacheState::kDirty;
  const stats::Result result = gpu::simulate(test::shipped("h100", {{"l2.dirty_percent", "100 %"}}), trace, options);
  CHECK(result.cache_state == CacheState::kDirty);
  CHECK(result.kernels.at(0).dram.write_bytes == 128);
  CHECK(result.kernels.at(1).dram.write_bytes == 0);
  CHECK(result.kernels.at(1).l2.read_hits == 4);
  // The lines that were modified first, and leave first, are in DRAM already where only a part may be modified.
  CHECK(gpu::simulate(test::shipped("h100"), trace, options).kernels.at(0).dram.write_bytes == 0);
}

TEST_CASE("a kernel lasts until its last reduction is done, for which no warp waits") {
  const auto cycles = [](const char* body) {
    const trace::Trace trace = test::program("grid (64)\nblock (256)\nbuffer x u32[1]", body);
    const gpu::SimulateOptions options;
    return gpu::simulate(test::shipped("h100", {{"l2.atomic_interval", "2"}}), trace, options).kernels.at(0).cycles;
  };
  constexpr Cycle kLanes = 64 * 256;
  const Cycle reductions = cycles("RED.E.ADD.STRONG.GPU [R2.64], R4 @ x[0]\nEXIT");
  CHECK(reductions > 2 * kLanes);
  CHECK(reductions < 2 * kLanes + 2000);
}

TEST_CASE("a kernel lasts until L2 has acknowledged its last store, for which no warp waits") {
  arch::Arch arch = test::shipped("h100");
  const auto run = [&](const std::string& code) {
    return gpu::simulate(arch, test::program(kOneCta, code), {}).kernels.at(0);
  };
  const auto stores = run("\n  STG.E [R2.64], R4 @ x[tid.x]\n  EXIT");
  const auto waits = run("\n  STG.E [R2.64], R4 @ x[tid.x]\n  MEMBAR.SC.GPU\n  EXIT");
  const Cycle there_and_back =
      arch.noc.sm_to_gpc_latency + arch.noc.gpc_to_l2_latency + arch.noc.l2_to_gpc_latency + arch.noc.gpc_to_sm_latency;
  CHECK(stores.cycles >= stores.sm.active_cycles + there_and_back);
  CHECK(waits.cycles >= stores.cycles);
  CHECK(waits.sm.active_cycles > stores.sm.active_cycles + there_and_back / 2);
}

TEST_CASE("a range of CTAs runs just those") {
  const trace::Trace trace =
      test::program("grid (100)\nblock (32)\nbuffer x f32[4096]", "LDG.E R4, [R2.64] @ x[ctaid.x*32 + tid.x]\nEXIT");
  gpu::SimulateOptions options;
  options.ctas = gpu::CtaRange{10, 19};
  const auto kernel = gpu::simulate(test::shipped("a100"), trace, options).kernels.at(0);
  CHECK(kernel.simulated_ctas == 10);
  CHECK(kernel.sm.ctas == 10);
  CHECK(kernel.sm.warp_instructions == 20);
}

TEST_CASE("a range of CTAs beyond a kernel's grid is refused before any kernel runs, not cut off") {
  const std::string body = "\nblock (32)\ncode\nEXIT\nend\n";
  const trace::Trace trace = frontend::load_trace_text(
      "gpusim trace 1\nkernel large\ngrid (100)" + body + "kernel small\ngrid (50)" + body, "two.trace", {});
  const auto refusal = [&trace](gpu::CtaRange range) -> std::string {
    gpu::SimulateOptions options;
    options.ctas = range;
    options.on_progress = [](const gpu::Progress&) -> bool { throw std::logic_error("a kernel runs"); };
    try {
      (void)gpu::simulate(test::shipped("a100"), trace, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string hint = " (the range must lie within the grid of every kernel that runs; --kernel chooses kernels)";
  CHECK(refusal({45, 50}) == "--ctas 45..50: kernel 'small' has CTAs 0..49" + hint);
  CHECK(refusal({100, 120}) == "--ctas 100..120: kernel 'large' has CTAs 0..99" + hint +
                                   "\n--ctas 100..120: kernel 'small' has CTAs 0..49" + hint);
}

TEST_CASE("a kernel that does not fit the GPU is refused with the resource and the limit") {
  const trace::Trace shared = test::program("grid (1)\nblock (32)\nshared dynamic 300000", "EXIT");
  CHECK_THROWS_WITH(gpu::simulate(test::shipped("h100"), shared, {}),
                    Contains("300,000 bytes of shared memory") && Contains("at most 232,448"));
  CHECK_THROWS_WITH(gpu::simulate(test::shipped("h100"), shared, {}),
                    StartsWith("inline.trace:2:8: kernel 'k' does not fit"));
  const trace::Trace registers = test::program("grid (1)\nblock (1024)\nregisters 255", "EXIT");
  CHECK_THROWS_WITH(gpu::simulate(test::shipped("h100"), registers, {}),
                    Contains("255 registers a thread times 1,024 threads"));
}

TEST_CASE("guesses at the timing of instructions that a trace does not have are not listed") {
  const auto guessed = [](std::string_view body) {
    std::set<std::string> keys;
    const trace::Trace trace = test::program("grid (1)\nblock (32)", body);
    for (const stats::GuessedValue& guess : gpu::simulate(test::shipped("h100"), trace, {}).guesses) {
      keys.insert(guess.key);
    }
    return keys;
  };
  const std::set<std::string> without = guessed("UMOV UR4, 0x1\nEXIT");
  CHECK(without.count("sm.timing.uniform.interval") == 1);
  CHECK(without.count("sm.timing.branch.latency") == 1);  // the latency of EXIT
  CHECK(without.count("sm.timing.bmma_168256.latency") == 0);
  CHECK(without.count("l2.ways") == 1);
  CHECK(guessed("BMMA.168256.XOR.POPC R4, R8, R12, R4\nEXIT").count("sm.timing.bmma_168256.latency") == 1);
}

TEST_CASE("an instruction that the GPU lacks is refused with its place") {
  const trace::Trace trace =
      test::program("grid (1)\nblock (32)", "HMMA.884.F32.F32.STEP0 R4, R8.reuse.ROW, R12.COL, R4\nEXIT");
  CHECK_THROWS_WITH(gpu::simulate(test::shipped("h100"), trace, {}),
                    StartsWith("inline.trace:6: kernel 'k': HMMA.884"));
}

TEST_CASE("warps that wait at different barriers end the run with the circle of waiting") {
  const trace::Trace trace = test::program("grid (1)\nblock (64)\nbarriers 2", R"(
  if warp == 0
    BAR.SYNC 0
  else
    BAR.SYNC 1
  end
  EXIT)");
  CHECK_THROWS_AS(gpu::simulate(test::shipped("h100"), trace, {}), CannotFinishError);
  CHECK_THROWS_WITH(gpu::simulate(test::shipped("h100"), trace, {}),
                    Contains("circle of waiting") && Contains("barrier 0") && Contains("barrier 1"));
}

TEST_CASE("a barrier that counts more warps than come ends the run with how many are missing") {
  const trace::Trace trace = test::program("grid (1)\nblock (64)\nbarriers 2", "BAR.SYNC 0x1, 0x80\nEXIT");
  CHECK_THROWS_WITH(
      gpu::simulate(test::shipped("h100"), trace, {}),
      Contains("inline.trace:2:8: kernel 'k' cannot finish") &&
          Contains("warp 0 of CTA 0 at 'BAR.SYNC 0x1, 0x80' (inline.trace:7), waits at barrier 1, where 2 of 4 "
                   "warps have arrived; 2 warps of this CTA wait like this\n"));
}

TEST_CASE("WGMMA operations count their FLOPs and keep the tensor pipe busy as long as the tensor cores work") {
  const trace::Trace trace = test::program("grid (1)\nblock (128)", R"(
  unroll i = 0..8
    HGMMA.64x256x16.F32.BF16 R24, gdesc[UR4], R24, gsb0
  end
  WARPGROUP.DEPBAR.LE gsb0, 0x0
  EXIT)");
  const auto result = gpu::simulate(test::shipped("h100"), trace, {});
  const stats::KernelResult& kernel = result.kernels[0];
  CHECK(kernel.flops[static_cast<std::size_t>(isa::FlopClass::kTensorBf16)] == 8ULL * 2 * 64 * 256 * 16);
  CHECK(kernel.pipe_busy_cycles[static_cast<std::size_t>(isa::Pipe::kTensor)] == 8 * 4 * 128);
  CHECK(kernel.stalls[static_cast<std::size_t>(stats::Stall::kGmma)] > 4 * 1000);
}

TEST_CASE("a product that not all four warps of a warpgroup issue ends the run with those that are missing") {
  const trace::Trace some = test::program("grid (1)\nblock (128)", R"(
  @P0 HGMMA.64x64x16.F32 R24, gdesc[UR4], R24, gsb0 when warp < 2
  WARPGROUP.DEPBAR.LE gsb0, 0x0
  EXIT)");
  CHECK_THROWS_AS(gpu::simulate(test::shipped("h100"), some, {}), CannotFinishError);
  CHECK_THROWS_WITH(
      gpu::simulate(test::shipped("h100"), some, {}),
      Contains("warp 0 of CTA 0, next 'WARPGROUP.DEPBAR.LE gsb0, 0x0' (inline.trace:8), waits for a WGMMA operation of "
               "its warpgroup, which takes all four warps and was not issued by warp 2, warp 3"));
  const trace::Trace odd = test::program("grid (1)\nblock (160)", R"(
  HGMMA.64x64x16.F32 R24, gdesc[UR4], R24, gsb0
  WARPGROUP.DEPBAR.LE gsb0, 0x0
  EXIT)");
  CHECK_THROWS_WITH(gpu::simulate(test::shipped("h100"), odd, {}),
                    Contains("not issued by warp 5 (its CTA has none), warp 6 (its CTA has none)"));
}

TEST_CASE("a barrier whose guard is false for every lane is not an arrival") {
  const trace::Trace trace = test::program("grid (1)\nblock (64)\nbarriers 2", R"(
  @P0 BAR.SYNC 0 when warp == 0
  BAR.SYNC 1
  @P1 BAR.SYNC 0 when warp == 1
  EXIT)");
  CHECK_THROWS_AS(gpu::simulate(test::shipped("h100"), trace, {}), CannotFinishError);
}

TEST_CASE("a commit whose guard is false for every lane leaves the group of copies open") {
  // Nothing that DEPBAR counts is under way then, so it waits for the commit alone and not for the data from DRAM.
  const auto wait_for_copies = [](const std::string& commit) {
    const trace::Trace trace =
        test::program("grid (1)\nblock (32)\nshared static 128\nbuffer x f32[32]\nshared_buffer s f32[32] at 0",
                      "LDGSTS.E [R1], [R2.64] @ s + lane*4 <- x[lane]\n" + commit + "\nDEPBAR.LE SB0, 0x0\nEXIT");
    const auto result = gpu::simulate(test::shipped("h100"), trace, {});
    return result.kernels[0].stalls[static_cast<std::size_t>(stats::Stall::kLongScoreboard)];
  };
  CHECK(wait_for_copies("LDGDEPBAR") > 200);
  CHECK(wait_for_copies("@P0 LDGDEPBAR when lane < 0") < 50);
}

TEST_CASE("a barrier opens when the warps that do not reach it have exited") {
  const trace::Trace trace = test::program("grid (1)\nblock (64)", R"(
  @P0 EXIT when warp == 1
  BAR.SYNC 0
  EXIT)");
  CHECK(gpu::simulate(test::shipped("h100"), trace, {}).complete);
}

TEST_CASE("a limit of cycles ends a run that takes longer") {
  gpu::SimulateOptions options;
  options.max_cycles = 100;
  CHECK_THROWS_WITH(gpu::simulate(test::shipped("h100"), test::program(kOneCta, kReadTwice), options),
                    Contains("has not finished after 100 cycles"));
}

TEST_CASE("a limit of cycles may end a run with what was counted up to there") {
  gpu::SimulateOptions options;
  options.max_cycles = 100;
  options.keep_at_limit = true;
  const stats::Result result = gpu::simulate(test::shipped("h100"), test::program(kOneCta, kReadTwice), options);
  CHECK_FALSE(result.complete);
  CHECK_THAT(result.stopped_at_limit, Contains("has not finished after 100 cycles"));
  CHECK(result.kernels.at(0).cycles == 100);
  CHECK(result.kernels.at(0).sm.ctas == 0);
}

TEST_CASE("a stopped run is a partial result") {
  gpu::SimulateOptions options;
  options.on_progress = [](const gpu::Progress&) { return false; };
  const trace::Trace trace = test::program("grid (20000)\nblock (256)\nbuffer x f32[5120000]",
                                           "LDG.E R4, [R2.64] @ x[ctaid.x*256 + tid.x]\nFADD R5, R4, R4\nEXIT");
  const stats::Result result = gpu::simulate(test::shipped("a100"), trace, options);
  CHECK_FALSE(result.complete);
  CHECK(result.kernels.at(0).sm.ctas < 20000);
}

TEST_CASE("an SM whose warps are resident when the run is stopped was active up to there") {
  gpu::SimulateOptions options;
  options.max_cycles = 400;
  options.keep_at_limit = true;
  const stats::Result result = gpu::simulate(test::shipped("h100"), test::program(kOneCta, kReadTwice), options);
  CHECK(result.kernels.at(0).sm.active_cycles > 0);
  CHECK(result.kernels.at(0).sm.active_cycles < 400);
  CHECK(result.kernels.at(0).sm.warp_cycles >= result.kernels.at(0).sm.active_cycles);
}

TEST_CASE("progress covers the whole run, and never goes back") {
  trace::Trace trace =
      test::program("grid (3000)\nblock (256)\nbuffer x f32[256]", "LDG.E R4, [R2.64] @ x[tid.x]\nEXIT");
  trace.kernels.push_back(trace.kernels[0]);
  gpu::SimulateOptions options;
  std::vector<double> shares;
  options.on_progress = [&shares](const gpu::Progress& progress) {
    shares.push_back(progress.share);
    return true;
  };
  CHECK(gpu::simulate(test::shipped("h100"), trace, options).complete);
  REQUIRE(shares.size() >= 2);
  CHECK(std::ranges::is_sorted(shares));
  CHECK(shares.front() < 0.5);
  CHECK(shares.back() > 0.5);
  CHECK(shares.back() <= 1);
}

TEST_CASE("progress weighs kernels by the instructions that their warps will issue") {
  trace::Trace trace =
      test::program("grid (264)\nblock (256)\nbuffer x f32[256]", "loop i = 0..2000\n  FFMA R5, R4, R4, R5\nend\nEXIT");
  const trace::Trace second =
      test::program("grid (264)\nblock (256)\nbuffer x f32[256]", "FADD R5, R4, R4\nFADD R6, R4, R4\nEXIT");
  trace.kernels.push_back(second.kernels[0]);
  gpu::SimulateOptions options;
  double last_of_first = 0;
  double half_way = 0;  // half of the first kernel, in instructions and so in time
  options.on_progress = [&](const gpu::Progress& progress) {
    if (progress.kernel_index == 0) {
      last_of_first = progress.share;
    }
    if (progress.kernel_index == 0 && progress.cycle > 0 && progress.cycle < 9000) {
      half_way = progress.share;
    }
    return true;
  };
  const stats::Result result = gpu::simulate(test::shipped("h100"), trace, options);
  REQUIRE(result.kernels[0].cycles > 16'000);
  CHECK(last_of_first > 0.9);  // by static instructions it would be half of that
  CHECK(half_way > 0.2);
  CHECK(half_way < 0.8);
}

TEST_CASE("a queue that is full when the run is stopped was so up to there, and no longer") {
  gpu::SimulateOptions options;
  options.cache = CacheState::kCold;
  options.on_progress = [](const gpu::Progress& progress) { return progress.cycle < 10'000; };
  const arch::Arch arch = test::shipped("h100");
  const auto run_some = [&](const std::string& code) {
    const trace::Trace trace =
        test::program("grid (20000)\nblock (256)\nbuffer x f32[40960000]\nbuffer y f32[40960000]", code + "\nEXIT");
    const stats::Result result = gpu::simulate(arch, trace, options);
    CHECK_FALSE(result.complete);
    CHECK(result.kernels.at(0).cycles >= 10'000);
    return result.kernels.at(0);
  };
  const auto is_of_some = [](const stats::KernelResult& kernel, std::uint64_t cycles, std::uint32_t queues) {
    return cycles > 0 && cycles <= kernel.cycles * queues;
  };
  // Lanes that access a sector each ask more than DRAM has, and stores send more than the network takes.
  const auto reads = run_some(
      "STG.E [R2.64], R4 @ y[8*(ctaid.x*256 + tid.x)]\n"
      "LDG.E R4, [R2.64] @ x[8*(ctaid.x*256 + tid.x)]");
  CHECK(is_of_some(reads, reads.noc.slice_request_full_cycles, arch.l2.slices));
  CHECK(is_of_some(reads, reads.noc.dram_full_cycles, arch.dram.channels));
  const auto writes = run_some(
      "STG.E [R2.64], R4 @ y[8*(ctaid.x*256 + tid.x)]\n"
      "STG.E [R2.64], R4 @ x[64*(tid.x*20000 + ctaid.x)%40960000]");
  CHECK(is_of_some(writes, writes.noc.sm_request_full_cycles, arch.sm.count));
  CHECK(is_of_some(writes, writes.noc.sm_request_stall_cycles, arch.sm.count));
  CHECK(is_of_some(writes, writes.noc.gpc_request_full_cycles, arch.sm.count));
  CHECK(is_of_some(writes, writes.noc.gpc_request_stall_cycles, arch.sm.count));
}

TEST_CASE("sectors a request are counted by instruction, and by what a request does") {
  const trace::Trace trace = test::program("grid (3)\nblock (64)\nbuffer x f32[8192]", R"(
    LDG.E R4, [R2.64] @ x[tid.x]
    LDG.E.STRONG.GPU R5, [R2.64] @ x[8*tid.x]
    @P1 LDG.E R6, [R2.64] @ x[tid.x] when lane < 8
    @P2 LDG.E R7, [R2.64] @ x[tid.x] when tid.x < 32
    STG.E.64 [R2.64], R4 @ x[2*tid.x]
    RED.E.ADD.STRONG.GPU [R2.64], R4 @ x[0]
    EXIT)");
  const auto kernel = gpu::simulate(test::shipped("h100"), trace, {}).kernels.at(0);
  constexpr std::array<std::pair<std::uint64_t, std::uint64_t>, 7> kCounts{
      {{6, 24}, {6, 192}, {6, 6}, {3, 12}, {6, 48}, {6, 6}, {0, 0}}};
  for (std::size_t pc = 0; pc < kCounts.size(); ++pc) {
    CHECK(std::pair(kernel.pcs.at(pc).memory_requests, kernel.pcs.at(pc).memory_sectors) == kCounts[pc]);
  }
  // Lanes side by side have no excess; those 32 bytes apart ask for a sector each where four would do; what 32 lanes
  // add to one word is in one sector.
  CHECK(kernel.pcs.at(0).memory_ideal_sectors == 24);
  CHECK(kernel.pcs.at(1).memory_ideal_sectors == 24);
  CHECK(kernel.pcs.at(5).memory_ideal_sectors == 6);
  CHECK(kernel.l1.ideal_sectors == 24 + 24 + 6 + 12 + 48 + 6);
  CHECK(kernel.l1.global_load_requests == 21);
  CHECK(kernel.l1.global_load_sectors == 234);
  CHECK(kernel.l1.global_store_requests == 6);
  CHECK(kernel.l1.global_store_sectors == 48);
  CHECK(kernel.l1.global_atomic_requests == 6);
  CHECK(kernel.l1.global_atomic_sectors == 6);
}

TEST_CASE("bank conflicts are counted by instruction") {
  const std::string head = "grid (2)\nblock (32)\nshared static 4096\nshared_buffer s f32[1024] at 0";
  const trace::Trace trace = test::program(head, R"(
    STS [R2], R4 @ s[tid.x]
    LDS R5, [R2] @ s[2*tid.x]
    LDS R6, [R2] @ s[32*tid.x]
    EXIT)");
  const auto kernel = gpu::simulate(test::shipped("h100"), trace, {}).kernels.at(0);
  constexpr std::array<std::pair<std::uint64_t, std::uint64_t>, 4> kCounts{{{2, 2}, {4, 2}, {64, 2}, {0, 0}}};
  for (std::size_t pc = 0; pc < kCounts.size(); ++pc) {
    const stats::PcResult& row = kernel.pcs.at(pc);
    CHECK(std::pair(row.shared_wavefronts, row.shared_ideal_wavefronts) == kCounts[pc]);
  }
  CHECK(kernel.sm.shared_wavefronts == 70);
}

TEST_CASE("an address outside its buffer stops the run with its place") {
  const trace::Trace trace =
      test::program("grid (2)\nblock (32)\nbuffer x f32[40]", "LDG.E R4, [R2.64] @ x[ctaid.x*32 + tid.x]\nEXIT");
  CHECK_THROWS_AS(gpu::simulate(test::shipped("h100"), trace, {}), InputError);
  CHECK_THROWS_WITH(gpu::simulate(test::shipped("h100"), trace, {}), Contains("'x'") && Contains("lane 8"));
}

TEST_CASE("an instruction the GPU lacks is refused with its line") {
  const trace::Trace trace = test::program("grid (1)\nblock (32)", "HMMA.884.F32.F32.STEP0 R4, R8, R10, R4\nEXIT");
  CHECK_THROWS_WITH(gpu::simulate(test::shipped("h100"), trace, {}), Contains("HMMA.884") && Contains("H100"));
}

}  // namespace run_test

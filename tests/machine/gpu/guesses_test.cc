// SPDX-License-Identifier: MIT
// Which uncertain values a run is said to rest on, and in which order.
#include "sim/machine/gpu/guesses.h"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"
#include "sim/model/arch/schema.h"
#include "sim/model/policy/warp/table.h"
#include "sim/model/trace/trace.h"

#include "tests/support/one_sm.h"

namespace guesses_test {

using namespace gpusim;

namespace {

/// Keys that a kernel of these instructions rests on, of an architecture every value of which is a guess.
std::vector<std::string> keys_of(arch::Arch arch, const std::vector<isa::Instr>& code) {
  arch.guesses.clear();
  for (const arch::Key& key : arch::schema()) {
    arch.guesses.push_back({key.path, "1", SourceKind::kGuess, "a test"});
  }
  trace::Trace trace;
  trace::Kernel kernel;
  kernel.code = code;
  trace.kernels.push_back(kernel);
  std::vector<std::string> keys;
  for (const stats::GuessedValue& guess : gpu::guesses_behind(arch, trace)) {
    keys.push_back(guess.key);
  }
  return keys;
}

std::vector<std::string> keys_of(const std::string& arch, const std::vector<isa::Instr>& code) {
  return keys_of(test::shipped_arch(arch), code);
}

isa::Instr multiplication(isa::TimingClass timing, isa::FlopClass flops) {
  isa::Instr instr;
  instr.timing = timing;
  instr.flop_class = flops;
  return instr;
}

bool has(const std::vector<std::string>& keys, const std::string& key) {
  return std::ranges::find(keys, key) != keys.end();
}

/// The result of a kernel of 1000 cycles on a machine with one SM.
stats::Result result_of(const std::vector<stats::GuessedValue>& guesses) {
  stats::Result result;
  result.sm_clock_mhz = 1000;
  result.machine.sms = 1;
  result.machine.sub_cores_per_sm = 4;
  result.guesses = guesses;
  result.kernels.emplace_back().cycles = 1000;
  return result;
}

std::vector<std::string> sorted(stats::Result result) {
  gpu::sort_by_weight(result);
  std::vector<std::string> keys;
  for (const stats::GuessedValue& guess : result.guesses) {
    keys.push_back(guess.key);
  }
  return keys;
}

void busy(stats::Result& result, isa::Pipe pipe) {
  result.kernels[0].pipe_busy_cycles[static_cast<std::size_t>(pipe)] = 3600;
}

}  // namespace

TEST_CASE("a kernel rests on the rate of tensor cores at the type that it multiplies, and at no other") {
  const auto keys = keys_of("h100", {multiplication(isa::TimingClass::kHmma16816F32, isa::FlopClass::kTensorBf16)});
  CHECK(has(keys, "sm.tensor.flops_per_cycle.bf16"));
  CHECK_FALSE(has(keys, "sm.tensor.flops_per_cycle.binary"));
  CHECK_FALSE(has(keys, "sm.tensor.flops_per_cycle.fp4"));
  CHECK(has(keys, "sm.timing.hmma_16816_f32.interval"));
  CHECK_FALSE(has(keys, "sm.timing.hmma_16816_f16.interval"));
  CHECK_FALSE(has(keys, "sm.wgmma.least_latency"));
}

TEST_CASE("keys of units that a kernel does not use are left out, with them all that nothing simulates") {
  const auto none = keys_of("h100", {});
  for (const std::string key :
       {"sm.tensor.sparsity", "sm.wgmma.queue_entries", "sm.tma.interval", "sm.mbarrier.try_wait_limit",
        "noc.dsmem_latency", "l2.atomic_interval", "l2.persisting_bytes", "peaks.fp32", "price.usd_per_hour",
        "interconnect.pcie_bytes_per_second", "clocks.boost", "name"}) {
    CAPTURE(key);
    CHECK_FALSE(has(none, key));
  }
  CHECK(has(none, "l2.ways"));
  CHECK(has(none, "tlb.model"));
  CHECK(has(keys_of("h100", {multiplication(isa::TimingClass::kWgmma, isa::FlopClass::kTensorBf16)}),
            "sm.wgmma.queue_entries"));
  CHECK(
      has(keys_of("h100", {multiplication(isa::TimingClass::kTensorCopy, isa::FlopClass::kNone)}), "sm.tma.interval"));
  isa::Instr atomic;
  atomic.kind = isa::OpKind::kReduction;
  CHECK(has(keys_of("h100", {atomic}), "l2.atomic_interval"));
}

TEST_CASE("the size of an active set is a guess of the run only where warps are scheduled on two levels") {
  arch::Arch arch = test::shipped_arch("h100");
  CHECK_FALSE(has(keys_of(arch, {}), "sm.scheduler.active_warps"));
  arch.sm.scheduler.policy = policy::WarpPolicy::kTwoLevel;
  CHECK(has(keys_of(arch, {}), "sm.scheduler.active_warps"));
}

TEST_CASE("tensor cores that bound a kernel put their rate, wgmma's times and each of their timing classes first") {
  stats::Result result = result_of({{"l2.ways", "16", SourceKind::kGuess, ""},
                                    {"sm.timing.imad.latency", "4", SourceKind::kGuess, ""},
                                    {"sm.tensor.flops_per_cycle.bf16", "4096", SourceKind::kInferred, ""},
                                    {"sm.wgmma.least_latency", "16", SourceKind::kGuess, ""},
                                    {"sm.timing.qmma_16832_f32.interval", "8", SourceKind::kGuess, ""}});
  busy(result, isa::Pipe::kTensor);
  CHECK(sorted(result) == std::vector<std::string>{"sm.wgmma.least_latency", "sm.timing.qmma_16832_f32.interval",
                                                   "sm.tensor.flops_per_cycle.bf16", "l2.ways",
                                                   "sm.timing.imad.latency"});
}

TEST_CASE("a pipe that bounds a kernel puts its own timing classes first") {
  stats::Result result = result_of({{"sm.timing.fma.interval", "2", SourceKind::kGuess, ""},
                                    {"dram.timing.CL", "20 clocks", SourceKind::kGuess, ""},
                                    {"sm.timing.mufu.interval", "8", SourceKind::kGuess, ""}});
  busy(result, isa::Pipe::kXu);
  CHECK(sorted(result)[0] == "sm.timing.mufu.interval");
}

TEST_CASE("a kernel that no unit bounds rests on what its warps wait for") {
  const std::vector<stats::GuessedValue> guesses{{"sm.timing.fma.latency", "4", SourceKind::kGuess, ""},
                                                 {"sm.barrier_latency", "30", SourceKind::kInferred, ""},
                                                 {"sm.front_end.l1_latency", "20", SourceKind::kGuess, ""},
                                                 {"l2.tag_latency", "100", SourceKind::kInferred, ""}};
  const auto first = [&guesses](stats::Stall state) {
    stats::Result result = result_of(guesses);
    result.kernels[0].stalls[static_cast<std::size_t>(state)] = 100;
    return sorted(result)[0];
  };
  CHECK(first(stats::Stall::kLongScoreboard) == "l2.tag_latency");
  CHECK(first(stats::Stall::kBarrier) == "sm.barrier_latency");
  CHECK(first(stats::Stall::kNoInstruction) == "sm.front_end.l1_latency");
  CHECK(first(stats::Stall::kWait) == "sm.timing.fma.latency");
}

TEST_CASE("a result without kernels keeps its guesses as they stood") {
  stats::Result result =
      result_of({{"l2.ways", "16", SourceKind::kInferred, ""}, {"sm.barrier_latency", "30", SourceKind::kGuess, ""}});
  result.kernels.clear();
  CHECK(sorted(result)[0] == "l2.ways");
}

}  // namespace guesses_test

// SPDX-License-Identifier: MIT
// The same input gives the same bytes, however the work is spread; and what goes in comes out.
#include <catch2/catch.hpp>

#include "sim/machine/gpu/conservation.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"

#include "tests/system/support.h"

namespace exactness_test {

using namespace gpusim;

namespace {

std::string json_of(const arch::Arch& arch, const trace::Trace& trace, const gpu::SimulateOptions& options) {
  return report::to_json(gpu::simulate(arch, trace, options));
}

gpu::SimulateOptions with_threads(unsigned threads) {
  gpu::SimulateOptions options;
  options.threads = threads;
  return options;
}

/// A shipped GPU and a shipped trace.
using Pair = std::pair<std::string, std::filesystem::path>;

/// Tensor instructions, asynchronous copies, the TMA, 144 KiB of shared memory, clusters and WGMMA operations are
/// not for every GPU.
bool runs_on(const std::string& arch, const std::string& trace) {
  static constexpr std::array<std::string_view, 5> kBeforeAmpere{"v100", "t4", "p100", "rtx2080ti", "gtx1660ti"};
  const bool before_ampere = std::ranges::find(kBeforeAmpere, arch) != kBeforeAmpere.end();
  const bool is_hopper = arch.find("h") != std::string::npos;
  const bool is_large = arch == "a100" || arch == "a100-40gb" || arch == "b200" || is_hopper;
  if (trace == "tma-copy") {
    return is_hopper || arch == "b200";
  }
  if (trace == "dsmem-reduce" || trace == "gemm-wgmma" || trace == "gemm-fp8" || trace == "flash-attention-3") {
    return is_hopper;
  }
  if (trace == "reduce-configured") {
    return arch != "v100" && arch != "p100";  // it has uniform registers
  }
  if (trace == "gemm-pipelined" || trace == "gemm-wmma") {
    return arch == "v100";  // HMMA.884
  }
  const bool needs_ampere = trace == "flashattn" || trace == "flash-attention-1" || trace == "flash-attention-2" ||
                            trace == "attention-naive-mma" || trace == "gemm-mma" || trace == "gemm-small-m" ||
                            trace == "conv-implicit-gemm" || trace == "sgemm-multistage";
  const bool needs_much =
      trace == "gemm_bf16" || trace == "flash-attention-1-backward" || trace == "flash-attention-2-backward";
  return needs_much ? is_large : !needs_ampere || !before_ampere;
}

std::vector<Pair> runnable(const std::vector<std::string>& arches) {
  std::vector<Pair> pairs;
  for (const std::string& arch : arches) {
    for (const std::filesystem::path& path : test::shipped_traces()) {
      if (runs_on(arch, path.stem().string())) {
        pairs.emplace_back(arch, path);
      }
    }
  }
  return pairs;
}

}  // namespace

TEST_CASE("every shipped trace gives the same bytes for any threads, order of domains and window") {
  // An L2 of two halves, and one of one.
  for (const auto& [name, path] : runnable({"h100", "v100"})) {
    const arch::Arch arch = test::shipped(name);
    INFO(name << " " << path.filename().string());
    const trace::Trace trace = test::small(path);
    const std::string once = json_of(arch, trace, with_threads(1));
    CHECK(json_of(arch, trace, with_threads(2)) == once);
    CHECK(json_of(arch, trace, with_threads(4)) == once);
    gpu::SimulateOptions reversed;
    reversed.reverse_domain_order = true;
    CHECK(json_of(arch, trace, reversed) == once);
    gpu::SimulateOptions halved;
    halved.window_divisor = 2;
    CHECK(json_of(arch, trace, halved) == once);
    gpu::SimulateOptions stepped;  // a cycle at a time: no sub-core runs ahead of the others of its SM
    stepped.window_divisor = 1000;
    CHECK(json_of(arch, trace, stepped) == once);
  }
}

TEST_CASE("every shipped trace conserves warp states, sectors, bytes and CTAs, cold and warm, on every architecture") {
  for (const auto& [name, path] : runnable(test::shipped_names())) {
    for (const CacheState cache : {CacheState::kCold, CacheState::kWarm}) {
      INFO(name << " " << path.filename().string());
      gpu::SimulateOptions options;
      options.cache = cache;
      const arch::Arch arch = test::shipped(name);
      const stats::Result result = gpu::simulate(arch, test::small(path), options);
      CHECK(result.complete);
      for (const stats::KernelResult& kernel : result.kernels) {
        CHECK(gpu::conservation_problem(kernel, arch).empty());
        CHECK(kernel.sm.warp_instructions > 0);
        CHECK(kernel.stalls[static_cast<std::size_t>(stats::Stall::kMisc)] == 0);
      }
    }
  }
}

TEST_CASE("every kernel of the library runs to its end and conserves on Hopper and on Volta") {
  for (const char* const name : {"h100", "v100"}) {
    for (const std::filesystem::path& path : test::library()) {
      if (!runs_on(name, path.stem().string())) {
        continue;
      }
      INFO(name << " " << path.filename().string());
      const arch::Arch arch = test::shipped(name);
      const stats::Result result = gpu::simulate(arch, test::small(path), {});
      CHECK(result.complete);
      for (const stats::KernelResult& kernel : result.kernels) {
        CHECK(gpu::conservation_problem(kernel, arch).empty());
        CHECK(kernel.sm.warp_instructions > 0);
      }
    }
  }
}

// An SM that is watched takes the general path for every instruction; the others take the short one where they can.
TEST_CASE("a watched run has the same numbers as an unwatched one") {
  for (const auto& [name, path] : runnable({"h100", "a100"})) {
    INFO(name << " " << path.filename().string());
    const arch::Arch arch = test::shipped(name);
    const trace::Trace trace = test::small(path);
    gpu::SimulateOptions watched;
    watched.watch = {gpu::WatchRequest{}};
    stats::Result result = gpu::simulate(arch, trace, watched);
    CHECK_FALSE(result.watch.empty());
    result.watch.clear();  // all that an unwatched one lacks
    CHECK(report::to_json(result) == json_of(arch, trace, {}));
  }
}

}  // namespace exactness_test

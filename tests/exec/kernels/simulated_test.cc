// SPDX-License-Identifier: MIT
// The kernels of data/ in simulated time: what they calculate depends on nothing that the machine does in its own time.
#include <catch2/catch.hpp>

#include "sim/model/arch/loader.h"

#include "tests/exec/kernels/files.h"
#include "tests/exec/kernels/run.h"

namespace simulated_test {

using namespace gpusim;
using namespace gpusim::exec;

namespace {

arch::Arch part(const char* name) {
  return arch::load_arch(std::string(GPUSIM_SOURCE_DIR) + "/configs/" + name + ".yaml", {});
}

KernelCase case_of(const std::string& kernel) {
  for (const KernelCase& row : kernel_cases()) {
    if (row.kernel == kernel) {
      return row;
    }
  }
  throw std::invalid_argument(kernel);
}

/// Loads, stores and atomics in the shared memory of another CTA are executed only.
bool is_simulated(const KernelCase& row) {
  return row.kernel != "cluster_histogram" && row.kernel != "cluster_ring";
}

}  // namespace

TEST_CASE("every kernel leaves what the reference says when it is simulated on a part it is compiled for") {
  const arch::Arch h100 = part("h100");
  const arch::Arch a100 = part("a100");
  for (const KernelCase& row : kernel_cases()) {
    if (is_simulated(row)) {
      INFO(row.kernel);
      CHECK(simulate_case(row, 90, h100).wrong == "");
      if (row.since <= 80) {
        INFO("on an A100");
        CHECK(simulate_case(row, 80, a100).wrong == "");
      }
    }
  }
}

TEST_CASE("copies by the TMA, mbarriers and products of warpgroups take the same time for any threads and windows") {
  const arch::Arch h100 = part("h100");
  for (const char* const kernel : {"bulk_copy", "tensor_copy", "wgmma_bf16", "cluster_multicast"}) {
    INFO(kernel);
    const KernelCase row = case_of(kernel);
    const SimulatedCase once = simulate_case(row, 90, h100);
    gpu::SimulateOptions threads;
    threads.threads = 3;
    gpu::SimulateOptions stepped;
    stepped.window_divisor = 1000;
    gpu::SimulateOptions reversed;
    reversed.reverse_domain_order = true;
    for (const gpu::SimulateOptions& options : {threads, stepped, reversed}) {
      const SimulatedCase again = simulate_case(row, 90, h100, options);
      CHECK(again.wrong == "");
      CHECK(again.cycles == once.cycles);
    }
  }
}

TEST_CASE("a recording of a kernel waits at mbarriers, and copies, as the kernel does") {
  const arch::Arch h100 = part("h100");
  for (const char* const kernel :
       {"bulk_copy", "tensor_copy", "wgmma_bf16", "wgmma_registers", "wgmma_fp8", "wgmma_int8", "cluster_multicast"}) {
    INFO(kernel);
    const SimulatedCase executed = simulate_case(case_of(kernel), 90, h100);
    const SimulatedCase recorded = simulate_recording(case_of(kernel), 90, h100);
    CHECK(recorded.wrong == "");
    CHECK(recorded.bulk_sectors == executed.bulk_sectors);
    // What it does not have are polls that failed.
    CHECK(recorded.cycles > executed.cycles * 95 / 100);
    CHECK(recorded.cycles < executed.cycles * 105 / 100);
  }
}

TEST_CASE("an atomic in the shared memory of another CTA ends a simulation, and the instruction is named") {
  const std::string wrong = simulate_case(case_of("cluster_histogram"), 90, part("h100")).wrong;
  INFO(wrong);
  CHECK(wrong.find("the atomic in the shared memory of another CTA") != std::string::npos);
  CHECK(wrong.find("ATOM.E.ADD") != std::string::npos);
}

TEST_CASE("warps wait at mbarriers for as long as the TMA takes") {
  constexpr std::uint32_t kLonger = 1000;
  constexpr unsigned kStages = 5;
  const arch::Arch h100 = part("h100");
  arch::Arch slow = h100;
  slow.sm.tma.start_latency += kLonger;
  const KernelCase row = case_of("bulk_copy");
  const Cycle fast = simulate_case(row, 90, h100).cycles;
  const Cycle late = simulate_case(row, 90, slow).cycles;
  // A stage is asked for while the one before it is at work: each waits for its copy, and the store follows.
  CHECK(late > fast + kStages * kLonger / 2);
  CHECK(late < fast + (kStages + 2) * kLonger);
}

}  // namespace simulated_test

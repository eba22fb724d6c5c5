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

arch::Arch arch_of(const char* name) {
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

}  // namespace

TEST_CASE("every kernel leaves what the reference says when it is simulated on a GPU it is compiled for") {
  const arch::Arch h100 = arch_of("h100");
  const arch::Arch a100 = arch_of("a100");
  for (const KernelCase& row : kernel_cases()) {
    INFO(row.kernel);
    CHECK(simulate_case(row, 90, h100).wrong == "");
    if (row.since <= 80) {
      INFO("on an A100");
      CHECK(simulate_case(row, 80, a100).wrong == "");
    }
  }
}

TEST_CASE("the slice that decides lanes and addresses takes the same time as the whole kernel") {
  const arch::Arch h100 = arch_of("h100");
  const arch::Arch a100 = arch_of("a100");
  std::vector<std::string> decided_by_values;
  const auto compare = [](const KernelCase& row, unsigned sm, const arch::Arch& arch) {
    const std::optional<SimulatedCase> slice = simulate_slice(row, sm, arch);
    if (slice) {
      const SimulatedCase whole = simulate_case(row, sm, arch);
      CHECK(slice->wrong == "");
      CHECK(slice->cycles == whole.cycles);
      CHECK(slice->thread_instructions == whole.thread_instructions);
      CHECK(slice->bulk_sectors == whole.bulk_sectors);
      CHECK(slice->shared_requests == whole.shared_requests);
    }
    return slice.has_value();
  };
  for (const KernelCase& row : kernel_cases()) {
    INFO(row.kernel);
    if (!compare(row, 90, h100)) {
      decided_by_values.push_back(row.kernel);
    }
    if (row.since <= 80) {
      INFO("on an A100");
      compare(row, 80, a100);
    }
  }
  // Loops and branches that data ends; addresses that are data; guards of slow paths, which exp(), division and
  // conversions have.
  CHECK(decided_by_values == std::vector<std::string>{"reduce_last_block",
                                                      "histogram_global",
                                                      "histogram_shared",
                                                      "bitonic_sort",
                                                      "radix_step",
                                                      "string_search",
                                                      "softmax",
                                                      "layer_norm",
                                                      "rms_norm",
                                                      "attention_naive",
                                                      "attention_flash",
                                                      "spmv_csr",
                                                      "nbody",
                                                      "mma_tf32",
                                                      "mma_sparse_int4",
                                                      "fp64_arithmetic",
                                                      "division",
                                                      "bits",
                                                      "math_functions",
                                                      "warp_shuffle_vote",
                                                      "recursion",
                                                      "switch_table",
                                                      "asserts",
                                                      "divergent_loop",
                                                      "divergent_nest",
                                                      "local_array",
                                                      "register_spills",
                                                      "warp_masks",
                                                      "function_pointers",
                                                      "atomics_integer",
                                                      "atomics_wide",
                                                      "cooperative_groups_sums",
                                                      "cluster_histogram",
                                                      "cluster_signals",
                                                      "cluster_tickets"});
}

TEST_CASE("short ways through what a compiled kernel issues find what the long way does") {
  const arch::Arch h100 = arch_of("h100");
  for (const char* const kernel : {"sgemm_register_blocked", "divergent_nest", "reduce_last_block"}) {
    INFO(kernel);
    CHECK(watched_difference(case_of(kernel), 90, h100) == "");
  }
}

TEST_CASE("CTAs that stand for others take the same time for any threads, windows and order of SMs") {
  const arch::Arch h100 = arch_of("h100");
  for (const char* const kernel : {"saxpy", "sgemm_tiled", "transpose_shared", "places_cubic", "places_shuffled"}) {
    INFO(kernel);
    const KernelCase row = case_of(kernel);
    const Cycle once = simulate_slice(row, 90, h100)->cycles;
    gpu::SimulateOptions threads;
    threads.threads = 3;
    gpu::SimulateOptions stepped;
    stepped.window_divisor = 1000;
    gpu::SimulateOptions reversed;
    reversed.reverse_domain_order = true;
    for (const gpu::SimulateOptions& options : {threads, stepped, reversed}) {
      CHECK(simulate_slice(row, 90, h100, options)->cycles == once);
    }
  }
}

TEST_CASE("what speaks to the TMA, mbarriers and other CTAs takes the same time for any threads and windows") {
  const arch::Arch h100 = arch_of("h100");
  for (const char* const kernel :
       {"bulk_copy", "tensor_copy", "wgmma_bf16", "cluster_multicast", "cluster_gather", "cluster_histogram",
        "cluster_mixed", "cluster_ring", "cluster_signals", "cluster_tickets", "cluster_blocks", "cluster_reduction"}) {
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
  const arch::Arch h100 = arch_of("h100");
  for (const char* const kernel :
       {"bulk_copy", "tensor_copy", "wgmma_bf16", "wgmma_registers", "wgmma_fp8", "wgmma_int8", "wgmma_sparse_f16",
        "wgmma_sparse_int8", "wgmma_bits", "mma_sparse_f16", "cluster_multicast", "cluster_ring"}) {
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

TEST_CASE(
    "accesses to other CTAs' shared memory pass the switch between SMs, and warps wait for what they load there") {
  constexpr std::uint32_t kLonger = 500;
  const arch::Arch h100 = arch_of("h100");
  arch::Arch far = h100;
  far.noc.dsmem_latency += kLonger;
  const KernelCase row = case_of("cluster_gather");
  const SimulatedCase near = simulate_case(row, 90, h100);
  const SimulatedCase late = simulate_case(row, 90, far);
  // Eight CTAs of two warps load words from three others, and bytes from all at once four times.
  CHECK(near.dsmem_requests == 8 * 2 * (3 + 4));
  CHECK(late.wrong == "");
  CHECK(late.cycles >= near.cycles + kLonger);
}

TEST_CASE("bulk copies between shared memories pass the switch between SMs") {
  constexpr std::uint32_t kLonger = 500;
  constexpr unsigned kRounds = 5;
  constexpr unsigned kCtas = 8;
  const arch::Arch h100 = arch_of("h100");
  arch::Arch far = h100;
  far.noc.dsmem_latency += kLonger;
  arch::Arch narrow = h100;
  narrow.noc.dsmem_bytes_per_cycle = 1;
  const KernelCase row = case_of("cluster_blocks");
  const SimulatedCase near = simulate_case(row, 90, h100);
  CHECK(near.dsmem_requests == kCtas * kRounds);
  CHECK(simulate_case(row, 90, far).cycles >= near.cycles + kRounds * kLonger);
  // 1,280 bytes a round at one byte per cycle.
  CHECK(simulate_case(row, 90, narrow).cycles >= near.cycles + kRounds * 1000);
  // The values go to rank 0 three times from each CTA.
  CHECK(simulate_case(case_of("cluster_reduction"), 90, h100).dsmem_requests == kCtas * 3);
}

TEST_CASE("a generic access is one of shared memory where its addresses lead there") {
  const SimulatedCase result = simulate_case(case_of("generic_sum"), 90, arch_of("h100"));
  CHECK(result.wrong == "");
  // Each of 24 warps stores; those of three CTAs load 40 times, and half of their lanes once more.
  CHECK(result.shared_requests == 24 + 12 * 41);
}

TEST_CASE("a recording refuses an access that leads to memory of different kinds, or to several CTAs at once") {
  const arch::Arch h100 = arch_of("h100");
  const std::string of_two_kinds = simulate_recording(case_of("generic_sum"), 90, h100).wrong;
  INFO(of_two_kinds);
  CHECK(of_two_kinds.find("leads to memory of different kinds, which a recording cannot say") != std::string::npos);
  const std::string of_signals = simulate_recording(case_of("cluster_signals"), 90, h100).wrong;
  INFO(of_signals);
  CHECK(of_signals.find("signals an mbarrier when its data has come") != std::string::npos);
  const std::string of_several = simulate_recording(case_of("cluster_histogram"), 90, h100).wrong;
  INFO(of_several);
  CHECK(of_several.find("accesses the shared memory of several CTAs at once") != std::string::npos);
}

TEST_CASE("warps wait at mbarriers for as long as the TMA takes") {
  constexpr std::uint32_t kLonger = 1000;
  constexpr unsigned kStages = 5;
  const arch::Arch h100 = arch_of("h100");
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

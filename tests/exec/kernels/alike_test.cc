// SPDX-License-Identifier: MIT
// Kernels whose values from memory decide nothing: CTAs are executed in part, or stand for one another, and every warp
// does what it does when everything is executed.
#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/exec/kernels/run.h"

namespace alike_test {

using namespace gpusim;
using namespace gpusim::exec;

TEST_CASE("every warp has the same instructions, lanes and addresses when values are left out and CTAs are alike") {
  std::size_t compared = 0;
  for (const KernelCase& row : kernel_cases()) {
    for (const unsigned sm : {75U, 80U, 86U, 90U}) {
      if (row.since > sm) {
        continue;
      }
      INFO(row.kernel << " for sm_" << sm);
      const std::optional<WalkedCase> slice = walk_case(row, sm, Walked::kSlice);
      if (!slice) {
        continue;
      }
      const std::optional<WalkedCase> whole = walk_case(row, sm, Walked::kWhole);
      CHECK(slice->wrong == "");
      CHECK(whole->wrong == "");
      CHECK(slice->warps == whole->warps);
      ++compared;
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("few CTAs are executed of a grid whose addresses are affine in the place of the CTA") {
  struct Row {
    const char* kernel;
    std::size_t records;  ///< where it is compiled for Hopper
  };
  const auto case_of = [](const std::string& kernel) {
    const std::vector<KernelCase> rows = kernel_cases();
    return *std::ranges::find(rows, kernel, &KernelCase::kernel);
  };
  // The full CTAs, and those at edges: at the end, at a corner, at two sides, beyond them.
  for (const Row& row :
       {Row{"saxpy", 2}, Row{"reduce_interleaved", 1}, Row{"sgemm_tiled", 4}, Row{"transpose_shared", 4},
        Row{"mma_f16", 1}, Row{"places_joined", 3}, Row{"places_reversed", 2}, Row{"places_clamped", 4},
        Row{"places_cubic", 4}, Row{"places_far", 1}}) {
    INFO(row.kernel);
    const AlikeCount count = count_alike(case_of(row.kernel), 90);
    CHECK(count.records == row.records);
    CHECK(count.executed == 0);
  }
}

TEST_CASE("CTAs are not recorded for ever where each is its own kind") {
  const std::vector<KernelCase> rows = kernel_cases();
  const AlikeCount count = count_alike(*std::ranges::find(rows, "places_shuffled", &KernelCase::kernel), 90);
  CHECK(count.records < 20);
  CHECK(count.records + count.executed > 40);
}

TEST_CASE("a CTA whose addresses grow in too many ways is not recorded") {
  const std::vector<KernelCase> rows = kernel_cases();
  CHECK(count_alike(*std::ranges::find(rows, "places_scattered", &KernelCase::kernel), 90).records == 0);
}

TEST_CASE("what waits for mbarriers, the TMA or other CTAs is executed") {
  const std::vector<KernelCase> rows = kernel_cases();
  for (const char* const kernel : {"bulk_copy", "tensor_copy", "cluster_ring"}) {
    INFO(kernel);
    CHECK(count_alike(*std::ranges::find(rows, kernel, &KernelCase::kernel), 90).records == 0);
  }
}

}  // namespace alike_test

// SPDX-License-Identifier: MIT
// What both bf16 GEMMs share: C = A B^T, A m x k, B n x k, C m x n, row by row, accumulated in fp32; CTA tiles of
// 128 x 256 in steps of 64 along k.
#pragma once

#include <cstddef>

#include "tools/silicon/kernels/portable.h"

namespace gpusim::silicon {

constexpr std::uint32_t kGemmRows = 128;
constexpr std::uint32_t kGemmColumns = 256;
constexpr std::uint32_t kGemmDepth = 64;  // along k: rows of a stage are 128 bytes
constexpr std::uint32_t kGemmRowBytes = kGemmDepth * 2;
constexpr std::uint32_t kGemmStageA = kGemmRows * kGemmRowBytes;  // a stage: A, then B
constexpr std::uint32_t kGemmStageB = kGemmColumns * kGemmRowBytes;
constexpr std::uint32_t kGemmStage = kGemmStageA + kGemmStageB;

struct GemmArguments {
  const Bf16Bits* a;
  const Bf16Bits* b;
  Bf16Bits* c;
  std::uint32_t m, n, k;
};

/// CTAs start in the order x, y, z. The grid is (group, columns of tiles, rows of tiles / group), so that the CTAs
/// which run together form a block `group` tiles high and some wide, and share their parts of A and B in the L2.
constexpr Index3 gemm_grid(std::uint32_t m, std::uint32_t n) {
  const std::uint32_t rows = m / kGemmRows;
  const std::uint32_t group = rows % 8 == 0 ? 8 : rows % 4 == 0 ? 4 : rows % 2 == 0 ? 2 : 1;
  return {group, n / kGemmColumns, rows / group};
}

/// First row and column of the CTA's tile.
constexpr std::size_t gemm_first_row(const Index3& block, std::uint32_t m, std::uint32_t n) {
  return std::size_t{block.z * gemm_grid(m, n).x + block.x} * kGemmRows;
}
constexpr std::size_t gemm_first_column(const Index3& block) {
  return std::size_t{block.y} * kGemmColumns;
}

}  // namespace gpusim::silicon

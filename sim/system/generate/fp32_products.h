// SPDX-License-Identifier: MIT
// Products in FP32 on the CUDA cores, as cuBLAS launches them.
#pragma once

#include <cstdint>

#include "sim/system/generate/kernels.h"

namespace gpusim::generate {

/// The largest side of such a product.
inline constexpr std::uint64_t kLargestMultistage = 131072;
inline constexpr std::uint64_t kLargestTiled = 65536;

/// D = A B of m x k and k x n, since Ampere: the tile and the parts of the depth with which it ends first, and behind
/// it the sum of the parts where cuBLAS's workspace holds them. Where it does not, the CTAs of a tile add to the result
/// one after the other, and no kernel follows.
[[nodiscard]] KernelForm multistage_product(const Target& target, std::uint64_t m, std::uint64_t n, std::uint64_t k);

/// The same on Volta and Turing. Parts of the depth are as many times the rows: the same tiles of the same depth.
/// Simplified: all of them read one part of B, so it comes from L2 more often than in cuBLAS's kernel.
[[nodiscard]] KernelForm tiled_product(const Target& target, std::uint64_t m, std::uint64_t n, std::uint64_t k);

}  // namespace gpusim::generate

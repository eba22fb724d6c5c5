// SPDX-License-Identifier: MIT
// The tensor cores of an SM, as architecture files describe them (sm.tensor, sm.wgmma).
#pragma once

#include <cstdint>

namespace gpusim::arch {

/// Dense peak of the tensor cores, operations a cycle and SM; 0: the GPU has no such type. Accumulation is in FP32
/// (integers: INT32, FP64: FP64) unless the name says otherwise: GeForce GPUs halve FP32 accumulation. Kept apart from
/// the timing classes because mma.sync does not reach it on Hopper.
struct TensorFlops {
  std::uint32_t fp16 = 0;
  std::uint32_t fp16_fp16acc = 0;
  std::uint32_t bf16 = 0;
  std::uint32_t tf32 = 0;
  std::uint32_t fp8 = 0;
  std::uint32_t fp8_fp16acc = 0;
  std::uint32_t fp4 = 0;
  std::uint32_t int8 = 0;
  std::uint32_t int4 = 0;
  std::uint32_t binary = 0;
  std::uint32_t fp64 = 0;
  friend bool operator==(const TensorFlops&, const TensorFlops&) = default;
};

struct TensorConfig {
  TensorFlops flops_per_cycle;
  std::uint32_t sparsity = 1;  ///< 2:4 structured sparsity multiplies the rates by it, but for FP64; 1: none
  friend bool operator==(const TensorConfig&, const TensorConfig&) = default;
};

/// WGMMA operations. How long one takes follows from sm.tensor.flops_per_cycle, from the bytes that
/// it reads in shared memory, and from the least that was measured.
struct WgmmaConfig {
  std::uint32_t queue_entries = 0;  ///< operations a warp may have in flight; 0: the GPU has none
  std::uint32_t least_latency = 0;  ///< cycles an operation takes at least
  friend bool operator==(const WgmmaConfig&, const WgmmaConfig&) = default;
};

}  // namespace gpusim::arch

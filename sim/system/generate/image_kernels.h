// SPDX-License-Identifier: MIT
// Kernels of residual networks: convolutions as implicit products, batch norm, pooling.
//
// A product of the library stands for a convolution of single pixels, and the library's convolution for others where
// its kind of kernel runs: FP16 and BF16 before Hopper. The rest is given by the roofline, with the reach that cuDNN's
// kernels had in the traces of tests/validation/silicon (H100 in FP16, H200 in FP32 and TF32).
#pragma once

#include <cstdint>

#include "sim/system/generate/kernels.h"
#include "sim/system/generate/request.h"

namespace gpusim::generate {

enum class Direction : std::uint8_t { kForward, kInputGradient, kWeightGradient };

struct Convolution {
  std::uint64_t batch = 1;
  std::uint64_t in = 0;   ///< channels
  std::uint64_t out = 0;  ///< channels
  std::uint64_t kernel = 1;
  std::uint64_t stride = 1;
  std::uint64_t in_side = 0;   ///< pixels
  std::uint64_t out_side = 0;  ///< pixels
};

/// Bytes of an element of what products read.
[[nodiscard]] constexpr std::uint64_t element_bytes(Precision precision) {
  return precision == Precision::kFp32 || precision == Precision::kTf32 ? 4 : 2;
}

[[nodiscard]] KernelForm convolution(const Target& target, Precision precision, const Convolution& shape,
                                     Direction direction);

/// Element-wise work of kernels whose SMs move no more than so many bytes a cycle each, however fast DRAM is.
[[nodiscard]] KernelForm moving_by_sms(double bytes, double bytes_a_cycle);

/// Normalises `rows` pixels of so many elements in all.
[[nodiscard]] KernelForm batch_norm(Precision precision, double elements, std::uint64_t rows);
[[nodiscard]] KernelForm batch_norm_backward(Precision precision, double elements, std::uint64_t rows);

/// Max pooling that moves `bytes`, with the places of the largest pixels, and makes so many outputs of its inputs.
[[nodiscard]] KernelForm max_pool(double bytes, double outputs);
[[nodiscard]] KernelForm max_pool_backward(double bytes, double inputs);

}  // namespace gpusim::generate

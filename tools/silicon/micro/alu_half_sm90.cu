// SPDX-License-Identifier: MIT
// Packed bfloat16 sums and products, which are instructions of their own from Hopper on (before, they are HFMA2.BF16).
#include "tools/silicon/device/chain.cuh"

// clang-format off
#define HALF_SM90(X) \
  X(Hadd2Bf16, "HADD2.BF16_V2|HFMA2.MMA.BF16_V2", unsigned, "r", "add.rn.bf16x2 %0, %0, %1;") \
  X(Hmul2Bf16, "HMUL2.BF16_V2|HFMA2.MMA.BF16_V2", unsigned, "r", "mul.rn.bf16x2 %0, %0, %1;")
// clang-format on

SILICON_CHAINS(HALF_SM90, "micro/alu/half_sm90", 60, 0.4, Feature::Sm90)

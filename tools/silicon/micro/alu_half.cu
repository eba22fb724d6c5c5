// SPDX-License-Identifier: MIT
// Packed 16-bit floating point, two values a lane: sm.timing.half. Values are random bits, NaN among them; the pipe's
// latency does not depend on them. The compiler gives every other one to the FMA pipe (HFMA2.MMA), as it does in
// kernels, so the latency is the mean of the two and the rate that of both.
#include "tools/silicon/device/chain.cuh"

// clang-format off
#define HALF(X) \
  X(Hfma2, "HFMA2", unsigned, "r", "fma.rn.f16x2 %0, %0, %1, %2;") \
  X(Hadd2, "HADD2|HFMA2", unsigned, "r", "add.rn.f16x2 %0, %0, %1;") \
  X(Hmul2, "HMUL2|HFMA2", unsigned, "r", "mul.rn.f16x2 %0, %0, %1;") \
  X(Hfma2Bf16, "HFMA2.BF16_V2|HFMA2.MMA.BF16_V2", unsigned, "r", "fma.rn.bf16x2 %0, %0, %1, %2;") \
  X(Hmnmx2, "HMNMX2+HMNMX2", unsigned, "r", "{ .reg .b32 t; max.f16x2 t, %0, %1; min.f16x2 %0, t, %2; }") \
  X(Hset2, "HSET2", unsigned, "r", "set.lt.f16x2.f16x2 %0, %0, %1;")
// clang-format on

SILICON_CHAINS(HALF, "micro/alu/half", 60, 0.9, Feature::Sm80)

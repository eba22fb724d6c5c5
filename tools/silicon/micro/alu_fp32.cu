// SPDX-License-Identifier: MIT
// Single precision: one line per operation. Operands are uniform in [-1, 1), so values stay finite and mostly normal.
#include "tools/silicon/device/chain.cuh"

// clang-format off
#define FP32(X) \
  X(Ffma, "FFMA", float, "f", "fma.rn.f32 %0, %0, %1, %2;") \
  X(Fadd, "FADD", float, "f", "add.rn.f32 %0, %0, %1;") \
  X(Fmul, "FMUL", float, "f", "mul.rn.f32 %0, %0, %1;")
// clang-format on

SILICON_CHAINS(FP32, "micro/alu/fp32", 60, 2.0)

// SPDX-License-Identifier: MIT
// The special-function unit: sm.timing.mufu, function by function. With .ftz each is one MUFU; sine and cosine scale
// their argument first, and the reciprocal of a reciprocal would be folded away without the sum between them.
#include "tools/silicon/device/chain.cuh"

// clang-format off
#define MUFU(X) \
  X(Ex2, "MUFU.EX2", float, "f", "ex2.approx.ftz.f32 %0, %0;") \
  X(Lg2, "MUFU.LG2", float, "f", "lg2.approx.ftz.f32 %0, %0;") \
  X(Rcp, "FADD+MUFU.RCP", float, "f", "{ .reg .f32 t; add.rn.f32 t, %0, %1; rcp.approx.ftz.f32 %0, t; }") \
  X(Rsq, "MUFU.RSQ", float, "f", "rsqrt.approx.ftz.f32 %0, %0;") \
  X(Sqrt, "MUFU.SQRT", float, "f", "sqrt.approx.ftz.f32 %0, %0;") \
  X(Sin, "FMUL+MUFU.SIN", float, "f", "sin.approx.ftz.f32 %0, %0;") \
  X(Cos, "FMUL+MUFU.COS", float, "f", "cos.approx.ftz.f32 %0, %0;") \
  X(Tanh, "MUFU.TANH", float, "f", "tanh.approx.f32 %0, %0;") \
  X(Ex2Half, "MUFU.EX2.F16", unsigned short, "h", "ex2.approx.f16 %0, %0;") \
  X(TanhHalf, "MUFU.TANH.F16", unsigned short, "h", "tanh.approx.f16 %0, %0;") \
  X(Rcp64h, "MUFU.RCP64H", double, "d", "rcp.approx.ftz.f64 %0, %0;") \
  X(Rsq64h, "MUFU.RSQ64H", double, "d", "rsqrt.approx.ftz.f64 %0, %0;")
// clang-format on

SILICON_CHAINS(MUFU, "micro/mufu", 60, 1.4)

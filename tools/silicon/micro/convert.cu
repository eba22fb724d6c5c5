// SPDX-License-Identifier: MIT
// Conversions. A result is taken as the bits of the next one's source, so that one conversion is a chain by itself:
// sm.timing.convert, and which of them left the slow pipe (I2FP, F2FP, HADD2.F32).
#include "tools/silicon/device/chain.cuh"

// clang-format off
#define CONVERT(X) \
  X(F2iS32, "F2I", unsigned, "r", "{ .reg .f32 f; mov.b32 f, %0; cvt.rzi.s32.f32 %0, f; }") \
  X(I2fS32, "I2F|I2FP", unsigned, "r", "{ .reg .f32 f; cvt.rn.f32.s32 f, %0; mov.b32 %0, f; }") \
  X(F2fFromHalf, "HADD2.F32|F2F.F32.F16", float, "f", \
    "{ .reg .b32 b; .reg .b16 h, g; mov.b32 b, %0; mov.b32 {h, g}, b; cvt.f32.f16 %0, h; }") \
  X(F2fPack, "F2FP", unsigned, "r", \
    "{ .reg .f32 f, g; mov.b32 f, %0; mov.b32 g, %1; cvt.rn.f16x2.f32 %0, f, g; }") \
  X(F2fPackBf16, "F2FP", unsigned, "r", \
    "{ .reg .f32 f, g; mov.b32 f, %0; mov.b32 g, %1; cvt.rn.bf16x2.f32 %0, f, g; }") \
  X(Frnd, "FADD+FRND", float, "f", "{ .reg .f32 t; add.f32 t, %0, %1; cvt.rni.f32.f32 %0, t; }") \
  X(F2fWiden, "F2F.F64.F32", double, "d", \
    "{ .reg .b32 l, h; .reg .f32 f; mov.b64 {l, h}, %0; mov.b32 f, h; cvt.f64.f32 %0, f; }") \
  X(F2fNarrow, "F2F.F32.F64", double, "d", \
    "{ .reg .b32 l, h; .reg .f32 f; mov.b64 {l, h}, %0; cvt.rn.f32.f64 f, %0; mov.b32 h, f; mov.b64 %0, {l, h}; }") \
  X(I2fDouble, "I2F.F64", double, "d", \
    "{ .reg .b32 l, h; mov.b64 {l, h}, %0; cvt.rn.f64.s32 %0, h; }") \
  X(F2iDouble, "F2I.F64", double, "d", \
    "{ .reg .b32 l, h, i; mov.b64 {l, h}, %0; cvt.rzi.s32.f64 i, %0; mov.b64 %0, {l, i}; }") \
  X(I2fU64, "I2F.U64", unsigned long long, "l", \
    "{ .reg .b32 l, h; .reg .f32 f; mov.b64 {l, h}, %0; cvt.rn.f32.u64 f, %0; mov.b32 h, f; mov.b64 %0, {l, h}; }") \
  X(F2iU64, "F2I.U64", unsigned long long, "l", \
    "{ .reg .b32 l, h; .reg .f32 f; mov.b64 {l, h}, %0; mov.b32 f, h; cvt.rzi.u64.f32 %0, f; }")
// clang-format on

SILICON_CHAINS(CONVERT, "micro/convert", 60, 1.5, Feature::Sm80)

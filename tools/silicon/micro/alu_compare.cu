// SPDX-License-Identifier: MIT
// Comparing, choosing, minimum and maximum in single precision.
#include "tools/silicon/device/chain.cuh"

// clang-format off
#define COMPARE(X) \
  X(FsetpFsel, "FSETP+FSEL", float, "f", "{ .reg .pred p; setp.lt.f32 p, %0, %1; selp.f32 %0, %2, %0, p; }") \
  X(Fmnmx, "FMNMX", float, "f", "min.f32 %0, %0, %1;") \
  X(Fset, "FSET", float, "f", "set.lt.f32.f32 %0, %0, %1;")
// clang-format on

SILICON_CHAINS(COMPARE, "micro/alu/compare", 60, 0.5)

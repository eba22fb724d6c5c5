// SPDX-License-Identifier: MIT
// Double precision: one line per operation. On data-centre parts it runs on a pipe of its own, which sm.timing.fp64
// stands for; nothing published gives its latency on Hopper.
#include "tools/silicon/device/chain.cuh"

// clang-format off
#define FP64(X) \
  X(Dfma, "DFMA", double, "d", "fma.rn.f64 %0, %0, %1, %2;") \
  X(Dadd, "DADD", double, "d", "add.rn.f64 %0, %0, %1;") \
  X(Dmul, "DMUL", double, "d", "mul.rn.f64 %0, %0, %1;") \
  X(DsetpSel, "DSETP+FSEL+FSEL", double, "d", "{ .reg .pred p; setp.lt.f64 p, %0, %1; selp.f64 %0, %2, %0, p; }")
// clang-format on

SILICON_CHAINS(FP64, "micro/alu/fp64", 60, 0.6)

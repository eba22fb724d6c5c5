// SPDX-License-Identifier: MIT
// The rest of the integer operations: wide products, comparisons, bits, bytes, minimum and maximum. What runs on the
// ALU, what on the FMA pipe and what on the slow one (POPC, FLO, BREV) shows in latency and rate;
// sm.timing.{imad,alu,convert}.
#include "tools/silicon/device/chain.cuh"

// clang-format off
#define INTEGER(X) \
  X(ImadWide, "IMAD.WIDE", unsigned long long, "l", \
    "{ .reg .u32 l, h, m, n; mov.b64 {l, h}, %0; mov.b64 {m, n}, %1; mul.wide.u32 %0, h, m; }") \
  X(Add64, "IADD3+IADD3.X|IMAD.X+LOP3+LOP3", unsigned long long, "l", \
    "{ .reg .u64 t; add.u64 t, %0, %1; xor.b64 %0, t, %2; }") \
  X(ImadHi, "IMAD.HI", unsigned, "r", "mad.hi.u32 %0, %0, %1, %2;") \
  X(IsetpSel, "ISETP+SEL", unsigned, "r", "{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.b32 %0, %2, %0, p; }") \
  X(Popc, "POPC", unsigned, "r", "popc.b32 %0, %0;") \
  X(Flo, "FLO", unsigned, "r", "bfind.u32 %0, %0;") \
  X(Brev, "BREV", unsigned, "r", "brev.b32 %0, %0;") \
  X(Prmt, "PRMT", unsigned, "r", "prmt.b32 %0, %0, %1, %2;") \
  X(Lea, "LEA|IMAD", unsigned, "r", "{ .reg .u32 t; shl.b32 t, %0, 3; add.u32 %0, t, %1; }") \
  X(LeaHi, "LEA.HI", unsigned, "r", "{ .reg .u32 t; shr.u32 t, %0, 29; add.u32 %0, t, %1; }") \
  X(Imnmx, "IMNMX|VIMNMX+IMNMX|VIMNMX", int, "r", "{ .reg .s32 t; max.s32 t, %0, %1; min.s32 %0, t, %2; }") \
  X(AddMax, "VIADDMNMX|IMNMX", int, "r", "{ .reg .s32 t; add.s32 t, %0, %1; max.s32 %0, t, %2; }") \
  X(Iabs, "IADD3|IMAD.IADD+IABS", int, "r", "{ .reg .s32 t; add.s32 t, %0, %1; abs.s32 %0, t; }") \
  X(Bmsk, "BMSK", unsigned, "r", "bmsk.clamp.b32 %0, %0, %1;") \
  X(Idp, "IDP.4A", unsigned, "r", "dp4a.u32.u32 %0, %0, %1, %2;")
// clang-format on

SILICON_CHAINS(INTEGER, "micro/alu/integer", 60, 1.8)

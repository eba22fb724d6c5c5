// SPDX-License-Identifier: MIT
// 32-bit integers. Each step adds or combines two operands at once: the compiler would merge two steps of one each into
// one three-operand instruction, and the chain would be half as long as it looks.
#include "tools/silicon/device/chain.cuh"

// clang-format off
#define INT32(X) \
  X(Iadd3, "IADD3", unsigned, "r", "{ .reg .u32 t; add.u32 t, %0, %1; add.u32 %0, t, %2; }") \
  X(Imad, "IMAD", unsigned, "r", "mad.lo.u32 %0, %0, %1, %2;") \
  X(Lop3, "LOP3", unsigned, "r", "lop3.b32 %0, %0, %1, %2, 0x6a;") \
  X(Shf, "SHF", unsigned, "r", "shf.l.wrap.b32 %0, %0, %1, %2;")
// clang-format on

SILICON_CHAINS(INT32, "micro/alu/int32", 60, 2.0)

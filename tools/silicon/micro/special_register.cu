// SPDX-License-Identifier: MIT
// Reading special registers: sm.timing.special_read. A step reads only if the step before gave something other than a
// given number, which it always does, so that the reads wait for one another (ISETP + S2R). Registers that the compiler
// knows to be constant (the lane, the thread) would be read once.
#include "tools/silicon/device/chain.cuh"

// clang-format off
#define SPECIAL(X) \
  X(SmId, "ISETP+S2R", unsigned, "r", "{ .reg .pred p; setp.ne.u32 p, %0, %1; @p mov.u32 %0, %%smid; }") \
  X(Clock, "ISETP+CS2R", unsigned, "r", "{ .reg .pred p; setp.ne.u32 p, %0, %1; @p mov.u32 %0, %%clock; }") \
  X(ClockHi, "ISETP+CS2R", unsigned, "r", \
    "{ .reg .pred p; setp.ne.u32 p, %0, %1; @p mov.u32 %0, %%clock_hi; }") \
  X(Clock64, "ISETP+ISETP+CS2R+SEL+SEL", unsigned long long, "l", \
    "{ .reg .pred p; setp.ne.u64 p, %0, %1; @p mov.u64 %0, %%clock64; }") \
  X(GlobalTimer, "ISETP+ISETP+CS2R+SEL+SEL", unsigned long long, "l", \
    "{ .reg .pred p; setp.ne.u64 p, %0, %1; @p mov.u64 %0, %%globaltimer; }")
// clang-format on

SILICON_CHAINS(SPECIAL, "micro/special_register", 60, 0.6)

// SPDX-License-Identifier: MIT
// What the lanes of a warp exchange: shuffles by mode and by kind of index, votes, matches, reductions. Nothing
// published gives the latency of a shuffle on A100 or Hopper: sm.timing.{shuffle,vote}.
#include "tools/silicon/device/chain.cuh"

// clang-format off
#define SHUFFLE(X) \
  X(IdxRandom, "SHFL.IDX", unsigned, "r", "shfl.sync.idx.b32 %0, %0, %1, 31, 0xffffffff;") \
  X(IdxBroadcast, "SHFL.IDX+LOP3", unsigned, "r", \
    "{ .reg .u32 t; shfl.sync.idx.b32 t, %0, 0, 31, 0xffffffff; xor.b32 %0, t, %1; }") \
  X(Up, "SHFL.UP", unsigned, "r", "shfl.sync.up.b32 %0, %0, 1, 0, 0xffffffff;") \
  X(Down, "SHFL.DOWN", unsigned, "r", "shfl.sync.down.b32 %0, %0, 1, 31, 0xffffffff;") \
  X(Bfly1, "SHFL.BFLY", unsigned, "r", "shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;") \
  X(Bfly16, "SHFL.BFLY", unsigned, "r", "shfl.sync.bfly.b32 %0, %0, 16, 31, 0xffffffff;") \
  X(BflyAdd, "SHFL.BFLY+FADD", float, "f", \
    "{ .reg .b32 b; .reg .f32 f; mov.b32 b, %0; shfl.sync.bfly.b32 b, b, 1, 31, 0xffffffff; mov.b32 f, b; " \
    "add.f32 %0, %0, f; }")

#define VOTE(X) \
  X(Ballot, "ISETP+VOTE", unsigned, "r", \
    "{ .reg .pred p; setp.lt.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }") \
  X(AnySel, "ISETP+VOTE+SEL", unsigned, "r", \
    "{ .reg .pred p, q; setp.lt.u32 p, %0, %1; vote.sync.any.pred q, p, 0xffffffff; selp.b32 %0, %2, %0, q; }") \
  X(MatchAny, "MATCH.ANY", unsigned, "r", "match.any.sync.b32 %0, %0, 0xffffffff;") \
  X(MatchAll, "MATCH.ALL", unsigned, "r", \
    "{ .reg .pred p; match.all.sync.b32 %0|p, %0, 0xffffffff; }") \
  X(ReduxAdd, "REDUX+IMAD.U32|MOV+LOP3", unsigned, "r", "{ .reg .u32 t; redux.sync.add.u32 t, %0, 0xffffffff; xor.b32 %0, t, %1; }") \
  X(ReduxMax, "REDUX+IMAD.U32|MOV+LOP3", unsigned, "r", "{ .reg .u32 t; redux.sync.max.u32 t, %0, 0xffffffff; xor.b32 %0, t, %1; }") \
  X(ReduxOr, "REDUX+IMAD.U32|MOV+LOP3", unsigned, "r", "{ .reg .u32 t; redux.sync.or.b32 t, %0, 0xffffffff; xor.b32 %0, t, %1; }")
// clang-format on

SILICON_CHAINS(SHUFFLE, "micro/warp/shuffle", 90, 0.9)
SILICON_CHAINS(VOTE, "micro/warp/vote", 90, 1.1, Feature::Sm80)

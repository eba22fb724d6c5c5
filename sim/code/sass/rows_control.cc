// SPDX-License-Identifier: MIT
// The encoding table: control flow, barriers, exchange across the warp, special registers.
// A comment names the source of the rows below it. The words are those of row_words.h.
#include "sim/code/sass/row_words.h"

namespace gpusim::sass {
namespace {

constexpr EncodingRow kControlRows[] = {
    // Mesa's NAK (sm70_encode.rs), code/text pairs of CuAssembler
    {Op::kS2r, "S2R", {0x919}, kAll, kFixed, {r(16).out(), special(72)}, {}},
    {Op::kS2ur, "S2UR", {0x9c3}, kAll, kFixed, {ur(16).out(), special(72)}, {}},
    {Op::kCs2r, "CS2R", {0x805}, kAll, kFixed, {r(16).out().w(kByFlag), special(72)}, {m(k32, 80)}},
    {Op::kR2ur, "R2UR", {0x3c2}, kTo89, kFixed, {p(81).hide(7).out(), ur(16).out(), r(24)}, {}},
    // own code of ptxas 13.0, code/text pairs of sm_100
    {Op::kR2ur, "R2UR", {0x2ca}, k90, kFixed, {p(81).hide(7).out(), ur(16).out(), r(24)}, {m(kOr, 84)}, kMedium},
    // Mesa's NAK (sm70_encode.rs), code/text pairs of CuAssembler
    {Op::kVote, "VOTE", {0x806}, kAll, kFixed, {r(16).hide(255).out(), p(81).out(), p(87).neg(90)}, {m(kVotes, 72, 2)}},
    {Op::kVoteu,
     "VOTEU",
     {0x886},
     kAll,
     kFixed,
     {ur(16).hide(63).out(), up(81).out(), p(87).neg(90)},
     {m(kVotes, 72, 2)}},
    {Op::kMatch,
     "MATCH",
     {0x3a1},
     kAll,
     kFixed,
     {p(81).when(79, false).out(), r(16).out(), r(24).w(kByFlag)},
     {m(kAllAny, 79), m(kU64, 73)}},
    {Op::kRedux, "REDUX", {0x3c4}, kFrom80, kFixed, {ur(16).out(), r(24)}, {m(kReductions, 78, 3), m(kS32, 73)}},
    {Op::kShfl,
     "SHFL",
     {0x389},
     kAll,
     kFixed,
     {p(81).out(), r(16).out(), r(24).no_reuse(), r(32), r(64)},
     {m(kShuffles, 58, 2)}},
    {Op::kShfl,
     "SHFL",
     {0x589},
     kAll,
     kFixed,
     {p(81).out(), r(16).out(), r(24).no_reuse(), r(32), imm(40, 13)},
     {m(kShuffles, 58, 2)}},
    {Op::kShfl,
     "SHFL",
     {0x989},
     kAll,
     kFixed,
     {p(81).out(), r(16).out(), r(24).no_reuse(), imm(53, 5), r(64)},
     {m(kShuffles, 58, 2)}},
    {Op::kShfl,
     "SHFL",
     {0xf89},
     kAll,
     kFixed,
     {p(81).out(), r(16).out(), r(24).no_reuse(), imm(53, 5), imm(40, 13)},
     {m(kShuffles, 58, 2)}},
    {Op::kBar,
     "BAR",
     {0xb1d},
     kAll,
     kFixed,
     {imm(54, 4), imm(42, 12).hide(0), p(87).neg(90).when(78, true)},
     {m(kBarrierModes, 77, 2), silent(m(kReducing, 78)), only_with(Mod::kReduces, m(kBarrierResults, 74, 2)),
      m(kDeferBlocking, 80)}},
    {Op::kBar,
     "BAR",
     {0x91d},
     kAll,
     kFixed,
     {imm(54, 4), r(32), p(87).neg(90).when(78, true)},
     {m(kBarrierModes, 77, 2), silent(m(kReducing, 78)), only_with(Mod::kReduces, m(kBarrierResults, 74, 2)),
      m(kDeferBlocking, 80)},
     kMedium},
    {Op::kBar,
     "BAR",
     {0x31d},
     kAll,
     kFixed,
     {r(32), r(32), p(87).neg(90).when(78, true)},
     {m(kBarrierModes, 77, 2), silent(m(kReducing, 78)), only_with(Mod::kReduces, m(kBarrierResults, 74, 2)),
      m(kDeferBlocking, 80)},
     kMedium},
    {Op::kBar,
     "BAR",
     {0x51d},
     kAll,
     kFixed,
     {r(32), imm(42, 12).hide(0), p(87).neg(90).when(78, true)},
     {m(kBarrierModes, 77, 2), silent(m(kReducing, 78)), only_with(Mod::kReduces, m(kBarrierResults, 74, 2)),
      m(kDeferBlocking, 80)},
     kMedium},
    {Op::kB2r, "B2R", {0x31c}, kAll, kFixed, {r(16).out(), p(81).hide(7).out()}, {m(kBarrierReads, 77, 2)}, kMedium},
    {Op::kBra, "BRA", {0x947}, kAll, kFixed, {p(87).neg(90).hide(7), target()}, {m(kBranchModes, 32, 2), m(kAny, 84)}},
    {Op::kBraDiv, "BRA", {0x1947}, kFrom80, kFixed, {ur(24).inv(30), target()}, {m(kBranchModes, 32, 2)}, kMedium},
    // own code of ptxas 13.0, code/text pairs of sm_100
    {Op::kBraUniform, "BRA.U", {0x1547}, k90, kFixed, {up(24).neg(27), target()}, {}, kMedium},
    // Mesa's NAK (sm70_encode.rs), code/text pairs of CuAssembler
    {Op::kBrx, "BRX", {0x949}, kAll, kFixed, {r(24).w(k2), offset()}, {}},
    {Op::kBrxu, "BRXU", {0x1958}, kAll, kFixed, {ur(24).w(k2), offset()}, {}},
    // Mesa's NAK (sm70_encode.rs)
    {Op::kJmp, "JMP", {0x94a}, kAll, kFixed, {imm(34, 48).times(4)}, {}, kLow},
    // own code of ptxas 13.0
    {Op::kJmx, "JMX", {0x94c}, kAll, kFixed, {r(24).w(k2)}, {}, kLow},
    // Mesa's NAK (sm70_encode.rs), code/text pairs of CuAssembler
    {Op::kCallRel, "CALL.REL", {0x944}, kAll, kFixed, {target()}, {m(kNoInc, 86)}},
    {Op::kCallAbs, "CALL.ABS", {0x943}, kAll, kFixed, {imm(32, 48)}, {m(kNoInc, 86)}},
    {Op::kCallAbsRegister, "CALL.ABS", {0x343}, kAll, kFixed, {r(24).w(k2)}, {m(kNoInc, 86)}, kMedium},
    {Op::kCallRelRegister, "CALL.REL", {0x344}, kAll, kFixed, {r(24).w(k2), target()}, {m(kNoInc, 86)}, kMedium},
    {Op::kRet,
     "RET",
     {0x950},
     kAll,
     kFixed,
     {r(24).no_reuse().w(k2), target().when(85, false), imm(32, 50).when(85, true)},
     {m(kRelAbs, 85), m(kNoDec, 86)}},
    {Op::kExit, "EXIT", {0x94d}, kAll, kFixed, {p(87).neg(90).hide(7)}, {m(kExitModes, 84, 2), m(kNoAtExit, 86)}},
    {Op::kBssy, "BSSY", {0x945}, kAll, kFixed, {barrier(16, 4).out(), near_target()}, {m(kReconvergence, 72, 2)}},
    {Op::kBsync, "BSYNC", {0x941}, kAll, kFixed, {p(87).neg(90).hide(7), barrier(16, 4)}, {m(kReconvergence, 72, 2)}},
    {Op::kBreak, "BREAK", {0x942}, kAll, kFixed, {p(87).neg(90).hide(7), barrier(16, 4)}, {m(kReconvergence, 72, 2)}},
    {Op::kBmovFrom, "BMOV.32", {0x355}, kAll, kFixed, {r(16).out(), barrier(24, 5)}, {m(kClear, 84)}},
    {Op::kBmovTo, "BMOV.32", {0x356}, kAll, kFixed, {barrier(24, 5).out(), r(32)}, {m(kPquad, 84)}},
    {Op::kBmovSave, "BMOV.32", {0xf55}, kAll, kFixed, {barrier(16, 5).out(), barrier(24, 5)}, {m(kClear, 84)}, kMedium},
    {Op::kBmovRestore,
     "BMOV.32",
     {0xf56},
     kAll,
     kFixed,
     {barrier(24, 5).out(), barrier(16, 5)},
     {m(kPquad, 84)},
     kMedium},
    {Op::kWarpsync, "WARPSYNC", {0x348}, kTo89, kFixed, {r(32)}, {m(kSyncModes, 86)}},
    // code/text pairs of sm_100, own code of ptxas 13.0: the register is at another bit than before sm_90
    {Op::kWarpsync, "WARPSYNC", {0x348}, k90, kFixed, {r(24), target().when(86, true)}, {m(kCollective, 86)}},
    // Mesa's NAK (sm70_encode.rs), code/text pairs of CuAssembler
    {Op::kWarpsync, "WARPSYNC", {0x948}, kAll, kFixed, {imm(32, 32).hide(0)}, {}, kMedium},
    // own code of ptxas 13.0, where others have the end of a WARPSYNC.COLLECTIVE; the name is in NVIDIA's list for
    // Hopper
    {Op::kEndcollective, "ENDCOLLECTIVE", {0x91b}, k90, kFixed, {p(87).neg(90).hide(7)}, {}, kMedium},
    // Mesa's NAK (sm70_encode.rs), code/text pairs of CuAssembler
    {Op::kNanosleep, "NANOSLEEP", {0x35d}, kAll, kFixed, {r(32)}, {m(kSleepModes, 84, 2)}},
    {Op::kNanosleep, "NANOSLEEP", {0x95d}, kAll, kFixed, {imm(32, 32)}, {m(kSleepModes, 84, 2)}},
    {Op::kYield, "YIELD", {0x946}, kAll, kFixed, {p(87).neg(90).hide(7)}, {}},
    {Op::kNop, "NOP", {0x918}, kAll, kFixed, {}, {}},
    {Op::kBpt, "BPT", {0x95c}, kAll, kFixed, {imm(34, 20)}, {m(kTraps, 84, 2)}, kMedium},
    {Op::kLepc, "LEPC", {0x34e}, kAll, kFixed, {r(16).out().w(k2)}, {}, kMedium},
    // Mesa's NAK (sm70_encode.rs)
    {Op::kKill, "KILL", {0x95b}, kAll, kFixed, {}, {}, kMedium},
    // own code of ptxas 13.0
    {Op::kPmtrig, "PMTRIG", {0x801}, kAll, kFixed, {imm(32, 16)}, {}, kMedium},
    // own code of ptxas 13.0, which keeps two registers there over mbarrier.arrive.noComplete
    {Op::kRpcmovTo, "RPCMOV.32", {0x352}, kAll, kFixed, {return_pc(31).out(), r(32)}, {}, kMedium},
    {Op::kRpcmovFrom, "RPCMOV.32", {0x353}, kAll, kFixed, {r(16).out(), return_pc(31)}, {}, kMedium},
};

}  // namespace

std::span<const EncodingRow> control_rows() {
  return kControlRows;
}

}  // namespace gpusim::sass

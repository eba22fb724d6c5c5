// SPDX-License-Identifier: MIT
// Execution pipes, and the timing classes that opcodes fall into. What an instruction is belongs here;
// how long a class takes on a given GPU is data of its architecture file (sm.timing.<class>).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/ratio.h"

namespace gpusim::isa {

/// Execution pipes of a sub-core, named as Nsight Compute names them. kLsu is the memory input/output queue (MIO) that
/// feeds the SM's shared load/store unit; kNone needs no pipe (NOP, DEPBAR).
enum class Pipe : std::uint8_t { kNone, kFma, kAlu, kFp16, kFp64, kXu, kTensor, kUniform, kCbu, kLsu };
inline constexpr std::size_t kPipes = 10;
inline constexpr std::array<std::string_view, kPipes> kPipeNames{"none", "fma",    "alu",     "fp16", "fp64",
                                                                 "xu",   "tensor", "uniform", "cbu",  "lsu"};

/// One row per timing class: enumerator, key in architecture files, pipe, whether the latency is fixed (the assembler
/// counts it in stall counts) or variable (a dependence counter guards it), and what falls into it.
// clang-format off
#define GPUSIM_TIMING_CLASSES(X)                                                                       \
  X(kNone,           "none",             kNone,    kFixed,    "no pipe: NOP, DEPBAR, YIELD")            \
  X(kFma,            "fma",              kFma,     kFixed,    "FFMA, FADD, FMUL")                       \
  X(kImad,           "imad",             kFma,     kFixed,    "IMAD, IMUL, IDP, on the heavy half of the FMA pipe") \
  X(kImadWide,       "imad_wide",        kFma,     kFixed,    "IMAD.WIDE, IMAD.HI: products of 64 bits")              \
  X(kAlu,            "alu",              kAlu,     kFixed,    "integer add, logic, shift, compare, select, move") \
  X(kHalf,           "half",             kFp16,    kFixed,    "HFMA2, HADD2, HMUL2, packed 16-bit")     \
  X(kFp64,           "fp64",             kFp64,    kVariable, "DFMA, DADD, DMUL, DSETP")                \
  X(kMufu,           "mufu",             kXu,      kVariable, "MUFU, FCHK: reciprocal, exp2, log2, sine, square root") \
  X(kConvert,        "convert",          kXu,      kVariable, "F2I, I2F, F2F, FRND, POPC, FLO, BREV")         \
  X(kUniform,        "uniform",          kUniform, kFixed,    "uniform datapath: UMOV, UIADD3, ULOP3, ULDC")  \
  X(kBranch,         "branch",           kCbu,     kFixed,    "BRA, EXIT, BSSY, BSYNC, WARPSYNC, CALL, RET") \
  X(kHmma16816F32,    "hmma_16816_f32",     kTensor,  kFixed,    "HMMA.16816.F32 (fp16 or bf16 in, fp32 accumulate)")\
  X(kHmma16816F16,    "hmma_16816_f16",     kTensor,  kFixed,    "HMMA.16816.F16")                      \
  X(kHmma1688F32,     "hmma_1688_f32",      kTensor,  kFixed,    "HMMA.1688.F32")                       \
  X(kHmma1688F16,     "hmma_1688_f16",      kTensor,  kFixed,    "HMMA.1688.F16")                       \
  X(kHmma1688Tf32,    "hmma_1688_tf32",     kTensor,  kFixed,    "HMMA.1688.F32.TF32")                  \
  X(kHmma1684Tf32,    "hmma_1684_tf32",     kTensor,  kFixed,    "HMMA.1684.F32.TF32")                  \
  X(kHmma884F32,      "hmma_884_f32",       kTensor,  kFixed,    "HMMA.884.F32 (Volta)")                \
  X(kHmma884F16,      "hmma_884_f16",       kTensor,  kFixed,    "HMMA.884.F16 (Volta)")                \
  X(kImma16816,       "imma_16816",         kTensor,  kFixed,    "IMMA.16816 (int8)")                   \
  X(kImma16832,       "imma_16832",         kTensor,  kFixed,    "IMMA.16832 (int8)")                   \
  X(kImma8816,        "imma_8816",          kTensor,  kFixed,    "IMMA.8816 (Turing int8)")             \
  X(kDmma884,         "dmma_884",           kTensor,  kFixed,    "DMMA.8x8x4, DMMA.884")                \
  X(kDmma1684,        "dmma_1684",          kTensor,  kFixed,    "DMMA.16x8x4 (Hopper)")                \
  X(kDmma1688,        "dmma_1688",          kTensor,  kFixed,    "DMMA.16x8x8 (Hopper)")                \
  X(kDmma16816,       "dmma_16816",         kTensor,  kFixed,    "DMMA.16x8x16 (Hopper)")               \
  X(kHmmaSp16832F32,  "hmma_sp_16832_f32",  kTensor,  kFixed,    "HMMA.SP.16832.F32 (2:4 sparse A)")    \
  X(kHmmaSp16832F16,  "hmma_sp_16832_f16",  kTensor,  kFixed,    "HMMA.SP.16832.F16")                   \
  X(kHmmaSp16816F32,  "hmma_sp_16816_f32",  kTensor,  kFixed,    "HMMA.SP.16816.F32")                   \
  X(kHmmaSp16816F16,  "hmma_sp_16816_f16",  kTensor,  kFixed,    "HMMA.SP.16816.F16")                   \
  X(kHmmaSp16816Tf32, "hmma_sp_16816_tf32", kTensor,  kFixed,    "HMMA.SP.16816.F32.TF32")              \
  X(kHmmaSp1688Tf32,  "hmma_sp_1688_tf32",  kTensor,  kFixed,    "HMMA.SP.1688.F32.TF32")               \
  X(kImmaSp16864,     "imma_sp_16864",      kTensor,  kFixed,    "IMMA.SP.16864 (int8)")                \
  X(kImmaSp16832,     "imma_sp_16832",      kTensor,  kFixed,    "IMMA.SP.16832 (int8)")                \
  X(kImma4x16864,     "imma4_16864",        kTensor,  kFixed,    "IMMA.16864 (int4)")                   \
  X(kImma4x16832,     "imma4_16832",        kTensor,  kFixed,    "IMMA.16832.S4, .U4 (int4)")           \
  X(kImma4x8832,      "imma4_8832",         kTensor,  kFixed,    "IMMA.8832 (int4)")                    \
  X(kImma4Sp168128,   "imma4_sp_168128",    kTensor,  kFixed,    "IMMA.SP.168128 (int4)")               \
  X(kImma4Sp16864,    "imma4_sp_16864",     kTensor,  kFixed,    "IMMA.SP.16864.S4, .U4 (int4)")        \
  X(kBmma168256,      "bmma_168256",        kTensor,  kFixed,    "BMMA.168256 (one bit)")               \
  X(kBmma168128,      "bmma_168128",        kTensor,  kFixed,    "BMMA.168128")                         \
  X(kBmma88128,       "bmma_88128",         kTensor,  kFixed,    "BMMA.88128")                          \
  X(kQmma16832F32,    "qmma_16832_f32",     kTensor,  kFixed,    "QMMA.16832.F32 (fp8 in, fp32 accumulate)")\
  X(kQmma16832F16,    "qmma_16832_f16",     kTensor,  kFixed,    "QMMA.16832.F16")                      \
  X(kQmma16816F32,    "qmma_16816_f32",     kTensor,  kFixed,    "QMMA.16816.F32")                      \
  X(kQmma16816F16,    "qmma_16816_f16",     kTensor,  kFixed,    "QMMA.16816.F16")                      \
  X(kQmmaSp16864F32,  "qmma_sp_16864_f32",  kTensor,  kFixed,    "QMMA.SP.16864.F32")                   \
  X(kQmmaSp16864F16,  "qmma_sp_16864_f16",  kTensor,  kFixed,    "QMMA.SP.16864.F16")                   \
  X(kWgmma,           "wgmma",              kTensor,  kFixed,    "HGMMA, QGMMA, IGMMA, BGMMA: asynchronous (times of sm.wgmma)") \
  X(kShuffle,        "shuffle",          kLsu,     kVariable, "SHFL")                                   \
  X(kRedux,          "redux",            kLsu,     kVariable, "REDUX")                                  \
  X(kVote,           "vote",             kAlu,     kFixed,    "VOTE, MATCH")                            \
  X(kSpecialRead,    "special_read",     kLsu,     kVariable, "S2R, S2UR, B2R, R2UR: special registers")\
  X(kMemory,         "memory",           kLsu,     kVariable, "loads, stores, atomics (latency from the memory system)") \
  X(kAsyncCopy,      "async_copy",       kLsu,     kVariable, "LDGSTS, LDGDEPBAR (latency from the memory system)") \
  X(kMatrixLoad,     "matrix_load",      kLsu,     kVariable, "LDSM, STSM (latency of shared memory)")  \
  X(kConstantLoad,   "constant_load",    kLsu,     kVariable, "LDC")                              \
  X(kBarrier,        "barrier",          kLsu,     kVariable, "BAR, UCGABAR")                                    \
  X(kMbarrier,       "mbarrier",         kLsu,     kVariable, "SYNCS, ARRIVES: barriers in shared memory that count arrivals and bytes") \
  X(kTensorCopy,     "tensor_copy",      kLsu,     kVariable, "UTMALDG, UTMASTG, UBLKCP and kin: commands to the TMA (latency from sm.tma)") \
  X(kRegisterPool,   "register_pool",    kLsu,     kVariable, "USETMAXREG")                             \
  X(kFence,          "fence",            kLsu,     kVariable, "MEMBAR of the GPU's scope")              \
  X(kFenceCta,       "fence_cta",        kLsu,     kVariable, "MEMBAR of the CTA's scope, ERRBAR, CCTL") \
  X(kFenceSystem,    "fence_system",     kLsu,     kVariable, "MEMBAR of the system's scope")           \
  X(kDefault,        "default",          kAlu,     kFixed,    "opcodes unknown or not modelled: treated as an ALU operation, with a warning")
// clang-format on

enum class LatencyKind : std::uint8_t { kFixed, kVariable };

enum class TimingClass : std::uint8_t {
#define GPUSIM_X(enumerator, key, pipe, kind, what) enumerator,
  GPUSIM_TIMING_CLASSES(GPUSIM_X)
#undef GPUSIM_X
};

struct TimingClassInfo {
  std::string_view key;
  Pipe pipe;
  LatencyKind kind;
  std::string_view what;
};

inline constexpr std::array kTimingClasses{
#define GPUSIM_X(enumerator, key, pipe, kind, what) TimingClassInfo{key, Pipe::pipe, LatencyKind::kind, what},
    GPUSIM_TIMING_CLASSES(GPUSIM_X)
#undef GPUSIM_X
};
inline constexpr std::size_t kTimingClassCount = kTimingClasses.size();

[[nodiscard]] constexpr const TimingClassInfo& info(TimingClass c) {
  return kTimingClasses[static_cast<std::size_t>(c)];
}

/// What a timing class costs on one GPU; a class whose times other values decide (sim/model/arch/schema.cc) keeps the
/// ones below. `latency`: cycles from issue until a dependent instruction may issue. `interval`: cycles a warp
/// instruction occupies its sub-core's pipe (32 lanes / lanes of the pipe; a ratio, because Hopper's mma.sync
/// takes 6.25).
struct Timing {
  std::uint32_t latency = 0;
  Ratio interval{1, 1};
  bool supported = true;  ///< false: the GPU has no such instruction (loading a kernel with it is an error)
  friend constexpr bool operator==(const Timing&, const Timing&) = default;
};

using TimingTable = std::array<Timing, kTimingClassCount>;

}  // namespace gpusim::isa

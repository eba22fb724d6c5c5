// SPDX-License-Identifier: MIT
// What may stand behind an opcode, by meaning: the same Mod means the same in every row, and where its values are
// listed here, they are the values of the bits.
#pragma once

#include <cstdint>

namespace gpusim::sass {

enum class Mod : std::uint8_t {
  kNone,
  // Integers
  kSigned,        ///< signed comparison, product or shift of integers; clear: .U32
  kExtended,      ///< .X: adds a carry from a predicate
  kHigh,          ///< .HI
  kSignExtend,    ///< .SX32
  kAndPredicate,  ///< .PAND
  kRight,         ///< SHF: .R
  kWrap,          ///< .W
  kShiftType,     ///< ShiftType
  kBoolean,       ///< Boolean: how a comparison joins a predicate
  kIntCompare,    ///< IntCompare
  kUsesLower,     ///< ISETP.EX: continues the comparison of the lower halves
  kAccumulate,    ///< VABSDIFF4.ACC
  kPermute,       ///< PRMT: 0 by index, then F4E, B4E, RC8, ECL, ECR, RC16
  kPacked,        ///< VIADD: 0 whole, 1 16x2, 4 U8x4
  kMinMaxType,    ///< VIMNMX: U32, S32, U16x2, S16x2, U8x4, S8x4
  kDotForm,       ///< IDP: 4A, 2A.LO, 2A.HI
  kDotTypeA,      ///< IDP: U8, S8, U16, S16
  kDotTypeB,      ///< IDP: U8, S8
  kShiftAmount,   ///< FLO.SH
  kByte,          ///< P2R.B1 ...
  // Floating point
  kFtz,             ///< .FTZ
  kSat,             ///< .SAT
  kSaturateFinite,  ///< .SATFINITE
  kRelu,            ///< .RELU
  kFmz,             ///< .FMZ: 0 times anything is 0
  kRounding,        ///< Rounding
  kNan,             ///< .NAN: a NaN of either operand wins
  kXorSign,         ///< .XORSIGN
  kFloatCompare,    ///< FloatCompare; of DSETP 0 is MIN and 15 MAX
  kScale,           ///< FMUL: Scale
  kFunction,        ///< MUFU: Function
  kMufuType,        ///< MUFU: 0 F32, 1 F16, 2 BF16, of the half that the source names
  kWiden,           ///< HADD2.F32
  kBfloat,          ///< .BF16_V2: the halves are BF16
  kNegatesHigh,     ///< HFMA2: the upper half of the second factor is negated (.H0_NH1)
  kOnes,            ///< HSET2.BF: 1.0 for true
  kBothHalves,      ///< HSETP2.H_AND
  kPacking,         ///< F2FP: Packing
  kToFloat,         ///< FloatType of the result
  kFromFloat,       ///< FloatType of the source
  kToInteger,       ///< IntegerType of the result
  kFromInteger,     ///< IntegerType of the source
  kNoTrap,          ///< F2I.NTZ
  kNoDerivative,    ///< FSWZADD.NDV
  // Matrices
  kSparse,       ///< .SP
  kShape,        ///< shape in the mnemonic; warpgroup_shape() for HGMMA and kin
  kFloatResult,  ///< accumulates in FP32; clear: FP16
  kFloatAddend,  ///< HMMA.884: C is FP32
  kMatrixType,   ///< MatrixType
  kTypeA,        ///< IMMA: U8, S8, U4, S4; QGMMA: E4M3, E5M2; IGMMA: U8, S8
  kTypeB,
  kNegatedA,
  kNegatedB,
  kTransposedA,
  kTransposedB,
  kTransposed,    ///< LDSM, STSM, MOVM: 0 .M88, 1 .MT88
  kMatrices,      ///< LDSM, STSM, STAS: as many registers as 2 to this power
  kPopulation,    ///< BMMA.POPC: counts bits
  kBitOperation,  ///< BMMA: XOR, AND
  kStep,          ///< HMMA.884: .STEP0 ...
  // Memory
  kWideAddress,  ///< .E: the address register is a pair
  kEviction,     ///< EvictionPriority
  kPrefetch,     ///< 1 LTC64B, 2 LTC128B, 3 LTC256B
  kSize,         ///< Size
  kMemoryOrder,  ///< MemoryOrder: order and scope in one, sm_80 on
  kOrder75,      ///< 0 CONSTANT, 1 weak, 2 STRONG, 3 MMIO, of sm_75
  kScope,        ///< CTA, SM, GPU, SYS, and VC of MEMBAR
  kUniformLoad,  ///< LDS.U
  kIndexMode,    ///< LDC: IL, IS, ISL
  kThroughL1,    ///< LDGSTS without .BYPASS
  kZeroFill,     ///< LDGSTS.ZFILL
  kAtomicOp,     ///< AtomicOp
  kAtomicType,   ///< AtomicFormat
  kFloatAtomic,  ///< FloatAtomic, of the atomics that sm_90 has for floating point
  kSwap,         ///< 0 CAS, 3 CAST.SPIN
  kWide,         ///< .64
  kFence,        ///< MEMBAR: SC, ALL, none
  kCacheOp,      ///< CCTL
  kArriveCount,  ///< ATOMS.ARRIVE, POPC.INC; SYNCS: how arrivals and bytes count
  kSpace,        ///< QSPC: .S, .G, .D
  // Across lanes, control flow
  kVote,           ///< ALL, ANY, EQ
  kAny,            ///< MATCH.ANY
  kReduction,      ///< REDUX: Reduction
  kShuffle,        ///< Shuffle
  kOr,             ///< R2UR.OR
  kBarrierMode,    ///< BAR: SYNC, ARV, RED, SCAN
  kBarrierResult,  ///< BAR.RED: POPC, AND, OR
  kReduces,        ///< BAR: has a predicate to reduce
  kDefers,         ///< BAR.DEFER_BLOCKING
  kBarrierRead,    ///< B2R
  kLessEqual,      ///< DEPBAR.LE
  kBranchMode,     ///< BRA: none, .U, .DIV, .CONV
  kAnyLane,        ///< BRA.ANY
  kNoCount,        ///< CALL.NOINC, RET.NODEC
  kAbsolute,       ///< RET.ABS
  kExitMode,       ///< EXIT: KEEPREFCOUNT, PREEMPTED
  kNoAtExit,       ///< EXIT.NO_ATEXIT
  kReliable,       ///< BSSY: 1 RELIABLE, 2 RECONVERGENT
  kClear,          ///< BMOV.CLEAR
  kSyncMode,       ///< WARPSYNC: EXCLUSIVE, COLLECTIVE
  kSleepMode,      ///< NANOSLEEP.WARP, .SYNCS
  kTrap,           ///< BPT
  kIs64,           ///< CS2R without .32
  // Hopper
  kView,        ///< FENCE.VIEW.ASYNC: .S, .G, .T
  kPool,        ///< USETMAXREG: 5 DEALLOC, 6 TRY_ALLOC
  kRed,         ///< SYNCS.RED: does not return the old state
  kDrop,        ///< SYNCS: one arrival less from the next phase on
  kTryWait,     ///< SYNCS.TRYWAIT
  kDimensions,  ///< UTMALDG and kin: number of dimensions, less one
  kBulkType,    ///< UBLKRED: BulkType
  kTransfer,    ///< UBLKCP: 1 S.G, 2 G.S, 3 S.S
  kMulticast,
  kIm2Col,
  kDepbar,  ///< WARPGROUP: 0 ARRIVE, 1 DEPBAR
};

enum class Rounding : std::uint8_t { kNearest, kDown, kUp, kZero };  ///< F2I, FRND: none, FLOOR, CEIL, TRUNC
enum class Boolean : std::uint8_t { kAnd, kOr, kXor };
enum class IntCompare : std::uint8_t { kFalse, kLess, kEqual, kLessEqual, kGreater, kNotEqual, kGreaterEqual, kTrue };
/// From kUnorderedLess on true when an operand is not a number.
enum class FloatCompare : std::uint8_t {
  kFalse,
  kLess,
  kEqual,
  kLessEqual,
  kGreater,
  kNotEqual,
  kGreaterEqual,
  kNumbers,
  kNan,
  kUnorderedLess,
  kUnorderedEqual,
  kUnorderedLessEqual,
  kUnorderedGreater,
  kUnorderedNotEqual,
  kUnorderedGreaterEqual,
  kTrue,
};
enum class ShiftType : std::uint8_t { kS64, kU64, kS32, kU32 };
/// The product is divided by 8, 4, 2, or multiplied by 2, 4, 8; 4 is none, too.
enum class Scale : std::uint8_t { kNone, kD8, kD4, kD2, kNoneToo, kM2, kM4, kM8 };
enum class Function : std::uint8_t { kCos, kSin, kExp2, kLog2, kRcp, kRsq, kRcp64High, kRsq64High, kSqrt, kTanh };
enum class FloatType : std::uint8_t { kNone, kF16, kF32, kF64, kBf16 };
enum class IntegerType : std::uint8_t { kU8, kS8, kU16, kS16, kU32, kS32, kU64, kS64 };
/// What F2FP makes of what: kF16 and kBf16 of two FP32 numbers a pair, kE5m2 and kE4m3 of two a pair of FP8, and so on;
/// kMergeC, and those of FP8, have a third source.
enum class Packing : std::uint8_t {
  kF16,
  kBf16,
  kMergeC = 4,
  kE5m2 = 6,
  kE4m3 = 7,
  kE5m2FromF16 = 10,
  kE4m3FromF16 = 11,
  kF16FromE5m2 = 16,
  kF16FromE4m3 = 24,
  kTf32 = 53,
};
enum class MatrixType : std::uint8_t { kF16, kBf16, kTf32 };
enum class EvictionPriority : std::uint8_t { kFirst, kNormal, kLast, kLastUse, kUnchanged, kNoAllocate };
enum class Size : std::uint8_t { kU8, kS8, kU16, kS16, k32, k64, k128, kU128 };
[[nodiscard]] constexpr unsigned bytes_of(Size size) {
  switch (size) {
    case Size::kU8:
    case Size::kS8: return 1;
    case Size::kU16:
    case Size::kS16: return 2;
    case Size::k32: return 4;
    case Size::k64: return 8;
    default: return 16;
  }
}

enum class MemoryOrder : std::uint8_t { kWeak = 0, kConstant = 4, kStrongSm = 5, kStrongGpu = 7, kStrongSys = 10 };
enum class AtomicOp : std::uint8_t { kAdd, kMin, kMax, kInc, kDec, kAnd, kOr, kXor, kExchange };
enum class AtomicFormat : std::uint8_t { kU32, kS32, kU64, kF32, kF16x2, kS64, kF64, kBf16x2 };
enum class FloatAtomic : std::uint8_t {
  kF16x2,
  kF16x4,
  kF16x8,
  kBf16x2,
  kBf16x4,
  kBf16x8,
  kF32 = 9,
  kF32x2,
  kF32x4,
  kF64 = 15,
};
enum class BulkType : std::uint8_t { kU32, kS32, kU64, kS64, kF16, kF32, kF64 = 7, kBf16 = 8 };
enum class Reduction : std::uint8_t { kAnd, kOr, kXor, kSum, kMin, kMax };
enum class Shuffle : std::uint8_t { kIndex, kUp, kDown, kButterfly };
enum class Vote : std::uint8_t { kAll, kAny, kEqual };

}  // namespace gpusim::sass

// SPDX-License-Identifier: MIT
// How modifiers are printed. A "?" stands behind names that no code/text pair has shown.
#pragma once

#include "sim/code/sass/row.h"

namespace gpusim::sass {

inline constexpr std::string_view kU32Names[] = {"U32", ""};
inline constexpr ModifierKind kU32{Mod::kSigned, kU32Names, {}};
inline constexpr std::string_view kXNames[] = {"", "X"};
inline constexpr ModifierKind kX{Mod::kExtended, kXNames, {}};
inline constexpr std::string_view kHiNames[] = {"", "HI"};
inline constexpr ModifierKind kHi{Mod::kHigh, kHiNames, {}};
inline constexpr std::string_view kSx32Names[] = {"", "SX32"};
inline constexpr ModifierKind kSx32{Mod::kSignExtend, kSx32Names, {}};
inline constexpr std::string_view kPandNames[] = {"", "PAND"};
inline constexpr ModifierKind kPand{Mod::kAndPredicate, kPandNames, {}};
inline constexpr std::string_view kLeftRightNames[] = {"L", "R"};
inline constexpr ModifierKind kLeftRight{Mod::kRight, kLeftRightNames, {}};
inline constexpr std::string_view kWNames[] = {"", "W"};
inline constexpr ModifierKind kW{Mod::kWrap, kWNames, {}};
inline constexpr std::string_view kShiftTypesNames[] = {"S64", "U64", "S32", "U32"};
inline constexpr ModifierKind kShiftTypes{Mod::kShiftType, kShiftTypesNames, {}};
inline constexpr std::string_view kFtzNames[] = {"", "FTZ"};
inline constexpr ModifierKind kFtz{Mod::kFtz, kFtzNames, {}};
inline constexpr std::string_view kNanNames[] = {"", "NAN"};
inline constexpr ModifierKind kNan{Mod::kNan, kNanNames, {}};
inline constexpr std::string_view kXorSignNames[] = {"", "XORSIGN"};
inline constexpr ModifierKind kXorSign{Mod::kXorSign, kXorSignNames, {}};
inline constexpr std::string_view kFloatComparesNames[] = {"F",   "LT",  "EQ",  "LE",  "GT",  "NE",  "GE",  "NUM",
                                                           "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T"};
inline constexpr ModifierKind kFloatCompares{Mod::kFloatCompare, kFloatComparesNames, {}};
inline constexpr std::string_view kBooleansNames[] = {"AND", "OR", "XOR"};
inline constexpr ModifierKind kBooleans{Mod::kBoolean, kBooleansNames, {}};
inline constexpr std::string_view kIntComparesNames[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
inline constexpr ModifierKind kIntCompares{Mod::kIntCompare, kIntComparesNames, {}};
inline constexpr std::string_view kExNames[] = {"", "EX"};
inline constexpr ModifierKind kEx{Mod::kUsesLower, kExNames, {}};
inline constexpr std::string_view kU32S32Names[] = {"U32", "S32"};
inline constexpr ModifierKind kU32S32{Mod::kSigned, kU32S32Names, {}};
inline constexpr std::string_view kU8S8Names[] = {"U8", "S8"};
inline constexpr ModifierKind kU8S8{Mod::kSigned, kU8S8Names, {}};
inline constexpr std::string_view kAccNames[] = {"", "ACC"};
inline constexpr ModifierKind kAcc{Mod::kAccumulate, kAccNames, {}};
inline constexpr std::string_view kPermutesNames[] = {"", "F4E", "B4E", "RC8", "ECL", "ECR", "RC16"};
inline constexpr ModifierKind kPermutes{Mod::kPermute, kPermutesNames, {}};
inline constexpr std::string_view kPackedIntegersNames[] = {"", "16x2", "", "", "U8x4"};
inline constexpr ModifierKind kPackedIntegers{Mod::kPacked, kPackedIntegersNames, {}};
inline constexpr std::string_view kMinMaxTypesNames[] = {"U32", "", "U16x2", "S16x2", "U8x4", "S8x4"};
inline constexpr ModifierKind kMinMaxTypes{Mod::kMinMaxType, kMinMaxTypesNames, {}};
inline constexpr std::string_view kDotFormsNames[] = {"4A", "2A.LO", "", "2A.HI"};
inline constexpr ModifierKind kDotForms{Mod::kDotForm, kDotFormsNames, {}};
inline constexpr std::string_view kDotTypesANames[] = {"U8", "S8", "U16", "S16"};
inline constexpr ModifierKind kDotTypesA{Mod::kDotTypeA, kDotTypesANames, {}};
inline constexpr std::string_view kDotTypesBNames[] = {"U8", "S8"};
inline constexpr ModifierKind kDotTypesB{Mod::kDotTypeB, kDotTypesBNames, {}};
inline constexpr std::string_view kShNames[] = {"", "SH"};
inline constexpr ModifierKind kSh{Mod::kShiftAmount, kShNames, {}};
inline constexpr std::string_view kBytesNames[] = {"", "B1", "B2", "B3"};
inline constexpr ModifierKind kBytes{Mod::kByte, kBytesNames, {}};
inline constexpr std::string_view kRoundingsNames[] = {"", "RM", "RP", "RZ"};
inline constexpr ModifierKind kRoundings{Mod::kRounding, kRoundingsNames, {}};
inline constexpr std::string_view kSatNames[] = {"", "SAT"};
inline constexpr ModifierKind kSat{Mod::kSat, kSatNames, {}};
inline constexpr std::string_view kScalesNames[] = {"", "D8", "D4", "D2", "", "M2", "M4", "M8"};
inline constexpr ModifierKind kScales{Mod::kScale, kScalesNames, {}};
inline constexpr std::string_view kFmzNames[] = {"", "FMZ"};
inline constexpr ModifierKind kFmz{Mod::kFmz, kFmzNames, {}};
inline constexpr std::string_view kNdvNames[] = {"", "NDV"};
inline constexpr ModifierKind kNdv{Mod::kNoDerivative, kNdvNames, {}};
inline constexpr std::string_view kFunctionsNames[] = {"COS", "SIN",    "EX2",    "LG2",  "RCP",
                                                       "RSQ", "RCP64H", "RSQ64H", "SQRT", "TANH"};
inline constexpr ModifierKind kFunctions{Mod::kFunction, kFunctionsNames, {}};
inline constexpr std::string_view kMufuTypesNames[] = {"", "F16", "BF16?"};
inline constexpr ModifierKind kMufuTypes{Mod::kMufuType, kMufuTypesNames, {}};
inline constexpr std::string_view kToFloatsNames[] = {"", "F16", "F32", "F64", "BF16"};
inline constexpr ModifierKind kToFloats{Mod::kToFloat, kToFloatsNames, {}};
inline constexpr std::string_view kFromFloatsNames[] = {"", "F16", "F32", "F64", "BF16"};
inline constexpr ModifierKind kFromFloats{Mod::kFromFloat, kFromFloatsNames, {}};
inline constexpr std::string_view kToIntegersNames[] = {"U8", "S8", "U16", "S16", "U32", "", "U64", "S64"};
inline constexpr ModifierKind kToIntegers{Mod::kToInteger, kToIntegersNames, {}};
inline constexpr std::string_view kFromFloatsF32Names[] = {"", "F16", "", "F64", "BF16"};
inline constexpr ModifierKind kFromFloatsF32{Mod::kFromFloat, kFromFloatsF32Names, {}};
inline constexpr std::string_view kIntegerRoundingsNames[] = {"", "FLOOR", "CEIL", "TRUNC"};
inline constexpr ModifierKind kIntegerRoundings{Mod::kRounding, kIntegerRoundingsNames, {}};
inline constexpr std::string_view kNtzNames[] = {"", "NTZ"};
inline constexpr ModifierKind kNtz{Mod::kNoTrap, kNtzNames, {}};
inline constexpr std::string_view kToFloatsF32Names[] = {"", "F16", "", "F64", "BF16"};
inline constexpr ModifierKind kToFloatsF32{Mod::kToFloat, kToFloatsF32Names, {}};
inline constexpr std::string_view kFromIntegersNames[] = {"U8", "S8", "U16", "S16", "U32", "", "U64", "S64"};
inline constexpr ModifierKind kFromIntegers{Mod::kFromInteger, kFromIntegersNames, {}};
inline constexpr std::string_view kSatfiniteNames[] = {"", "SATFINITE"};
inline constexpr ModifierKind kSatfinite{Mod::kSaturateFinite, kSatfiniteNames, {}};
inline constexpr std::string_view kReluNames[] = {"", "RELU"};
inline constexpr ModifierKind kRelu{Mod::kRelu, kReluNames, {}};
inline constexpr std::string_view kPackingsNames[] = {"F16.F32.PACK_AB",
                                                      "BF16.F32.PACK_AB",
                                                      "",
                                                      "",
                                                      "F16.F32.MERGE_C",
                                                      "",
                                                      "E5M2.F32.PACK_AB_MERGE_C",
                                                      "E4M3.F32.PACK_AB_MERGE_C",
                                                      "",
                                                      "",
                                                      "E5M2.F16.UNPACK_B_MERGE_C?",
                                                      "E4M3.F16.UNPACK_B_MERGE_C?",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "F16.E5M2.UNPACK_B",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "F16.E4M3.UNPACK_B",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "TF32.F32.PACK_B?"};
inline constexpr ModifierKind kPackings{Mod::kPacking, kPackingsNames, {}};
inline constexpr std::string_view kToF32Names[] = {"", "", "F32"};
inline constexpr ModifierKind kToF32{Mod::kToFloat, kToF32Names, {}};
inline constexpr std::string_view kSaturated32Names[] = {"U8.S32.SAT", "S8.S32.SAT", "U16.S32.SAT", "S16.S32.SAT"};
inline constexpr ModifierKind kSaturated32{Mod::kToInteger, kSaturated32Names, {}};
inline constexpr std::string_view kSaturated32To8Names[] = {"U8.S32.SAT", "S8.S32.SAT", "U16.S32.SAT", "S16.S32.SAT",
                                                            "",           "",           "U4.S32.SAT?", "S4.S32.SAT?"};
inline constexpr ModifierKind kSaturated32To8{Mod::kToInteger, kSaturated32To8Names, {}};
inline constexpr std::string_view kFloatTo8Names[] = {"U8.F32", "S8.F32"};
inline constexpr ModifierKind kFloatTo8{Mod::kToInteger, kFloatTo8Names, {}};
inline constexpr std::string_view kF32Names[] = {"", "F32"};
inline constexpr ModifierKind kF32{Mod::kWiden, kF32Names, {}};
inline constexpr std::string_view kBf16V2Names[] = {"", "BF16_V2"};
inline constexpr ModifierKind kBf16V2{Mod::kBfloat, kBf16V2Names, {}};
inline constexpr std::string_view kNegatesHighNames[] = {"", ""};
inline constexpr ModifierKind kNegatesHigh{Mod::kNegatesHigh, kNegatesHighNames, {}};
inline constexpr std::string_view kBfNames[] = {"", "BF"};
inline constexpr ModifierKind kBf{Mod::kOnes, kBfNames, {}};
inline constexpr std::string_view kHAndNames[] = {"", "H_AND"};
inline constexpr ModifierKind kHAnd{Mod::kBothHalves, kHAndNames, {}};
inline constexpr std::string_view kDoubleComparesNames[] = {"MIN", "LT",  "EQ",  "LE",  "GT",  "NE",  "GE",  "NUM",
                                                            "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "MAX"};
inline constexpr ModifierKind kDoubleCompares{Mod::kFloatCompare, kDoubleComparesNames, {}};
inline constexpr std::string_view kSpNames[] = {"", "SP"};
inline constexpr ModifierKind kSp{Mod::kSparse, kSpNames, {}};
inline constexpr std::string_view kHmmaShapesNames[] = {"1688", "16816", "1684", "16832"};
inline constexpr ModifierKind kHmmaShapes{Mod::kShape, kHmmaShapesNames, {}};
inline constexpr std::string_view kF16F32Names[] = {"F16", "F32"};
inline constexpr ModifierKind kF16F32{Mod::kFloatResult, kF16F32Names, {}};
inline constexpr std::string_view kMatrixTypesNames[] = {"", "BF16", "TF32"};
inline constexpr ModifierKind kMatrixTypes{Mod::kMatrixType, kMatrixTypesNames, {}};
inline constexpr std::string_view kAddendF16F32Names[] = {"F16", "F32"};
inline constexpr ModifierKind kAddendF16F32{Mod::kFloatAddend, kAddendF16F32Names, {}};
inline constexpr std::string_view kStepsNames[] = {"STEP0", "STEP1", "STEP2", "STEP3"};
inline constexpr ModifierKind kSteps{Mod::kStep, kStepsNames, {}};
inline constexpr std::string_view kImmaShapesNames[] = {"8816", "", "8832", "", "16816", "16832", "16864", "168128"};
inline constexpr ModifierKind kImmaShapes{Mod::kShape, kImmaShapesNames, {}};
inline constexpr std::string_view kIntegersANames[] = {"U8", "S8", "U4", "S4"};
inline constexpr ModifierKind kIntegersA{Mod::kTypeA, kIntegersANames, {}};
inline constexpr std::string_view kIntegersBNames[] = {"U8", "S8", "U4", "S4"};
inline constexpr ModifierKind kIntegersB{Mod::kTypeB, kIntegersBNames, {}};
inline constexpr std::string_view kDmmaShapesNames[] = {"8x8x4", "16x8x4", "16x8x8", "16x8x16"};
inline constexpr ModifierKind kDmmaShapes{Mod::kShape, kDmmaShapesNames, {}};
inline constexpr std::string_view kQmmaShapesNames[] = {"16816", "16832", "16864"};
inline constexpr ModifierKind kQmmaShapes{Mod::kShape, kQmmaShapesNames, {}};
inline constexpr std::string_view kFp8ANames[] = {"E4M3", "E5M2"};
inline constexpr ModifierKind kFp8A{Mod::kTypeA, kFp8ANames, {}};
inline constexpr std::string_view kFp8BNames[] = {"E4M3", "E5M2"};
inline constexpr ModifierKind kFp8B{Mod::kTypeB, kFp8BNames, {}};
inline constexpr std::string_view kBmmaShapesNames[] = {"88128", "168128", "168256"};
inline constexpr ModifierKind kBmmaShapes{Mod::kShape, kBmmaShapesNames, {}};
inline constexpr std::string_view kXorAndNames[] = {"XOR", "AND"};
inline constexpr ModifierKind kXorAnd{Mod::kBitOperation, kXorAndNames, {}};
inline constexpr std::string_view kPopcNames[] = {"", "POPC"};
inline constexpr ModifierKind kPopc{Mod::kPopulation, kPopcNames, {}};
inline constexpr std::string_view kMovmFormsNames[] = {"16.MT88", "M832?", "M864?"};
inline constexpr ModifierKind kMovmForms{Mod::kTransposed, kMovmFormsNames, {}};
inline constexpr std::string_view kENames[] = {"", "E"};
inline constexpr ModifierKind kE{Mod::kWideAddress, kENames, {}};
inline constexpr std::string_view kEvictionsNames[] = {"EF", "", "EL", "LU", "EU", "NA"};
inline constexpr ModifierKind kEvictions{Mod::kEviction, kEvictionsNames, {}};
inline constexpr std::string_view kPrefetchesNames[] = {"", "LTC64B", "LTC128B", "LTC256B"};
inline constexpr ModifierKind kPrefetches{Mod::kPrefetch, kPrefetchesNames, {}};
inline constexpr std::string_view kSizesNames[] = {"U8", "S8", "U16", "S16", "", "64", "128", "U.128"};
inline constexpr ModifierKind kSizes{Mod::kSize, kSizesNames, {}};
inline constexpr std::string_view kOrdersNames[] = {
    "", "", "", "", "CONSTANT", "STRONG.SM", "", "STRONG.GPU", "MMIO?", "?9", "STRONG.SYS", "", "MMIO.SYS?"};
inline constexpr ModifierKind kOrders{Mod::kMemoryOrder, kOrdersNames, {}};
inline constexpr std::string_view kOrders75Names[] = {"CONSTANT", "", "STRONG", "MMIO"};
inline constexpr ModifierKind kOrders75{Mod::kOrder75, kOrders75Names, {}};
inline constexpr std::string_view kScopesNames[] = {"CTA", "SM", "GPU", "SYS", "", "VC"};
inline constexpr ModifierKind kScopes{Mod::kScope, kScopesNames, {}};
inline constexpr std::string_view kUNames[] = {"", "U"};
inline constexpr ModifierKind kU{Mod::kUniformLoad, kUNames, {}};
inline constexpr std::string_view kLoadMatrixFormsNames[] = {"16.M88", "16.MT88", "?", "?"};
inline constexpr ModifierKind kLoadMatrixForms{Mod::kTransposed, kLoadMatrixFormsNames, {}};
inline constexpr std::string_view kMatrixCountsNames[] = {"", "2", "4"};
inline constexpr ModifierKind kMatrixCounts{Mod::kMatrices, kMatrixCountsNames, {}};
inline constexpr std::string_view kStoreMatrixFormsNames[] = {"16.M88", "16.MT88", "8.MT168"};
inline constexpr ModifierKind kStoreMatrixForms{Mod::kTransposed, kStoreMatrixFormsNames, {}};
inline constexpr std::string_view kIndexModesNames[] = {"", "IL", "IS", "ISL"};
inline constexpr ModifierKind kIndexModes{Mod::kIndexMode, kIndexModesNames, {}};
inline constexpr std::string_view kBypassNames[] = {"BYPASS", ""};
inline constexpr ModifierKind kBypass{Mod::kThroughL1, kBypassNames, {}};
inline constexpr std::string_view kZfillNames[] = {"", "ZFILL"};
inline constexpr ModifierKind kZfill{Mod::kZeroFill, kZfillNames, {}};
inline constexpr std::string_view kLeNames[] = {"", "LE"};
inline constexpr ModifierKind kLe{Mod::kLessEqual, kLeNames, {}};
inline constexpr std::string_view kAtomicOpsNames[] = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH"};
inline constexpr ModifierKind kAtomicOps{Mod::kAtomicOp, kAtomicOpsNames, {}};
inline constexpr std::string_view kAtomicTypesNames[] = {"",         "S32", "64",     "F32.FTZ.RN",
                                                         "F16x2.RN", "S64", "F64.RN", "BF16x2.RN?"};
inline constexpr ModifierKind kAtomicTypes{Mod::kAtomicType, kAtomicTypesNames, {}};
inline constexpr std::string_view kSwapsNames[] = {"CAS", "", "", "CAST.SPIN"};
inline constexpr ModifierKind kSwaps{Mod::kSwap, kSwapsNames, {}};
inline constexpr std::string_view kFloatAtomicsNames[] = {
    "F16x2.RN", "F16x4.RN?",  "F16x8.RN?",     "BF16x2.RN?",    "BF16x4.RN?", "BF16x8.RN?", "", "",
    "",         "F32.FTZ.RN", "F32x2.FTZ.RN?", "F32x4.FTZ.RN?", "",           "",           "", "F64.RN"};
inline constexpr ModifierKind kFloatAtomics{Mod::kFloatAtomic, kFloatAtomicsNames, {}};
inline constexpr std::string_view kAsyncStoresNames[] = {"", "64", "128"};
inline constexpr ModifierKind kAsyncStores{Mod::kMatrices, kAsyncStoresNames, {}};
inline constexpr std::string_view kBulkTypesNames[] = {"", "S32?", "64?", "S64?", "F16?", "F32?", "", "F64?", "BF16?"};
inline constexpr ModifierKind kBulkTypes{Mod::kBulkType, kBulkTypesNames, {}};
inline constexpr std::string_view kAlwaysNtzNames[] = {"NTZ"};
inline constexpr ModifierKind kAlwaysNtz{Mod::kNoTrap, kAlwaysNtzNames, {}};
inline constexpr std::string_view k64Names[] = {"", "64"};
inline constexpr ModifierKind k64{Mod::kWide, k64Names, {}};
inline constexpr std::string_view kSharedArrivalsNames[] = {
    "", "", "", "", "", "", "", "", "", "ARRIVE.64", "POPC.INC.32", "POPC.INC.32"};
inline constexpr ModifierKind kSharedArrivals{Mod::kArriveCount, kSharedArrivalsNames, {}};
inline constexpr std::string_view kFencesNames[] = {"SC", "ALL", ""};
inline constexpr ModifierKind kFences{Mod::kFence, kFencesNames, {}};
inline constexpr std::string_view kCacheOpsNames[] = {"PF1",    "PF2",   "WB",     "IV", "IVALL", "RS",
                                                      "IVALLP", "WBALL", "WBALLP", "",   "",      "RML2"};
inline constexpr ModifierKind kCacheOps{Mod::kCacheOp, kCacheOpsNames, {}};
inline constexpr std::string_view k32Names[] = {"32", ""};
inline constexpr ModifierKind k32{Mod::kIs64, k32Names, {}};
inline constexpr std::string_view kOrNames[] = {"", "OR"};
inline constexpr ModifierKind kOr{Mod::kOr, kOrNames, {}};
inline constexpr std::string_view kVotesNames[] = {"ALL", "ANY", "EQ"};
inline constexpr ModifierKind kVotes{Mod::kVote, kVotesNames, {}};
inline constexpr std::string_view kAllAnyNames[] = {"ALL", "ANY"};
inline constexpr ModifierKind kAllAny{Mod::kAny, kAllAnyNames, {}};
inline constexpr std::string_view kU64Names[] = {"", "U64"};
inline constexpr ModifierKind kU64{Mod::kWide, kU64Names, {}};
inline constexpr std::string_view kReductionsNames[] = {"", "OR", "XOR", "SUM", "MIN", "MAX"};
inline constexpr ModifierKind kReductions{Mod::kReduction, kReductionsNames, {}};
inline constexpr std::string_view kS32Names[] = {"", "S32"};
inline constexpr ModifierKind kS32{Mod::kSigned, kS32Names, {}};
inline constexpr std::string_view kShufflesNames[] = {"IDX", "UP", "DOWN", "BFLY"};
inline constexpr ModifierKind kShuffles{Mod::kShuffle, kShufflesNames, {}};
inline constexpr std::string_view kBarrierModesNames[] = {"SYNC", "ARV", "RED", "SCAN"};
inline constexpr ModifierKind kBarrierModes{Mod::kBarrierMode, kBarrierModesNames, {}};
inline constexpr std::string_view kReducingNames[] = {"", ""};
inline constexpr ModifierKind kReducing{Mod::kReduces, kReducingNames, {}};
inline constexpr std::string_view kBarrierResultsNames[] = {"POPC", "AND", "OR"};
inline constexpr ModifierKind kBarrierResults{Mod::kBarrierResult, kBarrierResultsNames, {}};
inline constexpr std::string_view kDeferBlockingNames[] = {"", "DEFER_BLOCKING"};
inline constexpr ModifierKind kDeferBlocking{Mod::kDefers, kDeferBlockingNames, {}};
inline constexpr std::string_view kBarrierReadsNames[] = {"BAR?", "WARP?", "RESULT"};
inline constexpr ModifierKind kBarrierReads{Mod::kBarrierRead, kBarrierReadsNames, {}};
inline constexpr std::string_view kBranchModesNames[] = {"", "U", "DIV", "CONV"};
inline constexpr ModifierKind kBranchModes{Mod::kBranchMode, kBranchModesNames, {}};
inline constexpr std::string_view kAnyNames[] = {"", "ANY"};
inline constexpr ModifierKind kAny{Mod::kAnyLane, kAnyNames, {}};
inline constexpr std::string_view kNoIncNames[] = {"", "NOINC"};
inline constexpr ModifierKind kNoInc{Mod::kNoCount, kNoIncNames, {}};
inline constexpr std::string_view kRelAbsNames[] = {"REL", "ABS"};
inline constexpr ModifierKind kRelAbs{Mod::kAbsolute, kRelAbsNames, {}};
inline constexpr std::string_view kNoDecNames[] = {"", "NODEC"};
inline constexpr ModifierKind kNoDec{Mod::kNoCount, kNoDecNames, {}};
inline constexpr std::string_view kExitModesNames[] = {"", "KEEPREFCOUNT", "PREEMPTED"};
inline constexpr ModifierKind kExitModes{Mod::kExitMode, kExitModesNames, {}};
inline constexpr std::string_view kNoAtExitNames[] = {"", "NO_ATEXIT"};
inline constexpr ModifierKind kNoAtExit{Mod::kNoAtExit, kNoAtExitNames, {}};
inline constexpr std::string_view kReconvergenceNames[] = {"", "RELIABLE", "RECONVERGENT"};
inline constexpr ModifierKind kReconvergence{Mod::kReliable, kReconvergenceNames, {}};
inline constexpr std::string_view kClearNames[] = {"", "CLEAR"};
inline constexpr ModifierKind kClear{Mod::kClear, kClearNames, {}};
inline constexpr std::string_view kPquadNames[] = {"", "PQUAD"};
inline constexpr ModifierKind kPquad{Mod::kClear, kPquadNames, {}};
inline constexpr std::string_view kSyncModesNames[] = {"", "EXCLUSIVE"};
inline constexpr ModifierKind kSyncModes{Mod::kSyncMode, kSyncModesNames, {}};
inline constexpr std::string_view kCollectiveNames[] = {"", "COLLECTIVE"};
inline constexpr ModifierKind kCollective{Mod::kSyncMode, kCollectiveNames, {}};
inline constexpr std::string_view kSleepModesNames[] = {"", "SYNCS", "WARP"};
inline constexpr ModifierKind kSleepModes{Mod::kSleepMode, kSleepModesNames, {}};
inline constexpr std::string_view kTrapsNames[] = {"", "", "", "TRAP"};
inline constexpr ModifierKind kTraps{Mod::kTrap, kTrapsNames, {}};
inline constexpr std::string_view kArriveFormsNames[] = {"", "ARVCNT?", "TRANSCNT?"};
inline constexpr ModifierKind kArriveForms{Mod::kArriveCount, kArriveFormsNames, {}};
inline constexpr std::string_view kPoolsNames[] = {"", "", "", "", "", "DEALLOC.CTAPOOL", "TRY_ALLOC.CTAPOOL"};
inline constexpr ModifierKind kPools{Mod::kPool, kPoolsNames, {}};
inline constexpr std::string_view kViewsNames[] = {"S", "G", "T", "?"};
inline constexpr ModifierKind kViews{Mod::kView, kViewsNames, {}};
inline constexpr std::string_view kRedNames[] = {"", "RED"};
inline constexpr ModifierKind kRed{Mod::kRed, kRedNames, {}};
inline constexpr std::string_view kArrivalsNames[] = {"", "A1T0", "A0T1?", "A0TR?", "A0TX?", "ART0"};
inline constexpr ModifierKind kArrivals{Mod::kArriveCount, kArrivalsNames, {}};
inline constexpr std::string_view kDropNames[] = {"", "DROP?"};
inline constexpr ModifierKind kDrop{Mod::kDrop, kDropNames, {}};
inline constexpr std::string_view kTryWaitNames[] = {"", "TRYWAIT"};
inline constexpr ModifierKind kTryWait{Mod::kTryWait, kTryWaitNames, {}};
inline constexpr std::string_view kDimensionsNames[] = {"1D", "2D", "3D", "4D", "5D"};
inline constexpr ModifierKind kDimensions{Mod::kDimensions, kDimensionsNames, {}};
inline constexpr std::string_view kTransfersNames[] = {"S.G?", "S.G", "G.S", "S.S"};
inline constexpr ModifierKind kTransfers{Mod::kTransfer, kTransfersNames, {}};
inline constexpr std::string_view kMulticastNames[] = {"", "MULTICAST"};
inline constexpr ModifierKind kMulticast{Mod::kMulticast, kMulticastNames, {}};
inline constexpr std::uint16_t kShapesHGMMADepths[] = {16, 8, 32, 16};
inline constexpr ModifierKind kShapesHGMMA{Mod::kShape, {}, kShapesHGMMADepths};
inline constexpr std::string_view kNegANames[] = {"", "negA"};
inline constexpr ModifierKind kNegA{Mod::kNegatedA, kNegANames, {}};
inline constexpr std::string_view kNegBNames[] = {"", "negB"};
inline constexpr ModifierKind kNegB{Mod::kNegatedB, kNegBNames, {}};
inline constexpr std::string_view kTnspANames[] = {"", "tnspA"};
inline constexpr ModifierKind kTnspA{Mod::kTransposedA, kTnspANames, {}};
inline constexpr std::string_view kTnspBNames[] = {"", "tnspB"};
inline constexpr ModifierKind kTnspB{Mod::kTransposedB, kTnspBNames, {}};
inline constexpr std::uint16_t kShapesQGMMADepths[] = {32, 64};
inline constexpr ModifierKind kShapesQGMMA{Mod::kShape, {}, kShapesQGMMADepths};
inline constexpr std::uint16_t kShapesIGMMADepths[] = {32, 64};
inline constexpr ModifierKind kShapesIGMMA{Mod::kShape, {}, kShapesIGMMADepths, ShapeCode::kIntegers};
inline constexpr std::string_view kTypeA8Names[] = {"U8", "S8"};
inline constexpr ModifierKind kTypeA8{Mod::kTypeA, kTypeA8Names, {}};
inline constexpr std::string_view kTypeB8Names[] = {"U8", "S8"};
inline constexpr ModifierKind kTypeB8{Mod::kTypeB, kTypeB8Names, {}};
inline constexpr std::uint16_t kShapesBGMMADepths[] = {256};
inline constexpr ModifierKind kShapesBGMMA{Mod::kShape, {}, kShapesBGMMADepths, ShapeCode::kBits};
inline constexpr std::string_view kAndPopcNames[] = {"AND.POPC"};
inline constexpr ModifierKind kAndPopc{Mod::kBitOperation, kAndPopcNames, {}};
inline constexpr std::string_view kArriveDepbarNames[] = {"ARRIVE", "DEPBAR"};
inline constexpr ModifierKind kArriveDepbar{Mod::kDepbar, kArriveDepbarNames, {}};
inline constexpr std::string_view kIm2ColNames[] = {"", "IM2COL"};
inline constexpr ModifierKind kIm2Col{Mod::kIm2Col, kIm2ColNames, {}};
inline constexpr std::string_view kSpacesNames[] = {"G", "L", "S", "D"};
inline constexpr ModifierKind kSpaces{Mod::kSpace, kSpacesNames, {}};

}  // namespace gpusim::sass

// SPDX-License-Identifier: MIT
// The opcode table: SASS of Volta to Hopper. What an opcode is, which class times it, and how wide its operands are.
// FLOPs follow the shape of the instruction (2 M N K for a matrix instruction), which is also how Nsight Compute
// counts them; comparisons, selections and conversions count none. The names are those of NVIDIA's lists
// (sim/model/isa/generations.cc) and some that only disassemblies show.
#include "sim/model/isa/decode.h"

namespace gpusim::isa {
namespace {

using enum OpKind;
using T = TimingClass;
using M = MemSpace;
using F = FlopClass;

constexpr Widths k1{};
constexpr Widths k2{2, {2, 2, 2}};       // FP64 arithmetic: register pairs throughout
constexpr Widths kWide{2, {1, 1, 2}};    // IMAD.WIDE: 64-bit result and addend
constexpr Widths kHigh{1, {1, 1, 2}};    // IMAD.HI: adds to the 64-bit product, keeps its high half
constexpr Widths kTo64{2, {1, 1, 1}};    // conversions to 64 bits, CS2R
constexpr Widths kFrom64{1, {2, 2, 1}};  // conversions from 64 bits, comparisons of FP64

// Matrix fragments: registers a lane of D (and C), A, B for a warp-wide M x N x K product, as the PTX ISA defines
// the fragments of mma: bits(M x K) / 1024 registers of A and so on.
constexpr Widths matrix(std::uint8_t d, std::uint8_t a, std::uint8_t b) {
  return {d, {a, b, d}};
}

constexpr OpcodeRow takes(std::uint8_t least_operands, OpcodeRow row) {
  row.least_operands = least_operands;
  return row;
}
constexpr OpcodeRow compute(std::string_view base, std::string_view modifiers, T timing, Widths widths = k1) {
  return {base, modifiers, kCompute, timing, M::kNone, F::kNone, 0, Form::kRegister, widths};
}
constexpr OpcodeRow compare(std::string_view base, T timing, Widths widths = k1) {
  return {base, "", kCompute, timing, M::kNone, F::kNone, 0, Form::kPredicates, widths};
}
constexpr OpcodeRow floating(std::string_view base, T timing, F flop_class, std::uint32_t flops) {
  const bool fused = base.substr(1).starts_with("FMA");
  const Widths widths = flop_class == F::kFp64 ? k2 : k1;
  return takes(fused ? 4 : 3, {base, "", kCompute, timing, M::kNone, flop_class, flops, Form::kRegister, widths});
}
constexpr OpcodeRow tensor(std::string_view base, std::string_view modifiers, OpcodeRow like, Widths widths) {
  return takes(
      4, {base, modifiers, kCompute, like.timing, M::kNone, like.flop_class, like.flops, Form::kRegister, widths});
}
constexpr OpcodeRow rate(T timing, F flop_class, std::uint32_t flops) {
  return {"", "", kCompute, timing, M::kNone, flop_class, flops, Form::kRegister, k1};
}
constexpr OpcodeRow memory(std::string_view base, OpKind kind, M space, T timing = T::kMemory) {
  const bool writes_register = kind == kLoad || kind == kAtomic;
  const Form form = writes_register ? Form::kRegister : Form::kNoDestination;
  return takes(kind == kAtomic ? 3 : 2, {base, "", kind, timing, space, F::kNone, 0, form, k1});
}
constexpr OpcodeRow control(std::string_view base, OpKind kind, T timing, Widths widths = k1) {
  return {base, "", kind, timing, M::kNone, F::kNone, 0, Form::kNoDestination, widths};
}
constexpr OpcodeRow fence(std::string_view base, std::string_view modifiers, T timing) {
  return {base, modifiers, kFence, timing, M::kNone, F::kNone, 0, Form::kNoDestination, k1};
}
constexpr OpcodeRow vote(std::string_view base) {
  return {base, "", kCompute, T::kVote, M::kNone, F::kNone, 0, Form::kAllButLast, k1};
}
constexpr OpcodeRow generic(OpcodeRow row) {
  row.generic = true;
  return row;
}
/// What is known by name and kind, and not simulated: to the machine it is an unknown opcode.
constexpr OpcodeRow not_modelled(std::string_view base, OpKind kind, M space, Form form) {
  return {base, "", kind, T::kDefault, space, F::kNone, 0, form, k1};
}

constexpr OpcodeRow guessed(OpcodeRow row) {
  row.guess = true;
  return row;
}
constexpr OpcodeRow registers(std::string_view modifiers, OpKind kind, Form form) {
  return {"USETMAXREG", modifiers, kind, T::kRegisterPool, M::kNone, F::kNone, 0, form, k1};
}
constexpr OpcodeRow mbarrier(std::string_view base, std::string_view modifiers, OpKind kind, Form form) {
  return {base, modifiers, kind, T::kMbarrier, M::kNone, F::kNone, 0, form, k1};
}
constexpr OpcodeRow bulk(std::string_view base, OpKind kind = kTensorCopy) {
  return {base, "", kind, T::kTensorCopy, M::kNone, F::kNone, 0, Form::kNoDestination, k1, true};
}
constexpr OpcodeRow proxy_fence() {
  return {"FENCE", "VIEW.ASYNC", kNop, T::kNone, M::kNone, F::kNone, 0, Form::kNoDestination, k1, true};
}
/// Hopper's: the registers come from the shape (operands.cc), as far as disassemblies show them.
constexpr OpcodeRow hopper(std::string_view base, std::string_view modifiers, OpKind kind, M space, Form form) {
  return {base, modifiers, kind, T::kDefault, space, F::kNone, 0, form, k1, true};
}

/// Shape, type and FLOPs are in the name (wgmma.cc).
constexpr OpcodeRow warpgroup(std::string_view base) {
  return takes(3, {base, "", kWgmma, T::kWgmma, M::kNone, F::kNone, 0, Form::kRegister, k1});
}

constexpr OpcodeRow kRows[] = {
    // FP32
    floating("FADD", T::kFma, F::kFp32, 1),
    floating("FMUL", T::kFma, F::kFp32, 1),
    floating("FFMA", T::kFma, F::kFp32, 2),
    floating("FADD32I", T::kFma, F::kFp32, 1),
    floating("FMUL32I", T::kFma, F::kFp32, 1),
    floating("FFMA32I", T::kFma, F::kFp32, 2),
    compute("FSWZADD", "", T::kFma),
    takes(4, compute("FMNMX", "", T::kAlu)),
    takes(4, compute("FSEL", "", T::kAlu)),
    compute("FSET", "", T::kAlu),
    takes(5, compare("FSETP", T::kAlu)),
    compare("FCHK", T::kMufu),
    compute("MUFU", "", T::kMufu),

    // FP16 and BF16, two values a lane. HADD2.F32 only widens a half, so it counts no FLOP.
    compute("HADD2", "F32", T::kHalf),
    floating("HADD2", T::kHalf, F::kFp16, 2),
    floating("HMUL2", T::kHalf, F::kFp16, 2),
    floating("HFMA2", T::kHalf, F::kFp16, 4),
    floating("HADD2_32I", T::kHalf, F::kFp16, 2),
    floating("HMUL2_32I", T::kHalf, F::kFp16, 2),
    floating("HFMA2_32I", T::kHalf, F::kFp16, 4),
    compute("HSET2", "", T::kHalf),
    compare("HSETP2", T::kHalf),
    compute("HMNMX2", "", T::kHalf),
    compute("VHMNMX", "", T::kHalf),

    // FP64
    floating("DADD", T::kFp64, F::kFp64, 1),
    floating("DMUL", T::kFp64, F::kFp64, 1),
    floating("DFMA", T::kFp64, F::kFp64, 2),
    compute("DMNMX", "", T::kFp64, k2),
    takes(5, compare("DSETP", T::kFp64, kFrom64)),

    // Integers
    takes(4, compute("IMAD", "WIDE", T::kImadWide, kWide)),
    takes(4, compute("IMAD", "HI", T::kImadWide, kHigh)),
    takes(4, compute("IMAD", "", T::kImad)),
    compute("IMUL", "", T::kImad),
    compute("IDP", "", T::kImad),
    compute("IMUL32I", "", T::kImad),
    compute("IDP4A", "", T::kImad),
    compute("IADD", "", T::kAlu),
    takes(4, compute("IADD3", "", T::kAlu)),
    compute("IADD32I", "", T::kAlu),
    compute("IABS", "", T::kAlu),
    takes(4, compute("IMNMX", "", T::kAlu)),
    compute("VIADD", "", T::kAlu),
    compute("VIADDMNMX", "", T::kAlu),
    compute("VIMNMX", "", T::kAlu),
    compute("VIMNMX3", "", T::kAlu),
    compute("VABSDIFF", "", T::kAlu),
    compute("VABSDIFF4", "", T::kAlu),
    takes(5, compare("ISETP", T::kAlu)),
    compute("ISCADD", "", T::kAlu),
    compute("ISCADD32I", "", T::kAlu),
    takes(4, compute("LEA", "", T::kAlu)),
    takes(5, compute("LOP3", "", T::kAlu)),
    compute("LOP", "", T::kAlu),
    compute("LOP32I", "", T::kAlu),
    takes(4, compute("SHF", "", T::kAlu)),
    compute("SHL", "", T::kAlu),
    compute("SHR", "", T::kAlu),
    takes(3, compute("BMSK", "", T::kAlu)),
    takes(3, compute("SGXT", "", T::kAlu)),
    takes(4, compute("PRMT", "", T::kAlu)),
    takes(4, compute("SEL", "", T::kAlu)),
    compute("CSEL", "", T::kAlu),
    compute("MOV", "", T::kAlu),
    compute("MOV32I", "", T::kAlu),
    compare("PLOP3", T::kAlu),
    compare("PSETP", T::kAlu),
    compute("P2R", "", T::kAlu),
    compute("R2P", "", T::kAlu),

    // Conversions and bit counting. The packing forms (F2FP and kin) are ALU operations at its rate.
    compute("F2FP", "", T::kAlu),
    compute("I2FP", "", T::kAlu),
    compute("I2IP", "", T::kAlu),
    compute("F2IP", "", T::kAlu),
    compute("F2F", "F64.F64", T::kConvert, k2),
    compute("F2F", "F64.F32", T::kConvert, kTo64),
    compute("F2F", "F64.F16", T::kConvert, kTo64),
    compute("F2F", "F32.F64", T::kConvert, kFrom64),
    compute("F2F", "F16.F64", T::kConvert, kFrom64),
    compute("F2F", "", T::kConvert),
    compute("I2F", "F64.S64", T::kConvert, k2),
    compute("I2F", "F64.U64", T::kConvert, k2),
    compute("I2F", "F64", T::kConvert, kTo64),
    compute("I2F", "S64", T::kConvert, kFrom64),
    compute("I2F", "U64", T::kConvert, kFrom64),
    compute("I2F", "", T::kConvert),
    compute("F2I", "S64.F64", T::kConvert, k2),
    compute("F2I", "U64.F64", T::kConvert, k2),
    compute("F2I", "F64", T::kConvert, kFrom64),
    compute("F2I", "S64", T::kConvert, kTo64),
    compute("F2I", "U64", T::kConvert, kTo64),
    compute("F2I", "", T::kConvert),
    compute("FRND", "F64", T::kConvert, k2),
    compute("FRND", "", T::kConvert),
    compute("I2I", "", T::kConvert),
    compute("POPC", "", T::kConvert),
    compute("FLO", "", T::kConvert),
    compute("BREV", "", T::kConvert),

    // Uniform datapath
    compute("UMOV", "", T::kUniform),
    compute("UIADD3", "64", T::kUniform, k2),
    compute("UIADD3", "", T::kUniform),
    compute("UIMAD", "WIDE", T::kUniform, kWide),
    compute("UIMAD", "HI", T::kUniform, kHigh),
    compute("UIMAD", "", T::kUniform),
    compute("ULOP3", "", T::kUniform),
    compute("ULOP", "", T::kUniform),
    compute("ULOP32I", "", T::kUniform),
    compute("USHF", "", T::kUniform),
    compute("USHL", "", T::kUniform),
    compute("USHR", "", T::kUniform),
    compute("ULEA", "", T::kUniform),
    compute("UCLEA", "", T::kUniform),
    compute("ULEPC", "", T::kUniform, kTo64),
    compute("UF2FP", "", T::kUniform),
    compute("USEL", "", T::kUniform),
    compare("UISETP", T::kUniform),
    compare("UPLOP3", T::kUniform),
    compare("UPSETP", T::kUniform),
    compute("UPRMT", "", T::kUniform),
    compute("USGXT", "", T::kUniform),
    compute("UBMSK", "", T::kUniform),
    compute("UBREV", "", T::kUniform),
    compute("UFLO", "", T::kUniform),
    compute("UPOPC", "", T::kUniform),
    compute("UP2UR", "", T::kUniform),
    compute("UR2UP", "", T::kUniform),
    compute("ULDC", "64", T::kUniform, kTo64),
    compute("ULDC", "", T::kUniform),
    vote("VOTEU"),
    registers("TRY_ALLOC", kPoll, Form::kPredicates),
    registers("", kRegisterPool, Form::kNoDestination),
    compute("R2UR", "", T::kSpecialRead),
    compute("S2UR", "", T::kSpecialRead),
    compute("REDUX", "", T::kRedux),

    // Across the warp, and special registers. CS2R has a fixed latency and writes a pair unless it says .32.
    vote("VOTE"),
    compute("MATCH", "U64", T::kVote, kFrom64),
    compute("MATCH", "", T::kVote),
    vote("VOTE_VTG"),
    vote("ELECT"),
    takes(5, compute("SHFL", "", T::kShuffle)),
    guessed(compute("MOVM", "", T::kShuffle)),  // it exchanges between lanes as SHFL does
    compute("S2R", "", T::kSpecialRead),
    compute("B2R", "", T::kSpecialRead),
    guessed(control("R2B", kCompute, T::kSpecialRead)),
    compute("LEPC", "", T::kAlu, kTo64),
    guessed(compute("GETLMEMBASE", "", T::kSpecialRead, kTo64)),
    guessed(control("SETLMEMBASE", kCompute, T::kSpecialRead, kFrom64)),
    guessed(control("SETCTAID", kCompute, T::kSpecialRead)),
    guessed(control("CSMTEST", kCompute, T::kSpecialRead)),
    guessed(compute("QSPC", "", T::kSpecialRead)),
    compute("CS2R", "32", T::kAlu),
    compute("CS2R", "", T::kAlu, kTo64),

    // Matrix products. HMMA.884 is one step of four quad pairs (Raihan et al., ISPASS 2019): 16 steps with FP32
    // accumulators, 8 with FP16, make a 16x16x16 product of 8192 FLOPs. Where A is sparse (.SP), two of four of its
    // values are there: a lane has the registers of half of K, and the FLOPs are those of half of K.
    tensor("HMMA", "SP.16832.F32.BF16", rate(T::kHmmaSp16832F32, F::kTensorBf16, 4096), matrix(4, 4, 4)),
    tensor("HMMA", "SP.16832.F32", rate(T::kHmmaSp16832F32, F::kTensorFp16, 4096), matrix(4, 4, 4)),
    tensor("HMMA", "SP.16832", rate(T::kHmmaSp16832F16, F::kTensorFp16Fp16Acc, 4096), matrix(2, 4, 4)),
    tensor("HMMA", "SP.16816.F32.TF32", rate(T::kHmmaSp16816Tf32, F::kTensorTf32, 2048), matrix(4, 4, 4)),
    tensor("HMMA", "SP.16816.F32.BF16", rate(T::kHmmaSp16816F32, F::kTensorBf16, 2048), matrix(4, 2, 2)),
    tensor("HMMA", "SP.16816.F32", rate(T::kHmmaSp16816F32, F::kTensorFp16, 2048), matrix(4, 2, 2)),
    tensor("HMMA", "SP.16816", rate(T::kHmmaSp16816F16, F::kTensorFp16Fp16Acc, 2048), matrix(2, 2, 2)),
    tensor("HMMA", "SP.1688.F32.TF32", rate(T::kHmmaSp1688Tf32, F::kTensorTf32, 1024), matrix(4, 2, 2)),
    tensor("HMMA", "16816.F32.BF16", rate(T::kHmma16816F32, F::kTensorBf16, 4096), matrix(4, 4, 2)),
    tensor("HMMA", "16816.F32", rate(T::kHmma16816F32, F::kTensorFp16, 4096), matrix(4, 4, 2)),
    tensor("HMMA", "16816", rate(T::kHmma16816F16, F::kTensorFp16Fp16Acc, 4096), matrix(2, 4, 2)),
    tensor("HMMA", "1688.F32.TF32", rate(T::kHmma1688Tf32, F::kTensorTf32, 2048), matrix(4, 4, 2)),
    tensor("HMMA", "1688.F32.BF16", rate(T::kHmma1688F32, F::kTensorBf16, 2048), matrix(4, 2, 1)),
    tensor("HMMA", "1688.F32", rate(T::kHmma1688F32, F::kTensorFp16, 2048), matrix(4, 2, 1)),
    tensor("HMMA", "1688", rate(T::kHmma1688F16, F::kTensorFp16Fp16Acc, 2048), matrix(2, 2, 1)),
    tensor("HMMA", "1684.F32.TF32", rate(T::kHmma1684Tf32, F::kTensorTf32, 1024), matrix(4, 2, 1)),
    tensor("HMMA", "884.F32", rate(T::kHmma884F32, F::kTensorFp16, 512), matrix(2, 2, 2)),
    tensor("HMMA", "884", rate(T::kHmma884F16, F::kTensorFp16Fp16Acc, 1024), matrix(2, 2, 2)),
    tensor("IMMA", "SP.168128", rate(T::kImma4Sp168128, F::kTensorInt4, 16384), matrix(4, 4, 4)),
    tensor("IMMA", "SP.16864.S4", rate(T::kImma4Sp16864, F::kTensorInt4, 8192), matrix(4, 2, 2)),
    tensor("IMMA", "SP.16864.U4", rate(T::kImma4Sp16864, F::kTensorInt4, 8192), matrix(4, 2, 2)),
    tensor("IMMA", "SP.16864", rate(T::kImmaSp16864, F::kTensorInt8, 8192), matrix(4, 4, 4)),
    tensor("IMMA", "SP.16832", rate(T::kImmaSp16832, F::kTensorInt8, 4096), matrix(4, 2, 2)),
    tensor("IMMA", "16864", rate(T::kImma4x16864, F::kTensorInt4, 16384), matrix(4, 4, 2)),
    tensor("IMMA", "16832.S4", rate(T::kImma4x16832, F::kTensorInt4, 8192), matrix(4, 2, 1)),
    tensor("IMMA", "16832.U4", rate(T::kImma4x16832, F::kTensorInt4, 8192), matrix(4, 2, 1)),
    tensor("IMMA", "16832", rate(T::kImma16832, F::kTensorInt8, 8192), matrix(4, 4, 2)),
    tensor("IMMA", "16816", rate(T::kImma16816, F::kTensorInt8, 4096), matrix(4, 2, 1)),
    tensor("IMMA", "8832", rate(T::kImma4x8832, F::kTensorInt4, 4096), matrix(2, 1, 1)),
    tensor("IMMA", "8816", rate(T::kImma8816, F::kTensorInt8, 2048), matrix(2, 1, 1)),
    guessed(tensor("DMMA", "16x8x16", rate(T::kDmma16816, F::kTensorFp64, 4096), matrix(8, 16, 8))),
    guessed(tensor("DMMA", "16x8x8", rate(T::kDmma1688, F::kTensorFp64, 2048), matrix(8, 8, 4))),
    guessed(tensor("DMMA", "16x8x4", rate(T::kDmma1684, F::kTensorFp64, 1024), matrix(8, 4, 2))),
    tensor("DMMA", "8x8x4", rate(T::kDmma884, F::kTensorFp64, 512), matrix(4, 2, 2)),
    tensor("DMMA", "884", rate(T::kDmma884, F::kTensorFp64, 512), matrix(4, 2, 2)),
    tensor("BMMA", "168256", rate(T::kBmma168256, F::kTensorBinary, 65536), matrix(4, 4, 2)),
    tensor("BMMA", "168128", rate(T::kBmma168128, F::kTensorBinary, 32768), matrix(4, 2, 1)),
    tensor("BMMA", "88128", rate(T::kBmma88128, F::kTensorBinary, 16384), matrix(2, 1, 1)),

    // FP8 across a warp: only disassemblies of Ada and of GeForce Blackwell show it (Hopper compiles mma.sync of FP8 to
    // conversions and HMMA). Blackwell's forms with scale factors (.SF) are known by name alone.
    {"QMMA", "SF", kCompute, T::kDefault, M::kNone, F::kNone, 0, Form::kRegister, matrix(4, 4, 2), true},
    tensor("QMMA", "SP.16864.F32", rate(T::kQmmaSp16864F32, F::kTensorFp8, 8192), matrix(4, 4, 4)),
    tensor("QMMA", "SP.16864", rate(T::kQmmaSp16864F16, F::kTensorFp8Fp16Acc, 8192), matrix(2, 4, 4)),
    tensor("QMMA", "16832.F32", rate(T::kQmma16832F32, F::kTensorFp8, 8192), matrix(4, 4, 2)),
    tensor("QMMA", "16832", rate(T::kQmma16832F16, F::kTensorFp8Fp16Acc, 8192), matrix(2, 4, 2)),
    guessed(tensor("QMMA", "16816.F32", rate(T::kQmma16816F32, F::kTensorFp8, 4096), matrix(4, 2, 1))),
    guessed(tensor("QMMA", "16816", rate(T::kQmma16816F16, F::kTensorFp8Fp16Acc, 4096), matrix(2, 2, 1))),
    {"QMMA", "", kCompute, T::kDefault, M::kNone, F::kNone, 0, Form::kRegister, matrix(4, 4, 2), true},

    // Memory
    memory("LDG", kLoad, M::kGlobal),
    generic(memory("LD", kLoad, M::kGlobal)),
    memory("LDS", kLoad, M::kShared),
    memory("LDSM", kLoad, M::kShared, T::kMatrixLoad),
    memory("LDL", kLoad, M::kLocal),
    memory("LDC", kLoad, M::kConstant, T::kConstantLoad),
    memory("STG", kStore, M::kGlobal),
    generic(memory("ST", kStore, M::kGlobal)),
    memory("STS", kStore, M::kShared),
    memory("STSM", kStore, M::kShared, T::kMatrixLoad),
    memory("STL", kStore, M::kLocal),
    generic(memory("ATOM", kAtomic, M::kGlobal)),
    memory("ATOMG", kAtomic, M::kGlobal),
    takes(2, memory("ATOMS", kAtomic, M::kShared)),  // ATOMS.POPC.INC adds what it need not be given
    generic(memory("RED", kReduction, M::kGlobal)),
    memory("REDG", kReduction, M::kGlobal),
    memory("REDS", kReduction, M::kShared),
    memory("LDGSTS", kAsyncCopy, M::kGlobal, T::kAsyncCopy),
    control("LDGDEPBAR", kAsyncCommit, T::kAsyncCopy),
    control("DEPBAR", kDepbar, T::kNone),
    fence("MEMBAR", "CTA", T::kFenceCta),
    fence("MEMBAR", "SYS", T::kFenceSystem),
    fence("MEMBAR", "", T::kFence),
    fence("ERRBAR", "", T::kFenceCta),
    proxy_fence(),  // fence.proxy.async orders the warp's own accesses to shared memory before a later bulk copy
    fence("FENCE", "", T::kFence),
    fence("CCTL", "", T::kFenceCta),
    fence("CCTLL", "", T::kFenceCta),
    fence("CCTLT", "", T::kFenceCta),
    fence("CGAERRBAR", "", T::kFenceCta),

    // Textures and surfaces
    not_modelled("TEX", kLoad, M::kGlobal, Form::kRegister),
    not_modelled("TLD", kLoad, M::kGlobal, Form::kRegister),
    not_modelled("TLD4", kLoad, M::kGlobal, Form::kRegister),
    not_modelled("TXD", kLoad, M::kGlobal, Form::kRegister),
    not_modelled("TMML", kCompute, M::kNone, Form::kRegister),
    not_modelled("TXQ", kCompute, M::kNone, Form::kRegister),
    not_modelled("SULD", kLoad, M::kGlobal, Form::kRegister),
    not_modelled("SUST", kStore, M::kGlobal, Form::kNoDestination),
    not_modelled("SUATOM", kAtomic, M::kGlobal, Form::kRegister),
    not_modelled("SURED", kReduction, M::kGlobal, Form::kNoDestination),

    // From Ampere on (cp.async.mbarrier.arrive): disassemblies show ARRIVES.LDGSTSBAR.64 [UR4]
    mbarrier("ARRIVES", "", kMbarrier, Form::kNoDestination),

    // Hopper: warpgroup products, the TMA, clusters, barriers in shared memory
    warpgroup("HGMMA"),
    warpgroup("IGMMA"),
    warpgroup("QGMMA"),
    warpgroup("BGMMA"),
    {"WARPGROUP", "DEPBAR", kWgmmaWait, T::kNone, M::kNone, F::kNone, 0, Form::kNoDestination, k1, false, 1},
    control("WARPGROUP", kNop, T::kNone),
    hopper("WARPGROUPSET", "", kNop, M::kNone, Form::kNoDestination),
    bulk("UTMALDG"),
    bulk("UTMASTG"),
    bulk("UTMAREDG"),
    bulk("UTMAPF"),
    guessed(control("UTMACCTL", kNop, T::kUniform)),  // it fetches or drops a tensor map ahead of its use
    bulk("UTMACMDFLUSH", kBulkCommit),
    bulk("UBLKCP"),
    bulk("UBLKRED"),
    bulk("UBLKPF"),
    hopper("LDGMC", "", kLoad, M::kGlobal, Form::kRegister),
    guessed(memory("STAS", kStore, M::kClusterShared)),  // st.async: completes its bytes at an mbarrier there
    guessed(memory("REDAS", kReduction, M::kClusterShared)),
    mbarrier("SYNCS", "PHASECHK", kPoll, Form::kPredicates),
    mbarrier("SYNCS", "CCTL", kMbarrier, Form::kNoDestination),
    mbarrier("SYNCS", "", kMbarrier, Form::kRegister),
    guessed(control("UCGABAR_ARV", kClusterArrive, T::kBarrier)),
    guessed(control("UCGABAR_WAIT", kClusterWait, T::kBarrier)),

    // Control flow. The convergence barriers (B0 to B15) are the control-flow graph's business. RET and BRX read a
    // 64-bit target.
    control("BRA", kBranch, T::kBranch),
    control("BRX", kBranch, T::kBranch, kFrom64),
    control("BRXU", kBranch, T::kBranch, kFrom64),
    control("JMP", kBranch, T::kBranch, kFrom64),
    control("JMX", kBranch, T::kBranch, kFrom64),
    control("JMXU", kBranch, T::kBranch, kFrom64),
    control("CALL", kBranch, T::kBranch, kFrom64),
    control("RET", kBranch, T::kBranch, kFrom64),
    control("EXIT", kExit, T::kBranch),
    control("KILL", kExit, T::kBranch),
    control("BSSY", kNop, T::kBranch),
    control("BSYNC", kNop, T::kBranch),
    control("BREAK", kNop, T::kBranch),
    control("WARPSYNC", kNop, T::kBranch),
    compute("RPCMOV", "", T::kBranch),
    control("BPT", kNop, T::kBranch),
    control("RTT", kNop, T::kBranch),
    control("ENDCOLLECTIVE", kNop, T::kBranch),
    control("PREEXIT", kNop, T::kBranch),
    control("ACQBULK", kNop, T::kBranch),
    compute("BMOV", "", T::kBranch),
    control("YIELD", kNop, T::kNone),
    control("NOP", kNop, T::kNone),
    control("PMTRIG", kNop, T::kNone),
    control("NANOSLEEP", kSleep, T::kNone),
    control("BAR", kBarrier, T::kBarrier),
};

}  // namespace

std::span<const OpcodeRow> opcode_table() {
  return kRows;
}

}  // namespace gpusim::isa

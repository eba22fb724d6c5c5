// SPDX-License-Identifier: MIT
// A static instruction as the assembler leaves it: opcode, operands, guard, control bits. No timing and no
// behaviour: what a branch or an address does at run time is the trace's business.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/types.h"
#include "sim/model/isa/timing.h"

namespace gpusim::isa {

/// What an instruction does to the flow of its warp or to memory.
enum class OpKind : std::uint8_t {
  kCompute,        ///< produces registers from registers
  kLoad,           ///< LDG, LDS, LDL, LD, LDSM, LDC
  kStore,          ///< STG, STS, STL, ST
  kAtomic,         ///< ATOM, ATOMG, ATOMS: returns a value
  kReduction,      ///< RED: returns none
  kAsyncCopy,      ///< LDGSTS: global to shared, asynchronous
  kAsyncCommit,    ///< LDGDEPBAR: closes the group of LDGSTS before it
  kBranch,         ///< BRA, BRX: needs a source for its taken lanes
  kExit,           ///< EXIT: ends the lanes that execute it
  kBarrier,        ///< BAR.SYNC, BAR.ARV, BAR.RED: arrives, and unless .ARV waits, for the CTA or `barrier_threads`
  kClusterArrive,  ///< UCGABAR_ARV: arrives at the barrier of the cluster and goes on
  kClusterWait,    ///< UCGABAR_WAIT: waits until all of the cluster have arrived
  kDepbar,         ///< DEPBAR.LE SBn, m
  kWgmma,          ///< HGMMA and kin: an asynchronous matrix multiply-accumulate of four warps, a WGMMA operation
  kWgmmaWait,      ///< WARPGROUP.DEPBAR.LE gsb0, m: until at most m groups of WGMMA operations are in flight
  kFence,          ///< MEMBAR
  kSleep,          ///< NANOSLEEP
  kMbarrier,       ///< SYNCS, ARRIVES: initialises an mbarrier, or arrives at one
  kPoll,           ///< SYNCS.PHASECHK, USETMAXREG.TRY_ALLOC: asks the machine, which answers into a predicate
  kTensorCopy,     ///< UTMALDG, UTMASTG, UTMAREDG, UTMAPF, UBLKCP and kin: a command to the TMA
  kBulkCommit,     ///< UTMACMDFLUSH: closes the bulk group of stores before it
  kRegisterPool,   ///< USETMAXREG.DEALLOC: gives registers back to the CTA's pool
  kNop,            ///< NOP, and what is only for the walker, such as BSSY, BSYNC, WARPSYNC (trace::Convergence)
};

/// kClusterShared: the shared memory of a CTA of the same cluster, which the trace names.
enum class MemSpace : std::uint8_t { kNone, kGlobal, kShared, kLocal, kConstant, kClusterShared };

/// Whether an access goes through L1TEX: such waits are those of the long scoreboard (Nsight Compute).
[[nodiscard]] constexpr bool is_of_l1tex(MemSpace space) {
  return space == MemSpace::kGlobal || space == MemSpace::kLocal || space == MemSpace::kClusterShared;
}

/// Which floating-point work counts towards which peak.
enum class FlopClass : std::uint8_t {
  kNone,
  kFp32,
  kFp64,
  kFp16,
  kTensorFp16,  ///< FP32 accumulation
  kTensorFp16Fp16Acc,
  kTensorBf16,
  kTensorTf32,
  kTensorFp64,
  kTensorFp8,  ///< FP32 accumulation
  kTensorFp8Fp16Acc,
  kTensorInt8,
  kTensorInt4,
  kTensorBinary
};
inline constexpr std::size_t kFlopClasses = 14;
inline constexpr std::array<std::string_view, kFlopClasses> kFlopClassNames{
    "none",        "fp32",         "fp64",        "fp16",       "tensor_fp16",        "tensor_fp16_fp16acc",
    "tensor_bf16", "tensor_tf32",  "tensor_fp64", "tensor_fp8", "tensor_fp8_fp16acc", "tensor_int8",
    "tensor_int4", "tensor_binary"};
[[nodiscard]] constexpr bool is_tensor(FlopClass c) {
  return c >= FlopClass::kTensorFp16;
}
/// Operations on integers: not FLOPs, though counted beside them.
[[nodiscard]] constexpr bool is_integer(FlopClass c) {
  return c >= FlopClass::kTensorInt8;
}

enum class RegFile : std::uint8_t { kNone, kGeneral, kUniform, kPredicate, kUniformPredicate };
inline constexpr std::uint16_t kRZ = 255;  ///< R255: reads zero, writes nothing
inline constexpr std::uint16_t kURZ = 63;
inline constexpr std::uint16_t kPT = 7;  ///< PT, UPT: true

/// The last index of a register file: a register that reads zero or true and takes writes to nowhere.
[[nodiscard]] constexpr std::uint16_t last_register(RegFile file) {
  switch (file) {
    case RegFile::kNone: return 0;
    case RegFile::kGeneral: return kRZ;
    case RegFile::kUniform: return kURZ;
    case RegFile::kPredicate:
    case RegFile::kUniformPredicate: return kPT;
  }
  return 0;
}

inline constexpr std::size_t kMaxDestinations = 3;
inline constexpr std::size_t kMaxSources = 5;

/// One register operand: `width` consecutive 32-bit registers from `index` (predicates: width 1).
struct Operand {
  RegFile file = RegFile::kNone;
  std::uint8_t width = 1;
  std::uint16_t index = 0;
  bool reuse = false;
  /// Position among the instruction's source operands (0, 1, 2: the slot of the register-file cache).
  std::uint8_t slot = 0;

  [[nodiscard]] constexpr bool is_real() const { return file != RegFile::kNone && index != last_register(file); }
  /// Whether an instruction can have it: registers that the file has, one at least, at a place among its operands.
  [[nodiscard]] constexpr bool is_possible() const {
    const unsigned last = last_register(file);
    return file != RegFile::kNone && file <= RegFile::kUniformPredicate && index <= last && width != 0 &&
           (index == last || index + width <= last) && slot <= kMaxSources;
  }
  friend constexpr bool operator==(const Operand&, const Operand&) = default;
};

inline constexpr std::uint8_t kNoBarrier = 7;
inline constexpr unsigned kDependenceCounters = 6;

/// Control bits of one instruction (see docs/model/sm.md). The hardware's stall field ends at 15; ours may be
/// longer, because where an assembler would insert NOPs we keep the instruction count of the listing.
struct ControlBits {
  std::uint8_t stall = 1;  ///< cycles before this warp may issue again
  bool yield = false;
  std::uint8_t write_barrier = kNoBarrier;  ///< counter lowered at write-back
  std::uint8_t read_barrier = kNoBarrier;   ///< counter lowered when the sources have been read
  std::uint8_t wait_mask = 0;               ///< counters that must be zero before issue
  friend constexpr bool operator==(const ControlBits&, const ControlBits&) = default;
};

/// The longest a NANOSLEEP lasts: 1 ms (PTX ISA, nanosleep).
inline constexpr std::uint32_t kMostSleepNs = 1'000'000;

/// A WGMMA operation of a warpgroup, four warps of consecutive numbers: 64 x columns x depth, 16 rows a warp. B is in
/// shared memory, A there or in registers.
struct WgmmaForm {
  std::uint16_t columns = 0;    ///< N
  std::uint16_t depth = 0;      ///< K
  bool sparse = false;          ///< two of four values of A are there
  bool a_in_registers = false;  ///< else both matrices come from shared memory
  bool closes_group = false;    ///< "gsb0": it is the last of a group
  friend constexpr bool operator==(const WgmmaForm&, const WgmmaForm&) = default;
};

struct Instr {
  OpKind kind = OpKind::kNop;
  TimingClass timing = TimingClass::kNone;
  MemSpace space = MemSpace::kNone;  ///< memory that is accessed; LDGSTS: kGlobal (its shared side is implied)
  FlopClass flop_class = FlopClass::kNone;
  std::uint8_t bytes_per_lane = 0;  ///< for a memory access: 1, 2, 4, 8, 16; LDSM, STSM: 4 for each matrix
  std::uint8_t matrices = 0;        ///< LDSM/STSM: 1, 2 or 4 of 8 rows of 16 bytes; else 0
  bool known_opcode = true;
  bool has_control = false;               ///< `control` came with the trace
  bool bypass_l1 = false;                 ///< .BYPASS, .STRONG.GPU and the like: goes to L2 at once
  bool no_allocate = false;               ///< .NA: a miss leaves no line in L1
  Eviction eviction = Eviction::kNormal;  ///< .EF, .LU and .EL of global and local accesses
  std::uint8_t fetch_sectors = 0;         ///< .LTC64B, .LTC128B: what of a line L2 fetches where a sector misses
  AtomicType atomic_type = AtomicType::kInteger;  ///< type of atomics and reductions
  bool guard_negated = false;
  bool guarded = false;               ///< a predicate other than PT guards it
  bool runtime_guard = false;         ///< its guard is a run-time predicate: a poll wrote it, the machine answers
  bool generic = false;               ///< its address may lead to global, local, or any shared memory of the cluster
  bool of_cluster = false;            ///< it signals an mbarrier of another CTA, or copies to several CTAs
  bool try_waits = false;             ///< kPoll: suspends the warp for a while before it answers no (.TRYWAIT)
  bool barrier_waits = true;          ///< BAR; false: BAR.ARV, which arrives and goes on
  std::uint8_t barrier_id = 0;        ///< BAR
  std::uint8_t depbar_counter = 0;    ///< DEPBAR
  std::uint8_t depbar_limit = 0;      ///< DEPBAR.LE SBn, m and WARPGROUP.DEPBAR.LE gsb0, m: m
  std::uint16_t barrier_threads = 0;  ///< BAR: how many complete it; 0: all of the CTA that have not exited
  std::uint16_t set_registers = 0;    ///< USETMAXREG: registers a thread from now on; 0: not known before run time
  std::uint32_t sleep_ns = 0;         ///< NANOSLEEP; 0: not known before run time
  /// FLOPs: a lane for ordinary instructions (FFMA: 2), a warp for tensor instructions (HMMA.16816: 4096).
  std::uint32_t flops = 0;
  WgmmaForm wgmma;  ///< kWgmma
  Operand guard;
  std::array<Operand, kMaxDestinations> destinations;
  std::array<Operand, kMaxSources> sources;
  ControlBits control;

  [[nodiscard]] constexpr Pipe pipe() const { return info(timing).pipe; }
  [[nodiscard]] constexpr bool is_memory() const { return space != MemSpace::kNone; }
};

}  // namespace gpusim::isa

// SPDX-License-Identifier: MIT
// What an architecture file says of an SM: where instructions and constants come from, how a sub-core chooses a warp
// and reads its registers, limits, load/store unit, shared memory, L1, what runs beside its warps (mbarriers, TMA),
// tensor cores, and how fast each class of instruction is.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/arch/words.h"
#include "sim/model/isa/timing.h"

namespace gpusim::policy {
enum class Replacement : std::uint8_t;
enum class WarpPolicy : std::uint8_t;
}  // namespace gpusim::policy

namespace gpusim::arch {

/// Where instructions come from.
struct FrontEndConfig {
  FrontEndModel model{};
  std::uint32_t branch_latency = 0;  ///< cycles a warp waits after a taken branch, when its target is in the L0
  std::uint32_t fetch_latency = 0;   ///< the part of them from fetch to the instruction buffer
  std::uint32_t buffer_entries = 0;  ///< instructions a warp
  std::uint64_t l0_bytes = 0;        ///< L0 instruction cache of a sub-core
  std::uint32_t l0_ways = 0;
  std::uint64_t l1_bytes = 0;  ///< L1 instruction cache of an SM, constants in it too
  std::uint32_t l1_ways = 0;
  std::uint32_t l1_latency = 0;                ///< cycles from an L0 miss until the L1's line is there
  std::uint32_t l1_miss_latency = 0;           ///< cycles more when the L1 misses
  std::uint32_t prefetch_lines = 0;            ///< blocks of a stream buffer
  StreamPer stream_per = StreamPer::kSubCore;  ///< who has one
  friend bool operator==(const FrontEndConfig&, const FrontEndConfig&) = default;
};

/// Constant memory: operands c[bank][offset] of fixed-latency instructions, and LDC.
struct ConstantConfig {
  ConstantModel model{};
  std::uint64_t l0_bytes = 0;  ///< constants for operands, a sub-core
  std::uint32_t l0_ways = 0;
  std::uint32_t miss_latency = 0;  ///< cycles from an operand's miss until the instruction may issue
  std::uint32_t hold_cycles = 0;   ///< cycles a sub-core waits for a missing operand before it turns to another warp
  std::uint64_t l1_bytes = 0;      ///< constants for LDC, an SM
  std::uint32_t l1_ways = 0;
  std::uint32_t l1_miss_latency = 0;  ///< cycles more of an LDC that misses
  friend bool operator==(const ConstantConfig&, const ConstantConfig&) = default;
};

/// How a sub-core chooses a warp.
struct SchedulerConfig {
  policy::WarpPolicy policy{};
  std::uint32_t active_warps = 0;  ///< warps of a sub-core that may issue, where the policy takes the number
  friend bool operator==(const SchedulerConfig&, const SchedulerConfig&) = default;
};

/// A sub-core's registers: two banks (even and odd registers), one read and one write port each.
struct RegisterFileConfig {
  RegisterFileModel model{};
  std::uint32_t read_window = 0;  ///< cycles a fixed-latency instruction has for its reads
  friend bool operator==(const RegisterFileConfig&, const RegisterFileConfig&) = default;
};

/// Limits of residency, and allocation granularities (occupancy rules: docs/model/sm.md).
struct Limits {
  std::uint32_t warps_per_sm = 0;
  std::uint32_t ctas_per_sm = 0;
  std::uint32_t threads_per_cta = 0;
  std::uint32_t registers_per_sm = 0;  ///< 32-bit registers
  std::uint32_t registers_per_cta = 0;
  std::uint32_t register_allocation_unit = 0;  ///< registers a warp
  std::uint32_t barriers_per_sm = 0;           ///< 0: not a limit on this GPU
  std::uint32_t ctas_per_cluster = 0;          ///< 0: the GPU has no clusters
  std::uint32_t extra_ctas = 0;                ///< what-if: beyond what registers and shared memory allow
  friend bool operator==(const Limits&, const Limits&) = default;
};

struct SharedMemoryConfig {
  SharedModel model{};
  std::vector<std::uint64_t> carveouts;   ///< bytes a SM, ascending
  std::uint64_t max_per_cta = 0;          ///< bytes, with opt-in
  std::uint64_t max_per_cta_default = 0;  ///< bytes, without
  std::uint64_t reserved_per_cta = 0;     ///< bytes
  std::uint64_t allocation_unit = 0;      ///< bytes
  std::uint32_t latency = 0;              ///< cycles, dependent LDS, no conflict
  friend bool operator==(const SharedMemoryConfig&, const SharedMemoryConfig&) = default;
};

struct L1Config {
  std::uint64_t unified_bytes = 0;   ///< L1 and shared memory together, a SM
  std::uint64_t reserved_bytes = 0;  ///< bytes of L1's share that programs' lines do not get
  std::uint32_t ways = 0;
  std::uint32_t hit_latency = 0;           ///< cycles, dependent LDG
  std::uint32_t tag_lines_per_cycle = 0;   ///< banks of tags, each one line per cycle
  std::uint32_t data_bytes_per_cycle = 0;  ///< to registers
  policy::Replacement replacement{};
  std::uint32_t mshrs = 0;        ///< lines outstanding
  std::uint32_t mshr_merges = 0;  ///< requests that may wait on one line
  friend bool operator==(const L1Config&, const L1Config&) = default;
};

/// The path from a sub-core to the SM's shared load/store unit (sm-model: five accepted, then one every 4 cycles).
struct LsuConfig {
  std::uint32_t queue_entries = 0;     ///< memory instructions buffered a sub-core
  std::uint32_t address_latency = 0;   ///< cycles from issue to the shared unit
  std::uint32_t address_interval = 0;  ///< cycles between instructions of one sub-core
  std::uint32_t lanes = 0;             ///< lanes a cycle of the shared unit (32 / lanes cycles a request)
  std::uint32_t register_cycles = 0;   ///< to read each register of an address
  std::uint32_t lane_cycles = 0;    ///< cycles of the stage that works out lanes' addresses; a uniform address skips it
  std::uint32_t copy_cycles = 0;    ///< from an LDGSTS's data in L1 to shared memory, at least
  std::uint32_t return_cycles = 1;  ///< that the data of each further cycle in the unit takes to the registers
  Coalescing coalescing = Coalescing::kLanes;
  friend bool operator==(const LsuConfig&, const LsuConfig&) = default;
};

/// Barriers in shared memory; what one operation takes is timing.mbarrier.latency.
struct MbarrierConfig {
  std::uint32_t try_wait_limit = 0;  ///< cycles a TRYWAIT suspends its warp before it answers that the phase goes on
  friend bool operator==(const MbarrierConfig&, const MbarrierConfig&) = default;
};

/// The engine that copies boxes of tensors between global and shared memory, one per SM.
struct TmaConfig {
  std::uint32_t queue_entries = 0;      ///< commands waiting
  std::uint32_t start_latency = 0;      ///< cycles from the load/store unit to a command's first line
  std::uint32_t interval = 0;           ///< cycles between the beginnings of two commands
  std::uint32_t lines_per_cycle = 0;    ///< lines asked for or written a cycle
  std::uint32_t outstanding_lines = 0;  ///< the most lines of loads that are outstanding at a time
  friend bool operator==(const TmaConfig&, const TmaConfig&) = default;
};

/// Dense peak of the tensor cores, operations a cycle and SM; 0: the GPU has no such type. Accumulation is in FP32
/// (integers: INT32, FP64: FP64) unless the name says otherwise: GeForce GPUs halve FP32 accumulation. Kept apart from
/// the timing classes because mma.sync does not reach it on Hopper.
struct TensorFlops {
  std::uint32_t fp16 = 0;
  std::uint32_t fp16_fp16acc = 0;
  std::uint32_t bf16 = 0;
  std::uint32_t tf32 = 0;
  std::uint32_t fp8 = 0;
  std::uint32_t fp8_fp16acc = 0;
  std::uint32_t fp4 = 0;
  std::uint32_t int8 = 0;
  std::uint32_t int4 = 0;
  std::uint32_t binary = 0;
  std::uint32_t fp64 = 0;
  friend bool operator==(const TensorFlops&, const TensorFlops&) = default;
};

struct TensorConfig {
  TensorFlops flops_per_cycle;
  std::uint32_t sparsity = 1;  ///< 2:4 structured sparsity multiplies the rates by it, but for FP64; 1: none
  friend bool operator==(const TensorConfig&, const TensorConfig&) = default;
};

/// WGMMA operations. How long one takes follows from sm.tensor.flops_per_cycle, from the bytes that
/// it reads in shared memory, and from the least that was measured.
struct WgmmaConfig {
  std::uint32_t queue_entries = 0;  ///< operations a warp may have in flight; 0: the GPU has none
  std::uint32_t least_latency = 0;  ///< cycles an operation takes at least
  /// Cycles from when the tensor cores are through with an operation until its accumulators are written.
  std::uint32_t result_latency = 0;
  friend bool operator==(const WgmmaConfig&, const WgmmaConfig&) = default;
};

/// More than any GPU has.
inline constexpr std::uint32_t kMostSubCores = 8;

struct SmConfig {
  std::uint32_t count = 0;
  std::uint32_t sub_cores = 0;
  SchedulerConfig scheduler;
  Dependence dependence{};
  Simt simt{};
  Limits limits;
  RegisterFileConfig register_file;
  FrontEndConfig front_end;
  ConstantConfig constant;
  LsuConfig lsu;
  SharedMemoryConfig shared;
  L1Config l1;
  MbarrierConfig mbarrier;
  TmaConfig tma;
  TensorConfig tensor;
  WgmmaConfig wgmma;
  isa::TimingTable timing;             ///< by timing class
  std::uint32_t guard_latency = 0;     ///< cycles from an ISETP until its predicate may guard an instruction
  std::uint32_t barrier_latency = 0;   ///< cycles from the last arrival until the warps may issue
  std::uint32_t fence_window = 0;      ///< cycles in which a round of fences takes more of them in
  std::uint32_t barrier_interval = 0;  ///< cycles between two arrivals that the SM's barrier unit takes
  friend bool operator==(const SmConfig&, const SmConfig&) = default;
};

}  // namespace gpusim::arch

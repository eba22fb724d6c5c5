// SPDX-License-Identifier: MIT
// One instruction as the machine executes it: an isa::Instr on one GPU, with latencies and flags.
#pragma once

#include <cstdint>

#include "sim/base/ratio.h"
#include "sim/machine/lower/register_ports.h"
#include "sim/model/isa/instr.h"

namespace gpusim::lower {

/// What a result comes from, as far as warp states tell it apart: L1TEX (long scoreboard) or anything else of variable
/// latency (short scoreboard).
enum class ProducerClass : std::uint8_t { kShort, kLong };

inline constexpr std::uint32_t kNoProducer = 0xffffffffU;

/// A streak of fewer issues gains nothing; so many are counted at most.
inline constexpr std::uint32_t kShortestStreak = 6;
inline constexpr std::uint32_t kLongestStreak = 255;

/// The hot form of one instruction.
struct WarpOp {
  isa::OpKind kind = isa::OpKind::kNop;
  isa::Pipe pipe = isa::Pipe::kNone;
  isa::MemSpace space = isa::MemSpace::kNone;
  ProducerClass producer = ProducerClass::kShort;
  std::uint8_t stall = 1;  ///< cycles until this warp may issue again; at least 1, 2 with yield
  std::uint8_t write_barrier = isa::kNoBarrier;
  std::uint8_t read_barrier = isa::kNoBarrier;
  std::uint8_t wait_mask = 0;
  std::uint8_t increments = 0;      ///< mask of the counters above
  std::uint8_t increment_each = 1;  ///< by how much
  std::uint8_t bytes_per_lane = 0;
  std::uint8_t matrices = 0;
  std::uint8_t address_registers = 0;  ///< general registers that a memory access takes its addresses from
  std::uint8_t depbar_counter = 0;
  std::uint8_t depbar_limit = 0;
  bool bypass_l1 = false;
  bool no_allocate = false;
  Eviction eviction = Eviction::kNormal;
  std::uint8_t fetch_sectors = 0;  ///< what of a line L2 fetches together, by the load's prefetch size
  AtomicType atomic_type = AtomicType::kInteger;
  bool serial_lanes = false;   ///< atomics in shared memory: lanes on one word follow each other
  bool runtime_guard = false;  ///< a run-time predicate, which a poll wrote: the machine decides the mask at issue
  bool of_cluster = false;     ///< its place in the cluster, or another CTA's, matters to it
  bool leaves_sm = false;      ///< a fence of a larger scope than the CTA's
  bool try_waits = false;      ///< kPoll: it suspends the warp before it answers no
  std::uint8_t predicate = 0;  ///< kPoll: that it writes; else the run-time predicate that guards it (predicate_bit)
  std::uint16_t set_registers = 0;      ///< USETMAXREG: registers a thread
  bool waits_on_counter_limit = false;  ///< DEPBAR.LE: waits until depbar_counter is at most depbar_limit
  bool waits_on_wgmma = false;          ///< a WGMMA operation for room, or WARPGROUP.DEPBAR
  bool closes_group = false;            ///< a WGMMA operation: the last of its group
  bool is_plain = false;     ///< takes its pipe and its register ports and does nothing else: no counter, no queue
  bool reaches_out = true;   ///< more than its sub-core may hear of it when it issues, or when its warp ends with it
  bool blocks_pipe = false;  ///< keeps its pipe for longer than the cycle in which it issues
  bool waits_for_nothing =
      false;  ///< no counter, no limit of one, no WGMMA operations: its predecessor's stall count is all
  /// Instructions from this one on, in the order of the code, that do all of that and may issue in cycle after cycle;
  /// 0: it leads elsewhere, or more has to be looked at when it issues.
  std::uint8_t streak = 0;
  isa::FlopClass flop_class = isa::FlopClass::kNone;
  std::uint16_t constant = 0;       ///< 1 + index into KernelImage::constants; 0: reads none, or constants are ideal
  std::uint32_t generic_forms = 0;  ///< 1 + index into KernelImage::generic_forms; 0: its space is known
  std::uint32_t pc = 0;             ///< index into KernelImage::ops
  std::uint32_t place = 0;          ///< in units of 16 bytes of code (code_layout.h)
  std::uint32_t flops = 0;          ///< a lane, or a warp for tensor classes
  std::uint32_t latency =
      0;  ///< cycles, of its timing class; NANOSLEEP: its own; of a WGMMA operation: on the tensor cores
  std::uint32_t shared_wavefronts = 0;  ///< a WGMMA operation: cycles of shared memory for its operands
  std::uint32_t write_period = 0;       ///< the same: cycles between two writes of a pair of its accumulators
  Ratio interval;                       ///< cycles it occupies its pipe
  RegisterPorts ports;

  /// It speaks to an mbarrier, the register pool or the TMA.
  [[nodiscard]] bool asks_engines() const {
    return kind == isa::OpKind::kMbarrier || kind == isa::OpKind::kPoll || kind == isa::OpKind::kTensorCopy;
  }
};

}  // namespace gpusim::lower

// SPDX-License-Identifier: MIT
// A warp instruction on its way through the memory unit.
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/machine/lower/warp_op.h"
#include "sim/machine/sm/memory/coalescer.h"
#include "sim/model/trace/async.h"

namespace gpusim::trace {
class Walker;
}  // namespace gpusim::trace

namespace gpusim::sm {

/// The CTA of the cluster whose shared memory an access reaches, and the instruction that accesses it.
struct DsmemTarget {
  std::uint64_t cluster = 0;
  std::uint64_t asker = 0;  ///< CTA, and the instruction: for messages
  std::uint32_t pc = 0;
  std::uint16_t warp = 0;  ///< that asks: its slot
  std::uint16_t rank = 0;
  bool is_own = true;          ///< the asker's own
  bool names_several = false;  ///< lanes may name CTAs behind `rank`, too: trace::ExecutedWarp::space()
  std::uint32_t barrier = 0;   ///< the mbarrier it signals, if any
};

/// A line of a copy by the TMA to the shared memory of a CTA of the cluster, when it has been read here.
struct MovedLine {
  DsmemTarget target;
  std::uint32_t command = 0;  ///< number among those of the TMA
  std::uint32_t bytes = 0;    ///< that the mbarrier there hears of
  std::uint8_t sectors = 0;   ///< mask of those that it touches there
  bool adds = false;          ///< it is added to what is there
  bool is_first = false;      ///< the copy's first line
  Cycle leaves = 0;           ///< when its data has been read
};

/// True for loads and stores of a lane's own memory. (An atomic there, which a recording may have, is treated as any
/// other.)
[[nodiscard]] inline bool is_local_access(const lower::WarpOp& op) {
  return op.space == isa::MemSpace::kLocal && (op.kind == isa::OpKind::kLoad || op.kind == isa::OpKind::kStore);
}

/// Which warp issued an access, for which lanes.
struct Origin {
  std::uint16_t warp = 0;  ///< warp slot of the SM
  std::uint16_t sub_core = 0;
  LaneMask mask = 0;
  std::uint16_t cta = 0;  ///< CTA slot of the SM
  DsmemTarget dsmem{};
};

/// A warp instruction on its way through the load/store unit.
struct Access {
  const lower::WarpOp* op = nullptr;
  Origin origin;
  SharedPasses shared;         ///< for shared-memory accesses, and for LDGSTS's destination
  CoalescedAccess global;      ///< for global and local accesses, and for those to other CTAs' shared memory
  trace::AsyncOperands async;  ///< for operations on mbarriers and bulk copies, and for stores that signal one

  /// A store whose bytes are complete at an mbarrier.
  [[nodiscard]] bool signals() const { return async.action == trace::AsyncAction::kSignalStores; }
  /// An operation on an mbarrier of another CTA. Of some a recording does not say what they do: they stay here.
  [[nodiscard]] bool is_remote_mbarrier() const {
    return op->kind == isa::OpKind::kMbarrier && op->of_cluster && !origin.dsmem.is_own &&
           async.action != trace::AsyncAction::kNone;
  }
};

/// Where an access gets the addresses of its lanes, and what is remembered of such addresses.
struct LaneSource {
  trace::Walker& walker;
  Coalescer& coalescer;
  BankConflictCache& bank_conflicts;
};

/// What became of an access that tried to execute.
struct Executed {
  std::uint32_t cycles = 1;  ///< for which it takes the load/store unit
  bool done = true;          ///< false: something is missing; it tries again when that may have changed
};

}  // namespace gpusim::sm

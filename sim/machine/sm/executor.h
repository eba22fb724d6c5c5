// SPDX-License-Identifier: MIT
// What an instruction does when it issues: it takes a pipe, counts up dependence counters, goes to the memory unit, the
// tensor cores, a barrier. Hands each instruction to the unit that it is for; owns no state of the machine.
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/machine/lower/warp_op.h"
#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/warps/sub_core.h"
#include "sim/machine/sm/warps/warp.h"

namespace gpusim::lower {
struct KernelImage;
}

namespace gpusim::sm {

class Clusters;
class MemoryUnit;
class NamedBarriers;
class SubCores;
class WarpTable;
class WgmmaUnit;
struct PerWorker;

/// The units that execute.
struct ExecutionUnits {
  WarpTable& warps;
  SubCores& cores;
  MemoryUnit& memory;
  NamedBarriers& barriers;
  Clusters& clusters;
  WgmmaUnit& wgmma;
  SmEvents& events;
};

class Executor {
 public:
  Executor(const lower::KernelImage& image, const ExecutionUnits& units) : image_(image), units_(units) {}

  /// What the thread that runs this SM keeps.
  void use(PerWorker& worker) { worker_ = &worker; }

  /// The pipe's input latch is taken. That of an instruction which leaves it open for the next cycle need not be noted.
  void take_pipe(SubCore& core, const Warp& warp, Cycle now) {
    const lower::WarpOp& op = *warp.op;
    if (!op.blocks_pipe) {
      return;
    }
    const Cycle opens = core.occupy(op.pipe, now, op.interval);
    if (opens - now >= SubCore::kRing) {
      units_.events.push(opens, SmEvent(SmEventKind::kTick, SubCoreEvent{warp.sub_core}));
    }
  }

  /// The warp's next instruction issues at `now`, for its lanes in warp.next->mask.
  void begin(SubCore& core, Warp& warp, Cycle now);
  /// The same instruction, `op`, which has at least one lane; the warp has gone on to the instruction behind it, and
  /// may have to wait there.
  void end(Warp& warp, const lower::WarpOp& op, Cycle now);

 private:
  void execute_variable(SubCore& core, Warp& warp, Cycle now);
  void execute_memory(SubCore& core, Warp& warp, Cycle now);
  [[nodiscard]] const lower::WarpOp& form_of_access(Warp& warp) const;

  const lower::KernelImage& image_;
  ExecutionUnits units_;
  PerWorker* worker_ = nullptr;
};

}  // namespace gpusim::sm

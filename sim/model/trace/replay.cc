// SPDX-License-Identifier: MIT
#include "sim/model/trace/replay.h"

#include <algorithm>
#include <array>

#include "sim/base/problem.h"
#include "sim/model/trace/record_run.h"
#include "sim/model/trace/walker.h"

namespace gpusim::trace {
namespace {

void replay_access(Walker& walker, AccessSlot slot, LaneMask mask, WarpSink& sink) {
  const LaneAddresses lanes = walker.addresses(slot);
  std::array<Address, kWarpLanes> addresses{};
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    addresses[lane] = lanes.base + static_cast<Address>(lanes.offsets[lane]);
  }
  sink.access(slot, addresses, mask);
}

void replay_warp(const Kernel& kernel, std::uint64_t cta, std::uint32_t warp, WarpSink& sink) {
  Walker walker(kernel, cta_at(cta, kernel.grid), warp);
  sink.begin_warp(cta, warp);
  for (Step step; walker.next(step);) {
    sink.step(step.pc, step.active, step.mask);
    const isa::Instr& instr = kernel.code[step.pc];
    if (instr.is_memory() && step.mask != 0) {
      replay_access(walker, AccessSlot::kPrimary, step.mask, sink);
      if (instr.kind == isa::OpKind::kAsyncCopy) {
        replay_access(walker, AccessSlot::kSharedDestination, step.mask, sink);
      }
    }
  }
  sink.end_warp();
}

/// A recording has no source for what the machine answers, and none for what an engine is told.
void refuse_live(const Kernel& kernel) {
  const Program* program = kernel.behaviour == nullptr ? nullptr : kernel.behaviour->program();
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const bool asks = kernel.code[i].runtime_guard;
    if (asks || (program != nullptr && !program->asyncs.empty() && kernel.code[i].kind == isa::OpKind::kTensorCopy)) {
      throw InputError(Problem{{kernel.where.file, kernel.texts[i].line, 0},
                               "kernel '" + kernel.name + "': '" + kernel.texts[i].text + "' " +
                                   (asks ? "depends on what the machine answers" : "is a command to the TMA") +
                                   ", which a recording cannot say",
                               "only the text form of a trace can"});
    }
  }
}

}  // namespace

void replay(const Kernel& kernel, WarpSink& sink, std::uint64_t first, std::uint64_t count) {
  refuse_live(kernel);
  const Executable* const executable = kernel.behaviour->executable();
  if (executable != nullptr && first == 0 && count >= kernel.ctas()) {
    record_run(*executable, kernel, *executable->memory()->clone(), kMostWalked, sink);
    return;
  }
  const std::uint64_t end = first + std::min(count, kernel.ctas() - std::min(first, kernel.ctas()));
  for (std::uint64_t cta = first; cta < end; ++cta) {
    for (std::uint32_t warp = 0; warp < kernel.warps_per_cta(); ++warp) {
      replay_warp(kernel, cta, warp, sink);
    }
  }
}

}  // namespace gpusim::trace

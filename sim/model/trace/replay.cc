// SPDX-License-Identifier: MIT
#include "sim/model/trace/replay.h"

#include <algorithm>
#include <array>

#include "sim/base/address_space.h"
#include "sim/base/problem.h"
#include "sim/model/trace/device_memory.h"
#include "sim/model/trace/record_run.h"
#include "sim/model/trace/walker.h"

namespace gpusim::trace {
namespace {

/// `window`: what is added to the address of every lane.
void replay_access(Walker& walker, AccessSlot slot, LaneMask mask, Address window, WarpSink& sink) {
  const LaneAddresses lanes = walker.addresses(slot);
  std::array<Address, kWarpLanes> addresses{};
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    addresses[lane] = window + lanes.base + static_cast<Address>(lanes.offsets[lane]);
  }
  sink.access(slot, addresses, mask);
}

void replay_command(Walker& walker, const isa::Instr& instr, WarpSink& sink) {
  const AsyncOperands operands = walker.async_operands();
  if (operands.action != AsyncAction::kNone) {
    sink.command(operands, may_name_other_cta(instr, operands.action) ? walker.target_rank() : 0);
  }
}

void replay_step(Walker& walker, const isa::Instr& instr, LaneMask mask, WarpSink& sink) {
  if (mask == 0) {
    return;
  }
  if (instr.is_memory()) {
    const Address window = instr.space == isa::MemSpace::kClusterShared ? Address{walker.target_rank()} << kRankBit : 0;
    replay_access(walker, AccessSlot::kPrimary, mask, window, sink);
    if (instr.kind == isa::OpKind::kAsyncCopy) {
      replay_access(walker, AccessSlot::kSharedDestination, mask, 0, sink);
    }
  } else if (has_command(instr)) {
    replay_command(walker, instr, sink);
  }
}

void replay_warp(const Kernel& kernel, std::uint64_t cta, std::uint32_t warp, WarpSink& sink) {
  Walker walker(kernel, cta_at(cta, kernel.grid), warp);
  sink.begin_warp(cta, warp);
  for (Step step; walker.next(step);) {
    sink.step(step.pc, step.active, step.mask);
    replay_step(walker, kernel.code[step.pc], step.mask, sink);
  }
  sink.end_warp();
}

[[noreturn]] void refuse(const Kernel& kernel, std::uint32_t instr, const char* what) {
  throw InputError(Problem{
      {kernel.where.file, kernel.texts[instr].line, 0},
      "kernel '" + kernel.name + "': '" + kernel.texts[instr].text + "' " + what + ", which a recording cannot say",
      "only the text form of a trace can"});
}

/// A recording has no source for what the machine answers, and none for the mbarrier of a store.
void refuse_live(const Kernel& kernel) {
  for (std::uint32_t i = 0; i < kernel.code.size(); ++i) {
    if (kernel.code[i].runtime_guard) {
      refuse(kernel, i, "depends on what the machine answers");
    }
  }
  const Program* const program = kernel.behaviour == nullptr ? nullptr : kernel.behaviour->program();
  if (program == nullptr) {
    return;
  }
  for (const FlowOp& op : program->ops) {
    if (op.async != kNone && program->asyncs[op.async].action == AsyncAction::kSignalStores) {
      refuse(kernel, op.instr, "signals an mbarrier when its data has come");
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

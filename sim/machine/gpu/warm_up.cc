// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/warm_up.h"

#include <algorithm>
#include <span>
#include <vector>

#include "sim/machine/sm/memory/coalescer.h"
#include "sim/model/trace/box.h"
#include "sim/model/trace/walker.h"

namespace gpusim::gpu {
namespace {

using isa::MemSpace;
using isa::OpKind;

/// Steps between two questions whether to go on, and at most so many of one warp before the others' turn.
constexpr std::uint32_t kStepsPerCheck = 1U << 16;

/// Accesses that the host looks up side by side: enough to keep its memory busy.
constexpr std::size_t kAccessesAtOnce = 64;

/// Whether the machine would find the data of an access in L2. Local memory is written before it is read.
bool reaches_l2(const isa::Instr& instr) {
  return instr.space == MemSpace::kGlobal && instr.kind != OpKind::kAsyncCommit;
}

bool may_touch_l2(const isa::Instr& instr) {
  return instr.kind == OpKind::kTensorCopy || reaches_l2(instr);
}

msg::Kind request_kind(OpKind kind) {
  switch (kind) {
    case OpKind::kStore: return msg::Kind::kWrite;
    case OpKind::kAtomic: return msg::Kind::kAtomic;
    case OpKind::kReduction: return msg::Kind::kReduction;
    default: return msg::Kind::kRead;
  }
}

/// By operation of the kernel's program: the first from there on at which a walk has to look, because it may go
/// elsewhere or may touch L2. Empty where the behaviour is recorded.
std::vector<std::uint32_t> stops_of(const trace::Kernel& kernel) {
  const trace::Program* const program = kernel.behaviour->program();
  if (program == nullptr) {
    return {};
  }
  std::vector<std::uint32_t> stops(program->ops.size());
  auto stop = static_cast<std::uint32_t>(stops.size());
  for (std::uint32_t at = stop; at-- > 0;) {
    const trace::FlowOp& op = program->ops[at];
    const bool passes = op.kind == trace::FlowKind::kPlain && !may_touch_l2(kernel.code[op.instr]);
    stop = passes ? stop : at;
    stops[at] = stop;
  }
  return stops;
}

struct WalkingWarp {
  trace::Walker walker;
  std::uint32_t half = 0;  ///< of L2, near its SM
  std::uint64_t steps = 0;
};

/// Walks warps to their next access of global memory and lets it touch the tags.
class WarmUp {
 public:
  WarmUp(const trace::Kernel& kernel, MemorySide& memory)
      : kernel_(kernel), stops_(stops_of(kernel)), memory_(memory) {}

  /// Returns false when the warp has no further access.
  bool advance(WalkingWarp& warp) {
    trace::Step step;
    for (std::uint32_t steps = 0; steps < kStepsPerCheck;) {
      const std::uint32_t skipped = warp.walker.skip(stops_);
      if (!warp.walker.next(step)) {
        return false;
      }
      steps += skipped + 1;
      warp.steps += skipped + 1;
      steps_ += skipped + 1;
      const isa::Instr& instr = kernel_.code[step.pc];
      if (step.mask != 0 && instr.kind == OpKind::kTensorCopy) {
        touch(warp.walker.async_operands(), warp.half);
        return true;
      }
      if (step.mask != 0 && reaches_l2(instr)) {
        touch(warp.walker, step, instr, warp.half);
        return true;
      }
    }
    return true;
  }

  /// Lets the accesses found so far touch the tags.
  void finish() {
    memory_.touch(accesses_);
    accesses_.clear();
  }

  /// Whether it is time to ask if to go on.
  bool check_is_due() {
    if (steps_ < kStepsPerCheck) {
      return false;
    }
    steps_ = 0;
    return true;
  }

 private:
  void touch(const trace::AsyncOperands& copy, std::uint32_t half) {
    if (copy.action == trace::AsyncAction::kNone) {
      return;
    }
    const msg::Kind kind = copy.action == trace::AsyncAction::kStore    ? msg::Kind::kWrite
                           : copy.action == trace::AsyncAction::kReduce ? msg::Kind::kReduction
                                                                        : msg::Kind::kRead;
    for (trace::BoxLines lines(copy); !lines.done();) {
      touch(kind, lines.next(), half);
    }
  }

  void touch(msg::Kind kind, const trace::LinePart& part, std::uint32_t half) {
    msg::L2Access access;
    access.address = part.line;
    access.full = part.full & 0xfU;
    accesses_.push_back({msg::make(kind, access, part.sectors), half});
    if (accesses_.size() >= kAccessesAtOnce) {
      finish();
    }
  }

  void touch(trace::Walker& walker, const trace::Step& step, const isa::Instr& instr, std::uint32_t half) {
    const std::span<const sm::LineAccess> lines = coalescer_.lines(walker.addresses(trace::AccessSlot::kPrimary),
                                                                   step.mask, {instr.bytes_per_lane, instr.matrices});
    const msg::Kind kind = request_kind(instr.kind);
    for (const sm::LineAccess& line : lines) {
      touch(kind, {static_cast<Address>(line.line), line.sectors, line.full, 0}, half);
    }
  }

  const trace::Kernel& kernel_;
  std::vector<std::uint32_t> stops_;
  MemorySide& memory_;
  sm::Coalescer coalescer_;
  std::vector<FunctionalAccess> accesses_;  ///< that have not touched the tags yet
  std::uint64_t steps_ = 0;
};

}  // namespace

WarmUpEnd warm_up(const arch::Arch& arch, const trace::Kernel& kernel, MemorySide& memory, const MachineJob& job,
                  const WarmUpLimits& limits) {
  WarmUp pass(kernel, memory);
  const Floorplan plan = floorplan(arch);
  const std::uint64_t side_by_side = std::uint64_t{arch.sm.count} * job.sm.ctas_per_sm;
  const auto went_too_far = [&limits](const WalkingWarp* warp) { return warp->steps > limits.steps_of_a_warp; };
  for (std::uint64_t begin = job.first_cta; begin < job.end_cta; begin += side_by_side) {
    std::vector<WalkingWarp> warps((std::min(begin + side_by_side, job.end_cta) - begin) * kernel.warps_per_cta());
    auto next = warps.begin();
    for (std::uint64_t cta = begin; cta < std::min(begin + side_by_side, job.end_cta); ++cta) {
      for (std::uint32_t warp = 0; warp < kernel.warps_per_cta(); ++warp) {
        next->walker.start(kernel, trace::cta_at(cta, kernel.grid), warp);
        next->half = plan.half_of_gpc[plan.gpc_of_sm[(cta - job.first_cta) % arch.sm.count]];
        ++next;
      }
    }
    std::vector<WalkingWarp*> walking;
    for (WalkingWarp& warp : warps) {
      walking.push_back(&warp);
    }
    while (!walking.empty()) {
      std::erase_if(walking, [&pass](WalkingWarp* warp) { return !pass.advance(*warp); });
      if (pass.check_is_due()) {
        if (std::ranges::any_of(walking, went_too_far)) {
          return WarmUpEnd::kLimit;
        }
        if (limits.keep_going && !limits.keep_going()) {
          return WarmUpEnd::kStopped;
        }
      }
    }
  }
  pass.finish();
  return WarmUpEnd::kDone;
}

}  // namespace gpusim::gpu

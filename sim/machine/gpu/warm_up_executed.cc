// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/l2_accesses.h"
#include "sim/machine/gpu/warm_up.h"
#include "sim/model/arch/arch.h"
#include "sim/model/trace/behaviour.h"
#include "sim/model/trace/executed.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::gpu {
namespace {

/// Steps between two questions whether to go on.
constexpr std::uint64_t kRunStepsPerCheck = 1U << 16;

/// Puts what an untimed run accesses into the tags, as it comes.
class TagFiller final : public trace::RunVisitor {
 public:
  TagFiller(const arch::Arch& arch, const trace::Kernel& kernel, const MemorySide& memory, const WarmUpCtas& ctas,
            const WarmUpLimits& limits)
      : kernel_(kernel),
        memory_(memory),
        ctas_(ctas),
        limits_(limits),
        plan_(floorplan(arch)),
        accesses_(memory, arch.sm.lsu.coalescing) {}

  bool step(std::uint64_t cta, std::uint32_t /*warp_in_cta*/, const trace::Step& step,
            trace::ExecutedWarp& warp) override {
    const isa::Instr& instr = kernel_.code[step.pc];
    if (step.mask != 0 && L2Accesses::may_have(instr) && (!instr.generic || may_be_global(warp.space()))) {
      const std::uint32_t half = half_of_cta(plan_, cta - ctas_.first);
      const auto apply = [this](const FunctionalAccess& access) {
        const FunctionalAccess* const due = &access;
        memory_.apply({&due, 1});
      };
      if (instr.kind == isa::OpKind::kTensorCopy) {
        accesses_.of_copy(warp.async_operands(), half, apply);
      } else {
        accesses_.of_lanes(instr, step.mask, warp.addresses(trace::AccessSlot::kPrimary), half, apply);
      }
    }
    return ++steps_ % kRunStepsPerCheck != 0 || !limits_.keep_going || limits_.keep_going(share());
  }

  void end_cta(std::uint64_t /*cta*/) override { ++ended_; }

 private:
  /// Where lanes lead to several kinds of memory, those to global memory count.
  static bool may_be_global(isa::MemSpace space) {
    return space == isa::MemSpace::kGlobal || space == isa::MemSpace::kNone;
  }
  [[nodiscard]] double share() const {
    return static_cast<double>(ended_) / static_cast<double>(ctas_.end - ctas_.first);
  }

  const trace::Kernel& kernel_;
  const MemorySide& memory_;
  WarmUpCtas ctas_;
  const WarmUpLimits& limits_;
  Floorplan plan_;
  L2Accesses accesses_;
  std::uint64_t steps_ = 0;
  std::uint64_t ended_ = 0;  ///< CTAs
};

WarmUpEnd warm_up_end(trace::RunEnd end) {
  switch (end) {
    case trace::RunEnd::kStopped: return WarmUpEnd::kStopped;
    case trace::RunEnd::kLimit: return WarmUpEnd::kLimit;
    case trace::RunEnd::kDone: break;
  }
  return WarmUpEnd::kDone;
}

}  // namespace

WarmUpEnd warm_up_by_executing(const arch::Arch& arch, const trace::Kernel& kernel, trace::DeviceMemory& device_memory,
                               const MemorySide& memory, const WarmUpCtas& ctas, const WarmUpLimits& limits) {
  TagFiller filler(arch, kernel, memory, ctas, limits);
  const trace::RunRange range{ctas.first, ctas.end, std::uint64_t{arch.sm.count} * ctas.per_sm, limits.steps_of_a_warp,
                              limits.most_walked};
  return warm_up_end(kernel.behaviour->executable()->run(device_memory, range, trace::Effects::kUndone, filler));
}

}  // namespace gpusim::gpu

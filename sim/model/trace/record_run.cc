// SPDX-License-Identifier: MIT
#include "sim/model/trace/record_run.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <vector>

#include "sim/model/trace/poll_filter.h"

namespace gpusim::trace {
namespace {

/// CTAs that a recording runs side by side, so that those that wait for one another can go on.
constexpr std::uint64_t kSideBySide = 4096;
/// Warp instructions between two reports of progress; a power of two.
constexpr std::uint64_t kToldEvery = 1U << 16U;

/// What one warp has done so far.
class WarpNotes {
 public:
  /// Polls that repeat a wait are left out, with the loop around them.
  void add(const Step& step, const isa::Instr& instr, ExecutedWarp& warp) {
    Command command;
    if (has_command(instr) && step.mask != 0) {
      command.operands = warp.async_operands();
      command.rank = may_name_other_cta(instr) ? warp.target_rank() : 0;
    }
    if (is_repeat(instr, step.mask, command.operands)) {
      return;
    }
    steps_.push_back(step);
    if (command.operands.action != AsyncAction::kNone) {
      commands_.push_back(command);
      commands_.back().step = steps_.size() - 1;
    }
    if (instr.is_memory() && step.mask != 0) {
      add_access(AccessSlot::kPrimary, step.mask, warp);
      if (instr.kind == isa::OpKind::kAsyncCopy) {
        add_access(AccessSlot::kSharedDestination, step.mask, warp);
      }
    }
  }

  void hand_on(std::span<const isa::Instr> code, WarpSink& sink) const {
    std::size_t at = 0;
    auto command = commands_.begin();
    std::array<Address, kWarpLanes> addresses{};
    const auto access = [&](AccessSlot slot, LaneMask mask) {
      for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
        addresses[lane] = (mask >> lane & 1U) != 0 ? addresses_[at++] : 0;
      }
      sink.access(slot, addresses, mask);
    };
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[i];
      sink.step(step.pc, step.active, step.mask);
      if (command != commands_.end() && command->step == i) {
        sink.command(command->operands, command->rank);
        ++command;
      }
      const isa::Instr& instr = code[step.pc];
      if (instr.is_memory() && step.mask != 0) {
        access(AccessSlot::kPrimary, step.mask);
        if (instr.kind == isa::OpKind::kAsyncCopy) {
          access(AccessSlot::kSharedDestination, step.mask);
        }
      }
    }
  }

 private:
  struct Command {
    std::size_t step = 0;  ///< index into steps_
    AsyncOperands operands;
    std::uint32_t rank = 0;
  };

  bool is_repeat(const isa::Instr& instr, LaneMask mask, const AsyncOperands& operands) {
    if (instr.kind != isa::OpKind::kPoll) {
      return polls_.has_polled() && polls_.is_of_repeat(instr.kind);
    }
    if (mask == 0) {
      return polls_.is_repeat();
    }
    return operands.action == AsyncAction::kWait ? polls_.is_repeat(operands.barrier, operands.parity ? 1 : 0)
                                                 : polls_.is_of_repeat(instr.kind);
  }

  void add_access(AccessSlot slot, LaneMask mask, ExecutedWarp& warp) {
    const LaneAddresses lanes = warp.addresses(slot);
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      if ((mask >> lane & 1U) != 0) {
        addresses_.push_back(lanes.base + static_cast<Address>(lanes.offsets[lane]));
      }
    }
  }

  PollFilter polls_;
  std::vector<Step> steps_;
  std::vector<Command> commands_;
  std::vector<Address> addresses_;  ///< addresses of the lanes that take part, in the order of the steps
};

class Notes final : public RunVisitor {
 public:
  Notes(const Kernel& kernel, WarpSink& sink, const std::function<void(std::uint64_t instructions)>& tell)
      : kernel_(kernel), sink_(sink), tell_(tell) {}

  bool step(std::uint64_t cta, std::uint32_t warp_in_cta, const Step& step, ExecutedWarp& warp) override {
    if (cta != last_ || of_last_ == nullptr) {
      std::vector<WarpNotes>& warps = open_[cta];
      warps.resize(kernel_.warps_per_cta());
      last_ = cta;
      of_last_ = &warps;
    }
    (*of_last_)[warp_in_cta].add(step, kernel_.code[step.pc], warp);
    if (++executed_ % kToldEvery == 0 && tell_) {
      tell_(executed_);
    }
    return true;
  }

  /// CTAs that end before one of a lower number wait for it.
  void end_cta(std::uint64_t cta) override {
    ended_[cta] = std::move(open_[cta]);
    open_.erase(cta);
    of_last_ = nullptr;
    for (auto next = ended_.find(next_); next != ended_.end(); next = ended_.find(next_)) {
      for (std::uint32_t warp = 0; warp < next->second.size(); ++warp) {
        sink_.begin_warp(next_, warp);
        next->second[warp].hand_on(kernel_.code, sink_);
        sink_.end_warp();
      }
      ended_.erase(next);
      ++next_;
    }
  }

 private:
  const Kernel& kernel_;
  WarpSink& sink_;
  const std::function<void(std::uint64_t instructions)>& tell_;
  std::uint64_t executed_ = 0;
  std::map<std::uint64_t, std::vector<WarpNotes>> open_;
  std::map<std::uint64_t, std::vector<WarpNotes>> ended_;
  std::uint64_t next_ = 0;  ///< CTA to hand on
  std::uint64_t last_ = 0;
  std::vector<WarpNotes>* of_last_ = nullptr;
};

}  // namespace

void record_run(const Executable& executable, const Kernel& kernel, DeviceMemory& memory, std::uint64_t most_walked,
                WarpSink& sink, const std::function<void(std::uint64_t instructions)>& tell) {
  Notes notes(kernel, sink, tell);
  executable.run(memory, {0, kernel.ctas(), kSideBySide, kNever, most_walked}, Effects::kKept, notes);
}

}  // namespace gpusim::trace

// SPDX-License-Identifier: MIT
#include "sim/model/trace/record_run.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <span>
#include <vector>

#include "sim/base/address_space.h"
#include "sim/base/problem.h"
#include "sim/model/trace/executed.h"
#include "sim/model/trace/poll_filter.h"
#include "sim/model/trace/recorded.h"
#include "sim/model/trace/recorded_command.h"

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
      command.rank = may_name_other_cta(instr, command.operands.action) ? warp.target_rank() : 0;
    }
    if (is_repeat(instr, step.mask, command.operands)) {
      return;
    }
    steps_.push_back(step);
    if (command.operands.action != AsyncAction::kNone) {
      commands_.push_back(command);
      commands_.back().step = steps_.size() - 1;
    }
    if (asks_for_nothing(step, instr, warp)) {
      steps_.back().mask = 0;
    } else if (instr.is_memory() && step.mask != 0) {
      add_access(AccessSlot::kPrimary, step.mask, window_of(instr, warp), warp);
      if (instr.kind == isa::OpKind::kAsyncCopy) {
        add_access(AccessSlot::kSharedDestination, step.mask, 0, warp);
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

  /// A load whose own predicate is false in all lanes: a recording has no word for that, and has it for no lane. An
  /// LDGSTS of this kind loses the zeros that it writes to shared memory.
  static bool asks_for_nothing(const Step& step, const isa::Instr& instr, ExecutedWarp& warp) {
    const bool loads = instr.kind == isa::OpKind::kLoad || instr.kind == isa::OpKind::kAsyncCopy;
    return loads && instr.space != isa::MemSpace::kConstant && step.mask != 0 &&
           warp.addresses(AccessSlot::kPrimary).is_nowhere;
  }

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

  /// The rank that addresses() leaves out of those in another CTA's shared memory, and that a recording keeps in their
  /// upper bits. Those in the own CTA's have its rank there already.
  static Address window_of(const isa::Instr& instr, ExecutedWarp& warp) {
    const bool is_elsewhere =
        instr.space == isa::MemSpace::kClusterShared && warp.space() == isa::MemSpace::kClusterShared;
    return is_elsewhere ? Address{warp.target_rank()} << kRankBit : 0;
  }

  void add_access(AccessSlot slot, LaneMask mask, Address window, ExecutedWarp& warp) {
    const LaneAddresses lanes = warp.addresses(slot);
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      if ((mask >> lane & 1U) != 0) {
        addresses_.push_back(window + lanes.base + static_cast<Address>(lanes.offsets[lane]));
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
  Notes(const Kernel& kernel, WarpSink& sink, const Tell& tell) : kernel_(kernel), sink_(sink), tell_(tell) {}

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
  const Tell& tell_;
  std::uint64_t executed_ = 0;
  std::map<std::uint64_t, std::vector<WarpNotes>> open_;
  std::map<std::uint64_t, std::vector<WarpNotes>> ended_;
  std::uint64_t next_ = 0;  ///< CTA to hand on
  std::uint64_t last_ = 0;
  std::vector<WarpNotes>* of_last_ = nullptr;
};

/// Notes the space that each generic access leads to.
class SpaceFinder final : public RunVisitor {
 public:
  SpaceFinder(Kernel& kernel, const Tell& tell) : kernel_(kernel), tell_(tell), known_(kernel.code.size()) {}

  /// Throws for what names another CTA without a generic address: stores that signal an mbarrier there.
  void require_recordable() const {
    for (std::uint32_t pc = 0; pc < kernel_.code.size(); ++pc) {
      const isa::Instr& instr = kernel_.code[pc];
      if (instr.space == isa::MemSpace::kClusterShared && !instr.generic) {
        refuse(pc, "signals an mbarrier when its data has come");
      }
    }
  }

  bool step(std::uint64_t /*cta*/, std::uint32_t /*warp_in_cta*/, const Step& step, ExecutedWarp& warp) override {
    if (kernel_.code[step.pc].generic && step.mask != 0) {
      note(step.pc, warp.space());
      if (kernel_.code[step.pc].space == isa::MemSpace::kClusterShared) {
        require_one_cta(step, warp);
      }
    }
    if (++executed_ % kToldEvery == 0 && tell_) {
      tell_(executed_);
    }
    return true;
  }
  void end_cta(std::uint64_t /*cta*/) override {}

 private:
  /// The CTA's own shared memory is one of the cluster's.
  void note(std::uint32_t pc, isa::MemSpace found) {
    using enum isa::MemSpace;
    isa::MemSpace& space = kernel_.code[pc].space;
    const auto is_of_cluster = [](isa::MemSpace s) { return s == kShared || s == kClusterShared; };
    if (found == kNone) {
      refuse(pc, "leads to memory of different kinds");
    }
    if (!known_[pc]) {
      known_[pc] = true;
      space = found;
    } else if (is_of_cluster(space) && is_of_cluster(found)) {
      space = std::max(space, found);
    } else if (space != found) {
      refuse(pc, "leads to memory of different kinds");
    }
  }

  void require_one_cta(const Step& step, ExecutedWarp& warp) {
    const LaneAddresses lanes = warp.addresses(AccessSlot::kPrimary);
    const auto rank_of = [&lanes](std::size_t lane) {
      return (lanes.base + static_cast<Address>(lanes.offsets[lane])) >> kRankBit;
    };
    const auto first = static_cast<std::size_t>(std::countr_zero(step.mask));
    for (std::size_t lane = first; lane < kWarpLanes; ++lane) {
      if ((step.mask >> lane & 1U) != 0 && rank_of(lane) != rank_of(first)) {
        refuse(step.pc, "accesses the shared memory of several CTAs at once");
      }
    }
  }

  [[noreturn]] void refuse(std::uint32_t pc, const char* what) const {
    throw InputError(Problem{
        {kernel_.where.file, kernel_.texts[pc].line, 0},
        "kernel '" + kernel_.name + "': '" + kernel_.texts[pc].text + "' " + what + ", which a recording cannot say",
        "simulate the kernel itself, without importing it"});
  }

  Kernel& kernel_;
  const Tell& tell_;
  std::uint64_t executed_ = 0;
  std::vector<bool> known_;
};

}  // namespace

Kernel with_known_spaces(const Executable& executable, const Kernel& kernel, DeviceMemory& memory,
                         std::uint64_t most_walked, const Tell& tell) {
  Kernel known = kernel;
  SpaceFinder finder(known, tell);
  finder.require_recordable();
  if (std::ranges::any_of(known.code, &isa::Instr::generic)) {
    executable.run(memory, {0, kernel.ctas(), kSideBySide, kNever, most_walked}, Effects::kUndone, finder);
  }
  return known;
}

void record_run(const Executable& executable, const Kernel& kernel, DeviceMemory& memory, std::uint64_t most_walked,
                WarpSink& sink, const Tell& tell) {
  Notes notes(kernel, sink, tell);
  executable.run(memory, {0, kernel.ctas(), kSideBySide, kNever, most_walked}, Effects::kKept, notes);
}

}  // namespace gpusim::trace

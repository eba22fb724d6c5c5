// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/active_lanes.h"

#include "sim/model/trace/cfg.h"

namespace gpusim::frontend::accelsim {
namespace {

/// Lanes of a warp that are threads of the CTA.
LaneMask lanes_of(const trace::Kernel& kernel, std::uint32_t warp) {
  const std::uint32_t threads = kernel.threads_per_cta() - warp * kWarpLanes;
  return threads >= kWarpLanes ? kAllLanes : (LaneMask{1} << threads) - 1;
}

}  // namespace

ActiveLanes::ActiveLanes(const trace::Kernel& kernel, bool knows_code) : kernel_(kernel) {
  if (!knows_code) {
    return;
  }
  const auto count = static_cast<std::uint32_t>(kernel.code.size());
  targets_.assign(count, trace::kExitNode);
  for (const trace::Edge& edge : kernel.edges) {
    if (edge.to != edge.from + 1) {
      targets_[edge.from] = edge.to;
    }
  }
  joins_ = trace::immediate_post_dominators(count, kernel.edges);
}

void ActiveLanes::begin_warp(std::uint32_t warp) {
  on_track_ = !joins_.empty();
  stack_.clear();
  pc_ = 0;
  join_ = trace::kExitNode;
  live_ = on_track_ ? lanes_of(kernel_, warp) : kAllLanes;
  active_ = on_track_ ? live_ : 0;
}

LaneMask ActiveLanes::step(std::uint32_t pc, LaneMask mask) {
  if (on_track_) {
    const LaneMask active = active_;
    on_track_ = follow(pc, mask);
    active_ = on_track_ ? active_ : active;
  }
  if (!on_track_) {
    guess(pc, mask);
  }
  const LaneMask active = active_;
  if (kernel_.code[pc].kind == isa::OpKind::kExit) {
    live_ &= ~mask;
    active_ &= live_;
  }
  if (on_track_) {
    branch(mask);
  }
  return active;
}

/// Whether the stack, too, comes to this step.
bool ActiveLanes::follow(std::uint32_t pc, LaneMask mask) {
  while (pc_ == join_ || active_ == 0) {
    if (!resume()) {
      return false;
    }
  }
  return pc_ == pc && (mask & ~active_) == 0;
}

bool ActiveLanes::resume() {
  if (stack_.empty()) {
    return false;
  }
  const Waiting next = stack_.back();
  stack_.pop_back();
  active_ = next.lanes & live_;
  pc_ = next.pc;
  join_ = next.join;
  return true;
}

/// Goes on behind the step at pc_.
void ActiveLanes::branch(LaneMask taken) {
  const std::uint32_t at = pc_++;
  if (kernel_.code[at].kind != isa::OpKind::kBranch || taken == 0) {
    return;
  }
  if (taken == active_) {
    pc_ = targets_[at] == trace::kExitNode ? pc_ : targets_[at];
    return;
  }
  const std::uint32_t join = joins_[at];
  if (join != join_) {
    stack_.push_back({join, join_, active_});
  }
  if (targets_[at] != join) {
    stack_.push_back({targets_[at], join, taken});
  }
  active_ &= ~taken;
  join_ = join;
}

void ActiveLanes::guess(std::uint32_t pc, LaneMask mask) {
  const bool may_be_more = kernel_.code[pc].guarded || mask == 0;
  active_ = may_be_more ? (active_ & live_) | mask : mask;
}

}  // namespace gpusim::frontend::accelsim

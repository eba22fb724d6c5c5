// SPDX-License-Identifier: MIT
#include "sim/exec/core/warp.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/exec/core/cta.h"

namespace gpusim::exec {
namespace {

/// Taken backward branches after which a path gives way, so that lanes that spin cannot keep those they wait for from
/// running (independent thread scheduling, since Volta).
constexpr std::uint32_t kPatience = 64;

}  // namespace

Warp::Warp(const Image& image, Cta& cta, std::uint32_t index)
    : cta_(&cta), index_(index), pool_(image.pool.data()), rows_(image.layout.rows()) {
  const std::uint32_t threads = std::min(kWarpLanes, image.facts.threads - index * kWarpLanes);
  all_ = threads == kWarpLanes ? kAllLanes : (LaneMask{1} << threads) - 1;
  begin();
}

void Warp::restart() {
  rows_.clear();
  paths_.clear();
  std::ranges::fill(local, std::byte{0});
  begin();
}

void Warp::begin() {
  pc = 0;
  live_ = all_;
  active = all_;
  patience_ = kPatience;
  predicates.fill(0);
  predicates[isa::kPT] = kAllLanes;
  predicates[kFirstUniformPredicate + isa::kPT] = kAllLanes;
}

bool Warp::resume_next() {
  const auto next = std::ranges::find(paths_, Path::Wait::kTurn, &Path::wait);
  if (next == paths_.end()) {
    return false;
  }
  pc = next->pc;
  active = next->lanes;
  paths_.erase(next);
  patience_ = kPatience;
  return true;
}

void Warp::push(const Path& path) {
  if (path.wait == Path::Wait::kTurn) {
    for (Path& other : paths_) {
      if (other.wait == Path::Wait::kTurn && other.pc == path.pc) {
        other.lanes |= path.lanes;
        return;
      }
    }
  }
  paths_.push_back(path);
}

void Warp::part(LaneMask taken, std::uint32_t target) {
  push({target, taken});
  active &= ~taken;
}

void Warp::branch_back(std::uint32_t target) {
  pc = target;
  if (--patience_ == 0) {
    patience_ = kPatience;
    yield();
  }
}

void Warp::scatter(LaneMask lanes, const std::array<std::uint32_t, kWarpLanes>& targets) {
  const LaneMask stay = active & ~lanes;
  while (lanes != 0) {
    const std::uint32_t target = targets[lowest_lane(lanes)];
    LaneMask same = 0;
    for_each_lane(lanes, [&](unsigned lane) { same |= LaneMask{targets[lane] == target} << lane; });
    lanes &= ~same;
    if (lanes == 0 && stay == 0) {
      pc = target;
      active = same;
      return;
    }
    push({target, same});
  }
  active = stay;
}

void Warp::exit(LaneMask lanes) {
  live_ &= ~lanes;
  active &= ~lanes;
  if (!paths_.empty()) {
    for (std::uint8_t barrier = 0; barrier < kConvergenceBarriers; ++barrier) {
      release_if_met(barrier);
    }
    release_lanes_if_met();
  }
  if (lanes != 0) {
    cta_->lanes_exited();
  }
}

void Warp::yield() {
  const LaneMask running = std::exchange(active, 0);
  const std::uint32_t at = pc;
  if (!resume_next()) {
    active = running;
    return;
  }
  if (pc == at) {
    active |= running;
  } else {
    push({at, running});
  }
}

void Warp::begin_convergence(LaneMask lanes, std::uint8_t barrier) {
  for_each_lane(lanes, [&](unsigned lane) { barriers_[barrier][lane] = lanes; });
}

void Warp::converge(LaneMask lanes, std::uint8_t barrier) {
  if (lanes == 0 || (barriers_[barrier][lowest_lane(lanes)] & live_) == lanes) {
    return;
  }
  push({pc, lanes, Path::Wait::kConvergence, barrier});
  active &= ~lanes;
  release_if_met(barrier);
}

void Warp::leave_convergence(LaneMask lanes, std::uint8_t barrier) {
  for (LaneMask& partners : barriers_[barrier]) {
    partners &= ~lanes;
  }
  release_if_met(barrier);
}

void Warp::release_if_met(std::uint8_t barrier) {
  const LaneMask here = waiting_for(Path::Wait::kConvergence, barrier);
  if (here == 0) {
    return;
  }
  LaneMask met = 0;
  for_each_lane(here, [&](unsigned lane) { met |= LaneMask{(barriers_[barrier][lane] & live_ & ~here) == 0} << lane; });
  release_some(met, Path::Wait::kConvergence, barrier);
}

void Warp::release_some(LaneMask lanes, Path::Wait reason, std::uint8_t number) {
  if (lanes == 0) {
    return;
  }
  std::vector<Path> ready;
  for (Path& path : paths_) {
    if (path.wait == reason && path.number == number && (path.lanes & lanes) != 0) {
      ready.push_back({path.pc, path.lanes & lanes});
      path.lanes &= ~lanes;
    }
  }
  std::erase_if(paths_, [](const Path& path) { return path.lanes == 0; });
  std::ranges::for_each(ready, [this](const Path& path) { push(path); });
}

void Warp::meet_lanes(LaneMask partners) {
  if ((partners & live_ & ~active) == 0) {
    return;
  }
  push({pc, active, Path::Wait::kLanes, 0, partners});
  active = 0;
  release_lanes_if_met();
}

void Warp::release_lanes_if_met() {
  const LaneMask here = waiting_for(Path::Wait::kLanes, 0);
  LaneMask met = 0;
  for (const Path& path : paths_) {
    if (path.wait == Path::Wait::kLanes && (path.partners & live_ & ~here) == 0) {
      met |= path.lanes;
    }
  }
  release_some(met, Path::Wait::kLanes, 0);
}

void Warp::wait(Path::Wait reason, std::uint8_t number) {
  push({pc, active, reason, number});
  active = 0;
}

void Warp::release(Path::Wait reason, std::uint8_t number) {
  release_some(kAllLanes, reason, number);
}

LaneMask Warp::waiting_for(Path::Wait reason, std::uint8_t number) const {
  LaneMask lanes = 0;
  for (const Path& path : paths_) {
    if (path.wait == reason && path.number == number) {
      lanes |= path.lanes;
    }
  }
  return lanes;
}

}  // namespace gpusim::exec

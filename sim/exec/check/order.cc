// SPDX-License-Identifier: MIT
#include "sim/exec/check/order.h"

#include <algorithm>

namespace gpusim::exec {
namespace {

/// Changes of a warp's lanes that are remembered. What is older counts as ordered.
constexpr std::size_t kMostTogether = 256;

}  // namespace

Order::Order(std::size_t ctas, std::size_t warps)
    : warps_(warps), states_(ctas * warps), bulk_time_(ctas), barriers_(ctas) {
  restart();
}

void Order::restart() {
  const std::size_t components = 2 * states_.size() + bulk_time_.size();
  for (WarpState& state : states_) {
    state = {};
    state.known.assign(components, 0);
  }
  std::ranges::fill(bulk_time_, 0);
  for (auto& barriers : barriers_) {
    barriers.fill({});
  }
  cluster_arrived_.clear();
  cluster_over_.clear();
  mbarriers_.clear();
}

void Order::join(Clock& into, const Clock& from) {
  into.resize(std::max(into.size(), from.size()));
  for (std::size_t i = 0; i < from.size(); ++i) {
    into[i] = std::max(into[i], from[i]);
  }
}

void Order::release(const Warp& warp, Clock& into) const {
  const WarpState& state = states_[index(warp)];
  join(into, state.known);
  into[index(warp)] = std::max(into[index(warp)], state.time);
}

void Order::step(const Warp& warp, LaneMask active) {
  WarpState& state = states_[index(warp)];
  if (state.active != active && state.time != 0) {
    lanes_met(warp, state.active);
  }
  state.active = active;
  ++state.time;
}

void Order::lanes_met(const Warp& warp, LaneMask lanes) {
  WarpState& state = states_[index(warp)];
  if (state.together.size() == kMostTogether) {
    state.together.erase(state.together.begin(), state.together.begin() + kMostTogether / 2);
  }
  state.together.push_back({lanes, state.time});
}

Stamp Order::now(const Warp& warp, unsigned lane, std::uint32_t pc) const {
  const std::size_t who = index(warp);
  return {static_cast<std::uint16_t>(who), static_cast<std::uint8_t>(lane), states_[who].time, pc};
}

Stamp Order::copying(const Warp& warp, unsigned lane, std::uint32_t pc) const {
  return {static_cast<std::uint16_t>(copies(warp)), static_cast<std::uint8_t>(lane), states_[index(warp)].copy_time,
          pc};
}

Stamp Order::bulk_copying(const Warp& warp, std::uint32_t pc) const {
  return {static_cast<std::uint16_t>(bulk(warp)), 0, bulk_time_[warp.cta().rank()], pc};
}

bool Order::is_before(const Stamp& earlier, const Warp& warp, unsigned lane) const {
  const WarpState& state = states_[index(warp)];
  if (earlier.at <= state.known[earlier.who]) {
    return true;
  }
  if (earlier.who != index(warp)) {
    return false;
  }
  if (earlier.lane == lane || (state.active >> earlier.lane & 1U) != 0) {
    return true;
  }
  const LaneMask both = LaneMask{1} << lane | LaneMask{1} << earlier.lane;
  const auto orders = [&](const WarpState::Together& one) {
    return one.until >= earlier.at && (one.lanes & both) == both;
  };
  const bool is_forgotten = state.together.size() >= kMostTogether / 2 && state.together.front().until > earlier.at;
  return is_forgotten || std::ranges::any_of(state.together, orders);
}

Order::Place Order::place_of(const Stamp& stamp) const {
  if (stamp.who >= 2 * states_.size()) {
    return {static_cast<unsigned>(stamp.who - 2 * states_.size()), 0};
  }
  const std::size_t warp = stamp.who % states_.size();
  return {static_cast<unsigned>(warp / warps_), static_cast<unsigned>(warp % warps_)};
}

void Order::arrive(const Warp& warp, std::uint8_t barrier) {
  release(warp, barriers_[warp.cta().rank()][barrier]);
}

void Order::open(Cta& cta, std::uint8_t barrier) {
  Clock& arrived = barriers_[cta.rank()][barrier];
  for (const Warp& warp : cta.warps()) {
    if (warp.waiting_for(Path::Wait::kCta, barrier) != 0) {
      acquire(warp, arrived);
    }
  }
  arrived.clear();
}

void Order::arrive_at_cluster(const Warp& warp) {
  release(warp, cluster_arrived_);
}

void Order::open_cluster(Cluster& cluster) {
  cluster_over_ = std::exchange(cluster_arrived_, {});
  for (std::uint32_t rank = 0; rank < cluster.size(); ++rank) {
    for (const Warp& warp : cluster.member(rank)->warps()) {
      if (warp.waiting_for(Path::Wait::kCluster, 0) != 0) {
        acquire(warp, cluster_over_);
      }
    }
  }
}

void Order::pass_cluster(const Warp& warp) {
  acquire(warp, cluster_over_);
}

void Order::end_group(const Warp& warp) {
  WarpState& state = states_[index(warp)];
  state.groups.push_back(state.copy_time++);
}

void Order::wait_for_groups(const Warp& warp, std::size_t left) {
  WarpState& state = states_[index(warp)];
  if (state.groups.size() > left) {
    const auto after = state.groups.end() - static_cast<std::ptrdiff_t>(left);
    state.known[copies(warp)] = *std::prev(after);
    state.groups.erase(state.groups.begin(), after);
  }
}

void Order::arrive_at_mbarrier(const MbarrierName& name, const Warp& warp) {
  release(warp, mbarriers_[name].arrived);
}

void Order::bytes_come(const MbarrierName& name, const Warp& warp) {
  Clock& arrived = mbarriers_[name].arrived;
  arrived.resize(states_.front().known.size());
  arrived[bulk(warp)] = bulk_time_[warp.cta().rank()];
}

void Order::end_phase(const MbarrierName& name) {
  MbarrierState& state = mbarriers_[name];
  join(state.over, std::exchange(state.arrived, {}));
}

void Order::pass_mbarrier(const MbarrierName& name, const Warp& warp) {
  acquire(warp, mbarriers_[name].over);
}

}  // namespace gpusim::exec

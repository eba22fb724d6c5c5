// SPDX-License-Identifier: MIT
#include "sim/exec/core/cta.h"

#include <algorithm>
#include <bit>

#include "sim/exec/core/cluster_port.h"
#include "sim/exec/core/watch.h"

namespace gpusim::exec {

Cta::Cta(const Image& image, CtaPlace place) : image_(image), place_(place), shared_(image.facts.shared_bytes) {
  alone_.add(*this);
  warps_.reserve(image.facts.warps);
  for (std::uint32_t index = 0; index < image.facts.warps; ++index) {
    warps_.emplace_back(image, *this, index);
  }
}

void Cta::restart(CtaPlace place) {
  place_ = place;
  std::ranges::fill(shared_, std::byte{0});
  barriers_ = {};
  std::ranges::for_each(warps_, &Warp::restart);
}

void Cta::join(Cluster& cluster, std::uint32_t rank) {
  cluster_ = &cluster;
  cluster.add(*this);
  rank_ = rank;
}

void Cta::run_apart(std::uint32_t rank, ClusterPort& port) {
  rank_ = rank;
  cluster_port_ = &port;
}

std::uint32_t Cta::live_threads() const {
  std::uint32_t threads = 0;
  for (const Warp& warp : warps_) {
    threads += static_cast<std::uint32_t>(std::popcount(warp.live()));
  }
  return threads;
}

void Cta::arrive(Warp& warp, const Arrival& arrival) {
  NamedBarrier& barrier = barriers_[arrival.barrier];
  if (watch_ != nullptr) [[unlikely]] {
    watch_->arrives(warp, arrival.barrier);
  }
  const auto lanes = static_cast<std::uint32_t>(std::popcount(warp.active));
  barrier.expected = arrival.threads;
  barrier.lanes += lanes;
  barrier.arrived += warp.active == warp.live() ? kWarpLanes : lanes;
  barrier.true_count += static_cast<std::uint32_t>(std::popcount(arrival.voters));
  barrier.reduction = arrival.reduction;
  if (arrival.waits) {
    warp.wait(Path::Wait::kCta, arrival.barrier);
  }
  open_if_complete(arrival.barrier);
}

void Cta::lanes_exited() {
  for (std::uint8_t number = 0; number < kNamedBarriers; ++number) {
    if (barriers_[number].lanes != 0) {
      open_if_complete(number);
    }
  }
  cluster_->threads_exited();
}

void Cta::open_if_complete(std::uint8_t number) {
  NamedBarrier& barrier = barriers_[number];
  const bool complete = barrier.expected == 0 ? barrier.lanes >= live_threads() : barrier.arrived >= barrier.expected;
  if (!complete) {
    return;
  }
  if (watch_ != nullptr) [[unlikely]] {
    watch_->opens(*this, number);
  }
  constexpr std::uint8_t kAnd = 1;
  const bool flag = barrier.reduction == kAnd ? barrier.true_count == barrier.lanes : barrier.true_count != 0;
  for (Warp& warp : warps_) {
    if (warp.waiting_for(Path::Wait::kCta, number) != 0) {
      warp.barrier_count = barrier.true_count;
      warp.barrier_flag = flag;
      warp.release(Path::Wait::kCta, number);
    }
  }
  barrier = {};
}

}  // namespace gpusim::exec

// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/dispatcher.h"

#include <algorithm>
#include <utility>

#include "sim/model/trace/step.h"

namespace gpusim::gpu {

CtaDispatcher::CtaDispatcher(msg::DomainId id, const arch::LaunchConfig& launch, DispatchJob job)
    : Domain(id),
      launch_(launch),
      job_(std::move(job)),
      free_(job_.sms.size(), job_.ctas_per_sm),
      free_places_(job_.sms.size() * job_.ctas_per_sm),
      ctas_per_cluster_(static_cast<std::uint32_t>(job_.cluster.volume())),
      next_cta_(job_.first_cta) {
  gpc_of_sm_.resize(job_.gpcs.empty() ? 0 : job_.sms.size());
  for (std::uint32_t gpc = 0; gpc < job_.gpcs.size(); ++gpc) {
    free_of_gpc_.push_back(job_.gpcs[gpc].sms.size() * job_.ctas_per_sm);
    for (const std::uint32_t sm : job_.gpcs[gpc].sms) {
      gpc_of_sm_[sm] = gpc;
    }
  }
}

Cycle CtaDispatcher::next_event() const {
  return std::min(next_message(), can_launch() ? next_launch_ : kNever);
}

void CtaDispatcher::run_until(Cycle end) {
  for (Cycle next = next_event(); next < end; next = next_event()) {
    step(next);
  }
}

bool CtaDispatcher::can_launch() const {
  if (next_cta_ == job_.end_cta) {
    return false;
  }
  if (ctas_per_cluster_ == 1) {
    return free_places_ > 0;
  }
  const auto has_room = [this](std::uint64_t places) { return places >= ctas_per_cluster_; };
  return next_cta_ % ctas_per_cluster_ != 0 || std::ranges::any_of(free_of_gpc_, has_room);
}

void CtaDispatcher::step(Cycle now) {
  if (next_message() == now) {
    receive(now, [this](const msg::Message& message) {
      const std::uint32_t sm = message.as<msg::CtaDone>().sm;
      ++done_;
      ++free_[sm];
      ++free_places_;
      if (!gpc_of_sm_.empty()) {
        ++free_of_gpc_[gpc_of_sm_[sm]];
      }
    });
  }
  if (!can_launch() || now < next_launch_) {
    return;
  }
  const auto rank = static_cast<std::uint32_t>(next_cta_ % ctas_per_cluster_);
  if (ctas_per_cluster_ == 1) {
    placed_.assign(1, next_sm_in_turn());
  } else if (rank == 0) {
    place_cluster();
  }
  if (rank == 0 && !job_.gpcs.empty()) {
    tell_router(placed_.front(), now);
  }
  launch(placed_[rank], now);
  interval_rest_ += launch_.cta_interval.numerator;
  next_launch_ = now + interval_rest_ / launch_.cta_interval.denominator;
  interval_rest_ %= launch_.cta_interval.denominator;
}

std::uint32_t CtaDispatcher::next_sm_in_turn() {
  const auto next = [this](std::uint32_t sm) { return (sm + 1) % static_cast<std::uint32_t>(free_.size()); };
  while (free_[cursor_] == 0) {
    cursor_ = next(cursor_);
  }
  const std::uint32_t sm = std::exchange(cursor_, next(cursor_));
  --free_[sm];
  --free_places_;
  if (!gpc_of_sm_.empty()) {
    --free_of_gpc_[gpc_of_sm_[sm]];
  }
  return sm;
}

/// Takes places for all CTAs of the next cluster: in the next GPC, in turn, that has as many, each on the SM with the
/// most places left.
void CtaDispatcher::place_cluster() {
  const auto gpcs = static_cast<std::uint32_t>(job_.gpcs.size());
  while (free_of_gpc_[gpc_cursor_] < ctas_per_cluster_) {
    gpc_cursor_ = (gpc_cursor_ + 1) % gpcs;
  }
  const std::uint32_t gpc = std::exchange(gpc_cursor_, (gpc_cursor_ + 1) % gpcs);
  placed_.clear();
  for (std::uint32_t rank = 0; rank < ctas_per_cluster_; ++rank) {
    const std::uint32_t sm =
        *std::ranges::max_element(job_.gpcs[gpc].sms, {}, [this](std::uint32_t i) { return free_[i]; });
    --free_[sm];
    placed_.push_back(sm);
  }
  free_places_ -= ctas_per_cluster_;
  free_of_gpc_[gpc] -= ctas_per_cluster_;
}

/// The router hears where all CTAs of a cluster will be when the first of them begins.
void CtaDispatcher::tell_router(std::uint32_t sm, Cycle now) {
  for (std::uint32_t rank = 0; rank < ctas_per_cluster_; ++rank) {
    const msg::ClusterMember member{next_cta_ / ctas_per_cluster_, static_cast<std::uint16_t>(rank),
                                    static_cast<std::uint16_t>(placed_[rank])};
    send(job_.gpcs[gpc_of_sm_[sm]].router, now + launch_.cta_latency, msg::make(msg::Kind::kCtaPlaced, member));
  }
}

void CtaDispatcher::launch(std::uint32_t sm, Cycle now) {
  const trace::ClusterPlace place{next_cta_ / ctas_per_cluster_,
                                  static_cast<std::uint32_t>(next_cta_ % ctas_per_cluster_)};
  const std::uint64_t cta = ctas_per_cluster_ == 1 ? next_cta_ : trace::cta_of(place, job_.grid, job_.cluster);
  ++next_cta_;
  send(job_.sms[sm], now + launch_.cta_latency, msg::make(msg::Kind::kCtaLaunch, msg::CtaLaunch{cta}));
}

}  // namespace gpusim::gpu

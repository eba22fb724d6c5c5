// SPDX-License-Identifier: MIT
#include "sim/gpu/dispatcher.h"

#include <algorithm>
#include <utility>

namespace gpusim::gpu {

CtaDispatcher::CtaDispatcher(msg::DomainId id, const arch::LaunchConfig& launch, DispatchJob job)
    : Domain(id),
      launch_(launch),
      job_(std::move(job)),
      free_(job_.sms.size(), job_.ctas_per_sm),
      free_places_(job_.sms.size() * job_.ctas_per_sm),
      next_cta_(job_.first_cta) {}

Cycle CtaDispatcher::next_event() const {
  return std::min(next_message(), can_launch() ? next_launch_ : kNever);
}

void CtaDispatcher::run_until(Cycle end) {
  for (Cycle next = next_event(); next < end; next = next_event()) {
    step(next);
  }
}

void CtaDispatcher::step(Cycle now) {
  if (next_message() == now) {
    receive(now, [this](const msg::Message& message) {
      ++done_;
      ++free_[message.requester];
      ++free_places_;
    });
  }
  if (!can_launch() || now < next_launch_) {
    return;
  }
  while (free_[cursor_] == 0) {
    cursor_ = (cursor_ + 1) % static_cast<std::uint32_t>(free_.size());
  }
  launch(cursor_, now);
  cursor_ = (cursor_ + 1) % static_cast<std::uint32_t>(free_.size());
  next_launch_ = now + launch_.cta_interval;
}

void CtaDispatcher::launch(std::uint32_t sm, Cycle now) {
  --free_[sm];
  --free_places_;
  msg::Message message;
  message.kind = msg::Kind::kCtaLaunch;
  message.address = next_cta_++;
  send(job_.sms[sm], now + launch_.cta_latency, message);
}

}  // namespace gpusim::gpu

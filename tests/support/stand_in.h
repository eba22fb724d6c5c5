// SPDX-License-Identifier: MIT
// A domain for tests that stands in for any other: sends what it was told to, when it was told to, keeps what it
// receives and can answer it.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "sim/machine/engine/domain.h"
#include "sim/machine/engine/event_wheel.h"

namespace gpusim::test {

class StandIn : public engine::Domain {
 public:
  using Answer = std::function<void(StandIn&, const msg::Message&, Cycle now)>;

  explicit StandIn(msg::DomainId id, Answer answer = {}) : Domain(id), answer_(std::move(answer)) {}

  /// At cycle `when`, sends `message` to `to`, where it arrives `latency` later.
  void plan(Cycle when, msg::DomainId to, Cycle latency, const msg::Message& message) {
    planned_.push(when, {message, to, latency});
  }

  void run_until(Cycle end) override {
    for (Cycle now = next_event(); now < end; now = next_event()) {
      receive(now, [this, now](const msg::Message& m) {
        received.push_back(m);
        if (answer_) {
          answer_(*this, m, now);
        }
      });
      if (planned_.next_time() == now) {
        planned_.pop_all(now, [this, now](const Planned& p) { send(p.to, now + p.latency, p.message); });
      }
    }
  }
  [[nodiscard]] Cycle next_event() const override { return std::min(next_message(), planned_.next_time()); }

  /// Those received of one kind, in order.
  [[nodiscard]] std::vector<msg::Message> of_kind(msg::Kind kind) const {
    std::vector<msg::Message> result;
    std::copy_if(received.begin(), received.end(), std::back_inserter(result),
                 [kind](const msg::Message& m) { return m.kind() == kind; });
    return result;
  }

  std::vector<msg::Message> received;

 private:
  struct Planned {
    msg::Message message;
    msg::DomainId to = 0;
    Cycle latency = 0;
  };
  Answer answer_;
  engine::EventWheel<Planned> planned_;
};

/// Sends its requests in order to one receiver, as fast as a port of `per_cycle` messages a cycle and the credits
/// allow (`credits` 0: no limit), and takes the credits that come back.
class CreditedSender : public engine::Domain {
 public:
  struct Link {
    msg::DomainId to = 0;
    Cycle latency = 0;
    std::uint32_t credits = 0;
    std::uint32_t per_cycle = 1;
  };
  CreditedSender(msg::DomainId id, Link link)
      : Domain(id), link_(link), credits(link.credits == 0 ? 0xffffffffU : link.credits) {}

  void run_until(Cycle end) override {
    for (Cycle now = next_event(); now < end; now = next_event()) {
      receive(now, [this](const msg::Message& m) {
        if (m.kind() == msg::Kind::kSmCredit) {
          credits += m.as<msg::SmCredit>().places;
        } else {
          received.push_back(m);
        }
      });
      ready_at_ = std::max(ready_at_, now);
      if (ready_at_ == now) {
        for (std::uint32_t n = 0; n < link_.per_cycle && can_send(); ++n, --credits) {
          send(link_.to, now + link_.latency, requests[sent_++]);
        }
        ready_at_ = now + 1;
      }
    }
  }
  [[nodiscard]] Cycle next_event() const override { return std::min(next_message(), can_send() ? ready_at_ : kNever); }
  [[nodiscard]] bool all_sent() const { return sent_ == requests.size(); }

 private:
  [[nodiscard]] bool can_send() const { return credits > 0 && sent_ < requests.size(); }

  Link link_;
  std::size_t sent_ = 0;
  Cycle ready_at_ = 0;

 public:
  std::vector<msg::Message> requests;
  std::vector<msg::Message> received;
  std::uint32_t credits;
};

}  // namespace gpusim::test

// SPDX-License-Identifier: MIT
// The CTA dispatcher: hands the grid's CTAs to SMs in order. It never looks into an SM but keeps a ledger of what it
// gave out and what has come back.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/arch/arch.h"
#include "sim/base/types.h"
#include "sim/engine/domain.h"

namespace gpusim::gpu {

struct DispatchJob {
  std::uint64_t first_cta = 0;
  std::uint64_t end_cta = 0;  ///< one past the last
  std::uint32_t ctas_per_sm = 0;
  std::vector<msg::DomainId> sms;  ///< by SM number; filled round robin, one CTA each
};

class CtaDispatcher final : public engine::Domain {
 public:
  CtaDispatcher(msg::DomainId id, const arch::LaunchConfig& launch, DispatchJob job);

  void run_until(Cycle end) override;
  [[nodiscard]] Cycle next_event() const override;

  [[nodiscard]] std::uint64_t launched() const { return next_cta_ - job_.first_cta; }
  [[nodiscard]] std::uint64_t done() const { return done_; }
  [[nodiscard]] bool finished() const { return done_ == job_.end_cta - job_.first_cta; }

 private:
  void step(Cycle now);
  void launch(std::uint32_t sm, Cycle now);
  [[nodiscard]] bool can_launch() const { return next_cta_ < job_.end_cta && free_places_ > 0; }

  arch::LaunchConfig launch_;
  DispatchJob job_;
  std::vector<std::uint32_t> free_;  ///< places left, by index into job_.sms
  std::uint64_t free_places_ = 0;
  std::uint32_t cursor_ = 0;  ///< where the round goes on
  std::uint64_t next_cta_ = 0;
  std::uint64_t done_ = 0;
  Cycle next_launch_ = 0;
};

}  // namespace gpusim::gpu

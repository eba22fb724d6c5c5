// SPDX-License-Identifier: MIT
// The CTA dispatcher: hands the grid's CTAs to SMs in order. It never looks into an SM but keeps a ledger of what it
// gave out and what has come back. The CTAs of a cluster go to one GPC, together or not at all. Owns the ledger, and
// where the rounds over SMs and GPCs go on.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/model/arch/arch.h"

namespace gpusim::gpu {

struct DispatchJob {
  std::uint64_t first_cta = 0;
  std::uint64_t end_cta = 0;  ///< one past the last
  std::uint32_t ctas_per_sm = 0;
  std::vector<msg::DomainId> sms;  ///< by SM number; filled round robin, one CTA each

  /// A GPC whose router is to know where CTAs run.
  struct Gpc {
    msg::DomainId router = 0;
    std::vector<std::uint32_t> sms;  ///< indices into DispatchJob::sms
  };
  std::vector<Gpc> gpcs{};  ///< none: the kernel has nothing to do with clusters
  Dim3 grid{};
  Dim3 cluster{};  ///< if it has more than one CTA, first_cta and end_cta are multiples of trace::cluster_stride
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
  [[nodiscard]] bool can_launch() const;
  [[nodiscard]] std::uint32_t next_sm_in_turn();
  void place_cluster();
  void tell_router(std::uint32_t sm, Cycle now);

  arch::LaunchConfig launch_;
  DispatchJob job_;
  std::vector<std::uint32_t> free_;  ///< places left, by index into job_.sms
  std::uint64_t free_places_ = 0;
  std::uint32_t cursor_ = 0;  ///< where the round goes on
  std::uint32_t ctas_per_cluster_ = 1;
  std::vector<std::uint32_t> gpc_of_sm_;    ///< by index into job_.sms; empty without clusters
  std::vector<std::uint64_t> free_of_gpc_;  ///< places left in each GPC
  std::uint32_t gpc_cursor_ = 0;            ///< where the round over GPCs goes on
  std::vector<std::uint32_t> placed_;       ///< SMs of the CTAs of the cluster that is being launched, by rank
  /// In the order of launches: the grid's, or that of the clusters, each with its CTAs in the order of their ranks.
  std::uint64_t next_cta_ = 0;
  std::uint64_t done_ = 0;
  Cycle next_launch_ = 0;
  std::uint64_t interval_rest_ = 0;  ///< what intervals have beyond whole cycles, in parts of launch_.cta_interval
};

}  // namespace gpusim::gpu

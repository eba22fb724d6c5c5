// SPDX-License-Identifier: MIT
// A CTA that does what a record says.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "sim/exec/alike/cta_record.h"
#include "sim/model/trace/executed.h"

namespace gpusim::exec {

class ReplayedWarp final : public trace::ExecutedWarp {
 public:
  ReplayedWarp(const CtaRecord& record, std::size_t warp, const GridDistance& distance)
      : record_(record), steps_(record.warps[warp]), distance_(distance) {}

  bool next(trace::Step& step, Cycle /*now*/) override {
    if (next_ == steps_.size()) {
      return false;
    }
    step = steps_[next_++].step;
    return true;
  }
  trace::LaneAddresses addresses(trace::AccessSlot slot) override {
    if (current().access == CtaRecord::kNoAccess) {
      return trace::kNowhere;
    }
    const CtaRecord::Access& access = record_.accesses[current().access + static_cast<std::size_t>(slot)];
    trace::LaneAddresses addresses = access.addresses;
    addresses.base += static_cast<Address>(access.slope.over(distance_));
    return addresses;
  }
  isa::MemSpace space() override {
    return current().access == CtaRecord::kNoAccess ? isa::MemSpace::kNone : record_.accesses[current().access].space;
  }
  /// A record has no commands, polls or accesses to other CTAs.
  trace::AsyncOperands async_operands() override { return {}; }
  std::uint32_t target_rank() override { return 0; }
  void answer(std::uint32_t /*pc*/, bool /*yes*/, trace::Step& /*step*/) override {}

 private:
  [[nodiscard]] const CtaRecord::WarpStep& current() const { return steps_[next_ - 1]; }

  const CtaRecord& record_;
  const std::vector<CtaRecord::WarpStep>& steps_;
  GridDistance distance_;
  std::size_t next_ = 0;
};

class ReplayedCta final : public trace::ExecutedCta {
 public:
  ReplayedCta(std::shared_ptr<const CtaRecord> record, trace::CtaId cta) : record_(std::move(record)) {
    warps_.reserve(record_->warps.size());
    for (std::size_t warp = 0; warp < record_->warps.size(); ++warp) {
      warps_.emplace_back(*record_, warp, distance(record_->place, cta));
    }
  }
  [[nodiscard]] trace::ExecutedWarp& warp(std::uint32_t index) override { return warps_[index]; }

 private:
  std::shared_ptr<const CtaRecord> record_;
  std::vector<ReplayedWarp> warps_;
};

}  // namespace gpusim::exec

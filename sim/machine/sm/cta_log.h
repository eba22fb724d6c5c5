// SPDX-License-Identifier: MIT
// When CTAs came to an SM and left it, of a run that records them. Owns the spans.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/stats/kernel_record.h"

namespace gpusim::sm {

class CtaLog {
 public:
  /// Logs the CTAs of SM `sm`. CTAs from number `end` on are left out.
  CtaLog(std::uint32_t sm, std::uint32_t slots, std::uint64_t end) : sm_(sm), end_(end), begins_(slots) {}

  void begin(std::uint32_t slot, Cycle now) { begins_[slot] = now; }
  void end(std::uint64_t cta, std::uint32_t slot, Cycle now) {
    if (cta < end_) {
      spans_.push_back({cta, sm_, slot, begins_[slot], now});
    }
  }
  [[nodiscard]] const std::vector<stats::CtaSpan>& spans() const { return spans_; }

 private:
  std::uint32_t sm_;
  std::uint64_t end_;
  std::vector<Cycle> begins_;  ///< by slot
  std::vector<stats::CtaSpan> spans_;
};

}  // namespace gpusim::sm

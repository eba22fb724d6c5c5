// SPDX-License-Identifier: MIT
// A sub-core's scheduler: whatever policy the architecture names, behind one interface. A policy without state costs no
// more than its pick().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "sim/model/policy/warp/fair.h"
#include "sim/model/policy/warp/greedy_then_oldest.h"
#include "sim/model/policy/warp/greedy_then_youngest.h"
#include "sim/model/policy/warp/loose_round_robin.h"
#include "sim/model/policy/warp/oldest_first.h"
#include "sim/model/policy/warp/table.h"
#include "sim/model/policy/warp/two_level.h"

namespace gpusim::policy {

class WarpScheduler {
 public:
  explicit WarpScheduler(WarpPolicy policy, const WarpPolicyOptions& options = {})
      : policy_(Policies::kMake[static_cast<std::size_t>(policy)](options)),
        has_state_(std::visit([](const auto& p) { return p.kHasState; }, policy_)),
        stays_on_last_(std::visit([](const auto& p) { return p.kStaysOnLast; }, policy_)) {}

  /// Which of the ready warps (none, perhaps) the policy lets issue.
  [[nodiscard]] SlotMask eligible(SlotMask ready, Ages ages) {
    if (!has_state_) [[likely]] {
      return ready;
    }
    return std::visit([&](auto& policy) { return policy.eligible(ready, ages); }, policy_);
  }
  /// The slot that issues next, of `candidates` (not empty): at once, or when the constant that it reads is there.
  [[nodiscard]] std::uint32_t pick(SlotMask candidates, Ages ages) {
    last_ = would_pick(candidates, ages);
    return last_;
  }
  /// The same, and nothing issues.
  [[nodiscard]] std::uint32_t would_pick(SlotMask candidates, Ages ages) const {
    return stays_on_last(candidates) ? last_ : pick_by_policy({candidates, last_, ages});
  }
  /// Whether that is the slot that was picked last, whatever else is ready: it is one of `candidates`.
  [[nodiscard]] bool stays_on_last(SlotMask candidates) const {
    return stays_on_last_ && (candidates >> last_ & 1U) != 0;
  }
  [[nodiscard]] std::uint32_t last() const { return last_; }
  /// Whether the policy remembers something, so that issued() and began_long_wait() need be called and that eligible()
  /// may hide ready warps.
  [[nodiscard]] bool has_state() const { return has_state_; }
  /// The warp in `slot` has issued.
  void issued(std::uint32_t slot) {
    std::visit([slot](auto& policy) { policy.issued(slot); }, policy_);
  }
  /// The warp in `slot` has begun a long wait (for memory, a barrier, a fence, a sleep), or has exited.
  void began_long_wait(std::uint32_t slot) {
    std::visit([slot](auto& policy) { policy.began_long_wait(slot); }, policy_);
  }

 private:
#define GPUSIM_X(enumerator, type, name, alias, option, what) , type
  template <class Nothing, class... Policies>
  struct Table {
    using Any = std::variant<Policies...>;
    static constexpr std::array kMake{+[](const WarpPolicyOptions& options) { return Any(Policies(options)); }...};
  };
  using Policies = Table<void GPUSIM_WARP_POLICIES(GPUSIM_X)>;
#undef GPUSIM_X

  [[nodiscard]] std::uint32_t pick_by_policy(const WarpView& view) const {
    return std::visit([&view](const auto& policy) { return policy.pick(view); }, policy_);
  }

  Policies::Any policy_;
  bool has_state_;
  bool stays_on_last_;
  std::uint32_t last_ = 0;
};

}  // namespace gpusim::policy

// SPDX-License-Identifier: MIT
// A channel's request scheduler: whatever policy the architecture names, behind one interface.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <variant>

#include "sim/model/policy/dram/fcfs.h"
#include "sim/model/policy/dram/fr_fcfs.h"
#include "sim/model/policy/dram/fr_fcfs_cap.h"
#include "sim/model/policy/dram/table.h"

namespace gpusim::policy {

/// Holds the policy's object, with what that remembers.
class AnyDramScheduler {
 public:
  AnyDramScheduler(DramScheduler policy, const DramSchedulerOptions& options)
      : policy_(Policies::kMake[static_cast<std::size_t>(policy)](options)) {}

  /// Calls `use` with the policy. The first of the table, the default, costs one comparison.
  template <class Use>
  decltype(auto) with(Use&& use) {
    if (auto* const first = std::get_if<0>(&policy_)) [[likely]] {
      return use(*first);
    }
    return std::visit(std::forward<Use>(use), policy_);
  }

 private:
#define GPUSIM_X(enumerator, type, name, option, what) , type
  template <class Nothing, class... Policies>
  struct Table {
    using Any = std::variant<Policies...>;
    static constexpr std::array kMake{+[](const DramSchedulerOptions& options) { return Any(Policies(options)); }...};
  };
  using Policies = Table<void GPUSIM_DRAM_SCHEDULERS(GPUSIM_X)>;
#undef GPUSIM_X

  Policies::Any policy_;
};

}  // namespace gpusim::policy

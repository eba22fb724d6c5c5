// SPDX-License-Identifier: MIT
// A cache's replacement policy: whatever policy the architecture names, behind one interface.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <variant>

#include "sim/model/policy/replacement/drrip.h"
#include "sim/model/policy/replacement/lru.h"
#include "sim/model/policy/replacement/pseudo_lru.h"
#include "sim/model/policy/replacement/random.h"
#include "sim/model/policy/replacement/srrip.h"
#include "sim/model/policy/replacement/table.h"

namespace gpusim::policy {

/// Holds the policy's object, with what that remembers of the whole cache.
class AnyReplacement {
 public:
  explicit AnyReplacement(Replacement policy) : policy_(Policies::kMake[static_cast<std::size_t>(policy)]()) {}

  /// Calls `use` with the policy. The first of the table, the default, costs one comparison, not even a call.
  template <class Use>
  [[gnu::always_inline]] decltype(auto) with(Use&& use) {
    if (auto* const first = std::get_if<0>(&policy_)) [[likely]] {
      return use(*first);
    }
    return std::visit(std::forward<Use>(use), policy_);
  }

  /// Back to the state after construction.
  void clear() { policy_ = Policies::kMake[policy_.index()](); }

 private:
#define GPUSIM_X(enumerator, type, name, what) , type
  template <class Nothing, class... Policies>
  struct Table {
    using Any = std::variant<Policies...>;
    static constexpr std::array kMake{+[] { return Any(Policies()); }...};
  };
  using Policies = Table<void GPUSIM_REPLACEMENTS(GPUSIM_X)>;
#undef GPUSIM_X

  Policies::Any policy_;
};

}  // namespace gpusim::policy

// SPDX-License-Identifier: MIT
// The classes behind the table of replacement policies.
#pragma once

#include "sim/model/policy/replacement/lru.h"
#include "sim/model/policy/replacement/pseudo_lru.h"
#include "sim/model/policy/replacement/random.h"
#include "sim/model/policy/replacement/srrip.h"
#include "sim/model/policy/replacement/table.h"

namespace gpusim::policy {

/// Calls `use` with the class of a policy. The first is what caches have by default, and costs one comparison, not even
/// a call.
template <class Use>
[[gnu::always_inline]] inline decltype(auto) with_replacement(Replacement policy, Use&& use) {
  if (policy == Replacement::kLru) [[likely]] {
    return use(Lru());
  }
  switch (policy) {
#define GPUSIM_X(enumerator, type, name, what) \
  case Replacement::enumerator: return use(type());
    GPUSIM_REPLACEMENTS(GPUSIM_X)
#undef GPUSIM_X
  }
  return use(Lru());
}

}  // namespace gpusim::policy

// SPDX-License-Identifier: MIT
// An mbarrier in the shared memory of a CTA of the cluster, changed in place.
#pragma once

#include <cstring>

#include "sim/exec/async/mbarrier.h"
#include "sim/exec/core/async_effect.h"
#include "sim/exec/ops/addresses.h"

namespace gpusim::exec {

/// Calls change(barrier) and writes it back; returns the state before. Throws AccessFault for a bad address.
template <class Change>
std::uint64_t change_mbarrier(Cta& cta, unsigned lane, Address address, const Change& change) {
  std::byte* const at = shared_bytes(cta, lane, address, kMbarrierBytes, AccessKind::kMbarrier);
  std::uint64_t before;
  std::memcpy(&before, at, sizeof before);
  Mbarrier barrier(before);
  change(barrier);
  const std::uint64_t after = barrier.state();
  std::memcpy(at, &after, sizeof after);
  return before;
}

}  // namespace gpusim::exec

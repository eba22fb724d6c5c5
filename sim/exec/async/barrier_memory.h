// SPDX-License-Identifier: MIT
// An mbarrier in the shared memory of a CTA of the cluster, changed in place.
#pragma once

#include <cstring>

#include "sim/exec/async/mbarrier.h"
#include "sim/exec/core/async_effect.h"
#include "sim/exec/core/cluster_port.h"
#include "sim/exec/memory/fault.h"
#include "sim/exec/memory/windows.h"
#include "sim/exec/ops/addresses.h"

namespace gpusim::exec {

/// Calls change(barrier), which may be kept for later, and writes it back; returns the state before, or 0 where the CTA
/// of the mbarrier runs apart. Throws AccessFault for a bad address.
template <class Change>
std::uint64_t change_mbarrier(Cta& cta, unsigned lane, Address address, const Change& change) {
  const auto apply = [change](std::byte* at) {
    std::uint64_t before;
    std::memcpy(&before, at, sizeof before);
    Mbarrier barrier(before);
    change(barrier);
    const std::uint64_t after = barrier.state();
    std::memcpy(at, &after, sizeof after);
    return before;
  };
  if (ClusterPort* const port = port_to(cta, lane, address, kMbarrierBytes, AccessKind::kMbarrier)) {
    port->later(rank_in(address), [apply, offset = offset_in(address)](std::span<std::byte> shared) {
      static_cast<void>(apply(shared.data() + offset));
    });
    return 0;
  }
  return apply(shared_bytes(cta, lane, address, kMbarrierBytes, AccessKind::kMbarrier));
}

}  // namespace gpusim::exec

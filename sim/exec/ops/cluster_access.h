// SPDX-License-Identifier: MIT
// Accesses to the shared memory of any CTA of a cluster. Where the CTAs run apart, on SMs that are simulated side by
// side, what goes to another one is done when the SMs' doings are exchanged, and its value comes then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "sim/exec/core/cta.h"
#include "sim/exec/memory/atomic.h"
#include "sim/exec/memory/fault.h"
#include "sim/exec/memory/global_port.h"

namespace gpusim::exec {

/// The lanes of an access to shared memory that go to CTAs which run apart from this one. Throws as shared_bytes()
/// does.
LaneMask lanes_apart(Cta& cta, const LaneAccess& access, AccessKind kind);
/// Throws LaneFault where there are such lanes: the instruction's other lanes go to other kinds of memory, so that its
/// values would come at different times.
void require_none_apart(Cta& cta, const LaneAccess& access, AccessKind kind);
/// What such a lane does to the bytes at its address, later.
void act_apart(Cta& cta, Address address, std::function<void(std::byte* at)> act);

void store_cluster_shared(Cta& cta, const LaneAccess& access, const std::uint32_t* rows);
/// An atomic on shared memory of the own CTA. Nothing changes when a lane's address is not possible.
void apply_shared(Cta& cta, const AtomicAccess& access);
/// An atomic on shared memory of any CTA.
void apply_cluster_shared(Cta& cta, const AtomicAccess& access);

}  // namespace gpusim::exec

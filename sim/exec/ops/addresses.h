// SPDX-License-Identifier: MIT
// The addresses of a memory instruction, and accesses to the memories of CTA and thread.
#pragma once

#include <cstdint>

#include "sim/exec/core/cluster_port.h"
#include "sim/exec/core/context.h"
#include "sim/exec/core/cta.h"
#include "sim/exec/core/lowering.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/memory/global_port.h"

namespace gpusim::exec {

/// Bytes of MicroOp::bytes that Lowering::address() fills.
inline constexpr std::size_t kBaseWidthByte = 0;
inline constexpr std::size_t kScaleByte = 2;
/// Sources of LDGSTS that its address in shared memory is made of.
inline constexpr std::size_t kSharedBase = 2;
inline constexpr std::size_t kSharedUniform = 3;

/// Global and generic addresses, of 64 bits. `mask` is not empty.
void global_addresses(const Warp& warp, const MicroOp& op, LaneMask mask, AddressRow& addresses);
/// Offsets in shared or local memory, of 32 bits.
void small_addresses(const Warp& warp, const MicroOp& op, LaneMask mask, AddressRow& addresses);
/// The same from a base and an offset that are given.
void small_addresses(const std::uint32_t* base, std::uint32_t scale, std::uint32_t plus, LaneMask mask,
                     AddressRow& addresses);
/// Lanes outside the mask get the address of its lowest lane.
void fill_idle_lanes(LaneMask mask, AddressRow& addresses);

/// Where the bytes of a shared address are, which may name another CTA of the cluster. Throws AccessFault for an
/// address that is misaligned or outside.
std::byte* shared_bytes(Cta& cta, unsigned lane, Address address, unsigned bytes, AccessKind kind);
/// The way to the CTA that a shared address names, if it runs apart from this one; null otherwise. Throws as
/// shared_bytes() does.
ClusterPort* port_to(Cta& cta, unsigned lane, Address address, unsigned bytes, AccessKind kind);
/// Where the image has no values, an access to shared memory is checked alone.
void load_shared(Cta& cta, const LaneAccess& access, std::uint32_t* rows);
void store_shared(Cta& cta, const LaneAccess& access, const std::uint32_t* rows);
/// Where the bytes of an address in a thread's local memory are. Throws as shared_bytes() does.
std::byte* local_bytes(Warp& warp, unsigned lane, Address address, unsigned bytes, AccessKind kind);
void load_local(Warp& warp, const LaneAccess& access, std::uint32_t* rows);
void store_local(Warp& warp, const LaneAccess& access, const std::uint32_t* rows);

}  // namespace gpusim::exec

// SPDX-License-Identifier: MIT
#include "sim/exec/ops/addresses.h"

#include <bit>
#include <string>

#include "sim/base/address_space.h"
#include "sim/exec/core/watch.h"
#include "sim/exec/memory/fault.h"
#include "sim/exec/memory/lane_copy.h"
#include "sim/exec/memory/windows.h"

namespace gpusim::exec {
namespace {

[[noreturn]] void refuse(const char* space, unsigned lane, Address address, unsigned bytes, AccessKind kind,
                         std::uint64_t size) {
  using Why = AccessFault::Why;
  const std::string access = std::string("invalid ") + space + " " + word_of(kind) + " of " + std::to_string(bytes) +
                             " bytes at " + address_text(address) + ": the address is ";
  if (address % bytes != 0) {
    throw AccessFault(Why::kMisaligned, lane, access + "misaligned",
                      "it has to be a multiple of " + std::to_string(bytes));
  }
  throw AccessFault(Why::kOutOfBounds, lane, access + "out of bounds", "there are " + std::to_string(size) + " bytes");
}

/// Whether all lanes access aligned bytes inside, and none has another CTA's rank in its address.
bool all_inside(const LaneAccess& access, std::uint64_t size) {
  if (access.bytes > size) {
    return false;
  }
  const std::uint64_t last = size - access.bytes;
  std::uint64_t bad = 0;
  for (const Address address : access.addresses.of) {
    bad |= static_cast<std::uint64_t>(address > last) | (address & (access.bytes - 1));
  }
  return bad == 0;
}

}  // namespace

void fill_idle_lanes(LaneMask mask, AddressRow& addresses) {
  if (mask == kAllLanes) {
    return;
  }
  const Address lead = addresses.of[lowest_lane(mask)];
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    addresses.of[lane] = (mask >> lane & 1U) != 0 ? addresses.of[lane] : lead;
  }
}

void global_addresses(const Warp& warp, const MicroOp& op, LaneMask mask, AddressRow& addresses) {
  const std::uint32_t* const low = warp.row(op.sources[0]);
  const std::uint32_t* const high = low + kRow;
  const std::uint32_t* const uniform = warp.row(op.sources[1]);
  const Address plus = static_cast<Address>(op.offset) + (uniform[0] | Address{uniform[kRow]} << 32U);
  if (op.bytes[kBaseWidthByte] == 2) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      addresses.of[lane] = (low[lane] | Address{high[lane]} << 32U) + plus;
    }
  } else {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      addresses.of[lane] = low[lane] + plus;
    }
  }
  fill_idle_lanes(mask, addresses);
}

void small_addresses(const std::uint32_t* base, std::uint32_t scale, std::uint32_t plus, LaneMask mask,
                     AddressRow& addresses) {
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    addresses.of[lane] = base[lane] * scale + plus;
  }
  fill_idle_lanes(mask, addresses);
}

void small_addresses(const Warp& warp, const MicroOp& op, LaneMask mask, AddressRow& addresses) {
  small_addresses(warp.row(op.sources[0]), op.bytes[kScaleByte],
                  static_cast<std::uint32_t>(op.offset) + warp.row(op.sources[1])[0], mask, addresses);
}

std::byte* shared_bytes(Cta& cta, unsigned lane, Address address, unsigned bytes, AccessKind kind) {
  Cta* owner = &cta;
  Address offset = address;
  if (cta.image().facts.shared_has_rank) {
    owner = cta.member(rank_in(address));
    offset = offset_in(address);
    if (port_to(cta, lane, address, bytes, kind) != nullptr) {
      throw LaneFault(
          lane,
          std::string("this ") + word_of(kind) +
              " in the shared memory of another CTA of the cluster is not simulated in compiled kernels",
          "'gpusim exec' executes it without time; LD, ST and ATOM, arrivals at mbarriers and copies by the TMA "
          "are simulated");
    }
  }
  const std::uint64_t size = owner == nullptr ? 0 : owner->shared().size();
  if (offset % bytes != 0 || bytes > size || offset > size - bytes) {
    refuse("shared", lane, address, bytes, kind, size);
  }
  if (Watch* const watch = cta.watch(); watch != nullptr) [[unlikely]] {
    watch->accesses(*owner, lane, offset, bytes, kind);
  }
  return owner->shared().data() + offset;
}

ClusterPort* port_to(Cta& cta, unsigned lane, Address address, unsigned bytes, AccessKind kind) {
  ClusterPort* const port = cta.cluster_port();
  if (port == nullptr || rank_in(address) == cta.rank()) {
    return nullptr;
  }
  const Address offset = offset_in(address);
  const bool exists = rank_in(address) < cta.image().launch.cluster.volume();
  const std::uint64_t size = exists ? cta.shared().size() : 0;
  if (offset % bytes != 0 || bytes > size || offset > size - bytes) {
    refuse("shared", lane, address, bytes, kind, size);
  }
  return port;
}

void load_shared(Cta& cta, const LaneAccess& access, std::uint32_t* rows) {
  const std::byte* const data = cta.shared().data();
  const bool plain = cta.rank() == 0 && cta.watch() == nullptr && all_inside(access, cta.shared().size());
  if (plain && !cta.image().has_values()) {
    return;
  }
  with_size(access.bytes, [&]<unsigned kBytes>() {
    if (plain) {
      load_lanes<kBytes>(access.mask, rows, [&](unsigned lane) { return data + access.addresses.of[lane]; });
    } else {
      load_lanes<kBytes>(access.mask, rows, [&](unsigned lane) {
        return shared_bytes(cta, lane, access.addresses.of[lane], kBytes, AccessKind::kRead);
      });
    }
  });
}

void store_shared(Cta& cta, const LaneAccess& access, const std::uint32_t* rows) {
  std::byte* const data = cta.shared().data();
  const bool plain = cta.rank() == 0 && cta.watch() == nullptr && all_inside(access, cta.shared().size());
  if (plain && !cta.image().has_values()) {
    return;
  }
  with_size(access.bytes, [&]<unsigned kBytes>() {
    if (plain) {
      store_lanes<kBytes>(access.mask, rows, [&](unsigned lane) { return data + access.addresses.of[lane]; });
    } else {
      store_lanes<kBytes>(access.mask, rows, [&](unsigned lane) {
        return shared_bytes(cta, lane, access.addresses.of[lane], kBytes, AccessKind::kWrite);
      });
    }
  });
}

std::byte* local_bytes(Warp& warp, unsigned lane, Address address, unsigned bytes, AccessKind kind) {
  const std::uint64_t size = warp.cta().image().facts.local_bytes;
  if (address % bytes != 0 || bytes > size || address > size - bytes) {
    refuse("local", lane, address, bytes, kind, size);
  }
  if (warp.local.empty()) {
    warp.local.resize(size * kWarpLanes);
  }
  return warp.local.data() + lane * size + address;
}

void load_local(Warp& warp, const LaneAccess& access, std::uint32_t* rows) {
  with_size(access.bytes, [&]<unsigned kBytes>() {
    load_lanes<kBytes>(access.mask, rows, [&](unsigned lane) {
      return local_bytes(warp, lane, access.addresses.of[lane], kBytes, AccessKind::kRead);
    });
  });
}

void store_local(Warp& warp, const LaneAccess& access, const std::uint32_t* rows) {
  with_size(access.bytes, [&]<unsigned kBytes>() {
    store_lanes<kBytes>(access.mask, rows, [&](unsigned lane) {
      return local_bytes(warp, lane, access.addresses.of[lane], kBytes, AccessKind::kWrite);
    });
  });
}

}  // namespace gpusim::exec

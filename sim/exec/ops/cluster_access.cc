// SPDX-License-Identifier: MIT
#include "sim/exec/ops/cluster_access.h"

#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "sim/exec/memory/lane_copy.h"
#include "sim/exec/memory/windows.h"
#include "sim/exec/ops/addresses.h"

namespace gpusim::exec {
namespace {

constexpr std::size_t kMostLaneBytes = 16;

}  // namespace

LaneMask lanes_apart(Cta& cta, const LaneAccess& access, AccessKind kind) {
  LaneMask apart = 0;
  if (cta.cluster_port() != nullptr) {
    for_each_lane(access.mask, [&](unsigned lane) {
      apart |= LaneMask{port_to(cta, lane, access.addresses.of[lane], access.bytes, kind) != nullptr} << lane;
    });
  }
  return apart;
}

void require_none_apart(Cta& cta, const LaneAccess& access, AccessKind kind) {
  if (const LaneMask apart = lanes_apart(cta, access, kind); apart != 0) {
    throw LaneFault(
        lowest_lane(apart),
        std::string("this ") + word_of(kind) +
            " goes to the shared memory of another CTA for some lanes, and to other memory for others, which is not "
            "simulated in compiled kernels",
        "'gpusim exec' executes it without time");
  }
}

void act_apart(Cta& cta, Address address, std::function<void(std::byte* at)> act) {
  cta.cluster_port()->later(rank_in(address), [offset = offset_in(address), act = std::move(act)](
                                                  std::span<std::byte> shared) { act(shared.data() + offset); });
}

void store_cluster_shared(Cta& cta, const LaneAccess& access, const std::uint32_t* rows) {
  const LaneMask apart = lanes_apart(cta, access, AccessKind::kWrite);
  if (apart != access.mask) {
    store_shared(cta, {access.addresses, access.mask & ~apart, access.bytes}, rows);
  }
  for_each_lane(apart, [&](unsigned lane) {
    std::array<std::byte, kMostLaneBytes> value{};
    with_size(access.bytes, [&]<unsigned kBytes>() {
      store_lanes<kBytes>(LaneMask{1} << lane, rows, [&value](unsigned) { return value.data(); });
    });
    act_apart(cta, access.addresses.of[lane],
              [value, bytes = access.bytes](std::byte* at) { std::memcpy(at, value.data(), bytes); });
  });
}

void apply_shared(Cta& cta, const AtomicAccess& access) {
  std::array<std::byte*, kWarpLanes> places{};
  for_each_lane(access.mask, [&](unsigned lane) {
    places[lane] = shared_bytes(cta, lane, access.addresses.of[lane], access.kind.bytes(), AccessKind::kAtomic);
  });
  for_each_lane(access.mask, [&](unsigned lane) { access.apply(lane, places[lane]); });
}

void apply_cluster_shared(Cta& cta, const AtomicAccess& access) {
  const LaneMask apart = lanes_apart(cta, {access.addresses, access.mask, access.kind.bytes()}, AccessKind::kAtomic);
  if (apart == 0) {
    apply_shared(cta, access);
    return;
  }
  AtomicAccess near = access;
  near.mask &= ~apart;
  apply_shared(cta, near);
  const auto kept = std::make_shared<const AtomicAccess>(access);
  for_each_lane(apart, [&](unsigned lane) {
    act_apart(cta, access.addresses.of[lane], [kept, lane](std::byte* at) { kept->apply(lane, at); });
  });
}

}  // namespace gpusim::exec

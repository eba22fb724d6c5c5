// SPDX-License-Identifier: MIT
// Loads and stores of global, shared, local and generic memory.
#include <algorithm>
#include <array>

#include "sim/exec/core/context.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/memory/lane_copy.h"
#include "sim/exec/memory/windows.h"
#include "sim/exec/ops/addresses.h"
#include "sim/exec/ops/cluster_access.h"
#include "sim/exec/ops/families.h"
#include "sim/exec/ops/sizes.h"

namespace gpusim::exec {
namespace {

using isa::MemSpace;
using sass::Mod;

constexpr std::size_t kSizeByte = 3;

sass::Size size_of(const MicroOp& op) {
  return static_cast<sass::Size>(op.bytes[kSizeByte]);
}

LaneAccess begin_access(Context& context, MemSpace space, const MicroOp& op, LaneMask mask) {
  context.access.space = space;
  context.access.bytes = static_cast<std::uint8_t>(bytes_of(size_of(op)));
  return {context.access.addresses, mask, context.access.bytes};
}

void extend_signs(const MicroOp& op, LaneMask mask, std::uint32_t* row) {
  const sass::Size size = size_of(op);
  if (size == sass::Size::kS8 || size == sass::Size::kS16) {
    for_each_lane(mask, [&](unsigned lane) { row[lane] = extended(size, row[lane]); });
  }
}

void load_global(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  std::uint32_t* const to = warp.row(op.destinations[0]);
  const LaneMask loads = mask & warp.lanes_of(op.predicates[0]);
  if (loads != mask) {  // lanes whose own predicate is false get zeros
    for (unsigned row = 0; row < rows_of(size_of(op)); ++row) {
      for_each_lane(mask & ~loads, [&](unsigned lane) { to[row * kRow + lane] = 0; });
    }
  }
  if (loads != 0) {
    global_addresses(warp, op, loads, context.access.addresses);
    context.global.load(begin_access(context, MemSpace::kGlobal, op, loads), to);
    extend_signs(op, loads, to);
  }
}

void store_global(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask != 0) {
    global_addresses(warp, op, mask, context.access.addresses);
    context.global.store(begin_access(context, MemSpace::kGlobal, op, mask), warp.row(op.sources[2]));
  }
}

void load_from_shared(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask != 0) {
    std::uint32_t* const to = warp.row(op.destinations[0]);
    small_addresses(warp, op, mask, context.access.addresses);
    load_shared(warp.cta(), begin_access(context, MemSpace::kShared, op, mask), to);
    extend_signs(op, mask, to);
  }
}

void store_to_shared(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask != 0) {
    small_addresses(warp, op, mask, context.access.addresses);
    store_shared(warp.cta(), begin_access(context, MemSpace::kShared, op, mask), warp.row(op.sources[2]));
  }
}

void load_from_local(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask != 0) {
    std::uint32_t* const to = warp.row(op.destinations[0]);
    small_addresses(warp, op, mask, context.access.addresses);
    load_local(warp, begin_access(context, MemSpace::kLocal, op, mask), to);
    extend_signs(op, mask, to);
  }
}

void store_to_local(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask != 0) {
    small_addresses(warp, op, mask, context.access.addresses);
    store_local(warp, begin_access(context, MemSpace::kLocal, op, mask), warp.row(op.sources[2]));
  }
}

/// Calls access(space, lanes) for the lanes of each space that generic addresses lead to, with their addresses in it;
/// what is not shared or local comes last, and is what the instruction counts as.
template <class Access>
void for_each_space(Context& context, Cta& cta, const AddressRow& generic, LaneMask mask, AccessKind kind,
                    unsigned bytes, const Access& access) {
  LaneMask shared = 0;
  LaneMask local = 0;
  for_each_lane(mask, [&](unsigned lane) {
    shared |= LaneMask{in_window(generic.of[lane], kSharedWindow)} << lane;
    local |= LaneMask{in_window(generic.of[lane], kLocalWindow)} << lane;
  });
  context.access.is_mixed = shared != mask && local != mask && (shared | local) != 0;
  const auto in_space = [&](MemSpace space, LaneMask lanes, Address window) {
    if (lanes != 0) {
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        context.access.addresses.of[lane] = generic.of[lane] - window;
      }
      fill_idle_lanes(lanes, context.access.addresses);
      if (space == MemSpace::kShared && lanes != mask) {
        require_none_apart(cta, {context.access.addresses, lanes, bytes}, kind);
      }
      access(space, lanes);
    }
  };
  in_space(MemSpace::kShared, shared, kSharedWindow);
  in_space(MemSpace::kLocal, local, kLocalWindow);
  in_space(MemSpace::kGlobal, mask & ~shared & ~local, 0);
}

/// Shared memory of any CTA of the cluster. The value from a CTA that runs apart comes with the next exchange.
void load_cluster_shared(Warp& warp, const MicroOp& op, const LaneAccess& access, std::uint32_t* to) {
  const LaneMask apart = lanes_apart(warp.cta(), access, AccessKind::kRead);
  if (apart != access.mask) {
    load_shared(warp.cta(), {access.addresses, access.mask & ~apart, access.bytes}, to);
  }
  for_each_lane(apart, [&](unsigned lane) {
    const auto load = [&op, to, lane, bytes = access.bytes](const std::byte* at) {
      with_size(bytes,
                [&]<unsigned kBytes>() { load_lanes<kBytes>(LaneMask{1} << lane, to, [at](unsigned) { return at; }); });
      extend_signs(op, LaneMask{1} << lane, to);
    };
    act_apart(warp.cta(), access.addresses.of[lane], load);
  });
}

void load_generic(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  std::uint32_t* const to = warp.row(op.destinations[0]);
  AddressRow generic;
  global_addresses(warp, op, mask, generic);
  for_each_space(context, warp.cta(), generic, mask, AccessKind::kRead, bytes_of(size_of(op)),
                 [&](MemSpace space, LaneMask lanes) {
                   const LaneAccess access = begin_access(context, space, op, lanes);
                   switch (space) {
                     case MemSpace::kShared: load_cluster_shared(warp, op, access, to); break;
                     case MemSpace::kLocal: load_local(warp, access, to); break;
                     default: context.global.load(access, to); break;
                   }
                 });
  extend_signs(op, mask, to);
}

void store_generic(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  const std::uint32_t* const from = warp.row(op.sources[2]);
  AddressRow generic;
  global_addresses(warp, op, mask, generic);
  for_each_space(context, warp.cta(), generic, mask, AccessKind::kWrite, bytes_of(size_of(op)),
                 [&](MemSpace space, LaneMask lanes) {
                   const LaneAccess access = begin_access(context, space, op, lanes);
                   switch (space) {
                     case MemSpace::kShared: store_cluster_shared(warp.cta(), access, from); break;
                     case MemSpace::kLocal: store_local(warp, access, from); break;
                     default: context.global.store(access, from); break;
                   }
                 });
}

/// QSPC: whether a generic address is of the space, which the register says as 1 or 0.
void query_space(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  constexpr std::uint8_t kLocal = 1;
  constexpr std::uint8_t kShared = 2;
  if (mask == 0) {
    return;
  }
  AddressRow generic;
  global_addresses(warp, op, mask, generic);
  LaneMask inside = 0;
  for_each_lane(mask, [&](unsigned lane) {
    const bool shared = in_window(generic.of[lane], kSharedWindow);
    const bool local = in_window(generic.of[lane], kLocalWindow);
    const std::uint8_t space = op.bytes[kSizeByte];
    inside |= LaneMask{space == kShared ? shared : space == kLocal ? local : !shared && !local} << lane;
  });
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for_each_lane(mask, [&](unsigned lane) { to[lane] = inside >> lane & 1U; });
  warp.set_predicate(op.predicate_destinations[0], inside, mask);
}

void lower_qspc(Lowering& lowering) {
  constexpr std::uint8_t kCluster = 3;
  MicroOp& op = lowering.op();
  lowering.predicate_destination(0, 0);
  lowering.destination(0, 1);
  lowering.address(2);
  op.bytes[kSizeByte] = lowering.modifier(Mod::kSpace);
  op.handler = op.bytes[kSizeByte] < kCluster ? query_space : nullptr;
}

void lower_load(Lowering& lowering, Handler handler) {
  MicroOp& op = lowering.op();
  lowering.destination(0, 0);
  lowering.address(1);
  lowering.predicate(0, 2);
  op.bytes[kSizeByte] = lowering.modifier(Mod::kSize);
  op.handler = handler;
}

void lower_store(Lowering& lowering, Handler handler) {
  MicroOp& op = lowering.op();
  lowering.address(0);
  lowering.source(2, 1);
  op.bytes[kSizeByte] = lowering.modifier(Mod::kSize);
  op.handler = handler;
}

}  // namespace

std::span<const LowerRow> memory_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {
      {Op::kLdg, [](Lowering& lowering) { lower_load(lowering, load_global); }},
      {Op::kStg, [](Lowering& lowering) { lower_store(lowering, store_global); }},
      {Op::kLds, [](Lowering& lowering) { lower_load(lowering, load_from_shared); }},
      {Op::kSts, [](Lowering& lowering) { lower_store(lowering, store_to_shared); }},
      {Op::kLdl, [](Lowering& lowering) { lower_load(lowering, load_from_local); }},
      {Op::kStl, [](Lowering& lowering) { lower_store(lowering, store_to_local); }},
      {Op::kLd, [](Lowering& lowering) { lower_load(lowering, load_generic); }},
      {Op::kSt, [](Lowering& lowering) { lower_store(lowering, store_generic); }},
      {Op::kQspc, lower_qspc},
  };
  return kRows;
}

}  // namespace gpusim::exec

// SPDX-License-Identifier: MIT
// SYNCS: mbarriers are initialised, arrived at and asked.
#include "sim/exec/async/barrier_memory.h"
#include "sim/exec/async/families.h"
#include "sim/exec/core/context.h"
#include "sim/exec/core/warp.h"

namespace gpusim::exec {
namespace {

using sass::Mod;

/// What the register of an arrival says, and whether the lane arrives: the values of Mod::kArriveCount (measured on
/// code of ptxas 13.0).
enum class Arrival : std::uint8_t {
  kOneAndBytes,  ///< mbarrier.arrive.expect_tx
  kOne,          ///< .A1T0: mbarrier.arrive
  kUnknown,      ///< .A0T1
  kBytes,        ///< .A0TR: mbarrier.expect_tx
  kBytesCame,    ///< .A0TX: mbarrier.complete_tx
  kCount,        ///< .ART0: mbarrier.arrive with a count
};

constexpr std::size_t kArrivalByte = 3;
constexpr std::size_t kDropByte = 4;

/// For machines with time; what the lanes of `mask` ask of the mbarrier of the lowest one.
AsyncEffect& note_barrier(Context& context, AsyncEffect::Kind kind, LaneMask mask) {
  const AddressRow& addresses = context.access.addresses;
  AsyncEffect& effect = context.async;
  effect.kind = kind;
  effect.mask = mask;
  effect.barrier = addresses.of[lowest_lane(mask)];
  effect.count = 0;
  effect.bytes = 0;
  effect.lanes_agree = true;
  for_each_lane(mask, [&](unsigned lane) { effect.lanes_agree &= addresses.of[lane] == effect.barrier; });
  return effect;
}

/// The warp's uniform value is exchanged with what lies in memory.
void exchange_state(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  AddressRow& addresses = context.access.addresses;
  small_addresses(warp, op, mask, addresses);
  context.access.space = isa::MemSpace::kShared;
  context.access.bytes = kMbarrierBytes;
  const std::uint32_t* const from = warp.row(op.sources[2]);
  std::byte* const at =
      shared_bytes(warp.cta(), lowest_lane(mask), addresses.of[lowest_lane(mask)], kMbarrierBytes, AccessKind::kWrite);
  const std::uint32_t words[] = {from[0], from[kRow]};
  std::uint32_t before[2];
  std::memcpy(before, at, sizeof before);
  std::memcpy(at, words, sizeof words);
  note_barrier(context, AsyncEffect::Kind::kInitialise, LaneMask{1} << lowest_lane(mask)).count =
      Mbarrier(words[0] | std::uint64_t{words[1]} << 32U).needed();
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    to[lane] = before[0];
    to[kRow + lane] = before[1];
  }
}

void lower_exchange(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.address(1);
  lowering.source(2, 2);
  lowering.op().handler = exchange_state;
}

void change(Mbarrier& barrier, Arrival arrival, std::uint32_t value) {
  switch (arrival) {
    case Arrival::kOneAndBytes: barrier.arrive_and_expect(value); break;
    case Arrival::kBytes: barrier.expect(value); break;
    case Arrival::kBytesCame: barrier.expect(-std::int64_t{value}); break;
    case Arrival::kCount: barrier.arrive(value); break;
    default: barrier.arrive(1); break;
  }
}

void note_arrival(Context& context, const MicroOp& op, const std::uint32_t* values, LaneMask mask) {
  using Kind = AsyncEffect::Kind;
  const auto arrival = static_cast<Arrival>(op.bytes[kArrivalByte]);
  const Kind kind = arrival == Arrival::kBytesCame ? Kind::kComplete
                    : op.bytes[kDropByte] != 0     ? Kind::kDrop
                                                   : Kind::kArrive;
  AsyncEffect& effect = note_barrier(context, kind, mask);
  const std::uint32_t value = values[lowest_lane(mask)];
  const bool has_value = arrival != Arrival::kOne;
  const bool has_bytes =
      arrival == Arrival::kOneAndBytes || arrival == Arrival::kBytes || arrival == Arrival::kBytesCame;
  for_each_lane(mask, [&](unsigned lane) { effect.lanes_agree &= !has_value || values[lane] == value; });
  effect.bytes = has_bytes ? value : 0;
  effect.count = arrival == Arrival::kCount ? value : arrival == Arrival::kOne || arrival == Arrival::kOneAndBytes;
}

/// Each lane arrives by itself, and gets the state before.
void arrive(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  AddressRow& addresses = context.access.addresses;
  small_addresses(warp, op, mask, addresses);
  context.access.space = isa::MemSpace::kShared;
  context.access.bytes = kMbarrierBytes;
  const std::uint32_t* const values = warp.row(op.sources[2]);
  std::uint32_t* const to = warp.row(op.destinations[0]);
  const auto arrival = static_cast<Arrival>(op.bytes[kArrivalByte]);
  const bool drops = op.bytes[kDropByte] != 0;
  for_each_lane(mask, [&](unsigned lane) {
    const std::uint32_t value = values[lane];
    const std::uint64_t before =
        change_mbarrier(warp.cta(), lane, addresses.of[lane], [value, drops, arrival](Mbarrier& barrier) {
          if (drops) {
            barrier.drop();
          }
          change(barrier, arrival, value);
        });
    to[lane] = static_cast<std::uint32_t>(before);
    to[kRow + lane] = static_cast<std::uint32_t>(before >> 32U);
  });
  note_arrival(context, op, values, mask);
}

void lower_arrive(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.address(1);
  lowering.source(2, 2);
  MicroOp& op = lowering.op();
  op.bytes[kArrivalByte] = lowering.modifier(Mod::kArriveCount);
  op.bytes[kDropByte] = lowering.has(Mod::kDrop) ? 1 : 0;
  const auto arrival = static_cast<Arrival>(op.bytes[kArrivalByte]);
  if (arrival <= Arrival::kCount && arrival != Arrival::kUnknown) {
    op.handler = arrive;
  }
}

/// True for lanes whose phase is over: bit 31 of the register is that phase's parity, which a state has there, too.
void ask_phase(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  AddressRow& addresses = context.access.addresses;
  small_addresses(warp, op, mask, addresses);
  context.access.space = isa::MemSpace::kShared;
  context.access.bytes = kMbarrierBytes;
  const std::uint32_t* const phases = warp.row(op.sources[2]);
  LaneMask over = 0;
  for_each_lane(mask, [&](unsigned lane) {
    std::uint64_t state;
    std::memcpy(&state, shared_bytes(warp.cta(), lane, addresses.of[lane], kMbarrierBytes, AccessKind::kMbarrier),
                sizeof state);
    over |= LaneMask{Mbarrier(state).phase() != (phases[lane] >> 31U != 0)} << lane;
  });
  warp.set_predicate(op.predicate_destinations[0], over, mask);
  AsyncEffect& effect = note_barrier(context, AsyncEffect::Kind::kAsk, mask);
  effect.predicate = op.predicate_destinations[0];
  effect.parity = phases[lowest_lane(mask)] >> 31U != 0;
  for_each_lane(mask, [&](unsigned lane) { effect.lanes_agree &= (phases[lane] >> 31U != 0) == effect.parity; });
}

void lower_ask(Lowering& lowering) {
  lowering.predicate_destination(0, 0);
  lowering.address(1);
  lowering.source(2, 2);
  lowering.op().handler = ask_phase;
}

/// The bytes stay as they are; the kernel may use them for something else.
void lower_invalidate(Lowering& lowering) {
  lowering.address(0);
  lowering.op().handler = [](Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
    if (mask != 0) {
      small_addresses(warp, op, mask, context.access.addresses);
      note_barrier(context, AsyncEffect::Kind::kInvalidate, LaneMask{1} << lowest_lane(mask));
    }
  };
}

void lower_without_effect(Lowering& lowering) {
  lowering.op().handler = [](Context&, Warp&, const MicroOp&, LaneMask) {};
}

}  // namespace

std::span<const LowerRow> mbarrier_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {{Op::kSyncsExch, lower_exchange},
                                       {Op::kSyncsArrive, lower_arrive},
                                       {Op::kSyncsPhasechk, lower_ask},
                                       {Op::kSyncsCctl, lower_invalidate},
                                       {Op::kSyncsCctlAll, lower_without_effect}};
  return kRows;
}

}  // namespace gpusim::exec

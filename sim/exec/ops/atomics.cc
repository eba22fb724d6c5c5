// SPDX-License-Identifier: MIT
// Atomics and reductions on global, shared and generic memory.
#include <algorithm>

#include "sim/exec/core/context.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/memory/atomic.h"
#include "sim/exec/memory/windows.h"
#include "sim/exec/ops/addresses.h"
#include "sim/exec/ops/atomic_kind.h"
#include "sim/exec/ops/cluster_access.h"
#include "sim/exec/ops/families.h"

namespace gpusim::exec {
namespace {

using isa::MemSpace;
using sass::Mod;

/// Places in MicroOp::bytes, behind those that the address takes.
constexpr std::size_t kActionByte = 3;
constexpr std::size_t kElementByte = 4;
constexpr std::size_t kCountByte = 5;
constexpr std::size_t kReturnsByte = 6;

AtomicKind kind_of(const MicroOp& op) {
  return {static_cast<AtomicAction>(op.bytes[kActionByte]), static_cast<AtomicElement>(op.bytes[kElementByte]),
          op.bytes[kCountByte]};
}

/// Everything but the addresses.
AtomicAccess access_of(Warp& warp, const MicroOp& op, LaneMask mask) {
  AtomicAccess access;
  access.kind = kind_of(op);
  access.mask = mask;
  const unsigned words = access.kind.bytes() / 4;
  std::copy_n(warp.row(op.sources[2]), words * kRow, access.operand.data());
  if (access.kind.action == AtomicAction::kCompareSwap) {
    std::copy_n(warp.row(op.sources[3]), words * kRow, access.compare.data());
  }
  access.old_values = op.bytes[kReturnsByte] != 0 ? warp.row(op.destinations[0]) : nullptr;
  return access;
}

void count_access(Context& context, MemSpace space, const AtomicAccess& access) {
  context.access.space = space;
  context.access.bytes = static_cast<std::uint8_t>(access.kind.bytes());
  context.access.addresses = access.addresses;
}

void global_atomic(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask != 0) {
    AtomicAccess access = access_of(warp, op, mask);
    global_addresses(warp, op, mask, access.addresses);
    count_access(context, MemSpace::kGlobal, access);
    context.global.atomic(access);
    warp.set_predicate(op.predicate_destinations[0], kAllLanes, mask);
  }
}

void shared_atomic(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask != 0) {
    AtomicAccess access = access_of(warp, op, mask);
    small_addresses(warp, op, mask, access.addresses);
    count_access(context, MemSpace::kShared, access);
    apply_shared(warp.cta(), access);
  }
}

/// CAST.SPIN: says whether it has swapped, into its registers as 1 or 0, and into a predicate.
void shared_cast(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  AtomicAccess access = access_of(warp, op, mask);
  alignas(kRowAlignment) std::array<std::uint32_t, 2 * kRow> old{};
  access.old_values = old.data();
  small_addresses(warp, op, mask, access.addresses);
  count_access(context, MemSpace::kShared, access);
  apply_shared(warp.cta(), access);
  const bool wide = access.kind.bytes() == 8;
  LaneMask swapped = 0;
  for_each_lane(mask, [&](unsigned lane) {
    const bool same = old[lane] == access.compare[lane] && (!wide || old[kRow + lane] == access.compare[kRow + lane]);
    swapped |= LaneMask{same} << lane;
  });
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for_each_lane(mask, [&](unsigned lane) {
    to[lane] = swapped >> lane & 1U;
    if (wide) {
      to[kRow + lane] = 0;
    }
  });
  warp.set_predicate(op.predicate_destinations[0], swapped, mask);
}

/// Each lane where its generic address leads.
void generic_atomic(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  AddressRow generic;
  global_addresses(warp, op, mask, generic);
  LaneMask shared = 0;
  for_each_lane(mask, [&](unsigned lane) { shared |= LaneMask{in_window(generic.of[lane], kSharedWindow)} << lane; });
  AtomicAccess access = access_of(warp, op, shared);
  context.access.is_mixed = shared != 0 && shared != mask;
  if (shared != 0) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      access.addresses.of[lane] = generic.of[lane] - kSharedWindow;
    }
    fill_idle_lanes(shared, access.addresses);
    count_access(context, MemSpace::kShared, access);
    if (shared != mask) {
      require_none_apart(warp.cta(), {access.addresses, shared, access.kind.bytes()}, AccessKind::kAtomic);
    }
    apply_cluster_shared(warp.cta(), access);
  }
  if (mask != shared) {
    access.mask = mask & ~shared;
    access.addresses = generic;
    fill_idle_lanes(access.mask, access.addresses);
    count_access(context, MemSpace::kGlobal, access);
    context.global.atomic(access);
  }
  warp.set_predicate(op.predicate_destinations[0], kAllLanes, mask);
}

AtomicElement element_of(sass::AtomicFormat format) {
  switch (format) {
    case sass::AtomicFormat::kU32: return AtomicElement::kU32;
    case sass::AtomicFormat::kS32: return AtomicElement::kS32;
    case sass::AtomicFormat::kU64: return AtomicElement::kU64;
    case sass::AtomicFormat::kF32: return AtomicElement::kF32;
    case sass::AtomicFormat::kF16x2: return AtomicElement::kF16x2;
    case sass::AtomicFormat::kS64: return AtomicElement::kS64;
    case sass::AtomicFormat::kF64: return AtomicElement::kF64;
    default: return AtomicElement::kBf16x2;
  }
}

/// The kind of an atomic whose encoding has a field for floating-point types; count 0 for a value that means none.
AtomicKind float_kind(sass::FloatAtomic type) {
  constexpr AtomicAction kAdd = AtomicAction::kAdd;
  switch (type) {
    case sass::FloatAtomic::kF16x2: return {kAdd, AtomicElement::kF16x2, 1};
    case sass::FloatAtomic::kF16x4: return {kAdd, AtomicElement::kF16x2, 2};
    case sass::FloatAtomic::kF16x8: return {kAdd, AtomicElement::kF16x2, 4};
    case sass::FloatAtomic::kBf16x2: return {kAdd, AtomicElement::kBf16x2, 1};
    case sass::FloatAtomic::kBf16x4: return {kAdd, AtomicElement::kBf16x2, 2};
    case sass::FloatAtomic::kBf16x8: return {kAdd, AtomicElement::kBf16x2, 4};
    case sass::FloatAtomic::kF32: return {kAdd, AtomicElement::kF32, 1};
    case sass::FloatAtomic::kF32x2: return {kAdd, AtomicElement::kF32, 2};
    case sass::FloatAtomic::kF32x4: return {kAdd, AtomicElement::kF32, 4};
    case sass::FloatAtomic::kF64: return {kAdd, AtomicElement::kF64, 1};
    default: return {kAdd, AtomicElement::kU32, 0};
  }
}

bool names_float_type(const sass::Instruction& instruction) {
  constexpr std::uint16_t kKeys[] = {0x19a2, 0x19a3, 0x19a6};
  return std::ranges::find(kKeys, instruction.key) != std::end(kKeys);
}

/// Where the operands of an atomic stand; kNone: it has none such.
struct Places {
  static constexpr std::size_t kNone = sass::kMaxOperands - 1;
  std::size_t predicate = kNone;
  std::size_t result = kNone;
  std::size_t address = 0;
  std::size_t operand = kNone;
  std::size_t compare = kNone;
};

void lower_atomic(Lowering& lowering, const Places& at, AtomicKind kind, Handler handler) {
  MicroOp& op = lowering.op();
  lowering.predicate_destination(0, at.predicate);
  lowering.destination(0, at.result);
  lowering.address(at.address);
  lowering.source(2, at.operand);
  lowering.source(3, at.compare);
  op.bytes[kActionByte] = static_cast<std::uint8_t>(kind.action);
  op.bytes[kElementByte] = static_cast<std::uint8_t>(kind.element);
  op.bytes[kCountByte] = kind.count;
  op.bytes[kReturnsByte] = at.result != Places::kNone && op.destinations[0] != RowLayout::sink() ? 1 : 0;
  constexpr unsigned kMostBytes = 16;
  op.handler = kind.count != 0 && kind.bytes() <= kMostBytes ? handler : nullptr;
}

AtomicKind swap_kind(const Lowering& lowering) {
  const auto format = static_cast<sass::AtomicFormat>(lowering.modifier(Mod::kAtomicType));
  const bool wide =
      lowering.has(Mod::kWide) || format == sass::AtomicFormat::kU64 || format == sass::AtomicFormat::kS64;
  return {AtomicAction::kCompareSwap, wide ? AtomicElement::kU64 : AtomicElement::kU32, 1};
}

constexpr Places kReturning{.predicate = 0, .result = 1, .address = 2, .operand = 3};
constexpr Places kSwapping{.predicate = 0, .result = 1, .address = 2, .operand = 4, .compare = 3};
constexpr std::uint8_t kCastSpin = 3;

void lower_atoms_cas(Lowering& lowering) {
  const bool cast = lowering.modifier(Mod::kSwap) == kCastSpin;
  lower_atomic(lowering, {.result = 0, .address = 1, .operand = 3, .compare = 2}, swap_kind(lowering),
               cast ? shared_cast : shared_atomic);
}

/// POPC.INC: each lane adds 1.
void lower_count(Lowering& lowering, const Places& at, Handler handler) {
  constexpr std::uint8_t kFirstCount = 10;
  lower_atomic(lowering, at, AtomicKind{}, handler);
  lowering.constant_source(2, 1);
  if (lowering.modifier(Mod::kArriveCount) < kFirstCount) {
    lowering.op().handler = nullptr;  // arrivals at an mbarrier
  }
}

}  // namespace

AtomicKind atomic_kind(const Lowering& lowering) {
  AtomicKind kind;
  if (names_float_type(lowering.instruction())) {
    kind = float_kind(static_cast<sass::FloatAtomic>(lowering.modifier(Mod::kFloatAtomic)));
  } else {
    kind.element = element_of(static_cast<sass::AtomicFormat>(lowering.modifier(Mod::kAtomicType)));
  }
  constexpr std::uint8_t kLast = static_cast<std::uint8_t>(sass::AtomicOp::kExchange);
  const std::uint8_t action = lowering.modifier(Mod::kAtomicOp);
  static_assert(static_cast<std::uint8_t>(AtomicAction::kExchange) == kLast);
  kind.action = static_cast<AtomicAction>(action);
  kind.count = action <= kLast ? kind.count : 0;
  return kind;
}

std::span<const LowerRow> atomic_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {
      {Op::kAtomg, [](Lowering& l) { lower_atomic(l, kReturning, atomic_kind(l), global_atomic); }},
      {Op::kAtom, [](Lowering& l) { lower_atomic(l, kReturning, atomic_kind(l), generic_atomic); }},
      {Op::kAtomgCas, [](Lowering& l) { lower_atomic(l, kSwapping, swap_kind(l), global_atomic); }},
      {Op::kAtomCas, [](Lowering& l) { lower_atomic(l, kSwapping, swap_kind(l), generic_atomic); }},
      {Op::kRed, [](Lowering& l) { lower_atomic(l, {.address = 0, .operand = 1}, atomic_kind(l), global_atomic); }},
      {Op::kAtoms,
       [](Lowering& l) { lower_atomic(l, {.result = 0, .address = 1, .operand = 2}, atomic_kind(l), shared_atomic); }},
      {Op::kAtomsCas, lower_atoms_cas},
      {Op::kAtomsCasCast,
       [](Lowering& l) {
         lower_atomic(l, {.predicate = 0, .address = 1, .operand = 3, .compare = 2}, swap_kind(l), shared_cast);
       }},
      {Op::kAtomsCount, [](Lowering& l) { lower_count(l, {.result = 0, .address = 1}, shared_atomic); }},
      {Op::kAtomCount,
       [](Lowering& l) { lower_count(l, {.predicate = 0, .result = 1, .address = 2}, generic_atomic); }},
  };
  return kRows;
}

}  // namespace gpusim::exec

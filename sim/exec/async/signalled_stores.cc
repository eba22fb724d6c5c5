// SPDX-License-Identifier: MIT
// STAS and REDAS: stores and reductions in the shared memory of another CTA, whose bytes have come at an mbarrier there
// (PTX ISA, st.async and red.async). The address is a pair of registers: that of the data, and that of the mbarrier
// (measured on code of ptxas 13.0).
#include <algorithm>

#include "sim/exec/async/barrier_memory.h"
#include "sim/exec/async/families.h"
#include "sim/exec/core/context.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/ops/atomic_kind.h"
#include "sim/exec/ops/cluster_access.h"

namespace gpusim::exec {
namespace {

using sass::Mod;

/// Places in MicroOp::bytes, behind those that the address takes.
constexpr std::size_t kBytesByte = 3;
constexpr std::size_t kActionByte = 4;
constexpr std::size_t kElementByte = 5;
constexpr std::size_t kCountByte = 6;

/// The addresses of the data. `mask` is not empty.
const AddressRow& data_addresses(Context& context, const Warp& warp, const MicroOp& op, LaneMask mask) {
  AddressRow& addresses = context.access.addresses;
  small_addresses(warp.row(op.sources[0]), 1, 0, mask, addresses);
  context.access.space = isa::MemSpace::kShared;
  context.access.bytes = op.bytes[kBytesByte];
  return addresses;
}

/// The bytes of each lane have come to its mbarrier, which has to be in the CTA of the data.
void signal(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  const std::uint32_t* const barriers = warp.row(op.sources[0]) + kRow;
  const std::int64_t bytes = op.bytes[kBytesByte];
  AsyncEffect& effect = context.async;
  effect.kind = AsyncEffect::Kind::kSignal;
  effect.mask = mask;
  effect.barrier = barriers[lowest_lane(mask)];
  effect.count = 0;
  effect.bytes = op.bytes[kBytesByte];
  effect.lanes_agree = true;
  for_each_lane(mask, [&](unsigned lane) {
    static_cast<void>(
        change_mbarrier(warp.cta(), lane, barriers[lane], [bytes](Mbarrier& barrier) { barrier.expect(-bytes); }));
    effect.lanes_agree &=
        barriers[lane] == effect.barrier && rank_in(context.access.addresses.of[lane]) == rank_in(effect.barrier);
  });
}

/// Nothing is stored when an mbarrier's address is not possible.
void require_barriers(Warp& warp, const MicroOp& op, LaneMask mask) {
  const std::uint32_t* const barriers = warp.row(op.sources[0]) + kRow;
  for_each_lane(mask, [&](unsigned lane) {
    if (port_to(warp.cta(), lane, barriers[lane], kMbarrierBytes, AccessKind::kMbarrier) == nullptr) {
      static_cast<void>(shared_bytes(warp.cta(), lane, barriers[lane], kMbarrierBytes, AccessKind::kMbarrier));
    }
  });
}

void store(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask != 0) {
    require_barriers(warp, op, mask);
    const AddressRow& addresses = data_addresses(context, warp, op, mask);
    store_cluster_shared(warp.cta(), {addresses, mask, op.bytes[kBytesByte]}, warp.row(op.sources[2]));
    signal(context, warp, op, mask);
  }
}

void reduce(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  require_barriers(warp, op, mask);
  AtomicAccess access;
  access.kind = {static_cast<AtomicAction>(op.bytes[kActionByte]), static_cast<AtomicElement>(op.bytes[kElementByte]),
                 op.bytes[kCountByte]};
  access.mask = mask;
  access.addresses = data_addresses(context, warp, op, mask);
  std::copy_n(warp.row(op.sources[2]), access.kind.bytes() / 4 * kRow, access.operand.data());
  apply_cluster_shared(warp.cta(), access);
  signal(context, warp, op, mask);
}

void lower_store(Lowering& lowering) {
  constexpr std::uint8_t kMostSize = 2;
  MicroOp& op = lowering.op();
  lowering.address(0);
  lowering.source(2, 1);
  const std::uint8_t size = lowering.modifier(Mod::kMatrices);
  op.bytes[kBytesByte] = static_cast<std::uint8_t>(4U << std::min(size, kMostSize));
  op.handler = size <= kMostSize ? store : nullptr;
}

void lower_reduction(Lowering& lowering) {
  constexpr unsigned kMostBytes = 8;
  MicroOp& op = lowering.op();
  lowering.address(0);
  lowering.source(2, 1);
  const AtomicKind kind = atomic_kind(lowering);
  op.bytes[kActionByte] = static_cast<std::uint8_t>(kind.action);
  op.bytes[kElementByte] = static_cast<std::uint8_t>(kind.element);
  op.bytes[kCountByte] = kind.count;
  op.bytes[kBytesByte] = static_cast<std::uint8_t>(kind.count == 0 ? 0 : kind.bytes());
  op.handler = kind.count != 0 && kind.bytes() <= kMostBytes ? reduce : nullptr;
}

}  // namespace

std::span<const LowerRow> signalled_store_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {{Op::kStas, lower_store}, {Op::kRedas, lower_reduction}};
  return kRows;
}

}  // namespace gpusim::exec

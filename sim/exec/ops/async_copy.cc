// SPDX-License-Identifier: MIT
// LDGSTS: from global to shared memory, past the registers. The copy is done when it issues; a correct kernel looks at
// the result after it has waited only.
#include <algorithm>
#include <array>
#include <span>

#include "sim/exec/core/context.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/memory/fault.h"
#include "sim/exec/ops/addresses.h"
#include "sim/exec/ops/families.h"
#include "sim/exec/ops/sizes.h"

namespace gpusim::exec {
namespace {

using sass::Mod;

constexpr std::size_t kCopySizeByte = 3;
constexpr std::size_t kZfillByte = 4;

/// With ZFILL the low bits of an address are not part of it: they count the bytes at the end of the copy that are zeros
/// and are not read. ptxas 13.0 adds (size - src-size) % size to the address for cp.async with a src-size, and has the
/// predicate false where the src-size is 0.
void load_and_fill(Context& context, LaneMask mask, unsigned bytes, std::uint32_t* rows) {
  AddressRow& addresses = context.access.addresses;
  std::array<unsigned, kWarpLanes> zeros{};
  LaneMask filled = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    zeros[lane] = static_cast<unsigned>(addresses.of[lane] & (bytes - 1));
    addresses.of[lane] -= zeros[lane];
    filled |= LaneMask{zeros[lane] != 0} << lane;
  }
  if ((mask & ~filled) != 0) {
    context.global.load({addresses, mask & ~filled, bytes}, rows);
  }
  for_each_lane(mask & filled, [&](unsigned lane) {
    std::array<std::uint32_t, 4> words{};
    try {
      context.global.read(addresses.of[lane], std::as_writable_bytes(std::span(words)).first(bytes - zeros[lane]));
    } catch (AccessFault& fault) {
      fault.lane = lane;
      throw;
    }
    for (unsigned word = 0; word < bytes / sizeof words[0]; ++word) {
      rows[word * kRow + lane] = words[word];
    }
  });
}

/// Lanes whose own predicate is false load nothing and store zeros.
void copy_to_shared(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  const LaneMask loads = mask & warp.lanes_of(op.predicates[0]);
  const unsigned bytes = bytes_of(static_cast<sass::Size>(op.bytes[kCopySizeByte]));
  alignas(kRowAlignment) std::array<std::uint32_t, 4 * kRow> values{};
  if (loads != 0) {
    context.access.space = isa::MemSpace::kGlobal;
    context.access.bytes = static_cast<std::uint8_t>(bytes);
    global_addresses(warp, op, loads, context.access.addresses);
    if (op.bytes[kZfillByte] != 0) {
      load_and_fill(context, loads, bytes, values.data());
    } else {
      context.global.load({context.access.addresses, loads, bytes}, values.data());
    }
  }
  if (mask != 0) {
    Access& destination = context.shared_destination;
    destination.space = isa::MemSpace::kShared;
    destination.bytes = static_cast<std::uint8_t>(bytes);
    small_addresses(warp.row(op.sources[kSharedBase]), 1, op.immediate + warp.row(op.sources[kSharedUniform])[0], mask,
                    destination.addresses);
    store_shared(warp.cta(), {destination.addresses, mask, bytes}, values.data());
  }
}

void lower_ldgsts(Lowering& lowering) {
  MicroOp& op = lowering.op();
  lowering.address(0, kSharedBase, kSharedUniform);
  op.immediate = static_cast<std::uint32_t>(op.offset);
  lowering.address(1);
  lowering.predicate(0, 2);
  op.bytes[kCopySizeByte] = lowering.modifier(Mod::kSize);
  op.bytes[kZfillByte] = lowering.has(Mod::kZeroFill) ? 1 : 0;
  op.handler = copy_to_shared;
}

}  // namespace

std::span<const LowerRow> async_copy_rows() {
  static constexpr LowerRow kRows[] = {{sass::Op::kLdgsts, lower_ldgsts}};
  return kRows;
}

}  // namespace gpusim::exec

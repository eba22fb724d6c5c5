// SPDX-License-Identifier: MIT
#include "sim/exec/trace/engine_operands.h"

#include <algorithm>

#include "sim/exec/memory/windows.h"

namespace gpusim::exec {
namespace {

using Kind = AsyncEffect::Kind;
using trace::AsyncAction;

trace::TensorMap described(Address address, const TensorBox& box) {
  trace::TensorMap map;
  map.base = address;
  map.element_bytes = box.element_bytes;
  map.rank = box.dimensions;
  for (std::size_t d = 0; d < box.dimensions; ++d) {
    map.size[d] = static_cast<std::int64_t>(box.sizes[d]);
    map.stride[d] = box.strides[d];
    map.box[d] = box.box[d];
  }
  return map;
}

bool equal(const trace::TensorMap& a, const trace::TensorMap& b) {
  return a.base == b.base && a.element_bytes == b.element_bytes && a.rank == b.rank && a.size == b.size &&
         a.stride == b.stride && a.box == b.box;
}

AsyncAction action_of(Kind kind) {
  switch (kind) {
    case Kind::kInitialise: return AsyncAction::kInitialise;
    case Kind::kInvalidate: return AsyncAction::kInvalidate;
    case Kind::kArrive: return AsyncAction::kArrive;
    case Kind::kDrop: return AsyncAction::kDrop;
    case Kind::kComplete: return AsyncAction::kComplete;
    case Kind::kSignal: return AsyncAction::kSignalStores;
    case Kind::kAsk: return AsyncAction::kWait;
    case Kind::kLoad: return AsyncAction::kLoad;
    case Kind::kStore: return AsyncAction::kStore;
    case Kind::kMove: return AsyncAction::kMove;
    case Kind::kMoveReduce: return AsyncAction::kMoveReduce;
    default: return AsyncAction::kNone;
  }
}

}  // namespace

const trace::TensorMap* TensorMaps::find_or_add(Address address, const TensorBox& box) {
  const trace::TensorMap map = described(address, box);
  const auto known = std::ranges::find_if(maps_, [&map](const auto& one) { return equal(*one, map); });
  return known != maps_.end() ? known->get() : maps_.emplace_back(std::make_unique<trace::TensorMap>(map)).get();
}

std::uint32_t mbarrier_number(Address address) {
  return static_cast<std::uint32_t>(offset_in(address) / kMbarrierBytes);
}

const char* why_not_timed(const AsyncEffect& effect) {
  return effect.kind == Kind::kNone ? ""
         : !effect.lanes_agree      ? "its lanes ask different things of mbarriers, or ask different ones"
         : effect.box.has_gaps && effect.box.dimensions != 0 ? "its tensor map takes not every element of a box"
                                                             : "";
}

trace::AsyncOperands engine_operands(const AsyncEffect& effect, TensorMaps& maps) {
  trace::AsyncOperands operands;
  operands.action = action_of(effect.kind);
  if (operands.action == AsyncAction::kNone) {
    return operands;
  }
  operands.parity = effect.parity;
  operands.count = effect.count;
  operands.bytes = effect.bytes;
  if (operands.action != AsyncAction::kStore) {
    operands.barrier = mbarrier_number(effect.barrier);
  }
  if (!trace::is_copy(operands.action)) {
    return operands;
  }
  operands.count = 0;
  operands.parity = false;
  operands.multicast = effect.ranks;
  if (effect.box.dimensions != 0) {
    operands.map = maps.find_or_add(effect.global, effect.box);
    operands.at = effect.box.begin;
  } else {
    operands.global = effect.global;
  }
  return operands;
}

}  // namespace gpusim::exec

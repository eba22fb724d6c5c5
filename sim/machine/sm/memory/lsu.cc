// SPDX-License-Identifier: MIT
#include "sim/machine/sm/memory/lsu.h"

#include <algorithm>

namespace gpusim::sm {

Access& Lsu::accept(const lower::WarpOp& op, const Origin& origin, Cycle now) {
  SubCoreQueue& queue = queues_[origin.sub_core];
  assert(!is_full(origin.sub_core));
  const std::uint32_t index = accesses_.take();
  queue.accesses.push_back(index);
  const std::uint32_t registers = op.space == isa::MemSpace::kNone ? kGlobalAddressRegisters : op.address_registers;
  const Cycle ready = std::max(now + timing_.address_cycles(registers), queue.address_free);
  queue.address_free = ready + config_.address_interval;
  events_.push(ready, SmEvent(SmEventKind::kAddressReady, SubCoreEvent{origin.sub_core}));
  Access& access = accesses_[index];
  access.op = &op;
  access.origin = origin;
  return access;
}

}  // namespace gpusim::sm

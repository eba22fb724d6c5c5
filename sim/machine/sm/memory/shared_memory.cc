// SPDX-License-Identifier: MIT
#include "sim/machine/sm/memory/shared_memory.h"

#include <algorithm>

#include "sim/machine/sm/event/completion.h"
#include "sim/machine/sm/memory/data_stage.h"

namespace gpusim::sm {

using isa::OpKind;

std::uint32_t SharedMemory::execute(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  const std::uint32_t cycles = access.shared.wavefronts * timing_.cycles_a_pass(op);
  if (op.kind == OpKind::kStore || op.kind == OpKind::kReduction) {
    count(access.shared, Moves::kWrites);
    const Cycle read = now + timing_.store_read_cycles(op);
    release_sources(events_, op, access.origin.warp, read);
    push_completion(events_, completion_of(op, access.origin.warp), std::max(read, now + cycles));
  } else {
    count(access.shared, Moves::kReads);
    release_sources(events_, op, access.origin.warp, now);
    // A packed reply fills the banks and the way back for less, but its registers are written no sooner: 25 cycles for
    // 128 bits of one address on GA102, where 32 bits take 23 (Huerta et al.).
    const std::uint32_t back = access.shared.unpacked_wavefronts * timing_.cycles_a_pass(op);
    const std::uint32_t at_least = timing_.lane_groups();  // what a load of one pass takes is in the latency
    push_completion(events_, completion_of(op, access.origin.warp),
                    now + timing_.cycles_in_unit(op, latency_, kSharedAddressRegisters) +
                        timing_.return_delay(back > at_least ? back - at_least : 0));
  }
  return std::max(timing_.lane_groups(), cycles);
}

Cycle SharedMemory::take_pass(Cycle now) {
  ++counters_.shared_wavefronts;
  ++counters_.shared_ideal_wavefronts;
  const Cycle end = stage_.take(now, 1);
  if (end != taken_end_ + 1) {
    taken_begin_ = end - 1;
  }
  taken_end_ = end;
  return end;
}

void SharedMemory::count(const SharedPasses& passes, Moves moves) {
  ++counters_.shared_requests;
  counters_.shared_wavefronts += passes.wavefronts;
  counters_.shared_ideal_wavefronts += passes.ideal_wavefronts;
  (moves == Moves::kWrites ? counters_.shared_write_bytes : counters_.shared_read_bytes) += passes.bytes;
}

}  // namespace gpusim::sm

// SPDX-License-Identifier: MIT
// How operations of variable latency end: an event decrements the counter that they incremented, or counts them as
// done.
#pragma once

#include <cstdint>

#include "sim/machine/sm/event/sm_event.h"

namespace gpusim::sm {

/// The end of an operation: the counter it lowers (kNoBarrier: a kOperationDone).
struct Completion {
  std::uint16_t warp = 0;
  std::uint8_t counter = isa::kNoBarrier;
  lower::ProducerClass producer = lower::ProducerClass::kLong;
  std::uint32_t pc = 0;    ///< index of the instruction
  std::uint8_t banks = 0;  ///< register banks that the result is written to
};

/// The completion of an instruction's result. The warp in slot `warp` has issued the instruction.
[[nodiscard]] inline Completion completion_of(const lower::WarpOp& op, std::uint16_t warp) {
  return {warp, op.write_barrier, op.producer, op.pc, op.ports.variable_writes};
}

inline void push_completion(SmEvents& events, const Completion& completion, Cycle at) {
  const bool counts = completion.counter != isa::kNoBarrier;
  const OperationEnd end{completion.pc, completion.counter, completion.producer, completion.banks};
  events.push(at, SmEvent(counts ? SmEventKind::kCounterRelease : SmEventKind::kOperationDone, completion.warp, end));
}

/// The instruction's source registers may be overwritten.
inline void release_sources(SmEvents& events, const lower::WarpOp& op, std::uint16_t warp, Cycle at) {
  if (op.read_barrier != isa::kNoBarrier) {
    const OperationEnd end{op.pc, op.read_barrier, op.producer};
    events.push(at, SmEvent(SmEventKind::kCounterRelease, warp, end));
  }
}

}  // namespace gpusim::sm

// SPDX-License-Identifier: MIT
// The SM's own events: small records in its calendar queue.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/machine/engine/event_wheel.h"
#include "sim/machine/lower/kernel_image.h"

namespace gpusim::sm {

enum class SmEventKind : std::uint8_t {
  kWarpTimer,       ///< warp: its timer (too far for the sub-core's ring) has run out
  kTick,            ///< warp = sub-core: look again
  kCounterRelease,  ///< warp, counter, producer: an operation completed
  kOperationDone,   ///< warp: an operation without a counter completed (a store left the SM)
  kPollYes,         ///< warp, counter, producer, pc: a poll was answered
  kPollNo,          ///< the same
  kPollDeadline,    ///< warp, pc: a suspended poll has waited long enough
  kMbarrierSignal,  ///< pc = index of a signal to an mbarrier that arrives now
  kTmaStep,         ///< the TMA can ask for its next line
  kFenceDone,       ///< warp: its MEMBAR may pass
  kBarrierRelease,  ///< warp: its barrier has opened
  kFetch,           ///< warp: the line or the target that its instruction fetch waited for is there
  kInstruction,     ///< warp: its next instruction is in the buffer
  kConstant,        ///< warp: the constant operand that its next instruction waited for is there
  kAddressReady,    ///< warp = sub-core: its oldest queued access reaches the shared load/store unit
  kLsuFree,         ///< the shared load/store unit can take the next access
  kProductDone,     ///< the tensor cores may be through with a product of a warpgroup
  kPortFree,        ///< the request port to the NoC can take the next message
};

struct SmEvent {
  SmEventKind kind = SmEventKind::kTick;
  std::uint8_t counter = 0;
  lower::ProducerClass producer = lower::ProducerClass::kShort;
  std::uint16_t warp = 0;  ///< warp slot of the SM, or sub-core
  std::uint32_t pc = 0;    ///< index of the instruction whose operation completed
  std::uint8_t banks = 0;  ///< kCounterRelease of a result: mask of the register banks that it is written to
};

/// When an event is due that an instruction issued at `now` causes: never in the same cycle, whose events are over.
[[nodiscard]] inline Cycle after_issue(Cycle now, std::uint32_t latency) {
  return now + std::max(latency, 1U);
}

using SmEvents = engine::EventWheel<SmEvent>;

}  // namespace gpusim::sm

// SPDX-License-Identifier: MIT
// The SM's own events: small records in its calendar queue.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <type_traits>

#include "sim/machine/engine/event_wheel.h"
#include "sim/machine/lower/warp_op.h"

namespace gpusim::sm {

enum class SmEventKind : std::uint8_t {
  kWarpTimer,       ///< warp: its timer (too far for the sub-core's ring) has run out
  kFenceDone,       ///< warp: its MEMBAR may pass
  kBarrierRelease,  ///< warp: its barrier has opened
  kFetch,           ///< warp: the line or the target that its instruction fetch waited for is there
  kInstruction,     ///< warp: its next instruction is in the buffer
  kConstant,        ///< warp: the constant operand that its next instruction waited for is there
  kCounterRelease,  ///< warp, OperationEnd: an operation completed
  kOperationDone,   ///< warp, OperationEnd: an operation without a counter completed (a store left the SM)
  kPollYes,         ///< warp, OperationEnd: a poll was answered
  kPollNo,          ///< the same
  kPollDeadline,    ///< warp, PollDeadline: a suspended poll has waited long enough
  kMbarrierSignal,  ///< SignalDue: a signal to an mbarrier arrives now
  kTick,            ///< SubCoreEvent: look again
  kAddressReady,    ///< SubCoreEvent: its oldest queued access reaches the shared load/store unit
  kTmaStep,         ///< the TMA can ask for its next line
  kLsuFree,         ///< the shared load/store unit can take the next access
  kWgmmaDone,       ///< the tensor cores may be through with a WGMMA operation
  kWgmmaWrites,     ///< they begin to write the accumulators of one
  kWgmmaWritten,    ///< the accumulators of one are written
  kPortFree,        ///< the request port to the NoC can take the next message
};

/// An operation of the warp has ended.
struct OperationEnd {
  std::uint32_t pc = 0;                    ///< index of its instruction
  std::uint8_t counter = isa::kNoBarrier;  ///< that it lowers
  lower::ProducerClass producer = lower::ProducerClass::kShort;
  std::uint8_t banks = 0;  ///< for a result: mask of the register banks that it is written to
  [[nodiscard]] static constexpr bool belongs_to(SmEventKind kind) {
    return kind >= SmEventKind::kCounterRelease && kind <= SmEventKind::kPollNo;
  }
};
struct PollDeadline {
  std::uint32_t pc = 0;  ///< index of the poll
  [[nodiscard]] static constexpr bool belongs_to(SmEventKind kind) { return kind == SmEventKind::kPollDeadline; }
};
struct SignalDue {
  std::uint32_t signal = 0;  ///< index in the SyncUnit
  [[nodiscard]] static constexpr bool belongs_to(SmEventKind kind) { return kind == SmEventKind::kMbarrierSignal; }
};
struct SubCoreEvent {
  std::uint32_t sub_core = 0;
  [[nodiscard]] static constexpr bool belongs_to(SmEventKind kind) {
    return kind == SmEventKind::kTick || kind == SmEventKind::kAddressReady;
  }
};

/// What is to happen, and to what: a warp, or what the payload says, or a unit that there is once.
class SmEvent {
 public:
  SmEvent() = default;
  explicit SmEvent(SmEventKind event) : kind(event) {}
  SmEvent(SmEventKind event, std::uint16_t warp_slot) : kind(event), warp(warp_slot) {}
  SmEvent(SmEventKind event, std::uint16_t warp_slot, const OperationEnd& end)
      : kind(event), warp(warp_slot), payload_(end) {
    assert(OperationEnd::belongs_to(kind));
  }
  SmEvent(std::uint16_t warp_slot, const PollDeadline& deadline)
      : kind(SmEventKind::kPollDeadline), warp(warp_slot), payload_(deadline) {}
  explicit SmEvent(const SignalDue& due) : kind(SmEventKind::kMbarrierSignal), payload_(due) {}
  SmEvent(SmEventKind event, const SubCoreEvent& of) : kind(event), payload_(of) {
    assert(SubCoreEvent::belongs_to(kind));
  }

  SmEventKind kind = SmEventKind::kTmaStep;
  std::uint16_t warp = 0;  ///< warp slot of the SM; 0 where the event is of no warp

  /// The payload, which has to be that of the kind.
  template <class View>
  [[nodiscard]] const View& as() const {
    assert(View::belongs_to(kind));
    return payload_.*Payload::member(static_cast<const View*>(nullptr));
  }

 private:
  union Payload {
    Payload() {}  // NOLINT: many events have none
    explicit Payload(const OperationEnd& end) : operation_end(end) {}
    explicit Payload(const PollDeadline& deadline) : poll_deadline(deadline) {}
    explicit Payload(const SignalDue& due) : signal_due(due) {}
    explicit Payload(const SubCoreEvent& of) : sub_core_event(of) {}

    static constexpr auto member(const OperationEnd* /*of*/) { return &Payload::operation_end; }
    static constexpr auto member(const PollDeadline* /*of*/) { return &Payload::poll_deadline; }
    static constexpr auto member(const SignalDue* /*of*/) { return &Payload::signal_due; }
    static constexpr auto member(const SubCoreEvent* /*of*/) { return &Payload::sub_core_event; }

    OperationEnd operation_end;
    PollDeadline poll_deadline;
    SignalDue signal_due;
    SubCoreEvent sub_core_event;
  };
  Payload payload_;
};
static_assert(std::is_trivially_copyable_v<SmEvent> && sizeof(SmEvent) == 12);

/// When an event is due that an instruction issued at `now` causes: never in the same cycle, whose events are over.
[[nodiscard]] inline Cycle after_issue(Cycle now, std::uint32_t latency) {
  return now + std::max(latency, 1U);
}

using SmEvents = engine::EventWheel<SmEvent>;

}  // namespace gpusim::sm

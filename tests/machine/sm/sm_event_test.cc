// SPDX-License-Identifier: MIT
#include "sim/machine/sm/event/sm_event.h"

#include <vector>

#include <catch2/catch.hpp>

namespace sm_event_test {

using namespace gpusim;
using namespace gpusim::sm;

namespace {

/// What comes out of the calendar.
SmEvent due(const SmEvent& event) {
  SmEvents events;
  events.push(5, event);
  std::vector<SmEvent> popped;
  events.pop_all(events.next_time(), [&popped](const SmEvent& one) { popped.push_back(one); });
  REQUIRE(popped.size() == 1);
  return popped.front();
}

}  // namespace

TEST_CASE("the end of an operation comes out of the calendar with its warp, whatever its kind") {
  using enum SmEventKind;
  for (const SmEventKind kind : {kCounterRelease, kOperationDone, kPollYes, kPollNo}) {
    const SmEvent event = due({kind, 63, {0xffff'fffeU, 5, lower::ProducerClass::kLong, 3}});
    CHECK(event.kind == kind);
    CHECK(event.warp == 63);
    CHECK(event.as<OperationEnd>().pc == 0xffff'fffeU);
    CHECK(event.as<OperationEnd>().counter == 5);
    CHECK(event.as<OperationEnd>().producer == lower::ProducerClass::kLong);
    CHECK(event.as<OperationEnd>().banks == 3);
  }
}

TEST_CASE("deadlines, signals and what is of a sub-core come out of the calendar as they went in") {
  const SmEvent deadline = due({std::uint16_t{7}, PollDeadline{0xffff'fffeU}});
  CHECK(deadline.kind == SmEventKind::kPollDeadline);
  CHECK(deadline.warp == 7);
  CHECK(deadline.as<PollDeadline>().pc == 0xffff'fffeU);
  const SmEvent signal = due(SmEvent(SignalDue{0xffff'fffeU}));
  CHECK(signal.kind == SmEventKind::kMbarrierSignal);
  CHECK(signal.as<SignalDue>().signal == 0xffff'fffeU);
  for (const SmEventKind kind : {SmEventKind::kTick, SmEventKind::kAddressReady}) {
    CHECK(due({kind, SubCoreEvent{3}}).as<SubCoreEvent>().sub_core == 3);
  }
}

TEST_CASE("an event of no warp names slot 0, which every SM has") {
  CHECK(due(SmEvent(SmEventKind::kLsuFree)).warp == 0);
  CHECK(due({SmEventKind::kTick, SubCoreEvent{3}}).warp == 0);
}

}  // namespace sm_event_test

// SPDX-License-Identifier: MIT
// What the parts of one memory partition tell themselves and each other to do at a later cycle. They share one
// calendar, so that what happens at one cycle has one order.
#pragma once

#include <cstdint>

#include "sim/machine/engine/event_wheel.h"
#include "sim/machine/mem/map/address_map.h"
#include "sim/machine/msg/message.h"

namespace gpusim::mem::l2 {

using map::AddressMap;

enum class Work : std::uint8_t {
  kServe,    ///< slice: start the next request of its queues
  kLookUp,   ///< slice: a request has passed the tag pipeline; `slot`: of which origin
  kWake,     ///< slice: what stalled requests may wait for is free again
  kResume,   ///< slice: try a stalled request again
  kAtomic,   ///< slice: atomic `slot` is done
  kSendFar,  ///< ports: message `slot` is ready for the link to the other half
  kFill,     ///< DRAM: fetch `slot` has arrived at its slice
  kMerge,    ///< DRAM: the rest of partly written sectors has arrived: write-back `slot` can go
  kChannel,  ///< DRAM: channel `index` has something to do
};

struct Event {
  Work work = Work::kServe;
  std::uint16_t index = 0;  ///< index of the slice or channel in the partition
  std::uint32_t slot = 0;
};

using Calendar = engine::EventWheel<Event>;

/// A message to a slice, and the number of its line there: found once, when the request comes.
struct Request {
  msg::Message message;
  std::uint64_t slice_line = 0;
};

/// What a request may lack behind the tags.
enum class Need : std::uint8_t { kNothing, kHomeMshr, kCopyMshr, kWritePlace, kFarWrite, kAtomicEntry };

/// Whether a request comes from the mirror slice, not from an SM.
[[nodiscard]] constexpr bool is_from_mirror(msg::Kind kind) {
  using enum msg::Kind;
  return kind == kFarRead || kind == kFarWrite || kind == kFarAtomic || kind == kFarReduction || kind == kFarInvalidate;
}
[[nodiscard]] inline bool is_from_mirror(const msg::Message& message) {
  return is_from_mirror(message.kind());
}

/// Some sectors of a line that a slice reads from DRAM; `line` and `entry` are the slice's own numbers for it, in the
/// tags and among the misses.
struct Fetch {
  std::uint64_t line = 0;
  std::uint32_t entry = 0;
  std::uint16_t slice = 0;
  std::uint8_t sectors = 0;
};

}  // namespace gpusim::mem::l2

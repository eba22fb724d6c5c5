// SPDX-License-Identifier: MIT
// Groups of asynchronous copies of one warp, and how operations end.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/sm/sm_event.h"

namespace gpusim::sm {

/// How an operation ends: the counter it lowers (kNoBarrier: a kOperationDone).
struct Completion {
  std::uint16_t warp = 0;
  std::uint8_t counter = isa::kNoBarrier;
  lower::ProducerClass producer = lower::ProducerClass::kLong;
  std::uint32_t pc = 0;    ///< index of the instruction
  std::uint8_t banks = 0;  ///< register banks that the result is written to
};

/// Copies outstanding in each LDGSTS or bulk group of a warp, oldest first; an uncommitted one can only be the last.
struct AsyncGroups {
  static constexpr std::uint32_t kNoSignal = 0xffffffffU;
  struct Group {
    std::uint32_t signal = kNoSignal;  ///< to an mbarrier, sent instead of the completion
    std::uint32_t copies = 0;
    bool committed = false;
    Cycle written = 0;            ///< when the last copy so far is in shared memory
    std::uint32_t last_copy = 0;  ///< index of the instruction that it belongs to
    Completion completion;
  };
  std::vector<Group> groups;
  std::uint32_t first = 0;  ///< number of groups.front()
  Cycle released = 0;       ///< when the last group ended: later ones may not end before
};

}  // namespace gpusim::sm

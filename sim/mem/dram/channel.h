// SPDX-License-Identifier: MIT
// One DRAM pseudo-channel with its queue, banks and scheduler. Owned and driven by a memory partition; it keeps no clock
// of its own but is told the time.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/arch/arch.h"
#include "sim/base/ratio.h"
#include "sim/base/types.h"
#include "sim/stats/counters.h"

namespace gpusim::mem::dram {

/// A request for some sectors of one line. `line` is dense and local to the channel: consecutive lines of a channel
/// share rows.
struct Request {
  std::uint64_t line = 0;
  std::uint8_t sectors = 0;       ///< mask of four
  bool write = false;
  std::uint32_t token = 0;        ///< of the slice; returned with the data of a read
};

/// A read whose last sector has arrived back at the slice at SM cycle `ready`.
struct Completion {
  std::uint32_t token = 0;
  Cycle ready = 0;
};

}  // namespace gpusim::mem::dram

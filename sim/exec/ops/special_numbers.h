// SPDX-License-Identifier: MIT
// The special registers that S2R, S2UR and CS2R read.
#pragma once

#include <cstdint>

namespace gpusim::exec {

/// Special registers by number, as sim/code/sass/special_registers.cc names them.
enum SpecialNumber : std::uint32_t {
  kLaneId = 0,
  kClock = 1,
  kVirtualId = 3,
  kThread = 32,
  kThreadX = 33,
  kThreadY = 34,
  kThreadZ = 35,
  kCtaX = 37,
  kCtaY = 38,
  kCtaZ = 39,
  kSharedWindowHigh = 47,
  kSharedWindowLow = 48,
  kSharedSize = 50,
  kLocalWindowLow = 52,
  kEqualMask = 56,
  kLessMask = 57,
  kLessEqualMask = 58,
  kGreaterMask = 59,
  kGreaterEqualMask = 60,
  kVirtualSm = 67,
  kClockLow = 80,
  kClockHigh = 81,
  kTimerLow = 82,
  kTimerHigh = 83,
  kClusterRank = 136,
  kNone = 255,
};

}  // namespace gpusim::exec

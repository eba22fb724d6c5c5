// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace gpusim::sm {

struct Mbarrier {
  bool valid = false;
  std::uint32_t expected = 0;  ///< arrivals a phase
  std::uint32_t pending = 0;   ///< arrivals that the present phase still waits for
  std::int64_t bytes = 0;      ///< expected and not yet there; below zero when they came before they were expected
  std::uint64_t phase = 0;     ///< phases that are over
};

}  // namespace gpusim::sm

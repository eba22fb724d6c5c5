// SPDX-License-Identifier: MIT
// A window of global memory whose lines L2 is to treat in a way of their own: the access policy window of CUDA.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/types.h"

namespace gpusim::trace {

/// CUDA C++ Programming Guide, "L2 Cache Control": hitProp for hitRatio of the lines, missProp for the others.
struct L2Window {
  std::string buffer;
  Address base = 0;
  std::uint64_t bytes = 0;
  std::uint32_t hit_percent = 100;
  Eviction hit = Eviction::kLast;     ///< persisting, streaming (kFirst) or normal
  Eviction miss = Eviction::kNormal;  ///< streaming or normal
  std::uint64_t set_aside_bytes = 0;  ///< bytes of L2 for what persists; 0: as much as the GPU allows
};

}  // namespace gpusim::trace

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace gpusim::sm {

/// Work of the stage that L1 and shared memory share.
struct StageWork {
  std::uint64_t l1_sectors = 0;
  std::uint64_t l1_wavefronts = 0;
  std::uint64_t shared_wavefronts = 0;
};

}  // namespace gpusim::sm

// SPDX-License-Identifier: MIT
// What code reads of its launch, which says how many dimensions the launch has.
#pragma once

#include <array>
#include <string>

namespace gpusim::frontend::sass {

/// Which launch dimensions the code reads: x, y and z of the grid and of the block.
struct LaunchReads {
  std::array<bool, 3> grid{true, false, false};
  std::array<bool, 3> block{true, false, false};

  /// "SR_CTAID.Y", "SR_TID.Z", "c[0x0][0x4]".
  void add(const std::string& operand);
};

}  // namespace gpusim::frontend::sass

// SPDX-License-Identifier: MIT
// Loops that poll an mbarrier, as they were recorded: how often depends on the time that a wait took, so that only one
// poll of each wait says anything.
#pragma once

#include <cstdint>

#include "sim/input/accelsim/instruction_line.h"

namespace gpusim::frontend::accelsim {

class PollFilter {
 public:
  void begin_warp() { *this = {}; }
  /// Whether the warp's next line repeats a poll, or is of the loop around one that does. A poll repeats the one before
  /// when it asks the same mbarrier for the same phase and nothing but calculation was in between.
  [[nodiscard]] bool is_repeat(const InstructionLine& line);

 private:
  bool polls_ = false;    ///< a poll came, and since then nothing but calculation
  bool repeats_ = false;  ///< another one of the same kind came, and since then nothing but its loop
  Address mbarrier_ = 0;
  std::uint64_t parity_ = 0;
};

}  // namespace gpusim::frontend::accelsim

// SPDX-License-Identifier: MIT
// Loops that poll an mbarrier, while a recording is made of them: how often they go round depends on the time that a
// wait takes, so that only one poll of each wait says anything.
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/model/isa/instr.h"

namespace gpusim::trace {

/// For the instructions of one warp, in their order.
class PollFilter {
 public:
  void begin_warp() { *this = {}; }
  /// Whether an instruction other than a poll of an mbarrier may matter here at all.
  [[nodiscard]] bool has_polled() const { return polls_; }
  /// Whether it is of the loop around a poll that was repeated.
  [[nodiscard]] bool is_of_repeat(isa::OpKind kind);
  /// Whether a poll repeats the one before: it does when it asks the same mbarrier for the same phase and nothing but
  /// calculation was in between. `phase` is any number that tells phases apart.
  [[nodiscard]] bool is_repeat(Address mbarrier, std::uint64_t phase);
  /// The same of a poll that no lane executes.
  [[nodiscard]] bool is_repeat() const { return repeats_; }

 private:
  bool polls_ = false;    ///< a poll came, and since then nothing but calculation
  bool repeats_ = false;  ///< another one of the same kind came, and since then nothing but its loop
  Address mbarrier_ = 0;
  std::uint64_t phase_ = 0;
};

}  // namespace gpusim::trace

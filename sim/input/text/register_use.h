// SPDX-License-Identifier: MIT
// The highest general register that a kernel's code names, and the instruction that names it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/base/problem.h"
#include "sim/model/isa/instr.h"

namespace gpusim::frontend {

class RegisterUse {
 public:
  void note(const isa::Instr& instr, Place place) {
    std::uint32_t needed = 0;
    const auto look_at = [&needed](const isa::Operand& operand) {
      if (operand.file == isa::RegFile::kGeneral && operand.is_real()) {
        needed = std::max<std::uint32_t>(needed, operand.index + operand.width);
      }
    };
    std::ranges::for_each(instr.destinations, look_at);
    std::ranges::for_each(instr.sources, look_at);
    if (needed > needed_) {
      needed_ = needed;
      place_ = place;
    }
    has_pool_ = has_pool_ || instr.timing == isa::TimingClass::kRegisterPool;
  }

  /// Registers a thread must have: the highest one and those below it.
  [[nodiscard]] std::uint32_t needed() const { return needed_; }
  [[nodiscard]] Place place() const { return place_; }
  /// The code has a USETMAXREG, which may give a warp more registers than it started with.
  [[nodiscard]] bool has_pool() const { return has_pool_; }

 private:
  std::uint32_t needed_ = 0;
  Place place_;
  bool has_pool_ = false;
};

}  // namespace gpusim::frontend

// SPDX-License-Identifier: MIT
// What a lane did wrong. The code that detects it knows the lane and the address; the interpreter adds the instruction,
// the line, the warp and the CTA, and throws InputError.
#pragma once

#include <stdexcept>
#include <string>

namespace gpusim::exec {

struct LaneFault : std::runtime_error {
  /// `hint` says what is allowed or what lies near; it may be empty.
  LaneFault(unsigned of_lane, const std::string& message, std::string its_hint = {})
      : std::runtime_error(message), lane(of_lane), hint(std::move(its_hint)) {}
  unsigned lane;
  std::string hint;
};

}  // namespace gpusim::exec

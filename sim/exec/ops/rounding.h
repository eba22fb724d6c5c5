// SPDX-License-Identifier: MIT
// The host's rounding mode, set for a while.
#pragma once

#include <cfenv>

#include "sim/code/sass/modifiers.h"

namespace gpusim::exec {

class RoundingScope {
 public:
  explicit RoundingScope(sass::Rounding rounding) : before_(std::fegetround()) { std::fesetround(mode_of(rounding)); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;
  ~RoundingScope() { std::fesetround(before_); }

 private:
  static int mode_of(sass::Rounding rounding) {
    switch (rounding) {
      case sass::Rounding::kDown: return FE_DOWNWARD;
      case sass::Rounding::kUp: return FE_UPWARD;
      case sass::Rounding::kZero: return FE_TOWARDZERO;
      default: return FE_TONEAREST;
    }
  }
  int before_;
};

/// A value that the compiler knows nothing of, so that it calculates with it where this stands, in the mode set there.
template <class T>
[[nodiscard]] T opaque(T value) {
  volatile T hidden = value;
  return hidden;
}

}  // namespace gpusim::exec

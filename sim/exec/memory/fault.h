// SPDX-License-Identifier: MIT
// What a lane did wrong. The code that detects it knows the lane and the address; the interpreter adds the instruction,
// the line, the warp and the CTA, and throws InputError.
#pragma once

#include <cstdint>
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

/// What an access does with memory.
enum class AccessKind : std::uint8_t {
  kRead,
  kWrite,
  kAtomic,
  kMbarrier,  ///< an mbarrier is changed or asked
};

/// "read", "write", "atomic", "mbarrier access"
[[nodiscard]] const char* word_of(AccessKind kind);

/// An access that leads nowhere, or to where it may not.
struct AccessFault : LaneFault {
  enum class Why : std::uint8_t { kMisaligned, kOutOfBounds };
  AccessFault(Why its_why, unsigned of_lane, const std::string& message, std::string its_hint)
      : LaneFault(of_lane, message, std::move(its_hint)), why(its_why) {}
  Why why;
};

}  // namespace gpusim::exec

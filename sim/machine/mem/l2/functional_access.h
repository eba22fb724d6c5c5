// SPDX-License-Identifier: MIT
// An access to a slice that takes no time, for caches that are warm before the kernel starts: LineStore says what it
// does to the tags.
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/machine/msg/kind.h"
#include "sim/machine/msg/payload.h"

namespace gpusim::mem::l2 {

/// A kRead, kWrite, kAtomic or kReduction of an SM, or what the mirror slice makes of one.
struct FunctionalRequest {
  Address address = 0;  ///< address of the line
  std::uint64_t slice_line = 0;
  msg::Kind kind = msg::Kind::kRead;
  std::uint8_t sectors = 0;
  std::uint8_t full = 0;           ///< for a write: sectors that are written completely
  bool is_copy = false;            ///< the slice that is asked is the mirror of the line's home
  std::uint8_t fetch_sectors = 0;  ///< for a read: as msg::L2Access says
  msg::WriteParts parts{};         ///< for a write: likewise
};
/// What it found.
struct FunctionalResult {
  std::uint8_t missed = 0;  ///< sectors that were not there and now are
  bool far = false;         ///< the line's home is in the other half: access it there too
  bool has_copy = false;    ///< in the other half, which loses it: invalidate it there
};

}  // namespace gpusim::mem::l2

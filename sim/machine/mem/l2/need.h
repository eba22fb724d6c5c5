// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace gpusim::mem::l2 {

/// What a request may lack behind the tags.
enum class Need : std::uint8_t { kNothing, kHomeMshr, kCopyMshr, kWritePlace, kFarWrite, kAtomicEntry };

}  // namespace gpusim::mem::l2

// SPDX-License-Identifier: MIT
// What the 64 bits of an address are for: global memory below, local memory, as the caches see it, far above. Files may
// say any number; a reader refuses what is neither, since caches tell lines apart by fewer bits. In the shared memory
// of a cluster they name a CTA as well.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/types.h"

namespace gpusim {

/// Global memory's addresses are below. A GPU's virtual addresses have 49 bits, so that they cover those of the host's
/// processor as well (NVIDIA Tesla P100 whitepaper, "Unified Memory").
inline constexpr Address kGlobalEnd = Address{1} << 49;
inline constexpr const char* kGlobalEndHint = "a GPU's addresses have 49 bits: they are below 0x2000000000000";

/// Where the local memory of all threads begins. No GPU has as much as kLocalBegin bytes of it.
inline constexpr Address kLocalBegin = 2 * kGlobalEnd;
inline constexpr Address kLocalEnd = 2 * kLocalBegin;

/// In an address in the shared memory of a cluster, in code and in recordings: the bits from here on are the rank of
/// the CTA (measured on code of ptxas 13.0).
inline constexpr unsigned kRankBit = 24;

/// Whether all of `bytes` bytes from `begin` on have an address in global memory.
[[nodiscard]] constexpr bool fits_global(Address begin, std::uint64_t bytes) {
  return begin <= kGlobalEnd && bytes <= kGlobalEnd - begin;
}

/// "0x7f2000000000"
[[nodiscard]] std::string address_text(Address address);

}  // namespace gpusim

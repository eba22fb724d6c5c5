// SPDX-License-Identifier: MIT
// How the TMA and the tensor cores of a warpgroup permute pieces of 16 bytes in shared memory, so that columns of a
// tile lie in different banks (CUDA C++ programming guide, tensor maps; PTX ISA 8.7, 5.5.7).
#pragma once

#include "sim/base/types.h"

namespace gpusim::exec {

/// Where the byte at `address` of a tile lies. `bytes`: 128, 64, 32, or 0 for no swizzle. It is a function of
/// addresses, not of places in the tile.
[[nodiscard]] constexpr Address swizzled(Address address, unsigned bytes) {
  constexpr unsigned kPiece = 16;
  const Address pieces = bytes == 0 ? 0 : bytes / kPiece - 1;
  return address ^ ((address >> 7U & pieces) * kPiece);
}

}  // namespace gpusim::exec

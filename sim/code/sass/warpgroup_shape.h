// SPDX-License-Identifier: MIT
// The shapes of WGMMA operations, 64 x N x K, as encodings number them (measured: what ptxas 13.0 makes of all N).
#pragma once

#include <cstdint>

#include "sim/code/sass/op.h"

namespace gpusim::sass {

/// How a number says N, and which of its kind's depths K is.
enum class ShapeCode : std::uint8_t {
  kEights,    ///< HGMMA, QGMMA: the lower five bits are N / 8 - 1, those above them the depth
  kIntegers,  ///< IGMMA: three numbers for each N that it has, one a depth
  kBits       ///< BGMMA: a number for each N that it has
};

struct WarpgroupShape {
  unsigned columns = 0;  ///< N
  unsigned depth = 0;    ///< index into the depths of its kind
};

/// N of integers and of bits: 8, 16, 24, 32, and from there on in steps of 16 (ptxas refuses all others).
[[nodiscard]] constexpr unsigned columns_of_integers(unsigned number) {
  constexpr unsigned kNarrow = 4;
  return number < kNarrow ? 8 * (number + 1) : 16 * (number - 1);
}

[[nodiscard]] constexpr WarpgroupShape warpgroup_shape(ShapeCode code, unsigned value) {
  constexpr unsigned kDepthsOfIntegers = 3;
  switch (code) {
    case ShapeCode::kIntegers: return {columns_of_integers(value / kDepthsOfIntegers), value % kDepthsOfIntegers};
    case ShapeCode::kBits: return {columns_of_integers(value), 0};
    default: return {8 * ((value & 31U) + 1U), value >> 5U};
  }
}

[[nodiscard]] constexpr ShapeCode shape_code_of(Op op) {
  switch (op) {
    case Op::kIgmma:
    case Op::kIgmmaRegister: return ShapeCode::kIntegers;
    case Op::kBgmma:
    case Op::kBgmmaRegister: return ShapeCode::kBits;
    default: return ShapeCode::kEights;
  }
}

}  // namespace gpusim::sass

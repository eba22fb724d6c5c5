// SPDX-License-Identifier: MIT
// Matrices in the registers of a warp, as mma.sync and wgmma lay them out (PTX ISA 8.7, 9.7.14): with lane = 4 g + t,
// a register of A has the neighbours that fit into it, of row g or g + 8; B has them along a column. What is multiplied
// lies open in tiles, in which the loops run along the 8 columns of a result.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "sim/exec/lanes/variant.h"
#include "sim/exec/memory/rows.h"

namespace gpusim::exec::GPUSIM_LANES {

inline constexpr unsigned kColumns = 8;

/// FP16, also subnormal, infinite and NaN.
struct HalfElement {
  using Value = double;
  static constexpr unsigned kBits = 16;
  static Value of(std::uint32_t bits) {
    const std::uint32_t rest = (bits & 0x7fffU) << 13U;
    std::uint32_t size = std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) * 0x1p112F);
    size |= rest >= 0x0f800000U ? 0x7f800000U : 0;
    return std::bit_cast<float>(size | (bits & 0x8000U) << 16U);
  }
};

struct BfloatElement {
  using Value = double;
  static constexpr unsigned kBits = 16;
  static Value of(std::uint32_t bits) { return std::bit_cast<float>(bits << 16U); }
};

/// FP8 with 5 bits of exponent: the upper half of an FP16.
struct E5m2Element {
  using Value = double;
  static constexpr unsigned kBits = 8;
  static Value of(std::uint32_t bits) { return HalfElement::of(bits << 8U); }
};

/// FP8 with 4 bits of exponent: no infinity, and NaN where all other bits are set (OCP 8-bit floating point
/// specification, 1.0).
struct E4m3Element {
  using Value = double;
  static constexpr unsigned kBits = 8;
  static Value of(std::uint32_t bits) {
    const std::uint32_t rest = bits & 0x7fU;
    const float size =
        rest == 0x7fU ? std::numeric_limits<float>::quiet_NaN() : std::bit_cast<float>(rest << 20U) * 0x1p120F;
    return (bits & 0x80U) != 0 ? -size : size;
  }
};

/// FP32 of which the lowest 13 bits have no effect.
struct Tf32Element {
  using Value = double;
  static constexpr unsigned kBits = 32;
  static Value of(std::uint32_t bits) { return std::bit_cast<float>(bits & 0xffffe000U); }
};

/// 32 values of one bit, side by side.
struct WordElement {
  using Value = std::uint32_t;
  static constexpr unsigned kBits = 32;
  static Value of(std::uint32_t bits) { return bits; }
};

template <unsigned kWidth, bool kIsSigned>
struct IntegerElement {
  using Value = std::int32_t;
  static constexpr unsigned kBits = kWidth;
  static Value of(std::uint32_t bits) {
    const std::uint32_t sign = kIsSigned ? bits & (1U << (kWidth - 1)) : 0;
    return static_cast<std::int32_t>(bits - 2 * sign);
  }
};

/// Element number `at` of a register.
template <class Element>
typename Element::Value element_of(std::uint32_t word, unsigned at) {
  if constexpr (Element::kBits == 32) {
    return Element::of(word);
  } else {
    return Element::of(word >> (Element::kBits * at) & ((1U << Element::kBits) - 1));
  }
}

/// Elements of a register, and of the four lanes that have a row: so deep is a chunk of A or B.
template <class Element>
inline constexpr unsigned kPerRegister = 32 / Element::kBits;
template <class Element>
inline constexpr unsigned kChunk = 4 * kPerRegister<Element>;

/// kRows x kDepth.
template <class Value, unsigned kRows, unsigned kDepth>
struct TileA {
  alignas(kRowAlignment) Value at[kRows][kDepth];
};
/// By k, so that the 8 columns lie together.
template <class Value, unsigned kDepth>
struct TileB {
  alignas(kRowAlignment) Value at[kDepth][kColumns];
};

template <class Element, unsigned kRows, unsigned kChunks>
void open_a(const std::uint32_t* rows, TileA<typename Element::Value, kRows, kChunks * kChunk<Element>>& tile) {
  for (unsigned chunk = 0; chunk < kChunks; ++chunk) {
    for (unsigned eight = 0; eight < kRows / 8; ++eight) {
      const std::uint32_t* const words = rows + (chunk * (kRows / 8) + eight) * kRow;
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        for (unsigned i = 0; i < kPerRegister<Element>; ++i) {
          tile.at[eight * 8 + lane / 4][chunk * kChunk<Element> + lane % 4 * kPerRegister<Element> + i] =
              element_of<Element>(words[lane], i);
        }
      }
    }
  }
}

template <class Element, unsigned kChunks>
void open_b(const std::uint32_t* rows, TileB<typename Element::Value, kChunks * kChunk<Element>>& tile) {
  for (unsigned chunk = 0; chunk < kChunks; ++chunk) {
    const std::uint32_t* const words = rows + chunk * kRow;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      for (unsigned i = 0; i < kPerRegister<Element>; ++i) {
        tile.at[chunk * kChunk<Element> + lane % 4 * kPerRegister<Element> + i][lane / 4] =
            element_of<Element>(words[lane], i);
      }
    }
  }
}

/// What FP32 keeps of a number when it cuts off the rest; exact for numbers that are normal in FP32.
inline double truncated(double value) {
  constexpr std::uint64_t kBeyondFp32 = (std::uint64_t{1} << 29U) - 1;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & ~kBeyondFp32);
}

/// Which row of B an element of a dense A is multiplied with: that of its own k.
struct OwnK {
  unsigned operator()(unsigned k) const { return k; }
};

/// sums += row of A times B, where element k of A is multiplied with row_of(k) of B. Products are exact; after each
/// `kBlock` of them, whose sum is exact as far as FP64 is, the sum is cut off to FP32. Measured on V100, T4 and A100:
/// M. Fasi et al., Numerical behavior of NVIDIA tensor cores, PeerJ Computer Science 7:e330, 2021.
template <unsigned kBlock, unsigned kDepth, unsigned kDepthOfB, class RowOf = OwnK>
void multiply_row(const double* a, const TileB<double, kDepthOfB>& b, double* sums, const RowOf& row_of = {}) {
  double sum[kColumns];
  for (unsigned column = 0; column < kColumns; ++column) {
    sum[column] = sums[column];
  }
  for (unsigned first = 0; first < kDepth; first += kBlock) {
    for (unsigned k = first; k < first + kBlock && k < kDepth; ++k) {
      const double* const of_b = b.at[row_of(k)];
      for (unsigned column = 0; column < kColumns; ++column) {
        sum[column] += a[k] * of_b[column];
      }
    }
    for (unsigned column = 0; column < kColumns; ++column) {
      sum[column] = truncated(sum[column]);
    }
  }
  for (unsigned column = 0; column < kColumns; ++column) {
    sums[column] = sum[column];
  }
}

/// sums += the products of a row, product(a, b) each; sums wrap.
template <unsigned kDepth, unsigned kDepthOfB, class Value, class Product, class RowOf>
void add_products(const Value* a, const TileB<Value, kDepthOfB>& b, std::uint32_t* sums, const Product& product,
                  const RowOf& row_of) {
  std::uint32_t sum[kColumns];
  for (unsigned column = 0; column < kColumns; ++column) {
    sum[column] = sums[column];
  }
  for (unsigned k = 0; k < kDepth; ++k) {
    const Value* const of_b = b.at[row_of(k)];
    for (unsigned column = 0; column < kColumns; ++column) {
      sum[column] += product(a[k], of_b[column]);
    }
  }
  for (unsigned column = 0; column < kColumns; ++column) {
    sums[column] = sum[column];
  }
}

/// The same of integers.
template <unsigned kDepth, unsigned kDepthOfB, class RowOf = OwnK>
void multiply_row(const std::int32_t* a, const TileB<std::int32_t, kDepthOfB>& b, std::uint32_t* sums,
                  const RowOf& row_of = {}) {
  const auto product = [](std::int32_t of_a, std::int32_t of_b) { return static_cast<std::uint32_t>(of_a * of_b); };
  add_products<kDepth>(a, b, sums, product, row_of);
}

/// The same of bits, in words: the bits that are set in both, or with `kExclusive` in one of the two.
template <unsigned kDepth, bool kExclusive>
void multiply_row_of_bits(const std::uint32_t* a, const TileB<std::uint32_t, kDepth>& b, std::uint32_t* sums) {
  const auto product = [](std::uint32_t of_a, std::uint32_t of_b) {
    return static_cast<std::uint32_t>(std::popcount(kExclusive ? of_a ^ of_b : of_a & of_b));
  };
  add_products<kDepth>(a, b, sums, product, OwnK{});
}

}  // namespace gpusim::exec::GPUSIM_LANES

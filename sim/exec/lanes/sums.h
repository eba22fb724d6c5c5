// SPDX-License-Identifier: MIT
// Accumulators of a tile of 16 x 8 in the registers of a warp: register i of lane 4 g + t is row g + 8 (i / 2), column
// 2 t + i % 2; FP16 has two of them in a register.
#pragma once

#include <algorithm>

#include "sim/exec/lanes/fragment.h"
#include "sim/exec/lanes/lanes.h"
#include "sim/exec/memory/half.h"

namespace gpusim::exec::GPUSIM_LANES {

template <class Value>
struct Sums {
  static constexpr unsigned kMostRows = 16;
  alignas(kRowAlignment) Value at[kMostRows][kColumns];

  Value& of(unsigned lane, unsigned i) { return at[i / 2 * 8 + lane / 4][lane % 4 * 2 + i % 2]; }
};

/// Registers of such a tile: FP32, or FP16 in pairs.
template <bool kWide>
inline constexpr unsigned kSumRegisters = kWide ? 4 : 2;

template <bool kWide>
void read_floats(const std::uint32_t* rows, Sums<double>& sums) {
  for (unsigned i = 0; i < 4; ++i) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if constexpr (kWide) {
        sums.of(lane, i) = std::bit_cast<float>(rows[i * kRow + lane]);
      } else {
        sums.of(lane, i) = HalfElement::of(rows[i / 2 * kRow + lane] >> (16 * (i % 2)) & 0xffffU);
      }
    }
  }
}

template <bool kWide>
void write_floats(std::uint32_t* rows, LaneMask mask, Sums<double>& sums) {
  if constexpr (kWide) {
    for (unsigned i = 0; i < 4; ++i) {
      write_lanes(rows + i * kRow, mask,
                  [&](unsigned lane) { return std::bit_cast<std::uint32_t>(static_cast<float>(sums.of(lane, i))); });
    }
  } else {
    for (unsigned i = 0; i < 2; ++i) {
      write_lanes(rows + i * kRow, mask, [&](unsigned lane) {
        const std::uint32_t low = Fp16::narrow(static_cast<float>(sums.of(lane, 2 * i)));
        const std::uint32_t high = Fp16::narrow(static_cast<float>(sums.of(lane, 2 * i + 1)));
        return low | high << 16U;
      });
    }
  }
}

/// C + the row's products, which themselves fit: 64 of 8 bits.
inline std::uint32_t saturated_sum(std::uint32_t addend, std::uint32_t products) {
  const std::int64_t sum = std::int64_t{static_cast<std::int32_t>(addend)} + static_cast<std::int32_t>(products);
  constexpr std::int64_t kLeast = -(std::int64_t{1} << 31U);
  constexpr std::int64_t kMost = (std::int64_t{1} << 31U) - 1;
  return static_cast<std::uint32_t>(std::clamp(sum, kLeast, kMost));
}

/// D = C + the products. `saturates`: sums that leave 32 bits become the nearest number that does not.
template <unsigned kRows>
void write_integers(std::uint32_t* rows, LaneMask mask, const std::uint32_t* addends, Sums<std::uint32_t>& sums,
                    bool saturates) {
  for (unsigned i = 0; i < kRows / 4; ++i) {
    write_lanes(rows + i * kRow, mask, [&](unsigned lane) {
      const std::uint32_t addend = addends[i * kRow + lane];
      const std::uint32_t products = sums.of(lane, i);
      return saturates ? saturated_sum(addend, products) : addend + products;
    });
  }
}

}  // namespace gpusim::exec::GPUSIM_LANES

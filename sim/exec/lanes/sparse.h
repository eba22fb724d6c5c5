// SPDX-License-Identifier: MIT
// Matrices A of which only half of the values are there (mma.sp and wgmma.mma_async.sp). A row consists of groups of
// four units, of which two are there; a unit is a value of 16 or of 8 bits, half a value of 32, two values of 4. Four
// bits of metadata say which two, the lower two bits that of the first (PTX ISA 8.7, 9.7.14.6.1 and 9.7.15.6.1).
//
// Which lane has the metadata of which row is drawn in the PTX ISA for mma.sp (9.7.14.6.2), and CUTLASS says the same
// of WGMMA (ELayout in cute/atom/mma_traits_sm90_gmma_sparse.hpp). No GPU has been asked. The code by which ptxas 13.0
// makes products of 4 bits on sm_90, from products of 8, has the right results with it. With lane = 4 g + t:
// - wide units (of 16 bits): a lane has 16 bits of row g, and above them 16 bits of row g + 8. If that is all of k, the
//   selector is t. Else the lanes 2 s and 2 s + 1 have the two halves of k, with s as the selector.
// - narrow units: a lane has 32 bits of one row: of row g where t is even, of row g + 8 where it is odd. If that is all
//   of k, the selector chooses the lanes 2 s and 2 s + 1. Else lanes 2 and 3 have the upper half of k.
#pragma once

#include <cstdint>

#include "sim/exec/lanes/fragment.h"

namespace gpusim::exec::GPUSIM_LANES {

/// Values of a row that four bits of metadata are about, and how many of these are there.
template <class Element>
inline constexpr unsigned kGroup = Element::kBits == 32  ? 2
                                   : Element::kBits == 4 ? 8
                                                         : 4;
template <class Element>
inline constexpr unsigned kKeptOfGroup = kGroup<Element> / 2;

/// Which k the values of A have that are there: a row, 16 of them.
template <unsigned kKept>
struct Picks {
  static constexpr unsigned kRows = 16;
  std::uint8_t at[kRows][kKept];

  /// For multiply_row().
  [[nodiscard]] auto row_of(unsigned row) const {
    return [picks = at[row]](unsigned k) { return unsigned{picks[k]}; };
  }
};

/// The four bits for a group of a row. `metadata`: a register of the warp.
template <class Element, unsigned kGroups>
unsigned metadata_of(const std::uint32_t* metadata, unsigned selector, unsigned row, unsigned group) {
  const unsigned first_lane = row % 8 * 4;
  const unsigned upper = row / 8;
  if constexpr (Element::kBits >= 16) {
    constexpr unsigned kInLane = 4;
    const unsigned lane = kGroups == kInLane ? selector % 4 : selector % 2 * 2 + group / kInLane;
    return metadata[first_lane + lane] >> (16 * upper + 4 * (group % kInLane)) & 0xfU;
  } else {
    constexpr unsigned kInLane = 8;
    const unsigned lane = kGroups == kInLane ? selector % 2 * 2 : group / kInLane * 2;
    return metadata[first_lane + lane + upper] >> 4 * (group % kInLane) & 0xfU;
  }
}

template <class Element, unsigned kKept>
void read_picks(const std::uint32_t* metadata, unsigned selector, Picks<kKept>& picks) {
  constexpr unsigned kGroups = kKept / kKeptOfGroup<Element>;
  for (unsigned row = 0; row < Picks<kKept>::kRows; ++row) {
    for (unsigned group = 0; group < kGroups; ++group) {
      const unsigned bits = metadata_of<Element, kGroups>(metadata, selector, row, group);
      for (unsigned i = 0; i < kKeptOfGroup<Element>; ++i) {
        unsigned place = 0;
        if constexpr (Element::kBits == 32) {
          place = (bits & 3U) / 2;  // the units of a value are 0 and 1, or 2 and 3
        } else if constexpr (Element::kBits == 4) {
          place = (bits >> i / 2 * 2 & 3U) * 2 + i % 2;
        } else {
          place = bits >> i * 2 & 3U;
        }
        picks.at[row][group * kKeptOfGroup<Element> + i] = static_cast<std::uint8_t>(group * kGroup<Element> + place);
      }
    }
  }
}

}  // namespace gpusim::exec::GPUSIM_LANES

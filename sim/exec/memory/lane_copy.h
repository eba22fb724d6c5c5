// SPDX-License-Identifier: MIT
// Moves values between rows of registers and bytes of a memory that all lanes access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sim/exec/memory/rows.h"

namespace gpusim::exec {

/// `bytes_of(lane)` points to the bytes that the lane loads.
template <unsigned kBytes, class BytesOf>
void load_lanes(LaneMask mask, std::uint32_t* rows, const BytesOf& bytes_of) {
  constexpr unsigned kWords = kBytes < 4 ? 1 : kBytes / 4;
  const auto load = [&](unsigned lane) {
    std::uint32_t words[kWords] = {};
    std::memcpy(words, bytes_of(lane), kBytes);
    for (unsigned word = 0; word < kWords; ++word) {
      rows[word * kRow + lane] = words[word];
    }
  };
  if (mask == kAllLanes) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      load(lane);
    }
  } else {
    for_each_lane(mask, load);
  }
}

template <unsigned kBytes, class BytesOf>
void store_lanes(LaneMask mask, const std::uint32_t* rows, const BytesOf& bytes_of) {
  constexpr unsigned kWords = kBytes < 4 ? 1 : kBytes / 4;
  for_each_lane(mask, [&](unsigned lane) {
    std::uint32_t words[kWords];
    for (unsigned word = 0; word < kWords; ++word) {
      words[word] = rows[word * kRow + lane];
    }
    std::memcpy(bytes_of(lane), words, kBytes);
  });
}

/// Calls `action.template operator()<bytes>()` with the size as a constant.
template <class Action>
void with_size(unsigned bytes, const Action& action) {
  switch (bytes) {
    case 1: action.template operator()<1>(); break;
    case 2: action.template operator()<2>(); break;
    case 4: action.template operator()<4>(); break;
    case 8: action.template operator()<8>(); break;
    default: action.template operator()<16>(); break;
  }
}

}  // namespace gpusim::exec

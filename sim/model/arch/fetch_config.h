// SPDX-License-Identifier: MIT
// Where instructions and constants come from, as an architecture file says.
#pragma once

#include <cstdint>

#include "sim/model/arch/words.h"

namespace gpusim::arch {

struct FrontEndConfig {
  FrontEndModel model{};
  std::uint32_t branch_latency = 0;  ///< cycles a warp waits after a taken branch, when its target is in the L0
  std::uint32_t fetch_latency = 0;   ///< the part of them from fetch to the instruction buffer
  std::uint32_t buffer_entries = 0;  ///< instructions a warp
  std::uint64_t l0_bytes = 0;        ///< L0 instruction cache of a sub-core
  std::uint32_t l0_ways = 0;
  std::uint64_t l1_bytes = 0;  ///< L1 instruction cache of an SM, constants in it too
  std::uint32_t l1_ways = 0;
  std::uint32_t l1_latency = 0;                ///< cycles from an L0 miss until the L1's line is there
  std::uint32_t l1_miss_latency = 0;           ///< cycles more when the L1 misses
  std::uint32_t prefetch_lines = 0;            ///< blocks of a stream buffer
  StreamPer stream_per = StreamPer::kSubCore;  ///< who has one
  friend bool operator==(const FrontEndConfig&, const FrontEndConfig&) = default;
};

/// Constant memory: operands c[bank][offset] of fixed-latency instructions, and LDC.
struct ConstantConfig {
  ConstantModel model{};
  std::uint64_t l0_bytes = 0;  ///< constants for operands, a sub-core
  std::uint32_t l0_ways = 0;
  std::uint32_t miss_latency = 0;  ///< cycles from an operand's miss until the instruction may issue
  std::uint32_t hold_cycles = 0;   ///< cycles a sub-core waits for a missing operand before it turns to another warp
  std::uint64_t l1_bytes = 0;      ///< constants for LDC, an SM
  std::uint32_t l1_ways = 0;
  std::uint32_t l1_miss_latency = 0;  ///< cycles more of an LDC that misses
  friend bool operator==(const ConstantConfig&, const ConstantConfig&) = default;
};

}  // namespace gpusim::arch

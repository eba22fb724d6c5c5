// SPDX-License-Identifier: MIT
// Address translation of an architecture.
#pragma once

#include <cstdint>

#include "sim/model/arch/words.h"

namespace gpusim::arch {

/// One level of TLBs: all of it alike.
struct TlbLevel {
  std::uint32_t entries = 0;  ///< a multiple of `ways`
  std::uint32_t ways = 0;
  std::uint32_t pages = 0;    ///< that an entry covers, side by side; a power of two
  std::uint32_t latency = 0;  ///< SM cycles from a request to hit or miss
  friend bool operator==(const TlbLevel&, const TlbLevel&) = default;
};

/// Three levels, as found on GA102 (TunneLs, CCS 2023), and page walks behind them. The latency of a hit in the first
/// level is part of the way to L2, which measurements contain.
struct TlbConfig {
  TlbModel model = TlbModel::kOff;
  std::uint64_t page_bytes = 0;
  std::uint32_t l1_sms = 0;  ///< SMs that share a first-level TLB: 1, or the 2 of a TPC
  TlbLevel l1;
  TlbLevel l2;  ///< TLB of a GPC
  TlbLevel l3;  ///< TLB of the GPU
  std::uint32_t walkers = 0;
  std::uint32_t walk_latency = 0;  ///< SM cycles
  [[nodiscard]] bool is_modelled() const { return model == TlbModel::kModelled; }
  friend bool operator==(const TlbConfig&, const TlbConfig&) = default;
};

}  // namespace gpusim::arch

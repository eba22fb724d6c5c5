// SPDX-License-Identifier: MIT
// What the GPU draws while a kernel runs: an estimate from counts, and the clock that the card's limit leaves.
#pragma once

#include <array>
#include <string_view>

namespace gpusim::stats {

/// Watts on average over a kernel's cycles, at the simulated clock.
struct PowerEstimate {
  double idle = 0;           ///< whatever runs
  double sms = 0;            ///< SMs that have warps
  double instructions = 0;   ///< executed by all lanes
  double tensor = 0;         ///< FLOPs of tensor cores
  double shared = 0;         ///< passes through L1 and shared memory
  double l2 = 0;             ///< bytes between SMs and L2
  double dram = 0;           ///< bytes to and from DRAM
  double limit = 0;          ///< what the card may draw for long; 0: not known, and then nothing is estimated
  double tensor_share = 0;   ///< what products, but those of FP64, take of the tensor cores' peak: 0 to 1
  double sustained_mhz = 0;  ///< SM clock that the limit and tensor cores leave, at most the simulated one

  [[nodiscard]] bool is_known() const { return limit > 0; }
  [[nodiscard]] double watts() const { return idle + sms + instructions + tensor + shared + l2 + dram; }
};

struct PowerPart {
  std::string_view name;
  std::string_view what;
  double PowerEstimate::*member;
};
inline constexpr std::array<PowerPart, 7> kPowerParts{
    {{"idle", "whatever runs: leakage, memory, board", &PowerEstimate::idle},
     {"sms", "SMs that have warps", &PowerEstimate::sms},
     {"instructions", "instructions of all lanes", &PowerEstimate::instructions},
     {"tensor", "FLOPs of tensor cores", &PowerEstimate::tensor},
     {"shared", "passes through L1 and shared memory", &PowerEstimate::shared},
     {"l2", "bytes between SMs and L2", &PowerEstimate::l2},
     {"dram", "bytes to and from DRAM", &PowerEstimate::dram}}};

}  // namespace gpusim::stats

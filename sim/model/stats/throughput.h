// SPDX-License-Identifier: MIT
// How near a kernel comes to the peaks of its machine, and which of them bounds it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpusim::stats {

/// What bounds a kernel; the same words in reports and sweeps.
enum class Bound : std::uint8_t { kTensor, kFp, kIssue, kL1, kShared, kL2, kNoc, kDram, kDramRows, kLatency, kLaunch };
inline constexpr std::array<std::string_view, 11> kBoundNames{"tensor", "fp",   "issue",     "l1",      "shared", "l2",
                                                              "noc",    "dram", "dram_rows", "latency", "launch"};

[[nodiscard]] constexpr std::string_view name_of(Bound bound) {
  return kBoundNames[static_cast<std::size_t>(bound)];
}

/// What a unit weighs when it is asked which one bounds a kernel.
struct UnitShare {
  Bound unit = Bound::kTensor;
  double pct = 0;  ///< share of its peak; for the tensor pipes the busy time counts, too
};

/// Percentages of peak. Of elapsed cycles unless the name says active.
struct Throughput {
  double sm_pct = 0;      ///< the largest of issue and pipe utilisation
  double memory_pct = 0;  ///< the largest of L1, shared, L2, DRAM and its rows
  double l1_pct = 0;
  double l1_active_pct = 0;
  double shared_pct = 0;
  double l2_pct = 0;
  double noc_pct = 0;  ///< the busiest level of ports between SMs and L2
  double dram_pct = 0;
  double dram_rows_pct = 0;  ///< rows opened, against the most that DRAM's timings allow
  double tensor_pct = 0;     ///< FLOPs against the dense peak of their types
  double issue_pct = 0;
  double fp_pct = 0;    ///< busiest of FMA, ALU, FP16, FP64, XU pipes
  double dram_gbs = 0;  ///< 1e9 bytes a second
  double tflops = 0;    ///< all floating point, 1e12 a second
};

}  // namespace gpusim::stats

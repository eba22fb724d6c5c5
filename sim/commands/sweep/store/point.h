// SPDX-License-Identifier: MIT
// One point of a sweep as people and plots see it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpusim::sweep {

inline constexpr std::string_view kDone = "done";
inline constexpr std::string_view kFailed = "failed";    ///< it was run, and ended with an error
inline constexpr std::string_view kSkipped = "skipped";  ///< it contradicts itself, and was not run

/// Keys, or names of parameters, and their texts.
using TextPairs = std::vector<std::pair<std::string, std::string>>;

/// One point as stored.
struct PointRow {
  std::string key;    ///< digest of all that decides its result; empty for a skipped point
  std::string arch;   ///< as the user named them
  std::string trace;  ///< ditto
  /// What the study varied, in its order: ("sm.count", "160"), ("dram.bandwidth", "4190 GB/s"), ("param.seq", "8192").
  TextPairs parameters;
  /// What followed: ("noc.gpcs", "9").
  TextPairs derived;
  std::string status;  ///< kDone, kFailed or kSkipped
  std::string reason;  ///< why it failed or was skipped, one line
  std::uint64_t cycles = 0;
  double time_us = 0;  ///< cycles and time are sums over the kernels
  std::string bound;   ///< what bounds the longest kernel
  /// Metrics of the whole run. Weighted by the kernels' time: tflops, dram_gbs, sm_pct, pipes_pct, memory_pct, l1_pct,
  /// shared_pct, l2_pct, noc_pct, dram_pct, dram_rows_pct, tensor_pct, issue_pct, fp_pct, occupancy_pct, ipc_active.
  /// Summed over kernels: launch_us, warp_instructions, dram_read_bytes, dram_write_bytes.
  std::map<std::string, double> metrics;
  double host_seconds = 0;
  std::string program;  ///< the version that computed it; empty of a skipped point
};

/// The text of a key; null where it has none.
[[nodiscard]] inline const std::string* find_text(const TextPairs& pairs, std::string_view key) {
  const auto found = std::ranges::find(pairs, key, &TextPairs::value_type::first);
  return found == pairs.end() ? nullptr : &found->second;
}

}  // namespace gpusim::sweep

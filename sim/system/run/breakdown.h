// SPDX-License-Identifier: MIT
// Where the time of a step goes, on one GPU: causes that add up to the step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/system/run/timeline.h"

namespace gpusim::run {

/// What a moment of a GPU is spent on. Of several at a time the first counts.
enum class Cause : std::uint8_t { kCompute, kMemory, kSmall, kKernel, kCommunication, kCopy, kData, kLaunch };

struct CauseRow {
  Cause cause;
  std::string_view key;  ///< in JSON
  std::string_view name;
  std::string_view meaning;
};
inline constexpr std::array kCauses{
    CauseRow{Cause::kCompute, "compute_us", "kernels, bound by compute",
             "kernels run that tensor cores, FP or issue bound"},
    CauseRow{Cause::kMemory, "memory_us", "kernels, bound by memory", "kernels run that caches or DRAM bound"},
    CauseRow{Cause::kSmall, "small_us", "kernels, too small", "kernels run that bound no unit: latency, or few CTAs"},
    CauseRow{Cause::kKernel, "recorded_us", "kernels, recorded", "kernels run of which only the time is known"},
    CauseRow{Cause::kCommunication, "communication_us", "communication", "a collective runs, and no other kernel"},
    CauseRow{Cause::kCopy, "copies_us", "copies", "only copies or fills run"},
    CauseRow{Cause::kData, "data_us", "waiting for data", "nothing runs, and a thread waits to take from a queue"},
    CauseRow{Cause::kLaunch, "launch_gaps_us", "launch gaps",
             "nothing runs: the CPU has not launched, or what it launched has not begun"}};

/// Nanoseconds a step by cause.
using Breakdown = std::array<double, kCauses.size()>;

/// `costs` are those of the kernels on this GPU.
[[nodiscard]] Breakdown break_down(const Timeline& timeline, Index gpu, const std::vector<KernelCost>& costs);

}  // namespace gpusim::run

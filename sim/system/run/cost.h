// SPDX-License-Identifier: MIT
// What a kernel takes of a GPU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace gpusim::run {

/// Nanoseconds of what does not happen.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// Where a kernel's time comes from. kScaled: recorded on another GPU, and goes with peaks; kCarried: ditto, and goes
/// with what the library's kernels take of both GPUs.
enum class TimeOf : std::uint8_t { kSimulated, kRoofline, kRecorded, kScaled, kCarried };
[[nodiscard]] constexpr std::string_view word_of(TimeOf how) {
  constexpr std::array<std::string_view, 5> kWords{"simulated", "roofline", "recorded", "scaled", "simulated ratio"};
  return kWords[static_cast<std::size_t>(how)];
}

/// What bounds a kernel that runs alone. kOverhead: it is too short, or too small, for either. kUnknown: its time was
/// recorded.
enum class Bound : std::uint8_t { kCompute, kMemory, kOverhead, kUnknown };

struct KernelCost {
  TimeOf how = TimeOf::kRecorded;
  std::string note;  ///< how its time was obtained, where there is more to say
  double ns = 0;     ///< alone on the GPU, from its begin to its end
  /// SMs that it fills while CTAs wait to be placed; those that are not full count in part. 0: it needs none.
  double sms = 0;
  double tail_ns = 0;      ///< the last part of `ns`, in which no CTA waits
  double tail_share = 0;   ///< share of `ns`
  double tail_sms = 0;     ///< SMs that it fills then
  double slots = 0;        ///< CTAs that the GPU holds at once
  double spread = 0;       ///< SMs with at least one of its CTAs
  double tail_spread = 0;  ///< ditto, at the end
  double compute = 0;      ///< share of the GPU's busiest pipe that it takes when it runs alone
  double tensor = 0;       ///< share of the tensor cores' peak, ditto
  double dram = 0;         ///< share of DRAM's peak, ditto
  double flops = 0;        ///< that count for MFU
  Bound bound = Bound::kUnknown;
  /// Share of `ns` that fewer SMs make longer, from 0 to 1. The rest waits for what all SMs share, such as DRAM.
  double of_sms = 1;
  bool is_of_sms_known = false;  ///< whether it was simulated or follows from the roofline; else it is assumed

  /// Speed with this share of the SMs that it would fill; 1 alone.
  [[nodiscard]] double rate(double share) const;
  /// Time with half of its SMs, divided by that with all.
  [[nodiscard]] double slowdown_on_half() const { return 1 / rate(kHalf); }

  /// Fewest SMs, as a share, for which `of_sms` was found. With fewer ones each does as much as then, and no more.
  static constexpr double kHalf = 0.5;
};

/// How `ctas` CTAs, `per_sm` at once, fill a GPU: sets the members about SMs, and the share of the tail.
void spread_ctas(KernelCost& cost, double ctas, double per_sm, double sms);

/// Sets `of_sms` so that the kernel takes `ns` when it has `sms` SMs to its end, at most as many as it fills.
void set_of_sms(KernelCost& cost, double sms, double ns);

/// "simulated", "roofline", "simulated ratio" or "assumed": where `of_sms` comes from.
[[nodiscard]] std::string_view how_slowdown_is_known(const KernelCost& cost);

/// The CTAs of a kernel that spread_ctas() spread over as many SMs.
[[nodiscard]] std::uint64_t ctas_of(const KernelCost& cost, double sms);

}  // namespace gpusim::run

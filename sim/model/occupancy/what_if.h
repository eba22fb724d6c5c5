// SPDX-License-Identifier: MIT
// Occupancy if the kernel were another: curves over one property of the launch, and the cheapest change that lets more
// warps in.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/model/stats/occupancy.h"

namespace gpusim::arch {
struct SmConfig;
}  // namespace gpusim::arch

namespace gpusim::occupancy {

struct LaunchShape;

using stats::Knob;
inline constexpr std::array<Knob, 3> kCurves{Knob::kBlock, Knob::kRegisters, Knob::kSharedMem};

/// Threads a CTA, registers a thread, bytes of shared memory (static and dynamic), or barriers a CTA.
[[nodiscard]] std::uint64_t value_of(const LaunchShape& shape, Knob knob);

struct Point {
  std::uint64_t value = 0;  ///< value of the knob
  std::uint32_t ctas_per_sm = 0;
  std::uint32_t warps_per_sm = 0;
  double occupancy_pct = 0;
};

/// Occupancy over a knob, the rest unchanged: every block size of whole warps, every number of registers that is
/// allocated apart, every KiB of shared memory that a CTA may have; the shape's own value among them. Ascending.
[[nodiscard]] std::vector<Point> curve(const arch::SmConfig& sm, const LaunchShape& shape, Knob knob);

struct Change {
  Knob knob = Knob::kBlock;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

/// Changes that let more warps in when they are made together.
struct Proposal {
  std::vector<Change> changes;
  std::uint32_t ctas_per_sm = 0;
  double occupancy_pct = 0;
  double relative_change = 0;  ///< sum over the changes of |to - from| / from
};

/// For each knob the nearest value that raises occupancy alone, the smallest relative change first. When none does: the
/// least that must be given up together for one CTA more. Empty when nothing helps.
[[nodiscard]] std::vector<Proposal> proposals(const arch::SmConfig& sm, const LaunchShape& shape);

}  // namespace gpusim::occupancy

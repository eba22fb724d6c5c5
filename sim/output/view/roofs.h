// SPDX-License-Identifier: MIT
// The rooflines of a kernel: one sloped roof for each level of the memory hierarchy, one flat roof a class of FLOPs.
#pragma once

#include <vector>

namespace gpusim::stats {
struct KernelResult;
struct Result;
}  // namespace gpusim::stats

namespace gpusim::report {

struct KernelView;
struct RoofLevel;
struct RoofRow;

/// The roofs of the FLOP classes in use; `view` has the kernel's levels and time.
[[nodiscard]] std::vector<RoofRow> make_roofs(const stats::Result& run, const stats::KernelResult& kernel,
                                              const KernelView& view);

/// The level whose sloped roof is lowest over the class: the one that the kernel's traffic uses longest. Null without
/// any traffic.
[[nodiscard]] const RoofLevel* lowest_roof(const RoofRow& row);

/// FLOP/byte at which the level's roof meets the flat one; 0 when a peak is unknown.
[[nodiscard]] double ridge_of(const RoofRow& row, const RoofLevel& level);

/// Whether the level's roof stands lower over the class than the flat one.
[[nodiscard]] bool is_memory_side(const RoofRow& row, const RoofLevel& level);

}  // namespace gpusim::report

// SPDX-License-Identifier: MIT
// What the JSON of one launch and that of a trace's kernels share.
#pragma once

#include <span>

#include <nlohmann/json.hpp>

#include "sim/model/occupancy/residency.h"
#include "sim/model/occupancy/what_if.h"

namespace gpusim::occupancy {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json launch_json(const LaunchShape& shape);
/// Adds ctas_per_sm and its kin, limits, allocation and carve-out.
void add_residency(Json& json, const Residency& residency);
[[nodiscard]] Json clusters_json(const LaunchShape& shape, std::uint64_t resident);
[[nodiscard]] Json proposals_json(std::span<const Proposal> proposals);

}  // namespace gpusim::occupancy

// SPDX-License-Identifier: MIT
// The parts of throughputs (kThroughputPartTable), computed.
#pragma once

#include <array>
#include <string_view>

#include "sim/model/stats/result.h"
#include "sim/model/stats/throughput.h"

namespace gpusim::stats {

/// Percent of their peaks in elapsed cycles, by rows of the table.
[[nodiscard]] std::array<double, kThroughputParts> throughput_parts(const Result& result, const KernelResult& kernel);

/// The largest of a unit's parts, of those that throughput() has computed, but for one of this key.
[[nodiscard]] double largest_part(const Throughput& throughput, PartOf unit, std::string_view but = {});

}  // namespace gpusim::stats

// SPDX-License-Identifier: MIT
// Smaller forms of kernels whose first CTAs say nothing of the others: those that go on from tile to tile, and those
// whose tiles differ in length.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/trace/kernel.h"

namespace gpusim::app {

using ParameterValues = std::vector<std::pair<std::string, std::int64_t>>;

/// Two forms of a kernel, from whose times that of the whole follows: scale x (larger + rest x (larger - smaller)).
struct SmallerForms {
  ParameterValues larger;   ///< parameters that differ from the kernel's
  ParameterValues smaller;  ///< the same ones
  double rest = 0;
  double scale = 1;
  std::string note;  ///< "16 of 32 heads": what the larger one is
};

/// `work`: warp instructions of the whole; the larger form aims at `target` of them, but fills `sms` SMs. nullopt for a
/// kernel that has no such forms, or none that is smaller.
[[nodiscard]] std::optional<SmallerForms> smaller_forms(const trace::Trace& trace, double work, double target,
                                                        std::uint32_t sms);

}  // namespace gpusim::app

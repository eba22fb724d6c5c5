// SPDX-License-Identifier: MIT
// Smaller forms of large kernels: of those whose first CTAs say nothing of the others, since CTAs go on from tile to
// tile or differ in length; of those with few long CTAs; and of those that are alike for any number of elements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpusim::trace {
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::app {

using ParameterValues = std::vector<std::pair<std::string, std::int64_t>>;

/// Two forms of a kernel, from whose times that of the whole follows: scale x (larger + rest x (larger - smaller)), of
/// which what a kernel takes once to begin and to end is not scaled.
struct SmallerForms {
  ParameterValues larger;   ///< parameters that differ from the kernel's
  ParameterValues smaller;  ///< the same ones
  double rest = 0;
  double scale = 1;
  std::string note;  ///< "16 of 32 heads": what the larger one is
};

/// `work`: warp instructions of the whole. The larger form fills `sms` SMs with `ctas_of_sm` CTAs each; beyond that it
/// aims at `target` instructions, but for products, whose forms have two turns of a depth of 2,048. nullopt for a
/// kernel that has no such forms, or none that is smaller.
[[nodiscard]] std::optional<SmallerForms> smaller_forms(const trace::Trace& trace, double work, double target,
                                                        std::uint32_t sms, std::uint32_t ctas_of_sm);

}  // namespace gpusim::app

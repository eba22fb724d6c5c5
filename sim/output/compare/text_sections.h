// SPDX-License-Identifier: MIT
// The sections of one change in the text of a comparison, in their order on the page. Each returns whole lines.
#pragma once

#include <string>

namespace gpusim::compare {

struct Change;
struct Run;
struct TextOptions;

inline constexpr std::size_t kTextWidth = 80;

/// A later run and the first.
struct Pair {
  const Run& first;
  const Run& second;
  const Change& change;
};

[[nodiscard]] std::string settings_section(const Pair& pair, const TextOptions& options);
[[nodiscard]] std::string causes_section(const Pair& pair, const TextOptions& options);
[[nodiscard]] std::string states_section(const Pair& pair, const TextOptions& options);
/// Kernels in both, and those in one only.
[[nodiscard]] std::string kernels_section(const Pair& pair, const TextOptions& options);
[[nodiscard]] std::string lines_section(const Pair& pair, const TextOptions& options);

}  // namespace gpusim::compare

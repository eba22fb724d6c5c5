// SPDX-License-Identifier: MIT
// What the beginnings and ends of a grid's CTAs say about how they were put onto SMs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpusim::silicon {

/// When one CTA ran, as it noted it itself.
struct Life {
  std::uint64_t begin = 0;  ///< cycles of its SM
  std::uint64_t end = 0;
  std::uint64_t nanoseconds = 0;  ///< at its beginning
  std::uint64_t sm = 0;
};

/// Cycles from the end of a CTA to the beginning of the one that took its place, for every CTA that took one. A CTA
/// that begins when others of its SM have ended takes the place that has been free the longest; one that finds none
/// free was there first.
[[nodiscard]] std::vector<double> turnarounds(std::span<const Life> lives);

/// When the first of the CTAs began, and when as many as run at once had begun.
struct FirstWave {
  std::uint64_t first = 0;  ///< nanoseconds
  std::uint64_t last = 0;
};

[[nodiscard]] FirstWave first_wave(std::span<const Life> lives, std::size_t at_once);

}  // namespace gpusim::silicon

// SPDX-License-Identifier: MIT
// Random numbers that depend on a seed and an index only, so that any part of an array can be made alone. They are made
// of exactly rounded operations, so that every machine gets the same bytes.
#pragma once

#include <cstdint>

namespace gpusim::array {

/// Evenly from [0, 1): 53 bits.
[[nodiscard]] double uniform_at(std::uint64_t seed, std::uint64_t index);
/// Normal, of mean 0 and deviation 1.
[[nodiscard]] double normal_at(std::uint64_t seed, std::uint64_t index);
/// Evenly from [0, count); `count` is at least 1.
[[nodiscard]] std::uint64_t below_at(std::uint64_t seed, std::uint64_t index, std::uint64_t count);

}  // namespace gpusim::array

// SPDX-License-Identifier: MIT
// How much a test tries: a sample by default, everything with GPUSIM_THOROUGH in the environment, which tools/test
// --all sets.
#pragma once

#include <cstdlib>

namespace gpusim::test {

[[nodiscard]] inline bool is_thorough() {
  static const bool thorough = std::getenv("GPUSIM_THOROUGH") != nullptr;
  return thorough;
}

/// Returns `all` in a thorough run, and `sample` otherwise.
template <class T>
[[nodiscard]] T thorough_or(T all, T sample) {
  return is_thorough() ? all : sample;
}

}  // namespace gpusim::test

// SPDX-License-Identifier: MIT
// Small applications that show one thing each.
#pragma once

#include <cstdint>

#include "sim/system/application/application.h"
#include "sim/system/generate/request.h"

namespace gpusim::generate {

/// Kernels that multiply an array by a number, and add one to it, in turn: each needs the one before.
struct Chain {
  std::uint64_t operations = 64;
  std::uint64_t elements = 65536;
  Mode mode = Mode::kEager;
  double operator_ns = 6'000;
};
[[nodiscard]] application::Application elementwise_chain(const Chain& chain);

/// Independent products of size x size, on one stream or dealt out over several.
struct Overlap {
  std::uint64_t size = 512;
  std::uint64_t products = 64;
  std::uint64_t streams = 2;
  double operator_ns = 17'000;
};
[[nodiscard]] application::Application overlap_demo(const Target& target, const Overlap& overlap);

/// Workers that make batches, and a GPU that uses them.
struct Loader {
  std::uint64_t workers = 2;  ///< 0: the thread that launches makes them itself
  double batch_ns = 40e6;
  double step_ns = 15e6;
  std::uint64_t bytes = std::uint64_t{32} << 20U;
  bool pinned = false;
};
[[nodiscard]] application::Application dataloader(const Loader& loader);

}  // namespace gpusim::generate

// SPDX-License-Identifier: MIT
// Bytes of an element, by what it is and how a model is trained.
#pragma once

#include <cstdint>

#include "sim/system/memory/plan.h"

namespace gpusim::memory {

/// Bytes of the number that stands for a token.
inline constexpr std::uint64_t kTokenBytes = 8;

struct Widths {
  std::uint64_t weight = 4;
  std::uint64_t compute = 4;   ///< what products read and write
  std::uint64_t stream = 4;    ///< residual sums between layers
  std::uint64_t gradient = 4;  ///< bytes of a gradient, as the optimizer reads it
  std::uint64_t state = 4;     ///< bytes of a number of the optimizer's state
  std::uint64_t master = 0;    ///< a copy of the weights that the optimizer keeps
  bool casts = false;          ///< autocast: what products read is cast, each time
  bool fp8 = false;            ///< products read FP8
};
[[nodiscard]] Widths widths_of(const TrainPlan& plan);

/// Bytes of weights in 4 bits with their scales as bitsandbytes keeps them: one byte for 64 weights, and 4 bytes for
/// 256 of those (Dettmers et al., QLoRA, arXiv 2305.14314).
[[nodiscard]] std::uint64_t int4_bytes(std::uint64_t elements);

}  // namespace gpusim::memory

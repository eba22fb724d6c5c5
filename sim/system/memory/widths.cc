// SPDX-License-Identifier: MIT
#include "sim/system/memory/widths.h"

namespace gpusim::memory {

Widths widths_of(const TrainPlan& plan) {
  Widths of;
  const bool adapters = plan.tuning != Tuning::kFull;
  if (plan.precision == Precision::kFp32 || plan.precision == Precision::kTf32) {
    return of;
  }
  of.compute = 2;
  if (adapters) {
    // The model is loaded in BF16, and its adapters are trained in FP32.
    of.weight = 2;
    of.stream = 2;
    return of;
  }
  if (plan.precision == Precision::kBf16) {
    // What FSDP gathers is cast before: the model then works in BF16, its residual sums as well.
    of.casts = plan.shard != Shard::kZero3;
    of.stream = of.casts ? 4 : 2;
    return of;
  }
  of.weight = 2;
  of.stream = 2;
  of.fp8 = plan.precision == Precision::kFp8;
  if (plan.precision == Precision::kBf16Pure) {
    of.gradient = 2;
    of.state = 2;
  } else {
    of.master = 4;
  }
  return of;
}

std::uint64_t int4_bytes(std::uint64_t elements) {
  constexpr std::uint64_t kFirstBlock = 64;
  constexpr std::uint64_t kSecondBlock = 256;
  constexpr std::uint64_t kSecondScale = 4;
  const std::uint64_t scales = (elements + kFirstBlock - 1) / kFirstBlock;
  return (elements + 1) / 2 + scales + (scales + kSecondBlock - 1) / kSecondBlock * kSecondScale;
}

}  // namespace gpusim::memory

// SPDX-License-Identifier: MIT
#include "sim/system/collective/custom.h"

#include <algorithm>

#include "sim/base/rounding.h"
#include "sim/base/units.h"

namespace gpusim::collective {
namespace {

constexpr std::uint64_t kLimit = 8 * kMi;
constexpr std::uint64_t kBytesOfThread = 16;

/// Microseconds beyond latency, and what is reached of copies over the links. Both were fitted to vLLM's kernel on 2
/// and 6 H100 (tests/validation/collectives/custom.yaml).
struct Way {
  double later_us;
  double share;
};
constexpr Way kReadAll{0, 0.85};
constexpr Way kReadParts{7, 0.74};

bool runs_on(const Peers& peers) {
  return peers.rate > 0 && (peers.gpus == 2 || peers.gpus == 4 || peers.gpus == 6 || peers.gpus == 8);
}

Algorithm chosen(std::uint32_t gpus, std::uint64_t bytes) {
  const std::uint64_t below = gpus == 2 ? kLimit : gpus <= 4 ? 512 * kKi : 256 * kKi;
  return bytes < below ? Algorithm::kOneShot : Algorithm::kTwoShot;
}

/// CTAs of 512 threads.
std::uint32_t ctas_of(std::uint64_t bytes) {
  constexpr std::uint64_t kBytesOfCta = 512 * kBytesOfThread;
  constexpr std::uint64_t kMost = 36;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(ceil_divide(bytes, kBytesOfCta), 1, kMost));
}

/// The launch on the GPU and the two meetings with all others. Fitted to the sizes up to 32 KiB of TensorRT-LLM's
/// kernel in SGLang on 2, 4 and 8 H100.
double latency_us(std::uint32_t gpus) {
  constexpr double kBase = 3.4;
  constexpr double kOfGpu = 0.3;
  return kBase + kOfGpu * gpus;
}

}  // namespace

std::optional<Choice> custom_all_reduce(const Peers& peers, std::uint64_t bytes, std::optional<Algorithm> algorithm) {
  if (!runs_on(peers) || bytes >= kLimit || bytes % kBytesOfThread != 0) {
    return std::nullopt;
  }
  Choice choice;
  choice.algorithm = algorithm.value_or(chosen(peers.gpus, bytes));
  if (!is_custom(choice.algorithm)) {
    return std::nullopt;
  }
  const Way& way = choice.algorithm == Algorithm::kOneShot ? kReadAll : kReadParts;
  constexpr double kMicroseconds = 1e6;
  const double wire = wire_bytes(Collective::kAllReduce, choice.algorithm, choice.protocol, peers.gpus, bytes);
  choice.latency_us = latency_us(peers.gpus) + way.later_us;
  choice.microseconds = choice.latency_us + wire / (way.share * peers.rate) * kMicroseconds;
  choice.channels = ctas_of(bytes);
  return choice;
}

}  // namespace gpusim::collective

// SPDX-License-Identifier: MIT
// How NCCL chooses an algorithm, a protocol and channels: the cost model and the constants of its tuner (src/graph/
// tuning.cc and topo.h of NCCL 2.30.7; the same since 2.23) for GPUs of one machine. It ranks well, but its times are
// 20 to 65 % too short in the middle sizes, so times come from model.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/system/collective/collective.h"

namespace gpusim::collective {

enum class Generation : std::uint8_t { kVolta, kAmpere, kHopper, kBlackwell };

/// What NCCL's tuner knows of the GPUs.
struct NcclView {
  Generation generation = Generation::kAmpere;
  std::uint32_t gpus = 2;
  std::uint32_t nvlinks = 0;              ///< links of the GPU that has the fewest; 0: rings run over PCIe
  bool has_full_nvlinks = true;           ///< those of compute capability 8.6 are half as fast
  bool reduces_in_network = false;        ///< the switches add
  double pcie_gigabytes_per_second = 12;  ///< each way, as NCCL counts
};

/// One way to run a collective.
struct Choice {
  Algorithm algorithm = Algorithm::kRing;
  Protocol protocol = Protocol::kSimple;
  double latency_us = 0;       ///< by NCCL's model, or by that of custom.h
  double microseconds = 0;     ///< likewise, the whole
  std::uint32_t channels = 1;  ///< each is a CTA, so that many SMs are taken from other kernels
};

/// All ways in which NCCL may run it, by its own times; never empty. At least two GPUs.
[[nodiscard]] std::vector<Choice> nccl_choices(const NcclView& view, Collective of, std::uint64_t bytes);

/// The first of `choices` that has the algorithm and the protocol, where they are given; nothing when none has.
[[nodiscard]] std::optional<Choice> first_with(std::span<const Choice> choices, std::optional<Algorithm> algorithm,
                                               std::optional<Protocol> protocol);

/// The quickest of all that has the algorithm and the protocol, where they are given; nothing when none has.
[[nodiscard]] std::optional<Choice> nccl_choice(const NcclView& view, Collective of, std::uint64_t bytes,
                                                std::optional<Algorithm> algorithm = {},
                                                std::optional<Protocol> protocol = {});

}  // namespace gpusim::collective

// SPDX-License-Identifier: MIT
// What collectives reach on some GPUs of a system: as its file says, or by rule from its links.
#pragma once

#include <span>

#include "sim/system/collective/nccl.h"
#include "sim/system/route/fabric.h"

namespace gpusim::collective {

/// Bus bandwidths in bytes a second, times in microseconds.
struct Reach {
  double ring = 0;
  double chain = 0;
  double pairs = 0;
  double nvls = 0;   ///< 0: the switches do not add
  double peers = 0;  ///< copies over the NVLinks of a GPU, each way; 0: some two GPUs are not connected by them
  double base_us = 0;
  double hop_us = 0;     ///< a step of a ring
  double middle_us = 0;  ///< what 1 MB takes beyond latency and bytes over rate
};

/// The tuner's view of GPUs of a system. At least two.
[[nodiscard]] NcclView nccl_view(const system::System& system, std::span<const system::NodeId> gpus);

/// Bytes a second, each way, that the slowest link of a ring carries by its line rate; NVLinks of a GPU count together.
[[nodiscard]] double line_rate(const system::Fabric& fabric, std::span<const system::NodeId> gpus);

/// By rule: shares of what the links carry. The shares were fitted to systems that docs/collectives.md names.
[[nodiscard]] Reach reach_by_rule(const system::Fabric& fabric, std::span<const system::NodeId> gpus);

/// As the system's file says of all its GPUs, scaled by the rule where only some take part; what it does not say by
/// rule.
[[nodiscard]] Reach reach_of(const system::Fabric& fabric, std::span<const system::NodeId> gpus);

}  // namespace gpusim::collective

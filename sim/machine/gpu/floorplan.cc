// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/floorplan.h"

#include <algorithm>

#include "sim/model/arch/arch.h"

namespace gpusim::gpu {

Numbering numbering(const arch::Arch& arch) {
  return {arch.sm.count, arch.noc.gpcs, arch.l2.partitions};
}

Floorplan floorplan(const arch::Arch& arch) {
  Floorplan plan;
  const std::uint32_t gpcs = arch.noc.gpcs;
  for (std::uint32_t sm = 0; sm < arch.sm.count; ++sm) {
    plan.gpc_of_sm.push_back(arch.noc.gpc_of_sm(sm, arch.sm.count));
  }
  for (std::uint32_t gpc = 0; gpc < gpcs; ++gpc) {
    plan.half_of_gpc.push_back(gpc * arch.l2.halves / gpcs);
  }
  return plan;
}

Cycle lookahead(const arch::Arch& arch, bool uses_clusters) {
  Cycle least = std::min({arch.noc.sm_to_gpc_latency, arch.noc.gpc_to_l2_latency, arch.noc.l2_to_gpc_latency,
                          arch.noc.gpc_to_sm_latency, arch.launch.cta_latency, arch.launch.completion_latency});
  if (arch.l2.halves > 1) {
    least = std::min<Cycle>(least, arch.noc.partition_link_latency);
  }
  if (uses_clusters) {
    least = std::min<Cycle>(least, arch::NocConfig::to_switch(arch.noc.cluster_barrier_latency));
    least = std::min<Cycle>(least, arch::NocConfig::to_switch(arch.noc.dsmem_latency));
  }
  return least;
}

}  // namespace gpusim::gpu

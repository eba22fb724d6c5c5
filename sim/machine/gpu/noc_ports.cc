// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/noc_ports.h"

#include "sim/base/rounding.h"
#include "sim/model/arch/arch.h"

namespace gpusim::gpu {

std::array<LevelPorts, stats::kNocLevels.size()> noc_ports(const arch::Arch& arch) {
  const arch::NocConfig& noc = arch.noc;
  if (noc.model == arch::NocModel::kIdeal) {
    return {};
  }
  const std::uint32_t sms = arch.sm.count;
  const std::uint32_t tpcs = ceil_divide(sms, noc.sms_per_tpc(sms));
  return {{{sms, noc.sm_request_bytes_per_cycle},
           {noc.tpc_request_bytes_per_cycle == 0 ? 0 : tpcs, noc.tpc_request_bytes_per_cycle},
           {noc.gpcs, noc.gpc_request_bytes_per_cycle},
           {arch.l2.slices, noc.slice_request_bytes_per_cycle},
           {arch.l2.slices, noc.slice_reply_bytes_per_cycle},
           {noc.gpcs, noc.gpc_reply_bytes_per_cycle},
           {noc.tpc_reply_bytes_per_cycle == 0 ? 0 : tpcs, noc.tpc_reply_bytes_per_cycle},
           {sms, noc.sm_reply_bytes_per_cycle},
           {arch.l2.halves == 2 ? arch.l2.partitions : 0, noc.partition_link_bytes_per_cycle},
           {noc.dsmem_bytes_per_cycle == 0 ? 0 : sms, noc.dsmem_bytes_per_cycle},
           {noc.dsmem_bytes_per_cycle == 0 ? 0 : sms, noc.dsmem_bytes_per_cycle}}};
}

}  // namespace gpusim::gpu

// SPDX-License-Identifier: MIT
// All that an SM is made of, in the order in which the parts need each other.
#pragma once

#include <optional>

#include "sim/base/types.h"
#include "sim/machine/sm/clusters.h"
#include "sim/machine/sm/cta_log.h"
#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/executor.h"
#include "sim/machine/sm/fetch/constant_cache.h"
#include "sim/machine/sm/fetch/front_end.h"
#include "sim/machine/sm/issuer.h"
#include "sim/machine/sm/memory_unit.h"
#include "sim/machine/sm/outbox.h"
#include "sim/machine/sm/polls.h"
#include "sim/machine/sm/residency.h"
#include "sim/machine/sm/sm.h"
#include "sim/machine/sm/warps/cta_table.h"
#include "sim/machine/sm/warps/dependences.h"
#include "sim/machine/sm/warps/named_barriers.h"
#include "sim/machine/sm/warps/stall_ledger.h"
#include "sim/machine/sm/warps/sub_cores.h"
#include "sim/machine/sm/warps/warp_table.h"
#include "sim/machine/sm/wgmma/wgmma_unit.h"

namespace gpusim::sm {

struct Units {
  Units(const arch::Arch& arch, const SmWiring& wiring, const SmJob& job);

  SmEvents events;
  Outbox outbox;
  WarpTable warps;
  CtaTable ctas;
  SubCores sub_cores;
  Dependences dependences;
  StallLedger ledger;
  InstructionL1 instruction_l1;
  FrontEnd front_end;
  ConstantCaches constants;
  std::optional<CtaLog> cta_log;
  MemoryUnit memory;
  WgmmaUnit wgmma;
  NamedBarriers barriers;
  Clusters clusters;
  Polls polls;
  Residency residency;
  Executor executor;
  Issuer issuer;
  Cycle reach;  ///< least_reach() of what issues
};

}  // namespace gpusim::sm

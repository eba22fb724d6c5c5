// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/machine.h"

#include <algorithm>

#include "sim/machine/gpu/dispatcher.h"
#include "sim/machine/gpu/floorplan.h"
#include "sim/machine/gpu/memory_side.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/mem/l2/partition.h"
#include "sim/machine/mem/noc/credits.h"
#include "sim/machine/mem/noc/router.h"
#include "sim/machine/mem/tlb/mmu.h"
#include "sim/machine/sm/warps/stall_records.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/counter_blocks.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::gpu {
namespace {

mem::noc::RouterWiring router_wiring(const arch::Arch& arch, const Floorplan& plan, std::uint32_t gpc) {
  const Numbering id = numbering(arch);
  mem::noc::RouterWiring wiring;
  for (std::uint32_t sm = 0; sm < arch.sm.count; ++sm) {
    if (plan.gpc_of_sm[sm] == gpc) {
      wiring.sms.push_back({static_cast<std::uint16_t>(sm), id.sm(sm)});
    }
  }
  wiring.mmu = id.mmu();
  const std::uint32_t slices_each = arch.l2.slices / arch.l2.partitions;
  for (std::uint32_t slice = 0; slice < arch.l2.slices; ++slice) {
    wiring.partition_domain.push_back(id.partition(slice / slices_each));
  }
  return wiring;
}

DispatchJob dispatch_job(const arch::Arch& arch, const Floorplan& plan, const MachineJob& job) {
  const Numbering id = numbering(arch);
  const trace::Kernel& kernel = *job.sm.image->kernel;
  DispatchJob dispatch{job.first_cta, job.end_cta, job.sm.ctas_per_sm, {}};
  dispatch.grid = kernel.grid;
  dispatch.cluster = kernel.cluster;
  if (job.sm.image->uses_clusters) {
    for (std::uint32_t gpc = 0; gpc < arch.noc.gpcs; ++gpc) {
      dispatch.gpcs.push_back({id.router(gpc), {}});
    }
  }
  for (std::uint32_t sm = 0; sm < arch.sm.count; ++sm) {
    dispatch.sms.push_back(id.sm(sm));
    if (job.sm.image->uses_clusters) {
      dispatch.gpcs[plan.gpc_of_sm[sm]].sms.push_back(sm);
    }
  }
  return dispatch;
}

}  // namespace

Machine::Machine(const arch::Arch& arch, MemorySide& memory, const MachineJob& job) : memory_(memory) {
  const Numbering id = numbering(arch);
  const Floorplan plan = floorplan(arch);
  DispatchJob dispatch = dispatch_job(arch, plan, job);
  for (std::uint32_t i = 0; i < arch.sm.count; ++i) {
    const std::uint32_t gpc = plan.gpc_of_sm[i];
    const sm::SmPlace place{static_cast<std::uint16_t>(i), plan.half_of_gpc[gpc], mem::noc::sm_window(arch.noc).places,
                            &memory.map()};
    sm::SmJob sm_job = job.sm;
    const auto watch = std::ranges::find(job.watches, i, &sm::Watch::sm);
    sm_job.watch = watch == job.watches.end() ? nullptr : &*watch;
    sms_.push_back(
        std::make_unique<sm::Sm>(id.sm(i), arch, sm::SmWiring{place, id.router(gpc), id.dispatcher()}, sm_job));
  }
  for (std::uint32_t gpc = 0; gpc < arch.noc.gpcs; ++gpc) {
    mem::noc::RouterWiring wiring = router_wiring(arch, plan, gpc);
    wiring.ctas_per_cluster = job.sm.image->kernel->ctas_per_cluster();
    routers_.push_back(std::make_unique<mem::noc::GpcRouter>(id.router(gpc), arch, wiring));
  }
  dispatcher_ = std::make_unique<CtaDispatcher>(id.dispatcher(), arch.launch, std::move(dispatch));
  if (arch.tlb.is_modelled()) {
    mmu_ = std::make_unique<mem::tlb::Mmu>(id.mmu(), arch.tlb, arch.noc.l2_to_gpc_latency);
  }
}

Machine::~Machine() = default;

std::vector<engine::Domain*> Machine::domains() {
  std::vector<engine::Domain*> all;
  for (const auto& sm : sms_) {
    all.push_back(sm.get());
  }
  for (const auto& router : routers_) {
    all.push_back(router.get());
  }
  for (const auto& partition : memory_.partitions()) {
    all.push_back(partition.get());
  }
  all.push_back(dispatcher_.get());
  if (mmu_) {
    all.push_back(mmu_.get());
  }
  return all;
}

void Machine::add_to(stats::CounterBlocks& blocks, const stats::CountEnd& end) const {
  memory_.add_to(blocks, end.ports);
  for (const auto& sm : sms_) {
    sm->add_to(blocks, end);
  }
  for (const auto& router : routers_) {
    stats::add(blocks.tlb, router->tlb_counters());
    stats::add(blocks.noc, router->noc_counters(end.ports));
  }
  if (mmu_) {
    stats::add(blocks.tlb, mmu_->counters());
  }
}

Cycle Machine::last_awake() const {
  Cycle last = dispatcher_->last_awake();
  const auto look_at = [&last](const auto& domains) {
    for (const auto& domain : domains) {
      last = std::max(last, domain->last_awake());
    }
  };
  look_at(sms_);
  look_at(routers_);
  look_at(memory_.partitions());
  return mmu_ ? std::max(last, mmu_->last_awake()) : last;
}

std::string Machine::drain_problem() const {
  for (const auto& sm : sms_) {
    if (!sm->idle()) {
      return "SM " + std::to_string(sm->id()) + " is not idle";
    }
  }
  for (const auto& router : routers_) {
    if (!router->idle()) {
      return "GPC router in domain " + std::to_string(router->id()) + " is not idle";
    }
  }
  if (mmu_ && !mmu_->idle()) {
    return "the MMU is not idle";
  }
  for (const auto& partition : memory_.partitions()) {
    if (std::string problem = partition->drain_problem(); !problem.empty()) {
      return problem;
    }
  }
  return {};
}

}  // namespace gpusim::gpu

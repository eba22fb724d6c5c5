// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/machine.h"

#include <algorithm>

#include "sim/machine/mem/noc/credits.h"

namespace gpusim::gpu {
namespace {

Numbering numbering(const arch::Arch& arch) {
  return {arch.sm.count, arch.noc.gpcs, arch.l2.partitions};
}

mem::l2::PartitionWiring partition_wiring(const arch::Arch& arch, std::uint32_t index) {
  const Numbering id = numbering(arch);
  const Floorplan plan = floorplan(arch);
  mem::l2::PartitionWiring wiring;
  wiring.index = index;
  wiring.credit_batch = mem::noc::slice_window(arch.noc, arch.l2).batch;
  for (const std::uint32_t gpc : plan.gpc_of_sm) {
    wiring.router_of_sm.push_back(id.router(gpc));
  }
  wiring.mirror = id.partition((index + arch.l2.partitions / arch.l2.halves) % arch.l2.partitions);
  return wiring;
}

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

/// As which the mirror slice passes a request on.
msg::Kind far_kind(msg::Kind kind) {
  switch (kind) {
    case msg::Kind::kRead: return msg::Kind::kFarRead;
    case msg::Kind::kWrite: return msg::Kind::kFarWrite;
    case msg::Kind::kAtomic: return msg::Kind::kFarAtomic;
    default: return msg::Kind::kFarReduction;
  }
}

}  // namespace

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

MemorySide::MemorySide(const arch::Arch& arch) : map_(arch.l2, arch.dram.channels) {
  const Numbering id = numbering(arch);
  for (std::uint32_t i = 0; i < arch.l2.partitions; ++i) {
    partitions_.push_back(
        std::make_unique<mem::l2::MemoryPartition>(id.partition(i), arch, map_, partition_wiring(arch, i)));
  }
}

void MemorySide::set_window(const mem::l2::AccessWindow& window) {
  for (const auto& partition : partitions_) {
    partition->set_window(window);
  }
}

void MemorySide::begin_kernel() {
  for (const auto& partition : partitions_) {
    partition->reset_timing();
  }
}

FunctionalAccess::Tags MemorySide::tags_of(const msg::Message& request, const mem::map::Place& place) const {
  mem::l2::MemoryPartition& partition = *partitions_[map_.partition_of_slice(request.as<msg::L2Access>().slice)];
  return {&partition, partition.expect_request(request, place)};
}

FunctionalAccess MemorySide::functional_access(const msg::Message& request, std::uint32_t half) const {
  const mem::map::Place place = map_.locate(request.as<msg::L2Access>().address);
  FunctionalAccess access{request, static_cast<std::uint16_t>(place.slice), {}, {}};
  access.request.as<msg::L2Access>().slice = access.home_slice;
  access.near = access.home = tags_of(access.request, place);
  if (map_.half_of_partition(place.partition) != half) {
    access.request.as<msg::L2Access>().slice = static_cast<std::uint16_t>(map_.mirror_slice(place.slice));
    access.near = tags_of(access.request, place);
  }
  return access;
}

/// Each access finds another set, so the tags of all are fetched side by side before the first is touched.
void MemorySide::touch(std::span<const FunctionalAccess* const> accesses) const {
  for (const FunctionalAccess* access : accesses) {
    access->near.partition->prefetch(access->near.expected);
    access->home.partition->prefetch(access->home.expected);
  }
  for (const FunctionalAccess* access : accesses) {
    touch(*access);
  }
}

void MemorySide::touch(const FunctionalAccess& access) const {
  const auto& [request, home_slice, near, home] = access;
  const mem::l2::Touched found = near.partition->touch(request, near.expected);
  const bool read = request.kind() == msg::Kind::kRead;
  if (found.has_copy) {
    const auto& line = request.as<msg::L2Access>();
    const std::uint32_t mirror = map_.mirror_slice(line.slice);
    partitions_[map_.partition_of_slice(mirror)]->drop_copy(mirror, line.address);
  }
  if (!found.far || (read && found.missed == 0)) {
    return;
  }
  msg::Message at_home = request.as_kind(far_kind(request.kind()));
  at_home.as<msg::L2Access>().slice = home_slice;
  at_home.sectors = read ? found.missed : request.sectors;
  home.partition->touch(at_home, home.expected);
}

stats::L2Counters MemorySide::l2_counters() const {
  stats::L2Counters sum;
  for (const auto& partition : partitions_) {
    stats::add(sum, partition->l2_counters());
  }
  return sum;
}

Cycle MemorySide::last_atomic() const {
  Cycle last = 0;
  for (const auto& partition : partitions_) {
    last = std::max(last, partition->last_atomic());
  }
  return last;
}

stats::DramCounters MemorySide::dram_counters() const {
  stats::DramCounters sum;
  for (const auto& partition : partitions_) {
    stats::add(sum, partition->dram_counters());
  }
  return sum;
}

Machine::Machine(const arch::Arch& arch, MemorySide& memory, const MachineJob& job) : memory_(memory) {
  const Numbering id = numbering(arch);
  const Floorplan plan = floorplan(arch);
  DispatchJob dispatch = dispatch_job(arch, plan, job);
  for (std::uint32_t i = 0; i < arch.sm.count; ++i) {
    const std::uint32_t gpc = plan.gpc_of_sm[i];
    const sm::SmPlace place{static_cast<std::uint16_t>(i), plan.half_of_gpc[gpc], mem::noc::sm_window(arch.noc).places,
                            &memory.map()};
    sm::SmJob sm_job = job.sm;
    sm_job.watch = job.watch != nullptr && job.watch->sm == i ? job.watch : nullptr;
    sms_.push_back(
        std::make_unique<sm::Sm>(id.sm(i), arch, sm::SmWiring{place, id.router(gpc), id.dispatcher()}, sm_job));
  }
  for (std::uint32_t gpc = 0; gpc < arch.noc.gpcs; ++gpc) {
    mem::noc::RouterWiring wiring = router_wiring(arch, plan, gpc);
    wiring.ctas_per_cluster = job.sm.image->kernel->ctas_per_cluster();
    routers_.push_back(std::make_unique<mem::noc::GpcRouter>(id.router(gpc), arch, std::move(wiring)));
  }
  dispatcher_ = std::make_unique<CtaDispatcher>(id.dispatcher(), arch.launch, std::move(dispatch));
  if (arch.tlb.is_modelled()) {
    mmu_ = std::make_unique<mem::tlb::Mmu>(id.mmu(), arch.tlb, arch.noc.l2_to_gpc_latency);
  }
}

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

stats::TlbCounters Machine::tlb_counters() const {
  stats::TlbCounters sum;
  for (const auto& router : routers_) {
    stats::add(sum, router->tlb_counters());
  }
  if (mmu_) {
    stats::add(sum, mmu_->counters());
  }
  return sum;
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

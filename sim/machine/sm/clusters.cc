// SPDX-License-Identifier: MIT
#include "sim/machine/sm/clusters.h"

#include <algorithm>
#include <bit>

#include "sim/base/problem.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/sm/memory_unit.h"
#include "sim/machine/sm/outbox.h"
#include "sim/machine/sm/warps/cta_table.h"
#include "sim/machine/sm/warps/sub_cores.h"
#include "sim/machine/sm/warps/warp_table.h"
#include "sim/model/arch/noc_config.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/walker.h"

namespace gpusim::sm {
namespace {

/// The longest way of a message about a cluster from an SM to its router. The message that a CTA leaves takes this
/// long, so that it arrives last.
std::uint32_t slowest_way(const arch::NocConfig& noc) {
  return std::max(arch::NocConfig::to_switch(std::max(noc.cluster_barrier_latency, noc.dsmem_latency)),
                  noc.sm_to_gpc_latency);
}

}  // namespace

Clusters::Clusters(const arch::NocConfig& noc, const lower::KernelImage& image, std::uint16_t sm, msg::DomainId router,
                   const CtaTable& ctas, WarpTable& warps, SubCores& cores, MemoryUnit& memory, Outbox& outbox)
    : noc_(noc),
      image_(image),
      sm_(sm),
      router_(router),
      ctas_(ctas),
      warps_(warps),
      cores_(cores),
      memory_(memory),
      outbox_(outbox),
      barriers_(ctas.size()) {}

bool Clusters::is_waiting(const Warp& warp) const {
  return barriers_[warp.cta_slot].is_waiting(warps_.slot_of(warp));
}

bool Clusters::has_arrived(const Warp& warp) const {
  return barriers_[warp.cta_slot].has_arrived(warps_.slot_of(warp));
}

trace::ClusterPlace Clusters::place_of(std::uint32_t cta_slot) const {
  const trace::Kernel& kernel = *image_.kernel;
  return trace::cluster_place(ctas_[cta_slot].linear, kernel.grid, kernel.cluster);
}

/// The slot of a CTA that is resident here; nothing when it is not.
std::optional<std::uint32_t> Clusters::slot_of(const trace::ClusterPlace& place) const {
  const trace::Kernel& kernel = *image_.kernel;
  const std::uint64_t linear = trace::cta_of(place, kernel.grid, kernel.cluster);
  for (std::uint32_t slot = 0; slot < ctas_.size(); ++slot) {
    if (ctas_[slot].resident && ctas_[slot].linear == linear) {
      return slot;
    }
  }
  return std::nullopt;
}

void Clusters::tell_router(msg::Kind kind, std::uint32_t cta_slot, Cycle at) {
  const trace::ClusterPlace place = place_of(cta_slot);
  const msg::ClusterMember member{place.cluster, static_cast<std::uint16_t>(place.rank), sm_};
  outbox_.put(router_, at, msg::make(kind, member));
}

void Clusters::tell_arrival(std::uint32_t cta_slot, Cycle now) {
  tell_router(msg::Kind::kClusterArrive, cta_slot, now + arch::NocConfig::to_switch(noc_.cluster_barrier_latency));
}

[[gnu::noinline]] void Clusters::arrive(const Warp& warp, std::uint32_t pc, Cycle now) {
  ClusterBarrier& barrier = barriers_[warp.cta_slot];
  if (barrier.has_arrived(warps_.slot_of(warp))) {
    fail_at(warp, pc, "arrives at the barrier of its cluster a second time",
            "every UCGABAR_ARV of a warp is followed by its UCGABAR_WAIT");
  }
  barrier.announce(warps_.slot_of(warp));
  settle_arrival(warp, now);
}

/// To arrive is to release (PTX: barrier.cluster.arrive): the arrival counts when the warp's accesses to other CTAs'
/// shared memory are done.
void Clusters::settle_arrival(const Warp& warp, Cycle now) {
  if (!warp.exited && memory_.dsmem().is_done(warps_.slot_of(warp)) &&
      barriers_[warp.cta_slot].settle(warps_.slot_of(warp))) {
    tell_arrival(warp.cta_slot, now);
  }
}

[[gnu::noinline]] void Clusters::wait(Warp& warp, std::uint32_t pc) {
  ClusterBarrier& barrier = barriers_[warp.cta_slot];
  if (!barrier.has_arrived(warps_.slot_of(warp))) {
    fail_at(warp, pc, "waits at the barrier of its cluster without having arrived",
            "UCGABAR_ARV comes before UCGABAR_WAIT");
  }
  if (barrier.wait(warps_.slot_of(warp))) {
    cores_.block(warp, mask_of(Stall::kBarrier));
  }
}

[[gnu::noinline]] void Clusters::handle(const msg::Message& message, Cycle now) {
  switch (message.kind()) {
    case msg::Kind::kClusterRelease: release(message, now); break;
    case msg::Kind::kDsmemReply:
    case msg::Kind::kDsmemAck: finish_dsmem(message, now); break;
    case msg::Kind::kDsmemAbsent: fail_absent(message.as<msg::DsmemAnswer>()); break;
    case msg::Kind::kMbarrierRefusal: fail_refused(message.as<msg::MbarrierRefusal>()); break;
    case msg::Kind::kMulticastLine: take_multicast_line(message, now); break;
    case msg::Kind::kMulticastSent: memory_.bulk().multicast_sent(message, now); break;
    default: serve_dsmem(message, now);
  }
}

void Clusters::finish_dsmem(const msg::Message& message, Cycle now) {
  const Warp& warp = warps_[memory_.dsmem().target_of(message.as<msg::DsmemReply>()).warp];
  cores_.open_queues(memory_.handle_dsmem(message, now), now);
  if (warp.resident) {
    settle_arrival(warp, now);
  }
}

[[gnu::noinline]] DsmemTarget Clusters::target_of(Warp& warp) const {
  const trace::ClusterPlace place = place_of(warp.cta_slot);
  const bool names_another =
      warp.op->kind != isa::OpKind::kTensorCopy || trace::is_move(warp.walker->async_operands().action);
  const auto rank = static_cast<std::uint16_t>(names_another ? warp.walker->target_rank() : place.rank);
  const bool names_several = warp.op->generic_forms != 0;  // not all of them the own one
  return {place.cluster, ctas_[warp.cta_slot].linear,          warp.next->pc, warps_.slot_of(warp),
          rank,          rank == place.rank && !names_several, names_several};
}

/// Another SM's access to the shared memory of a CTA that should be here.
void Clusters::serve_dsmem(const msg::Message& message, Cycle now) {
  const auto& request = message.as<msg::DsmemAsk>();
  const auto slot = slot_of({request.cluster, request.rank});
  if (slot && ctas_[*slot].live_warps > 0) {
    const msg::Message answer = memory_.dsmem().serve(message, *slot, now);
    outbox_.put(router_, answer.time + arch::NocConfig::to_switch(noc_.dsmem_latency), answer);
    return;
  }
  const msg::DsmemAnswer absent{{request.token, request.requester, sm_}, request.rank};
  outbox_.put(router_, now + arch::NocConfig::to_switch(noc_.dsmem_latency),
              msg::make(msg::Kind::kDsmemAbsent, absent));
}

/// A line of a copy that another CTA of the cluster asked for.
void Clusters::take_multicast_line(const msg::Message& message, Cycle now) {
  const auto& line = message.as<msg::MulticastLine>();
  const trace::ClusterPlace place{line.cluster, line.rank};
  const auto slot = slot_of(place);
  if (!slot || ctas_[*slot].live_warps == 0) {
    fail_absent(line.pc, "cluster " + std::to_string(place.cluster), place);
  }
  memory_.bulk().take_multicast_line(message, *slot, now);
}

/// The CTA that was asked is not on its SM.
void Clusters::fail_absent(const msg::DsmemAnswer& answer) const {
  const DsmemTarget& target = memory_.dsmem().target_of(answer);
  fail_absent(target.pc, "CTA " + std::to_string(target.asker), {target.cluster, answer.rank});
}

/// An mbarrier of another CTA refuses an operation.
void Clusters::fail_refused(const msg::MbarrierRefusal& refusal) const {
  const DsmemTarget& target = memory_.dsmem().target_of(refusal);
  const trace::ClusterPlace place{target.cluster, target.rank};
  const trace::Kernel& kernel = *image_.kernel;
  memory_.sync().mbarriers().fail(
      {0, target.barrier, target.pc},
      {static_cast<MbarrierMisuse>(refusal.misuse), refusal.amount, refusal.pending, refusal.expected,
       "of CTA " + std::to_string(trace::cta_of(place, kernel.grid, kernel.cluster)) + " "});
}

void Clusters::fail_absent(std::uint32_t pc, const std::string& asker, const trace::ClusterPlace& absent) const {
  const trace::Kernel& kernel = *image_.kernel;
  throw InputError(Problem{{kernel.where.file, kernel.texts[pc].line, 0},
                           "kernel '" + kernel.name + "': '" + kernel.texts[pc].text + "' of " + asker +
                               " accesses the shared memory of CTA " +
                               std::to_string(trace::cta_of(absent, kernel.grid, kernel.cluster)) +
                               ", which is not running",
                           "it has not begun or has exited: the cluster's barrier comes before the first such access "
                           "and after the last"});
}

/// All CTAs of a cluster have arrived at its barrier; the one of the message may have left since.
void Clusters::release(const msg::Message& message, Cycle now) {
  const auto& member = message.as<msg::ClusterMember>();
  const auto slot = slot_of({member.cluster, member.rank});
  if (!slot) {
    return;
  }
  for (WarpMask rest = barriers_[*slot].release(); rest != 0; rest &= rest - 1) {
    Warp& warp = warps_[static_cast<std::uint32_t>(std::countr_zero(rest))];
    cores_.end_stall(warp, Stall::kBarrier, now);
  }
}

void Clusters::exit(const Warp& warp, Cycle now) {
  ClusterBarrier& barrier = barriers_[warp.cta_slot];
  if (barrier.exit(warps_.slot_of(warp))) {
    tell_arrival(warp.cta_slot, now);
  } else if (barrier.live_warps() == 0) {
    tell_router(msg::Kind::kClusterExit, warp.cta_slot, now + arch::NocConfig::to_switch(noc_.cluster_barrier_latency));
  }
}

/// Comes after everything that the CTA has sent.
void Clusters::leave(std::uint32_t cta_slot, Cycle end) {
  tell_router(msg::Kind::kClusterLeave, cta_slot, end + slowest_way(noc_));
}

void Clusters::fail_at(const Warp& warp, std::uint32_t pc, const std::string& what, const std::string& hint) const {
  const trace::Kernel& kernel = *image_.kernel;
  throw InputError(Problem{{kernel.where.file, kernel.texts[pc].line, 0},
                           "kernel '" + kernel.name + "': '" + kernel.texts[pc].text + "': warp " +
                               std::to_string(warp.warp_in_cta) + " of CTA " +
                               std::to_string(ctas_[warp.cta_slot].linear) + " " + what,
                           hint});
}

}  // namespace gpusim::sm

// SPDX-License-Identifier: MIT
// The router of one GPC: brings the requests of its SMs to the memory partitions and the replies back. It is the wiring
// of its units: the ways of requests and replies, translation, clusters, multicasts. Owns those units, and the number
// that each of its SMs has in the GPC.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/mem/noc/cluster_unit.h"
#include "sim/machine/mem/noc/multicast.h"
#include "sim/machine/mem/noc/reply_ports.h"
#include "sim/machine/mem/noc/request_ports.h"
#include "sim/machine/mem/noc/translation.h"
#include "sim/machine/msg/message.h"
#include "sim/model/arch/noc_config.h"

namespace gpusim::mem::noc {

/// What a router is connected to.
struct RouterWiring {
  struct Sm {
    std::uint16_t index = 0;  ///< SmAccess::requester
    msg::DomainId domain = 0;
  };
  std::vector<Sm> sms;                          ///< SMs of this GPC, any number
  std::vector<msg::DomainId> partition_domain;  ///< by global slice index
  std::uint32_t ctas_per_cluster = 1;           ///< CTAs per cluster of the kernel that runs
  msg::DomainId mmu = 0;                        ///< with tlb.model modelled
};

/// Requests (kRead, kWrite, kAtomic, kReduction): an SM sends at most sm_window().places of them ahead and gets
/// kSmCredit (count places) as they leave its FIFO. The FIFOs' heads share the GPC's request port in turn, each holding
/// a credit of its slice; a head without one waits, and those behind it, while other SMs pass. Where a TPC has a port,
/// the heads of its SMs pass that in turn, too: while one is on it the other SM is stalled.
///
/// With tlb.model modelled a request joins its SM's FIFO when its address is translated: at once when the TLB of its
/// TPC knows the page (mem/tlb/gpc_tlb.h), else later, and what comes after it from the same SM may be earlier.
///
/// Replies (kReadReply, kWriteAck) pass the GPC's reply port, their TPC's and their SM's, in order of arrival. They
/// need no credits: an SM asks only when it has reserved a place (an MSHR, a store slot) for the answer.
///
/// Clusters: the dispatcher says where their CTAs run (kCtaPlaced), SMs say which have arrived at the cluster's
/// barrier, and when all have, those that arrived hear of it (kClusterRelease). Accesses to the shared memory of
/// another CTA, and the answers (kDsmem..., kRemote...), pass the sender's port to the switch between SMs, then the
/// receiver's, in order of arrival. They need no credits: an SM has a bounded number of them under way, with a place
/// for each answer.
///
/// Multicasts: an SM announces (kMulticastTo, kMulticastSize) that the replies to some of its requests are for several
/// CTAs of its cluster. Such a reply passes the GPC's port once and then the port of each SM; all but the one that
/// asked get it as kMulticastLine.
///
/// Latency is that of a message's head: it arrives `latency` after it starts on the port, which its length keeps busy.
/// So a request that meets no other reaches its slice sm_to_gpc_latency + gpc_to_l2_latency after it left the SM.
/// noc.model "ideal": the same latencies, no ports, no credits.
class GpcRouter final : public engine::Domain {
 public:
  GpcRouter(msg::DomainId id, const arch::Arch& arch, const RouterWiring& wiring);

  void run_until(Cycle end) override;
  [[nodiscard]] Cycle next_event() const override;

  /// Before a run that starts at cycle 0 again. The router must be idle. All credits are home again: SMs and partitions
  /// start afresh too, an SM with a whole window.
  void reset_timing();

  /// Nothing waits here, nothing is on its way here, and all credits but those kept for a batch are home.
  [[nodiscard]] bool idle() const;

  /// The counters of its GPC's TLBs; all zero with tlb.model off.
  [[nodiscard]] stats::TlbCounters tlb_counters() const { return translation_.counters(); }
  /// The counters of its GPC's ports for requests, replies and the switch between SMs; all zero with noc.model ideal.
  [[nodiscard]] stats::NocCounters noc_counters(Cycle end) const;

 private:
  GpcRouter(msg::DomainId id, const arch::Arch& arch, const RouterWiring& wiring,
            const std::vector<msg::DomainId>& sm_domains);

  void handle(const msg::Message& message, Cycle now);
  /// The number in the GPC of the SM that a request is of, or a reply for.
  [[nodiscard]] std::uint32_t local_of(const msg::Message& message) const {
    return local_of_sm_[message.as<msg::SmAccess>().requester];
  }
  void accept_request(const msg::Message& message, Cycle now);
  void accept_reply(const msg::Message& message, Cycle now);
  [[nodiscard]] auto enqueue_at(Cycle now) {
    return [this, now](const msg::Message& request) { requests_.enqueue(local_of(request), request, now); };
  }

  arch::NocConfig noc_;
  std::vector<std::uint32_t> local_of_sm_;  ///< by SM index: its number in the GPC
  RequestPorts requests_;
  ReplyPorts replies_;
  Translation translation_;
  ClusterUnit clusters_;
  Multicast multicast_;
};

}  // namespace gpusim::mem::noc

// SPDX-License-Identifier: MIT
// The router of one GPC: brings the requests of its SMs to the memory partitions and the replies back. It owns the
// GPC's request and reply ports, the SMs' reply ports, a FIFO an SM and its credits for every L2 slice.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/ratio.h"
#include "sim/base/ring.h"
#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/mem/noc/cluster_table.h"
#include "sim/machine/mem/noc/credits.h"
#include "sim/machine/mem/noc/multicast_table.h"
#include "sim/machine/mem/tlb/gpc_tlb.h"
#include "sim/machine/msg/message.h"
#include "sim/model/arch/arch.h"

namespace gpusim::mem::noc {

/// Whom a router is connected to.
struct RouterWiring {
  struct Sm {
    std::uint16_t index = 0;  ///< Message::requester
    msg::DomainId domain = 0;
  };
  std::vector<Sm> sms;                          ///< of this GPC, any number
  std::vector<msg::DomainId> partition_domain;  ///< by global slice index
  std::uint32_t ctas_per_cluster = 1;           ///< of the kernel that runs
  msg::DomainId mmu = 0;                        ///< with tlb.model modelled
};

/// Requests (kRead, kWrite, kAtomic, kReduction): an SM sends at most sm_window().places of them ahead and gets kCredit
/// (count places) as they leave its FIFO. The FIFOs' heads share the GPC's request port in turn, each holding a credit
/// of its slice; a head without one waits, and those behind it, while other SMs pass. Where a TPC has a port, the heads
/// of its SMs pass that in turn, too: while one is on it the other SM is parked.
///
/// With tlb.model modelled a request joins its SM's FIFO when its address is translated: at once when the TLB of its
/// TPC knows the page (mem/tlb/gpc_tlb.h), else later, and what comes after it from the same SM may be earlier.
///
/// Replies (kReadReply, kWriteAck) pass the GPC's reply port, their TPC's and their SM's, in order of arrival. They
/// need no credits: an SM asks only when it has reserved a place (an MSHR, a store slot) for the answer.
///
/// Clusters: the dispatcher says where their CTAs run (kCtaPlaced), SMs say which have arrived at the cluster's
/// barrier, and when all have, those that arrived hear of it (kClusterRelease). Accesses to the shared memory of
/// another CTA, and the answers (kRemote...), pass the sender's port to the switch between SMs, then the receiver's, in
/// order of arrival. They need no credits: an SM has a bounded number of them under way, with a place for each answer.
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
  GpcRouter(msg::DomainId id, const arch::Arch& arch, RouterWiring wiring);

  void run_until(Cycle end) override;
  void prefetch() const override;
  [[nodiscard]] Cycle next_event() const override;

  /// Before a run that starts at cycle 0 again. The router must be idle. All credits are home again: SMs and partitions
  /// start afresh too, an SM with a whole window.
  void reset_timing();

  /// Nothing waits here, nothing is on its way here, and all credits but those kept for a lot are home.
  [[nodiscard]] bool idle() const;

  /// Of its GPC's TLBs; all zero with tlb.model off.
  [[nodiscard]] stats::TlbCounters tlb_counters() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  /// What one SM has here. `next` links it into the ring of ready SMs, those parked, or its slice's waiting list.
  struct SmPort {
    Ring<msg::Message> fifo;
    msg::DomainId domain = 0;
    std::uint32_t next = kNone;
    std::uint32_t owed = 0;  ///< credits not yet returned
    RateServer reply_port;
    RateServer to_sms;  ///< its port to the other SMs of the GPC, and from them
    RateServer from_sms;
  };
  struct TpcPort {
    RateServer request;
    RateServer reply;
  };
  /// An intrusive list of SmPorts, first come first served.
  struct SmList {
    std::uint32_t head = kNone;
    std::uint32_t tail = kNone;
  };
  struct SlicePort {
    msg::DomainId domain = 0;
    std::uint32_t credits = 0;
    SmList waiting;  ///< SMs whose head needs a credit
  };
  void start_afresh();
  void handle(const msg::Message& message, Cycle now);
  void accept_request(const msg::Message& message, Cycle now);
  void enqueue(const msg::Message& message, Cycle now);
  void accept_reply(const msg::Message& message, Cycle now);
  [[nodiscard]] Cycle through_gpc_port(const msg::Message& message, Cycle now);
  void pass_to_sm(std::uint32_t sm, const msg::Message& message, Cycle start);
  void accept_credit(const msg::Message& message, Cycle now);
  // router_translation.cc
  [[nodiscard]] bool passes_tlb(const msg::Message& message, Cycle now);
  void accept_translation(const msg::Message& message, Cycle now);
  void pass_translated(Cycle now);
  // router_multicast.cc
  void announce_multicast(const msg::Message& message, Cycle now);
  void accept_multicast(Multicast& copy, const msg::Message& reply, Cycle now);
  void pass_to_others(const Multicast& copy, const msg::Message& reply, Cycle start);
  // router_clusters.cc
  void handle_cluster(const msg::Message& message, Cycle now);
  void pass_on(const msg::Message& message, Cycle now);
  void release(std::uint64_t cluster, const std::vector<ClusterTable::Waiting>& ctas, Cycle now);
  [[nodiscard]] bool take_credit(const msg::Message& message);
  void enlist(std::uint32_t sm);
  void serve_ready(Cycle now);
  void forward(std::uint32_t sm, const msg::Message& message, Cycle now);
  // router_tpc.cc
  [[nodiscard]] Cycle request_may_start(std::uint32_t sm, Cycle now) const;
  void take_request_ports(std::uint32_t sm, std::uint32_t bytes, Cycle now);
  [[nodiscard]] Cycle through_tpc_port(std::uint32_t sm, std::uint32_t bytes, Cycle start);
  void park(std::uint32_t sm, Cycle until);
  void unpark(Cycle now);
  void append(SmList& list, std::uint32_t sm);
  std::uint32_t take_first(SmList& list);

  [[nodiscard]] bool is_ideal() const { return slice_window_.places == 0; }

  arch::NocConfig noc_;
  CreditWindow sm_window_;
  CreditWindow slice_window_;
  RateServer request_port_;
  RateServer reply_port_;
  std::uint32_t sms_per_tpc_;
  std::vector<SmPort> sms_;
  std::vector<TpcPort> tpcs_;               ///< of sms_per_tpc_ neighbours each
  std::vector<std::uint32_t> local_of_sm_;  ///< by SM index
  std::vector<SlicePort> slices_;
  ClusterTable clusters_;
  MulticastTable multicasts_;
  std::optional<tlb::GpcTlb> tlb_;  ///< with tlb.model modelled
  msg::DomainId mmu_;
  Cycle translated_at_ = kNever;  ///< when tlb_ next lets requests pass by itself
  SmList ready_;                  ///< SMs whose head holds a credit, in turn
  SmList parked_;                 ///< likewise, but their TPC's port is taken
  Cycle unpark_at_ = kNever;      ///< when the first of those ports is free
  Cycle arbitrate_at_ = kNever;
};

}  // namespace gpusim::mem::noc

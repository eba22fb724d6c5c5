// SPDX-License-Identifier: MIT
// What the ports between SMs, L2 and DRAM, and from SM to SM, count while a kernel runs, and the one table of their
// levels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/model/stats/field.h"

namespace gpusim::stats {

/// The ports of one unit (or the sum over all). All zero with noc.model ideal, but for DRAM's queues.
struct NocCounters {
  std::uint64_t sm_request_bytes = 0;
  std::uint64_t sm_request_busy_cycles = 0;
  std::uint64_t sm_request_full_cycles = 0;
  std::uint64_t sm_request_stall_cycles = 0;
  std::uint64_t tpc_request_bytes = 0;
  std::uint64_t tpc_request_busy_cycles = 0;
  std::uint64_t tpc_request_stall_cycles = 0;
  std::uint64_t gpc_request_bytes = 0;
  std::uint64_t gpc_request_busy_cycles = 0;
  std::uint64_t gpc_request_full_cycles = 0;
  std::uint64_t gpc_request_stall_cycles = 0;
  std::uint64_t slice_request_bytes = 0;
  std::uint64_t slice_request_busy_cycles = 0;
  std::uint64_t slice_request_full_cycles = 0;
  std::uint64_t slice_request_stall_cycles = 0;
  std::uint64_t slice_reply_bytes = 0;
  std::uint64_t slice_reply_busy_cycles = 0;
  std::uint64_t slice_reply_wait_cycles = 0;
  std::uint64_t gpc_reply_bytes = 0;
  std::uint64_t gpc_reply_busy_cycles = 0;
  std::uint64_t gpc_reply_wait_cycles = 0;
  std::uint64_t tpc_reply_bytes = 0;
  std::uint64_t tpc_reply_busy_cycles = 0;
  std::uint64_t tpc_reply_wait_cycles = 0;
  std::uint64_t sm_reply_bytes = 0;
  std::uint64_t multicast_lines = 0;
  std::uint64_t multicast_kept_sectors = 0;
  std::uint64_t shared_reply_bytes = 0;
  std::uint64_t sm_reply_busy_cycles = 0;
  std::uint64_t sm_reply_wait_cycles = 0;
  std::uint64_t link_bytes = 0;
  std::uint64_t link_busy_cycles = 0;
  std::uint64_t link_wait_cycles = 0;
  std::uint64_t link_stall_cycles = 0;
  std::uint64_t dsmem_messages = 0;
  std::uint64_t dsmem_send_bytes = 0;
  std::uint64_t dsmem_send_busy_cycles = 0;
  std::uint64_t dsmem_send_wait_cycles = 0;
  std::uint64_t dsmem_receive_bytes = 0;
  std::uint64_t dsmem_receive_busy_cycles = 0;
  std::uint64_t dsmem_receive_wait_cycles = 0;
  std::uint64_t dram_full_cycles = 0;
  std::uint64_t dram_stall_cycles = 0;
  std::uint64_t sm_credits_taken = 0;
  std::uint64_t sm_credits_returned = 0;
  std::uint64_t slice_credits_taken = 0;
  std::uint64_t slice_credits_returned = 0;

  static const std::array<Field<NocCounters>, 47> kFields;
};
inline constexpr std::array<Field<NocCounters>, 47> NocCounters::kFields{{
    {"sm_request_bytes", Unit::kBytes, "requests that left SMs, headers included", &NocCounters::sm_request_bytes},
    {"sm_request_busy_cycles", Unit::kCycles, "that SMs' request ports need for them",
     &NocCounters::sm_request_busy_cycles},
    {"sm_request_full_cycles", Unit::kCycles, "SMs times cycles in which their queue of requests had no place",
     &NocCounters::sm_request_full_cycles},
    {"sm_request_stall_cycles", Unit::kCycles,
     "SMs times cycles in which requests waited for a credit, a place at the GPC",
     &NocCounters::sm_request_stall_cycles},
    {"tpc_request_bytes", Unit::kBytes, "requests that passed TPCs' ports, where TPCs have some, headers included",
     &NocCounters::tpc_request_bytes},
    {"tpc_request_busy_cycles", Unit::kCycles, "that TPCs' request ports need for them",
     &NocCounters::tpc_request_busy_cycles},
    {"tpc_request_stall_cycles", Unit::kCycles,
     "SMs times cycles in which a request with a credit waited for its TPC's port while the GPC's was free",
     &NocCounters::tpc_request_stall_cycles},
    {"gpc_request_bytes", Unit::kBytes, "requests that passed GPCs, headers included", &NocCounters::gpc_request_bytes},
    {"gpc_request_busy_cycles", Unit::kCycles, "that GPCs' request ports need for them",
     &NocCounters::gpc_request_busy_cycles},
    {"gpc_request_full_cycles", Unit::kCycles, "SMs times cycles in which their queue at the GPC had no place",
     &NocCounters::gpc_request_full_cycles},
    {"gpc_request_stall_cycles", Unit::kCycles,
     "SMs times cycles in which their queue at the GPC waited for a credit, a place at an L2 slice",
     &NocCounters::gpc_request_stall_cycles},
    {"slice_request_bytes", Unit::kBytes, "requests that L2 slices took in, headers included",
     &NocCounters::slice_request_bytes},
    {"slice_request_busy_cycles", Unit::kCycles, "that slices' request ports need for them",
     &NocCounters::slice_request_busy_cycles},
    {"slice_request_full_cycles", Unit::kCycles,
     "slices times cycles in which l2.queue_entries requests or more waited for the tags",
     &NocCounters::slice_request_full_cycles},
    {"slice_request_stall_cycles", Unit::kCycles,
     "slices times cycles in which requests behind the tags waited: for an MSHR, an entry for atomics, a place on the "
     "way to DRAM or in the other half",
     &NocCounters::slice_request_stall_cycles},
    {"slice_reply_bytes", Unit::kBytes, "replies and acknowledgements that L2 slices sent, headers included",
     &NocCounters::slice_reply_bytes},
    {"slice_reply_busy_cycles", Unit::kCycles, "that slices' reply ports need for them",
     &NocCounters::slice_reply_busy_cycles},
    {"slice_reply_wait_cycles", Unit::kCycles, "replies times cycles that they waited for the slice's port",
     &NocCounters::slice_reply_wait_cycles},
    {"gpc_reply_bytes", Unit::kBytes, "replies that came into GPCs, headers included", &NocCounters::gpc_reply_bytes},
    {"gpc_reply_busy_cycles", Unit::kCycles, "that GPCs' reply ports need for them",
     &NocCounters::gpc_reply_busy_cycles},
    {"gpc_reply_wait_cycles", Unit::kCycles, "replies times cycles that they waited for the GPC's port",
     &NocCounters::gpc_reply_wait_cycles},
    {"tpc_reply_bytes", Unit::kBytes, "replies that passed TPCs' ports, where TPCs have some, headers included",
     &NocCounters::tpc_reply_bytes},
    {"tpc_reply_busy_cycles", Unit::kCycles, "that TPCs' reply ports need for them",
     &NocCounters::tpc_reply_busy_cycles},
    {"tpc_reply_wait_cycles", Unit::kCycles, "replies times cycles that they waited for the TPC's port",
     &NocCounters::tpc_reply_wait_cycles},
    {"sm_reply_bytes", Unit::kBytes, "replies that SMs received, multicast lines among them, headers included",
     &NocCounters::sm_reply_bytes},
    {"multicast_lines", Unit::kCount, "multicast lines that SMs received, with sectors or, of zeros, without",
     &NocCounters::multicast_lines},
    {"multicast_kept_sectors", Unit::kSectors,
     "sectors of multicasts that came into GPCs and were not for the SM that asked",
     &NocCounters::multicast_kept_sectors},
    {"shared_reply_bytes", Unit::kBytes,
     "replies that passed a GPC's port with one to another SM, and count there once", &NocCounters::shared_reply_bytes},
    {"sm_reply_busy_cycles", Unit::kCycles, "that SMs' reply ports need for them", &NocCounters::sm_reply_busy_cycles},
    {"sm_reply_wait_cycles", Unit::kCycles, "replies times cycles that they waited for the SM's port",
     &NocCounters::sm_reply_wait_cycles},
    {"link_bytes", Unit::kBytes, "what passed between the halves of L2, headers included", &NocCounters::link_bytes},
    {"link_busy_cycles", Unit::kCycles, "that the links need for it", &NocCounters::link_busy_cycles},
    {"link_wait_cycles", Unit::kCycles, "messages times cycles that they waited for a link",
     &NocCounters::link_wait_cycles},
    {"link_stall_cycles", Unit::kCycles,
     "slice_request_stall_cycles for a place in the other half: an MSHR for a copy, or a write on its way",
     &NocCounters::link_stall_cycles},
    {"dsmem_messages", Unit::kCount,
     "accesses to other CTAs' shared memory and mbarriers, and their answers, that passed the switch between SMs",
     &NocCounters::dsmem_messages},
    {"dsmem_send_bytes", Unit::kBytes, "what SMs sent to the switch between SMs, headers included",
     &NocCounters::dsmem_send_bytes},
    {"dsmem_send_busy_cycles", Unit::kCycles, "that SMs' ports to the switch need for it",
     &NocCounters::dsmem_send_busy_cycles},
    {"dsmem_send_wait_cycles", Unit::kCycles, "messages times cycles that they waited for the sender's port",
     &NocCounters::dsmem_send_wait_cycles},
    {"dsmem_receive_bytes", Unit::kBytes, "what SMs received from the switch between SMs, headers included",
     &NocCounters::dsmem_receive_bytes},
    {"dsmem_receive_busy_cycles", Unit::kCycles, "that SMs' ports from the switch need for it",
     &NocCounters::dsmem_receive_busy_cycles},
    {"dsmem_receive_wait_cycles", Unit::kCycles,
     "messages times cycles that they waited for the receiver's port, behind all that asked for it before",
     &NocCounters::dsmem_receive_wait_cycles},
    {"dram_full_cycles", Unit::kCycles,
     "pseudo-channels times cycles in which a request of L2 waited for a place in their queues",
     &NocCounters::dram_full_cycles},
    {"dram_stall_cycles", Unit::kCycles,
     "slice_request_stall_cycles for a place among the slice's sectors that wait to be written to DRAM",
     &NocCounters::dram_stall_cycles},
    {"sm_credits_taken", Unit::kCount, "places at GPCs that requests of SMs took", &NocCounters::sm_credits_taken},
    {"sm_credits_returned", Unit::kCount, "places at GPCs that were given back", &NocCounters::sm_credits_returned},
    {"slice_credits_taken", Unit::kCount, "places at L2 slices that requests took at GPCs",
     &NocCounters::slice_credits_taken},
    {"slice_credits_returned", Unit::kCount, "places at L2 slices that were given back",
     &NocCounters::slice_credits_returned},
}};
static_assert(covers_every_field<NocCounters>());

/// What has the queues in front of a level's ports.
enum class QueuesOf : std::uint8_t { kPorts, kSms, kSlices };

/// A level of ports; as one of the bounds all together are the NoC.
struct NocLevel {
  using Member = std::uint64_t NocCounters::*;
  std::string_view key;    ///< "gpc_reply"
  std::string_view name;   ///< "reply ports of GPCs"
  Member bytes;            ///< bytes that passed
  Member busy;             ///< cycles
  Member full = nullptr;   ///< cycles of queues without a place; null: it is not counted, as for the next two
  Member stall = nullptr;  ///< cycles of queues that wait for credits
  Member wait = nullptr;   ///< messages times cycles
  QueuesOf queues = QueuesOf::kPorts;  ///< `full` and `stall` are sums over one queue each
  std::string_view advice;             ///< what helps where it is the bound
  bool is_of_clusters = false;         ///< reports leave it out where nothing passed it

  /// How many queues `full` and `stall` are sums over, where the level has so many ports.
  [[nodiscard]] constexpr std::uint64_t queue_count(std::uint64_t ports, std::uint64_t sms,
                                                    std::uint64_t slices) const {
    const std::uint64_t where_modelled = queues == QueuesOf::kSms ? sms : queues == QueuesOf::kSlices ? slices : ports;
    return ports == 0 ? 0 : where_modelled;
  }
};

/// What helps where requests, replies, or the halves' exchange are the bound.
inline constexpr std::string_view kFewerRequestBytes =
    "lanes that write whole sectors, and reductions in shared memory before those in L2, send fewer bytes";
inline constexpr std::string_view kFewerReplyBytes =
    "reuse in L1, shared memory or registers asks less of L2, and lanes that read whole lines need fewer headers";
inline constexpr std::string_view kLessExchange =
    "half of all writes cross these links, and a line that is read crosses once while its copy stays: coalesce stores "
    "into whole sectors, and reduce in shared memory first";

inline constexpr std::string_view kFewerDsmemBytes =
    "keep in the CTA's own shared memory what is read often, and let lanes access whole sectors of other CTAs' shared "
    "memory: each message has a header";

/// In the order of a request and its reply; then the ways beside them.
inline constexpr std::array<NocLevel, 11> kNocLevels{{
    {"sm_request", "request ports of SMs", &NocCounters::sm_request_bytes, &NocCounters::sm_request_busy_cycles,
     &NocCounters::sm_request_full_cycles, &NocCounters::sm_request_stall_cycles, nullptr, QueuesOf::kPorts,
     kFewerRequestBytes},
    {"tpc_request", "request ports of TPCs", &NocCounters::tpc_request_bytes, &NocCounters::tpc_request_busy_cycles,
     nullptr, &NocCounters::tpc_request_stall_cycles, nullptr, QueuesOf::kSms, kFewerRequestBytes},
    {"gpc_request", "request ports of GPCs", &NocCounters::gpc_request_bytes, &NocCounters::gpc_request_busy_cycles,
     &NocCounters::gpc_request_full_cycles, &NocCounters::gpc_request_stall_cycles, nullptr, QueuesOf::kSms,
     kFewerRequestBytes},
    {"slice_request", "request ports of L2 slices", &NocCounters::slice_request_bytes,
     &NocCounters::slice_request_busy_cycles, &NocCounters::slice_request_full_cycles,
     &NocCounters::slice_request_stall_cycles, nullptr, QueuesOf::kPorts, kFewerRequestBytes},
    {"slice_reply", "reply ports of L2 slices", &NocCounters::slice_reply_bytes, &NocCounters::slice_reply_busy_cycles,
     nullptr, nullptr, &NocCounters::slice_reply_wait_cycles, QueuesOf::kPorts, kFewerReplyBytes},
    {"gpc_reply", "reply ports of GPCs", &NocCounters::gpc_reply_bytes, &NocCounters::gpc_reply_busy_cycles, nullptr,
     nullptr, &NocCounters::gpc_reply_wait_cycles, QueuesOf::kPorts, kFewerReplyBytes},
    {"tpc_reply", "reply ports of TPCs", &NocCounters::tpc_reply_bytes, &NocCounters::tpc_reply_busy_cycles, nullptr,
     nullptr, &NocCounters::tpc_reply_wait_cycles, QueuesOf::kPorts, kFewerReplyBytes},
    {"sm_reply", "reply ports of SMs", &NocCounters::sm_reply_bytes, &NocCounters::sm_reply_busy_cycles, nullptr,
     nullptr, &NocCounters::sm_reply_wait_cycles, QueuesOf::kPorts, kFewerReplyBytes},
    {"link", "links between the halves of L2", &NocCounters::link_bytes, &NocCounters::link_busy_cycles, nullptr,
     &NocCounters::link_stall_cycles, &NocCounters::link_wait_cycles, QueuesOf::kSlices, kLessExchange},
    {"dsmem_send", "ports of SMs to the switch between them", &NocCounters::dsmem_send_bytes,
     &NocCounters::dsmem_send_busy_cycles, nullptr, nullptr, &NocCounters::dsmem_send_wait_cycles, QueuesOf::kPorts,
     kFewerDsmemBytes, true},
    {"dsmem_receive", "ports of SMs from the switch between them", &NocCounters::dsmem_receive_bytes,
     &NocCounters::dsmem_receive_busy_cycles, nullptr, nullptr, &NocCounters::dsmem_receive_wait_cycles,
     QueuesOf::kPorts, kFewerDsmemBytes, true},
}};

}  // namespace gpusim::stats

// SPDX-License-Identifier: MIT
// The network on chip of an architecture.
#pragma once

#include <cstdint>

#include "sim/model/arch/words.h"

namespace gpusim::arch {

/// Links between domains. Latencies in SM cycles, at least 8; widths in bytes per SM cycle.
struct NocConfig {
  NocModel model{};
  std::uint32_t gpcs = 0;
  std::uint32_t max_sms_per_gpc = 0;
  std::uint32_t sm_to_gpc_latency = 0;
  std::uint32_t gpc_to_l2_latency = 0;
  std::uint32_t l2_to_gpc_latency = 0;
  std::uint32_t gpc_to_sm_latency = 0;
  std::uint32_t partition_link_latency = 0;          ///< between the near and the far half of L2
  std::uint32_t partition_link_bytes_per_cycle = 0;  ///< a memory partition, each way
  std::uint32_t sm_request_bytes_per_cycle = 0;
  std::uint32_t sm_reply_bytes_per_cycle = 0;
  std::uint32_t tpc_request_bytes_per_cycle = 0;  ///< 0: as wide as its SMs' ports together, no port of its own
  std::uint32_t tpc_reply_bytes_per_cycle = 0;    ///< likewise
  std::uint32_t gpc_request_bytes_per_cycle = 0;
  std::uint32_t gpc_reply_bytes_per_cycle = 0;
  std::uint32_t slice_request_bytes_per_cycle = 0;
  std::uint32_t slice_reply_bytes_per_cycle = 0;
  std::uint32_t request_header_bytes = 0;
  /// The SM-to-SM network of a GPC, which GPUs with clusters have: both latencies are of a message's whole way from SM
  /// to SM, of which half is before the GPC's router. 0 on other GPUs.
  std::uint32_t cluster_barrier_latency = 0;
  std::uint32_t dsmem_latency = 0;
  std::uint32_t dsmem_bytes_per_cycle = 0;  ///< a SM's port, each way

  [[nodiscard]] static std::uint32_t to_switch(std::uint32_t latency) { return latency / 2; }
  [[nodiscard]] static std::uint32_t from_switch(std::uint32_t latency) { return latency - latency / 2; }
  /// SMs per TPC when the GPU has `sms` SMs: two where a GPC's full number of them is even (all GPUs since Pascal) and
  /// there are enough for all GPCs. The SMs of a TPC are neighbours among those of their GPC.
  [[nodiscard]] std::uint32_t sms_per_tpc(std::uint32_t sms) const {
    return max_sms_per_gpc % 2 == 0 && 2 * gpcs <= sms ? 2 : 1;
  }
  /// The GPC of one of `sms` SMs. They are assigned to GPCs in turn, so that neighbours by number do not share a GPC;
  /// but a GPC has whole TPCs.
  [[nodiscard]] std::uint32_t gpc_of_sm(std::uint32_t sm, std::uint32_t sms) const {
    const std::uint32_t tpcs = (sms + sms_per_tpc(sms) - 1) / sms_per_tpc(sms);
    const std::uint32_t in_every_gpc = tpcs / gpcs * sms_per_tpc(sms) * gpcs;
    return sm < in_every_gpc ? sm % gpcs : (sm - in_every_gpc) % (tpcs % gpcs);
  }
  friend bool operator==(const NocConfig&, const NocConfig&) = default;
};

}  // namespace gpusim::arch

// SPDX-License-Identifier: MIT
// What a GPC's router does for the clusters that run in the GPC: it knows where their CTAs are, lets their barriers
// open, and passes what SMs ask of each other's shared memory. It owns the table of clusters, and the SMs' ports to the
// switch between them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/byte_port.h"
#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/mem/noc/cluster_table.h"
#include "sim/machine/msg/message.h"
#include "sim/model/arch/noc_config.h"
#include "sim/model/stats/noc_counters.h"

namespace gpusim::mem::noc {

class ClusterUnit {
 public:
  /// `sm_domains`: by an SM's number in the GPC; `local_of_sm`: that number, by SM index. Clusters of `ctas` CTAs.
  ClusterUnit(const arch::NocConfig& noc, const std::vector<msg::DomainId>& sm_domains,
              const std::vector<std::uint32_t>& local_of_sm, std::uint32_t ctas, engine::Outlet& outlet);

  /// kCtaPlaced, kCluster..., and what SMs say to each other: kDsmem... and kRemote...
  void handle(const msg::Message& message, Cycle now);
  /// The SM, by its number in the GPC, of a CTA of a cluster that runs.
  [[nodiscard]] std::uint32_t sm_of(std::uint64_t cluster, std::uint32_t rank) const {
    return table_.sm_of(cluster, rank);
  }

  [[nodiscard]] bool idle() const { return table_.empty(); }
  void add_to(stats::NocCounters& counters, Cycle end) const;
  /// For a run that starts at cycle 0 again.
  void restart();

 private:
  struct SmPorts {
    msg::DomainId domain = 0;
    BytePort to_switch;
    BytePort from_switch;
  };
  /// From one SM to another, by their numbers in the GPC.
  struct Way {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };
  [[nodiscard]] Way way_of(const msg::Message& message) const;
  void pass_on(const msg::Message& message, Cycle now);
  void release(std::uint64_t cluster, const std::vector<ClusterTable::Waiting>& ctas, Cycle now);

  const arch::NocConfig& noc_;
  const std::vector<std::uint32_t>& local_of_sm_;
  engine::Outlet& outlet_;
  bool is_ideal_;
  ClusterTable table_;
  std::vector<SmPorts> sms_;
  std::uint64_t dsmem_messages_ = 0;  ///< that passed the switch
};

}  // namespace gpusim::mem::noc

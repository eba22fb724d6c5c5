// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/cluster_table.h"

#include <bit>
#include <cassert>
#include <utility>

namespace gpusim::mem::noc {

void ClusterTable::place(std::uint64_t cluster, std::uint32_t rank, std::uint32_t sm) {
  Cluster& entry = clusters_[cluster];
  entry.sms.resize(ctas_);
  entry.sms[rank] = sm;
}

std::uint32_t ClusterTable::sm_of(std::uint64_t cluster, std::uint32_t rank) const {
  return clusters_.at(cluster).sms.at(rank);
}

std::vector<ClusterTable::Waiting> ClusterTable::arrive(std::uint64_t cluster, std::uint32_t rank) {
  Cluster& entry = clusters_.at(cluster);
  assert((entry.arrived >> rank & 1U) == 0);
  entry.arrived |= Ranks{1} << rank;
  return open_if_complete(entry);
}

std::vector<ClusterTable::Waiting> ClusterTable::exit(std::uint64_t cluster, std::uint32_t rank) {
  Cluster& entry = clusters_.at(cluster);
  entry.exited |= Ranks{1} << rank;
  return open_if_complete(entry);
}

void ClusterTable::leave(std::uint64_t cluster, std::uint32_t rank) {
  Cluster& entry = clusters_.at(cluster);
  entry.left |= Ranks{1} << rank;
  if (entry.left == all_) {
    clusters_.erase(cluster);
  }
}

std::vector<ClusterTable::Waiting> ClusterTable::open_if_complete(Cluster& cluster) const {
  std::vector<Waiting> released;
  if ((cluster.arrived | cluster.exited) == all_) {
    for (Ranks rest = std::exchange(cluster.arrived, 0) & ~cluster.exited; rest != 0; rest &= rest - 1) {
      const auto rank = static_cast<std::uint32_t>(std::countr_zero(rest));
      released.push_back({rank, cluster.sms[rank]});
    }
  }
  return released;
}

}  // namespace gpusim::mem::noc

// SPDX-License-Identifier: MIT
// The clusters that run in one GPC: which SM each of their CTAs is on, and which CTAs have arrived at their barriers.
// Owns both.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace gpusim::mem::noc {

class ClusterTable {
 public:
  /// `ctas` of each cluster, 64 at most.
  explicit ClusterTable(std::uint32_t ctas) : all_(ctas >= kMost ? ~Ranks{0} : (Ranks{1} << ctas) - 1), ctas_(ctas) {}

  [[nodiscard]] bool empty() const { return clusters_.empty(); }
  /// The CTA of rank `rank` runs on `sm`.
  void place(std::uint64_t cluster, std::uint32_t rank, std::uint32_t sm);
  /// Where a CTA of a cluster of which not all have left runs or ran.
  [[nodiscard]] std::uint32_t sm_of(std::uint64_t cluster, std::uint32_t rank) const;

  /// A CTA that waits at the cluster's barrier, and its SM.
  struct Waiting {
    std::uint32_t rank = 0;
    std::uint32_t sm = 0;
  };
  /// All warps of a CTA have arrived. Returns the CTAs to release: all that arrived, when this was the last.
  [[nodiscard]] std::vector<Waiting> arrive(std::uint64_t cluster, std::uint32_t rank);
  /// All warps of a CTA have exited: no barrier waits for it any more. Returns the CTAs to release.
  [[nodiscard]] std::vector<Waiting> exit(std::uint64_t cluster, std::uint32_t rank);
  /// A CTA that has exited is gone for good. With the last of them the cluster is forgotten.
  void leave(std::uint64_t cluster, std::uint32_t rank);

 private:
  /// One bit per rank.
  using Ranks = std::uint64_t;
  static constexpr std::uint32_t kMost = 64;

  struct Cluster {
    std::vector<std::uint32_t> sms;  ///< by rank
    Ranks arrived = 0;
    Ranks exited = 0;
    Ranks left = 0;
  };
  [[nodiscard]] std::vector<Waiting> open_if_complete(Cluster& cluster) const;

  Ranks all_;
  std::uint32_t ctas_;
  std::unordered_map<std::uint64_t, Cluster> clusters_;  ///< by the number of the cluster; never walked through
};

}  // namespace gpusim::mem::noc

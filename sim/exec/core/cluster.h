// SPDX-License-Identifier: MIT
// The CTAs of a cluster by rank, so that they find each other's shared memory, and their barrier.
#pragma once

#include <cstdint>
#include <vector>

namespace gpusim::exec {

class Cta;

class Cluster {
 public:
  /// Its members join it in the order of their ranks, and must live as long as one of them runs.
  void add(Cta& cta) { members_.push_back(&cta); }
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  /// Null for a rank that no CTA has.
  [[nodiscard]] Cta* member(std::uint32_t rank) const { return rank < members_.size() ? members_[rank] : nullptr; }

  /// As at the beginning of its members, which start again.
  void restart() { arrived_ = 0; }

  /// UCGABAR_ARV: so many threads arrive at the barrier. It opens when all that live have, and then lets those go on
  /// that wait for it.
  void arrive(std::uint32_t threads);
  /// Threads of a member have exited, for which nobody waits any more.
  void threads_exited() { open_if_complete(); }
  /// How often the barrier has opened.
  [[nodiscard]] std::uint64_t openings() const { return openings_; }

 private:
  void open_if_complete();

  std::vector<Cta*> members_;
  std::uint32_t arrived_ = 0;
  std::uint64_t openings_ = 0;
};

}  // namespace gpusim::exec

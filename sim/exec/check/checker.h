// SPDX-License-Identifier: MIT
// Finds what compute-sanitizer finds: accesses out of bounds or misaligned, reads of shared memory that nobody has
// written, and races on shared memory. The kernel goes on after them; an access that is not possible is left out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/exec/check/findings.h"
#include "sim/exec/check/order.h"
#include "sim/exec/check/shadow.h"
#include "sim/exec/run/run_grid.h"

namespace gpusim::exec {

class Checker final : public GridWatch {
 public:
  /// Accesses that are not possible, after which the kernel is given up.
  static constexpr std::uint64_t kMostFaults = 1'000'000;

  /// `image` must outlive it.
  explicit Checker(const Image& image);

  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_.all(); }

  void begins(const std::vector<std::unique_ptr<Cta>>& cluster) override;
  void begins(Warp& warp, const Executed& executed) override;
  void done(Warp& warp) override;
  bool faulted(Warp& warp, const AccessFault& fault) override;
  void accesses(Cta& owner, unsigned lane, Address offset, unsigned bytes, AccessKind kind) override;
  void arrives(Warp& warp, std::uint8_t barrier) override { order_->arrive(warp, barrier); }
  void opens(Cta& cta, std::uint8_t barrier) override { order_->open(cta, barrier); }
  void arrives_at_cluster(Warp& warp) override { order_->arrive_at_cluster(warp); }
  void opens(Cluster& cluster) override { order_->open_cluster(cluster); }

 private:
  static constexpr std::size_t kMostBytes = 16;
  /// Two writes of the same bytes are a race if the second changes what the first has left.
  struct SecondWrite {
    std::uint32_t rank;
    Address offset;
    unsigned bytes;
    unsigned lane;
    Stamp first;
    std::array<std::byte, kMostBytes> before;
  };
  struct AskedMbarrier {
    Order::MbarrierName name;
    unsigned lane;
  };

  [[nodiscard]] Stamp stamp_of(unsigned lane, AccessKind kind) const;
  void found(Hazard hazard, const Cta& owner, const Shadow::Access& access, const Stamp& other);
  void add(Finding::Kind kind, const Cta& owner, const Shadow::Access& access, const Stamp& other);
  [[nodiscard]] std::string other_text(Finding::Kind kind, const Stamp& other) const;
  void note_mbarrier(const Order::MbarrierName& name, unsigned lane);
  void end_phases();
  void settle_second_writes();
  [[nodiscard]] bool phase_of(const Order::MbarrierName& name) const;

  const Image& image_;
  /// Loads, by instruction, that are the first half of an atomic which the compiler makes of a loop with a swap.
  std::vector<bool> begins_swap_;
  Findings findings_;
  std::uint64_t faults_ = 0;
  std::optional<Order> order_;
  std::vector<Shadow> shadows_;  ///< by rank
  std::vector<Cta*> ctas_;       ///< by rank

  // The instruction that executes.
  Warp* warp_ = nullptr;
  std::uint32_t pc_ = 0;
  sass::Op op_ = {};
  LaneMask waited_ = 0;  ///< lanes that were at a WARPSYNC, and those that come
  std::vector<SecondWrite> second_writes_;
  std::vector<AskedMbarrier> asked_;
  /// Mbarriers that it changes, and their phases before.
  std::vector<std::pair<Order::MbarrierName, bool>> changed_;
};

}  // namespace gpusim::exec

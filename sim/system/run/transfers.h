// SPDX-License-Identifier: MIT
// Copies between GPUs and hosts: each takes a copy engine, then shares the links of its way with the others.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/base/types.h"
#include "sim/system/application/application.h"
#include "sim/system/route/fabric.h"
#include "sim/system/run/cost.h"
#include "sim/system/run/link_use.h"

namespace gpusim::run {

struct Transfer {
  std::uint32_t op = 0;
  std::uint32_t gpu = 0;  ///< whose copy engine it takes, counted among the GPUs
  application::Way way = application::Way::kToDevice;
  double bytes = 0;
  double most = 0;  ///< bytes a second, whatever the links give; 0: no limit
  system::Uses uses;
};

/// A GPU copies one thing to it and one from it at a time, and as many to peers as it has engines left, one at least.
class Transfers {
 public:
  /// `links` outlives it.
  Transfers(const system::Fabric& fabric, const std::vector<std::uint32_t>& engines, LinkUse& links);

  /// Takes an engine, or waits for one.
  void add(Transfer transfer, double now);

  [[nodiscard]] double next_change() const { return next_change_; }
  /// Goes on to `now`, which is not beyond next_change().
  void advance(double now);
  [[nodiscard]] std::vector<std::uint32_t> take_begun();
  [[nodiscard]] std::vector<std::uint32_t> take_ended();

 private:
  struct Flow {
    Transfer transfer;
    double rate = 0;  ///< bytes a nanosecond
  };
  /// The engines of one way of a GPU.
  struct Engines {
    std::uint32_t free = 1;
    std::deque<Transfer> waiting;
  };

  [[nodiscard]] Engines& engines_of(const Transfer& transfer);
  void begin(Transfer transfer);
  void set_rates();
  void note_links();

  LinkUse& links_;
  std::vector<double> capacities_;  ///< capacities of the fabric's resources, bytes a second
  std::vector<double> carried_;     ///< by them now, bytes a nanosecond
  std::vector<Engines> engines_;    ///< kWays for each GPU
  std::vector<bool> has_one_;       ///< by GPU: one engine copies both ways
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> begun_;
  std::vector<std::uint32_t> ended_;
  double now_ = 0;
  double next_change_ = kNever;
};

}  // namespace gpusim::run

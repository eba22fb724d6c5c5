// SPDX-License-Identifier: MIT
// Which accesses of a cluster's warps are ordered by barriers, so that everything else that touches the same bytes is a
// race: vector clocks, one component for each that accesses memory by itself.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/exec/core/cta.h"

namespace gpusim::exec {

/// When somebody accessed memory.
struct Stamp {
  std::uint16_t who = 0;  ///< a component: a warp, the copies (LDGSTS) of a warp, or the TMA of a CTA
  std::uint8_t lane = 0;
  std::uint32_t at = 0;  ///< in the component's own time
  std::uint32_t pc = 0;
};

class Order {
 public:
  Order(std::size_t ctas, std::size_t warps);
  /// Other CTAs begin.
  void restart();

  /// The warp executes an instruction, for the lanes of `active`.
  void step(const Warp& warp, LaneMask active);
  /// What the warp does now. A copy by LDGSTS ends when a later DEPBAR waits for its group, and one by the TMA when an
  /// mbarrier has counted its bytes.
  [[nodiscard]] Stamp now(const Warp& warp, unsigned lane, std::uint32_t pc) const;
  [[nodiscard]] Stamp copying(const Warp& warp, unsigned lane, std::uint32_t pc) const;
  [[nodiscard]] Stamp bulk_copying(const Warp& warp, std::uint32_t pc) const;

  /// Whether an access was over before what the lane of the warp does now, by the barriers that lie between. Lanes that
  /// execute an instruction together are in order, too.
  [[nodiscard]] bool is_before(const Stamp& earlier, const Warp& warp, unsigned lane) const;
  /// Whether both are of the same instruction, as a warp executes it once.
  [[nodiscard]] bool is_same(const Stamp& a, const Stamp& b) const { return a.who == b.who && a.at == b.at; }
  struct Place {
    unsigned rank;
    unsigned warp;
  };
  [[nodiscard]] Place place_of(const Stamp& stamp) const;

  // How warps wait for one another.
  void arrive(const Warp& warp, std::uint8_t barrier);
  void open(Cta& cta, std::uint8_t barrier);
  void arrive_at_cluster(const Warp& warp);
  void open_cluster(Cluster& cluster);
  void pass_cluster(const Warp& warp);
  /// Lanes of the warp that waited for each other all have come.
  void lanes_met(const Warp& warp, LaneMask lanes);
  /// LDGDEPBAR ends a group of copies; DEPBAR waits until at most `left` of them are under way.
  void end_group(const Warp& warp);
  void wait_for_groups(const Warp& warp, std::size_t left);
  /// The TMA begins a copy that the warp commands.
  void begin_bulk_copy(const Warp& warp) { ++bulk_time_[warp.cta().rank()]; }

  /// An mbarrier, by its CTA and place there.
  using MbarrierName = std::pair<std::uint32_t, Address>;
  void initialise_mbarrier(const MbarrierName& name) { mbarriers_.erase(name); }
  void arrive_at_mbarrier(const MbarrierName& name, const Warp& warp);
  void bytes_come(const MbarrierName& name, const Warp& warp);
  /// A phase of it is over.
  void end_phase(const MbarrierName& name);
  /// The warp has learnt that a phase is over.
  void pass_mbarrier(const MbarrierName& name, const Warp& warp);

 private:
  using Clock = std::vector<std::uint32_t>;  ///< by component: how much of it is known to be over
  struct WarpState {
    std::uint32_t time = 0;       ///< instructions executed
    std::uint32_t copy_time = 1;  ///< group of copies that is open
    std::vector<std::uint32_t> groups;
    /// Lanes that have executed together, and until when; the latest last.
    struct Together {
      LaneMask lanes;
      std::uint32_t until;
    };
    std::vector<Together> together;
    LaneMask active = 0;
    Clock known;
  };
  struct MbarrierState {
    Clock arrived;  ///< what is known to those that have arrived in this phase
    Clock over;     ///< the same of phases that are over
  };

  [[nodiscard]] std::size_t index(const Warp& warp) const { return warp.cta().rank() * warps_ + warp.index(); }
  [[nodiscard]] std::size_t copies(const Warp& warp) const { return states_.size() + index(warp); }
  [[nodiscard]] std::size_t bulk(const Warp& warp) const { return 2 * states_.size() + warp.cta().rank(); }
  static void join(Clock& into, const Clock& from);
  /// What the warp knows, and itself.
  void release(const Warp& warp, Clock& into) const;
  void acquire(const Warp& warp, const Clock& from) { join(states_[index(warp)].known, from); }

  std::size_t warps_;
  std::vector<WarpState> states_;  ///< by rank and warp
  std::vector<std::uint32_t> bulk_time_;
  std::vector<std::array<Clock, kNamedBarriers>> barriers_;  ///< by rank
  Clock cluster_arrived_;
  Clock cluster_over_;
  std::map<MbarrierName, MbarrierState> mbarriers_;
};

}  // namespace gpusim::exec

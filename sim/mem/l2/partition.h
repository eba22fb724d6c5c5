// SPDX-License-Identifier: MIT
// One memory partition: its L2 slices, its DRAM pseudo-channels, and its end of the link to the other half of L2. It
// answers the requests that GPC routers bring.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/arch/arch.h"
#include "sim/base/types.h"
#include "sim/engine/domain.h"
#include "sim/mem/map/address_map.h"
#include "sim/msg/message.h"
#include "sim/stats/counters.h"

namespace gpusim::mem::l2 {

/// Whom a partition is connected to.
struct PartitionWiring {
  std::uint32_t index = 0;                  ///< of this partition
  std::uint32_t credit_lot = 1;             ///< noc::slice_window().lot; 0: no credits (noc.model ideal)
  std::vector<msg::DomainId> router_of_sm;  ///< by SM index
  msg::DomainId mirror = 0;                 ///< the partition of the other half; unused with one half
};

/// What a functional access found.
struct Touched {
  std::uint8_t missed = 0;  ///< sectors that were not there and now are
  bool far = false;         ///< the line's home is in the other half: touch it there too (see touch())
};

class MemoryPartition final : public engine::Domain {
 public:
  MemoryPartition(msg::DomainId id, const arch::Arch& arch, const map::AddressMap& map, PartitionWiring wiring);
  ~MemoryPartition() override;

  void run_until(Cycle end) override;
  [[nodiscard]] Cycle next_event() const override;

  /// Updates the tags as an access of `message` (kRead, kWrite, kAtomic, kReduction; its address, slice, sectors and
  /// write_full) would, in no time and without counting. When the result is `far`, repeat it on the home partition with
  /// message.slice = map.home_slice(address) and, for a read, sectors = missed (nothing to do when that is 0).
  Touched touch(const msg::Message& message);

  /// Before a kernel that starts at cycle 0 again: forgets the time, keeps the tags. The partition must be idle.
  void reset_timing();
  /// Empties the cache (cold start); dirty data is dropped, not written. The partition must be idle.
  void invalidate_all();
  void clear_counters();

  /// Sums over the partition's slices and channels.
  [[nodiscard]] stats::L2Counters l2_counters() const;
  [[nodiscard]] stats::DramCounters dram_counters() const;

  /// Nothing waits here or is on its way here.
  [[nodiscard]] bool idle() const;
  /// After a run that should have drained: what is left or does not add up, in words; empty when all is well.
  [[nodiscard]] std::string drain_problem() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gpusim::mem::l2

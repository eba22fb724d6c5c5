// SPDX-License-Identifier: MIT
// One memory partition: its L2 slices, its DRAM pseudo-channels, and its end of the link to the other half of L2. It
// answers the requests that GPC routers bring. Owns its units and the one calendar that they share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/mem/l2/access_window.h"
#include "sim/machine/mem/l2/dram_side.h"
#include "sim/machine/mem/l2/events.h"
#include "sim/machine/mem/l2/ports.h"
#include "sim/machine/mem/l2/slice.h"
#include "sim/machine/mem/map/address_map.h"
#include "sim/machine/msg/message.h"
#include "sim/model/stats/counters.h"
#include "sim/model/stats/traffic_series.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch

namespace gpusim::mem::l2 {

/// Requests (kRead, kWrite, kAtomic, kReduction) name their slice: AddressMap::near_slice(address, half of the SM).
/// `address` is a line address, `sectors` not 0. Each is answered once, and each gives one credit back to its router,
/// in batches, when its slice has looked it up. Latencies: slice.h.
///
/// Dirty lines stay when a kernel ends: DRAM writes are those of evictions only.
class MemoryPartition final : public engine::Domain {
 public:
  /// `arch` and `map` must outlive the partition.
  MemoryPartition(msg::DomainId id, const arch::Arch& arch, const AddressMap& map, PartitionWiring wiring);

  void run_until(Cycle end) override;
  [[nodiscard]] Cycle next_event() const override { return std::min(next_message(), calendar_.next_time()); }

  [[nodiscard]] const AddressMap& map() const { return map_; }
  /// What the kernel's window asks for.
  void set_window(const AccessWindow& window) { window_ = window; }

  /// For the host's speed alone: fetches the tags that an access of a line by `slice` will need.
  void prefetch_tags(std::uint32_t slice, std::uint64_t slice_line, bool is_copy) const {
    slices_[slice - first_slice_].prefetch_tags(slice_line, is_copy);
  }
  /// Updates the tags of `slice`, of this partition, as the access would, in no time and without counting. When the
  /// result is `far`, repeat it at the line's home with sectors = missed, unless that is 0, as an access of the mirror
  /// (kFarRead and so on). When the other half `has_copy`, invalidate_copy() there.
  FunctionalResult access_functionally(std::uint32_t slice, const FunctionalRequest& request) {
    return slices_[slice - first_slice_].access_functionally(request);
  }
  /// What a home's write does to the copy that `slice`, of this partition, may have.
  void invalidate_copy(std::uint32_t slice, Address address);

  /// Before a kernel that starts at cycle 0 again: forgets the time and the counters, keeps the tags. The partition
  /// must be idle.
  void reset_timing();
  /// Empties the cache (as flushed); dirty data is dropped, not written. The partition must be idle.
  void invalidate_all();

  /// Records from now on what passes the slices' data ports and the data buses of DRAM, or no more; what was recorded
  /// before is forgotten.
  void record_traffic(bool on);
  /// Adds what was recorded.
  void add_to(stats::IntervalTable<stats::TrafficCounters>& traffic) const;
  /// Sum over the partition's slices; dram_counters() that over its channels.
  [[nodiscard]] stats::L2Counters l2_counters() const;
  /// The counters of its slices' ports, of the link to the other half and of its channels' queues.
  [[nodiscard]] stats::NocCounters noc_counters(Cycle end) const;
  [[nodiscard]] stats::DramCounters dram_counters() const { return dram_.counters(); }
  /// When the last atomic or reduction was done; 0 when there was none.
  [[nodiscard]] Cycle last_atomic() const;

  /// Nothing waits here or is on its way here.
  [[nodiscard]] bool idle() const;
  /// After a run that should have drained: what is left or does not add up, in words; empty when all is well.
  [[nodiscard]] std::string drain_problem() const;

 private:
  [[nodiscard]] std::uint32_t slice_of(const msg::Message& message) const;
  void handle(const msg::Message& message, Cycle now);
  void handle(const Event& event, Cycle now);

  const arch::Arch& arch_;
  const AddressMap& map_;
  AccessWindow window_;
  Calendar calendar_;
  PartitionPorts ports_;
  DramSide dram_;
  std::vector<Slice> slices_;
  std::uint32_t first_slice_;
  std::unique_ptr<stats::TrafficSeries> l2_series_;  ///< null where nothing is recorded
};

}  // namespace gpusim::mem::l2

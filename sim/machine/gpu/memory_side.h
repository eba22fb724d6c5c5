// SPDX-License-Identifier: MIT
// L2 and DRAM of a machine: they outlive kernels, since what is cached stays. Owns the address map and the partitions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/mem/l2/functional_access.h"
#include "sim/machine/mem/map/address_map.h"
#include "sim/machine/msg/kind.h"
#include "sim/model/stats/counters.h"
#include "sim/model/stats/interval_table.h"
#include "sim/model/trace/box.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::mem::l2 {
struct AccessWindow;
class MemoryPartition;
}  // namespace gpusim::mem::l2
namespace gpusim::stats {
struct CounterBlocks;
struct TrafficCounters;
}  // namespace gpusim::stats

namespace gpusim::gpu {

/// A request of an SM in no time, with the slice that the SM asks, and the line's home, which may be the same.
struct FunctionalAccess {
  mem::l2::FunctionalRequest request;
  std::uint16_t near = 0;
  std::uint16_t home = 0;
};

/// L2 and DRAM of all memory partitions, kept from kernel to kernel.
class MemorySide {
 public:
  explicit MemorySide(const arch::Arch& arch);
  ~MemorySide();
  MemorySide(const MemorySide&) = delete;
  MemorySide& operator=(const MemorySide&) = delete;

  [[nodiscard]] const mem::map::AddressMap& map() const { return map_; }
  [[nodiscard]] std::vector<std::unique_ptr<mem::l2::MemoryPartition>>& partitions() { return partitions_; }

  /// Before each kernel, also before its untimed pass.
  void set_window(const mem::l2::AccessWindow& window);
  /// Before each kernel: time starts at 0 again and counters at zero; what is cached stays.
  void begin_kernel();
  /// As MemoryPartition's, of all; the next two likewise.
  void invalidate_all();
  void record_traffic(bool on);
  void add_to(stats::IntervalTable<stats::TrafficCounters>& traffic) const;

  /// The access of `kind` (kRead, kWrite, kAtomic or kReduction) to a part of a line by an SM near `half` of L2. A read
  /// that misses fetches pieces of `fetch_sectors`.
  [[nodiscard]] FunctionalAccess functional_access(msg::Kind kind, const trace::LinePart& part, std::uint32_t half,
                                                   std::uint8_t fetch_sectors = 0) const {
    const auto [near, slice_line] = map_.near_line(part.line, half);
    const std::uint32_t home = near.is_mirror ? map_.mirror_slice(near.slice) : near.slice;
    return {{part.line, slice_line, kind, part.sectors, part.full, near.is_mirror, fetch_sectors},
            static_cast<std::uint16_t>(near.slice),
            static_cast<std::uint16_t>(home)};
  }
  /// Accesses whose numbers are not the same have no tags in common.
  [[nodiscard]] std::uint32_t tags_number(const FunctionalAccess& access) const {
    return std::min(std::uint32_t{access.home}, map_.mirror_slice(access.home));
  }
  /// Fills L2 with modified lines of the last addresses of global memory, in no time, as a kernel leaves them that
  /// overwrites more than L2 holds. What was there before has left, and is not counted as written.
  void fill_with_modified_lines();
  /// Applies accesses to the tags, near and far, in their order and in no time: the untimed pass of a
  /// warm cache. Threads may do so side by side with accesses that have no tags in common.
  void apply(std::span<const FunctionalAccess* const> accesses) const;

  [[nodiscard]] stats::L2Counters l2_counters() const;
  /// When the last atomic or reduction was done; 0 when there was none.
  [[nodiscard]] Cycle last_atomic() const;
  /// Adds what L2 slices and DRAM counted, and their ports, the links between the halves and DRAM's queues. A queue
  /// that is full counts as full up to cycle `end`.
  void add_to(stats::CounterBlocks& blocks, Cycle end) const;

 private:
  void apply(const FunctionalAccess& access) const;

  mem::map::AddressMap map_;
  std::uint64_t capacity_bytes_;  ///< bytes that L2 holds
  std::vector<std::unique_ptr<mem::l2::MemoryPartition>> partitions_;
  std::vector<mem::l2::MemoryPartition*> partition_of_;  ///< by slice
};

}  // namespace gpusim::gpu

// SPDX-License-Identifier: MIT
// The machine while it runs one kernel: the block diagram as code. L2 and DRAM outlive kernels; everything else is made
// anew, since L1s are invalidated and queues are empty between kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/engine/engine.h"
#include "sim/machine/gpu/dispatcher.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/mem/l2/partition.h"
#include "sim/machine/mem/map/address_map.h"
#include "sim/machine/mem/noc/router.h"
#include "sim/machine/mem/tlb/mmu.h"
#include "sim/machine/sm/sm.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/tlb_counters.h"

namespace gpusim::gpu {

/// Domain numbers: SMs, then routers, then memory partitions, then the dispatcher, then the MMU where there is one.
struct Numbering {
  std::uint32_t sms = 0;
  std::uint32_t routers = 0;
  std::uint32_t partitions = 0;

  [[nodiscard]] msg::DomainId sm(std::uint32_t i) const { return i; }
  [[nodiscard]] msg::DomainId router(std::uint32_t i) const { return sms + i; }
  [[nodiscard]] msg::DomainId partition(std::uint32_t i) const { return sms + routers + i; }
  [[nodiscard]] msg::DomainId dispatcher() const { return sms + routers + partitions; }
  [[nodiscard]] msg::DomainId mmu() const { return dispatcher() + 1; }
};

/// Which GPC an SM is in, and which half of L2 is near it. SMs are spread over the GPCs as evenly as their number
/// allows; the first half of the GPCs is near the first half of L2.
struct Floorplan {
  std::vector<std::uint32_t> gpc_of_sm;
  std::vector<std::uint32_t> half_of_gpc;
};
[[nodiscard]] Floorplan floorplan(const arch::Arch& arch);

/// The smallest link latency: how far the domains may run on their own. The links between SMs count where a kernel may
/// use them.
[[nodiscard]] Cycle lookahead(const arch::Arch& arch, bool uses_clusters = false);

/// A request of an SM in no time, with the tags that it may touch: at the slice that the SM asks, and at the line's
/// home, which may be the same.
struct FunctionalAccess {
  /// The tags of one partition.
  struct Tags {
    mem::l2::MemoryPartition* partition = nullptr;
    mem::l2::Expected expected;
  };
  msg::Message request;
  std::uint16_t home_slice = 0;
  Tags near;
  Tags home;
};

/// L2 and DRAM of all memory partitions, kept from kernel to kernel.
class MemorySide {
 public:
  explicit MemorySide(const arch::Arch& arch);

  [[nodiscard]] const mem::map::AddressMap& map() const { return map_; }
  [[nodiscard]] std::vector<std::unique_ptr<mem::l2::MemoryPartition>>& partitions() { return partitions_; }

  /// Before each kernel, also before its untimed pass.
  void set_window(const mem::l2::AccessWindow& window);
  /// Before each kernel: time starts at 0 again and counters at zero; what is cached stays.
  void begin_kernel();

  /// The access of a request (kRead, kWrite, kAtomic or kReduction; its slice follows) of an SM near `half` of L2.
  [[nodiscard]] FunctionalAccess functional_access(const msg::Message& request, std::uint32_t half) const;
  /// Accesses whose numbers are not the same have no tags in common.
  [[nodiscard]] std::uint32_t tags_number(const FunctionalAccess& access) const {
    return access.home_slice % (map_.slices() / map_.halves());
  }
  /// Lets accesses touch the tags, near and far, in their order and in no time: the untimed pass of a warm cache.
  /// Threads may do so side by side with accesses that have no tags in common.
  void touch(std::span<const FunctionalAccess* const> accesses) const;

  [[nodiscard]] stats::L2Counters l2_counters() const;
  /// When the last atomic or reduction was done; 0 when there was none.
  [[nodiscard]] Cycle last_atomic() const;
  [[nodiscard]] stats::DramCounters dram_counters() const;

 private:
  [[nodiscard]] FunctionalAccess::Tags tags_of(const msg::Message& request, const mem::map::Place& place) const;
  void touch(const FunctionalAccess& access) const;

  mem::map::AddressMap map_;
  std::vector<std::unique_ptr<mem::l2::MemoryPartition>> partitions_;
};

/// What one kernel's run needs besides the architecture.
struct MachineJob {
  sm::SmJob sm;  ///< watch is given to the watched SM only
  sm::Watch* watch = nullptr;
  std::uint64_t first_cta = 0;
  std::uint64_t end_cta = 0;
};

class Machine {
 public:
  Machine(const arch::Arch& arch, MemorySide& memory, const MachineJob& job);

  /// All domains, in the order of their numbers.
  [[nodiscard]] std::vector<engine::Domain*> domains();
  [[nodiscard]] const std::vector<std::unique_ptr<sm::Sm>>& sms() const { return sms_; }
  [[nodiscard]] const CtaDispatcher& dispatcher() const { return *dispatcher_; }
  [[nodiscard]] stats::TlbCounters tlb_counters() const;

  /// After a run that went to its end: what is left or does not add up, in words; empty when all is well.
  [[nodiscard]] std::string drain_problem() const;

 private:
  MemorySide& memory_;
  std::vector<std::unique_ptr<sm::Sm>> sms_;
  std::vector<std::unique_ptr<mem::noc::GpcRouter>> routers_;
  std::unique_ptr<CtaDispatcher> dispatcher_;
  std::unique_ptr<mem::tlb::Mmu> mmu_;  ///< with tlb.model modelled
};

}  // namespace gpusim::gpu

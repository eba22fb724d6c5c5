// SPDX-License-Identifier: MIT
// The machine while it runs one kernel: the block diagram as code. L2 and DRAM outlive kernels; everything else is made
// anew, since L1s are invalidated and queues are empty between kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/sm/sm.h"

namespace gpusim::arch {
struct Arch;
}
namespace gpusim::mem::noc {
class GpcRouter;
}
namespace gpusim::mem::tlb {
class Mmu;
}
namespace gpusim::sm {
struct Watch;
}

namespace gpusim::gpu {

class CtaDispatcher;
class MemorySide;

/// What one kernel's run needs besides the architecture.
struct MachineJob {
  sm::SmJob sm;  ///< its watch is given to the watched SMs only
  std::span<sm::Watch> watches{};
  std::uint64_t first_cta = 0;
  std::uint64_t end_cta = 0;
};

class Machine {
 public:
  Machine(const arch::Arch& arch, MemorySide& memory, const MachineJob& job);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// All domains, in the order of their numbers.
  [[nodiscard]] std::vector<engine::Domain*> domains();
  [[nodiscard]] const std::vector<std::unique_ptr<sm::Sm>>& sms() const { return sms_; }
  [[nodiscard]] const CtaDispatcher& dispatcher() const { return *dispatcher_; }
  /// The last cycle at which any domain had something to do.
  [[nodiscard]] Cycle last_awake() const;
  /// Adds all that its units counted, L2 and DRAM too.
  void add_to(stats::CounterBlocks& blocks, const stats::CountEnd& end) const;

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

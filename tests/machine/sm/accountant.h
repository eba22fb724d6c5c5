// SPDX-License-Identifier: MIT
// A second bookkeeper for warp states: looks at every resident warp in every cycle and names the first cause, in the
// documented order of precedence, that keeps it from issuing. Slow and simple on purpose; knows nothing of the ledger.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/sm/sm.h"
#include "sim/machine/sm/warps/scoreboard.h"
#include "sim/machine/sm/warps/sub_core.h"
#include "sim/machine/sm/warps/warp.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/stall.h"

namespace gpusim::test {

class Accountant {
 public:
  Accountant(const arch::FrontEndConfig& front_end, std::size_t code_size)
      : resolve_latency_(front_end.model == arch::FrontEndModel::kIdeal
                             ? front_end.branch_latency
                             : std::max(front_end.branch_latency, front_end.fetch_latency) - front_end.fetch_latency),
        by_pc_(code_size) {}

  /// To be called after the SM has handled cycle `now`, for every cycle.
  void observe(const sm::Sm& sm, const lower::KernelImage& image, Cycle now);

  /// Cycles of the warp slot, over all warps that lived there.
  [[nodiscard]] const stats::StallCycles& by_slot(std::uint32_t slot) const { return by_slot_[slot]; }
  [[nodiscard]] const std::vector<stats::StallCycles>& by_pc() const { return by_pc_; }

 private:
  /// What is remembered of a slot from the cycle before.
  struct Memory {
    bool resident = false;
    bool exited = false;
    std::uint32_t pc = 0;                    ///< place of the instruction that waits
    std::optional<Cycle> issued;             ///< when the warp issued last
    const lower::WarpOp* last_op = nullptr;  ///< what it issued then
    bool jumped = false;                     ///< and whether it left the straight line
  };

  void account(const sm::Sm& sm, const lower::KernelImage& image, std::uint32_t slot, Cycle now);
  void note_issue(const sm::Warp& warp, const lower::KernelImage& image, Memory& memory, Cycle now);
  [[nodiscard]] stats::Stall cause(const sm::Sm& sm, const sm::Warp& warp, const lower::WarpOp& op,
                                   const Memory& memory, Cycle now) const;
  void charge(std::uint32_t slot, std::uint32_t pc, stats::Stall state);

  std::uint32_t resolve_latency_;  ///< latency of a taken branch
  std::vector<Memory> memory_;
  std::vector<std::uint32_t> issued_pipes_;  ///< by sub-core: mask of pipes that took an instruction in this cycle
  std::vector<stats::StallCycles> by_slot_;
  std::vector<stats::StallCycles> by_pc_;
};

}  // namespace gpusim::test

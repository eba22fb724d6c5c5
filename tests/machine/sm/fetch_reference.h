// SPDX-License-Identifier: MIT
// A second front end: every instruction of every buffer is kept one by one, every sub-core fetches in every cycle. Slow
// and simple on purpose; shares the caches with the SM's own, nothing else.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/sm/fetch/instruction_cache.h"
#include "sim/machine/sm/sm.h"
#include "sim/machine/sm/warps/scoreboard.h"
#include "sim/machine/sm/warps/sub_core.h"
#include "sim/machine/sm/warps/warp.h"
#include "sim/model/arch/arch.h"

namespace gpusim::test {

class FetchReference {
 public:
  FetchReference(const arch::SmConfig& config, const lower::KernelImage& image, bool warm_code);

  /// To be called after the SM has handled cycle `now`, for every cycle.
  void observe(const sm::Sm& sm, Cycle now);

  /// The first difference to the SM, in words; empty when there is none.
  [[nodiscard]] const std::string& difference() const { return difference_; }
  [[nodiscard]] stats::FetchCounters counters() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct Stream {
    bool resident = false;
    bool exited = false;
    std::uint64_t launched = 0;  ///< order of launch
    std::uint32_t pc = 0;        ///< place of the instruction that waits to issue
    std::uint32_t next = 0;      ///< place of the next instruction to fetch
    std::uint32_t line = kNone;  ///< being read
    Cycle blocked_until = 0;
    std::deque<Cycle> buffer;  ///< when each instruction in it may issue
  };
  void launch(const sm::Sm& sm, Cycle now);
  void fetch(std::uint32_t sub_core, Cycle now);
  void compare(const sm::Sm& sm, std::uint32_t slot, Cycle now);
  void issue(const sm::Warp& warp, std::uint32_t slot, Cycle now);

  const arch::FrontEndConfig& config_;
  const lower::KernelImage& image_;
  std::uint32_t sub_cores_;
  sm::InstructionL1 l1_;
  std::vector<sm::InstructionL0> l0s_;
  std::vector<std::uint32_t> last_;  ///< by sub-core: warp slot that issued last
  std::vector<Stream> streams_;      ///< by warp slot of the SM
  std::uint64_t launched_ = 0;
  std::string difference_;
};

}  // namespace gpusim::test

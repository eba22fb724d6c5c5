// SPDX-License-Identifier: MIT
// Where a warp is picked and its instruction issues. In each cycle a sub-core ends the sleeps that are over, fetches,
// and issues at most one instruction: the wait of its warp is charged, its effects begin, the warp goes on to its next
// instruction and to what that waits for. Owns what it counts.
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/warps/sub_core.h"
#include "sim/model/stats/counters.h"

namespace gpusim::arch {
struct SmConfig;
}
namespace gpusim::lower {
struct KernelImage;
}
namespace gpusim::stats {
struct PcProfile;
}
namespace gpusim::sm {

class ConstantCaches;
class Dependences;
class Executor;
class FrontEnd;
class Polls;
class Residency;
class SubCores;
class StallLedger;
class WarpTable;
class WgmmaUnit;
struct Warp;

/// The units that an issue concerns.
struct IssueUnits {
  WarpTable& warps;
  SubCores& cores;
  Dependences& dependences;
  StallLedger& ledger;
  FrontEnd& front_end;
  ConstantCaches& constants;
  WgmmaUnit& wgmma;
  Residency& residency;
  Polls& polls;
  Executor& executor;
  SmEvents& events;
};

class Issuer {
 public:
  Issuer(const arch::SmConfig& config, const lower::KernelImage& image, const IssueUnits& units);

  /// Cycle `now` of a sub-core, and those that follow before `horizon`, when other parts of the SM may reach it, and
  /// before the SM's next event, as long as what it issues concerns nobody else. Returns when to look again.
  [[nodiscard]] Cycle run(std::uint32_t sub_core, Cycle now, Cycle horizon);

  /// kConstant: the constant that the warp's next instruction waits for has come.
  void note_constant(Warp& warp, Cycle now);

  /// Warp instructions and branches; the rest is 0.
  [[nodiscard]] stats::SmCounters counters() const;
  [[nodiscard]] std::uint64_t warp_instructions() const { return counters_.warp_instructions; }

 private:
  void run_cycle(SubCore& core, std::uint32_t sub_core, Cycle now);
  [[nodiscard]] bool stays_inside(SubCore& core, std::uint32_t sub_core, Cycle next) const;
  [[nodiscard]] bool begins_streak(const SubCore& core, std::uint32_t sub_core, Cycle at) const;
  [[nodiscard]] Cycle issue_streak(SubCore& core, std::uint32_t sub_core, Cycle begin, Cycle end);
  [[nodiscard]] bool continues_streak(const SubCore& core, const Warp& warp, const lower::WarpOp& next, Cycle now);
  static void leave_streak(Warp& warp, const lower::WarpOp& op, std::uint32_t steps, Cycle now);
  void break_streak(SubCore& core, Warp& warp, Cycle now);
  void fetch(std::uint32_t sub_core, Cycle now);
  void issue_one(SubCore& core, std::uint32_t sub_core, Cycle now);
  static void note_ready(const SubCore& core, Warp& warp, Cycle at);
  void note_throttles(SlotMask warps, std::uint32_t sub_core, Cycle now);
  [[nodiscard]] bool has_constant(SubCore& core, Warp& warp, Cycle now);
  void await_constant(SubCore& core, Warp& warp, Cycle arrival, Cycle now);
  void issue(SubCore& core, Warp& warp, Cycle now);
  [[nodiscard]] static bool has_waited_plainly(const Warp& warp);
  void issue_plain(SubCore& core, Warp& warp, Cycle now);
  void issue_any(SubCore& core, Warp& warp, Cycle now);
  void count(const Warp& warp, stats::PcProfile& row);
  void go_on(SubCore& core, Warp& warp, Cycle now);
  void arrive(SubCore& core, Warp& warp, LaneMask active, Cycle now);
  void count_branch(const Warp& warp, std::uint32_t pc, LaneMask active);
  void begin_wait(SubCore& core, Warp& warp, Cycle now);
  void begin_any_wait(SubCore& core, Warp& warp, Cycle now);
  void note_long_wait(SubCore& core, const Warp& warp);
  void see_increments(std::uint32_t sub_core, SlotMask warps, Cycle now);

  const lower::KernelImage& image_;
  IssueUnits units_;
  std::uint32_t constant_bubble_cycles_;
  std::uint32_t ideal_branch_latency_;
  bool is_plain_;     ///< no scoreboard, no observer, no policy that wants to know of more than issues
  bool runs_ahead_;   ///< the same, and no recording: a recorded warp may end with any instruction
  bool has_streaks_;  ///< the same, of a kernel that has streaks
  stats::SmCounters counters_;
};

}  // namespace gpusim::sm

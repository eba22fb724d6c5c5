// SPDX-License-Identifier: MIT
// Instruction fetch: what is in each warp's instruction buffer, and since when. A sub-core fetches and decodes one
// instruction per cycle, for the warp that issued last unless its buffer is full, else for the youngest whose is not.
//
// The place that an issue frees is filled in the next cycle, since the fetcher follows the issuing warp. So the buffer
// of a warp that runs straight on from its L0 never runs dry, and nothing needs to be done for it: it is *steady*, and
// only a line that is not in the L0 or a jump is an event. The buffer of a warp that is not steady is kept entry
// by entry until the warp is steady again. This is exact: a scan of every cycle finds the same
// (tests/machine/sm/fetch_reference.h). Owns the warps' instruction buffers, the L0 caches, and whose turn it is in
// each sub-core; Warp::steady is written here alone.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/prefetch.h"
#include "sim/base/types.h"
#include "sim/machine/lower/code_layout.h"
#include "sim/machine/lower/warp_op.h"
#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/fetch/instruction_cache.h"
#include "sim/machine/sm/warps/sub_core.h"
#include "sim/machine/sm/warps/warp.h"
#include "sim/model/arch/sm_config.h"
#include "sim/model/stats/counters.h"

namespace gpusim::sm {

class FrontEnd {
 public:
  static constexpr std::uint32_t kMostEntries = 8;  ///< entries of a warp's buffer

  FrontEnd(const arch::SmConfig& config, InstructionL1& l1, std::uint32_t code_lines, SmEvents& events);

  [[nodiscard]] bool is_ideal() const { return ideal_; }

  /// A new warp waits for its first instruction, warp.op.
  void start(Warp& warp);

  /// The warp issued at `now` and goes on with warp.op, after a jump or straight on. Sets Stall::kNoInstruction unless
  /// that is in the buffer; a kInstruction event ends the wait.
  void follow(Warp& warp, bool jumps, Cycle now) {
    if (!jumps && stays_steady(warp, warp.op->place, now)) {
      follow_steadily(warp, now);
    } else {
      turns_[warp.sub_core].last = warp.slot;
      follow_closely(warp, jumps, now);
    }
  }
  /// Whether a warp that goes straight on at `now`, to the instruction at `place`, is steady and stays so; then the
  /// fetch that follows has looked up what it needs.
  [[nodiscard]] bool stays_steady(const Warp& warp, std::uint32_t place, Cycle now) {
    return warp.steady && next_fetch_hits(warp, place, now + 1);
  }
  /// As follow(), of a warp that goes straight on and stays steady.
  void follow_steadily(const Warp& warp, Cycle now) {
    Turn& turn = turns_[warp.sub_core];
    turn.last = warp.slot;
    turn.taken = now + 1;
  }

  /// The warp has issued its last instruction.
  void stop(const Warp& warp);

  /// kFetch: what the warp's fetch waited for, a line or the target of its jump, has come.
  void wake(const Warp& warp, Cycle now);

  /// Warps of the sub-core for which something can be fetched: fetch() has to be called in every cycle.
  [[nodiscard]] bool has_work(std::uint32_t sub_core) const { return turns_[sub_core].hungry != 0; }
  /// Whether something is fetched for them in cycle `now`: a steady warp that issued in the cycle before goes first.
  [[nodiscard]] bool fetches(std::uint32_t sub_core, Cycle now) const {
    return turns_[sub_core].hungry != 0 && turns_[sub_core].taken != now;
  }
  /// That fetch. Comes before the issue.
  template <class WarpAt>
  void fetch(std::uint32_t sub_core, const SubCore& core, WarpAt&& warp_at, Cycle now) {
    const Turn& turn = turns_[sub_core];
    const bool follows = (turn.hungry >> turn.last & 1U) != 0;
    fetch_for(warp_at(follows ? turn.last : core.youngest(turn.hungry)), now);
  }

  /// For the host's speed alone.
  void prefetch() const { gpusim::prefetch(l0s_); }

  [[nodiscard]] stats::FetchCounters counters() const;

 private:
  static constexpr std::uint32_t kNoLine = 0xffffffffU;

  /// Whose turn it is in one sub-core.
  struct Turn {
    SlotMask hungry = 0;     ///< warps with room in their buffer whose next instruction may be fetched; none is steady
    std::uint32_t last = 0;  ///< slot that issued last
    Cycle taken = kNever;    ///< the cycle whose fetch is that warp's, which is steady
  };

  /// The buffer of a warp that is not steady.
  struct Buffer {
    std::uint32_t next = 0;                      ///< place of the next instruction to fetch
    std::uint32_t line = kNoLine;                ///< that it is fetched from without a look-up
    std::uint32_t buffered = 0;                  ///< instructions fetched and not issued
    bool starved = false;                        ///< the warp waits for an instruction that is not even fetched
    Cycle blocked_until = 0;                     ///< fetch waits for a line or a jump's target; 0: for neither
    std::array<Cycle, kMostEntries> arrivals{};  ///< for each buffered entry, oldest first: when it may issue
  };

  [[nodiscard]] static SlotMask bit_of(const Warp& warp) { return SlotMask{1} << warp.slot; }
  [[nodiscard]] Buffer& buffer_of(const Warp& warp) { return buffers_[warp.sub_core * slots_ + warp.slot]; }
  void follow_closely(Warp& warp, bool jumps, Cycle now);
  void fetch_for(Warp& warp, Cycle now);
  /// The place whose fetch follows on the issue of the instruction before the one at `next`, when the warp is steady.
  [[nodiscard]] std::uint32_t ahead_of(std::uint32_t next) const { return next + entries_ - 1; }
  /// Whether the next fetch hits the L0. The warp is steady and issued in the cycle before `at`, so the fetch at `at`
  /// is its own.
  [[nodiscard]] bool next_fetch_hits(const Warp& warp, std::uint32_t next, Cycle at) {
    const std::uint32_t place = ahead_of(next);
    return place % lower::kInstrsPerLine != 0 || l0s_[warp.sub_core].hits(place / lower::kInstrsPerLine, at);
  }
  void unfold(Warp& warp, Buffer& buffer, Cycle now);
  void take_first(Warp& warp, Buffer& buffer, Cycle now);
  void redirect(Warp& warp, Buffer& buffer, Cycle now);
  void block(const Warp& warp, Buffer& buffer, Cycle until);
  [[nodiscard]] bool is_steady(const Buffer& buffer, Cycle now) const;
  void push_event(SmEventKind kind, const Warp& warp, Cycle at);

  bool ideal_;
  std::uint32_t entries_;
  std::uint32_t fetch_latency_;
  std::uint32_t resolve_latency_;  ///< cycles of a taken branch before the refetch
  std::uint32_t sub_cores_;
  std::uint32_t slots_;  ///< slots of a sub-core
  InstructionL1& l1_;
  SmEvents& events_;
  std::array<Turn, arch::kMostSubCores> turns_{};
  std::vector<InstructionL0> l0s_;  ///< by sub-core
  std::vector<Buffer> buffers_;
};

}  // namespace gpusim::sm

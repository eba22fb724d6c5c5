// SPDX-License-Identifier: MIT
// The TMA: an engine that works off commands one after the other, a box of a tensor each, line by line. It knows which
// line comes next and when; the unit around it sends the lines and is told what comes back. Owns the commands, their
// order, and how far the first has got.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/base/rate_server.h"
#include "sim/base/ratio.h"
#include "sim/base/ring.h"
#include "sim/base/slot_pool.h"
#include "sim/machine/sm/async/mbarrier.h"
#include "sim/machine/sm/memory/access.h"
#include "sim/machine/sm/memory/reply_token.h"
#include "sim/model/arch/sm_config.h"
#include "sim/model/trace/box.h"

namespace gpusim::sm {

struct TmaCommand {
  trace::AsyncAction action = trace::AsyncAction::kLoad;
  MbarrierUse use;         ///< for a load: the mbarrier that it signals; else only the instruction
  std::uint16_t warp = 0;  ///< warp slot of the SM
  ReplyToken write_token = ReplyToken::write_back();  ///< says which of the slot's warps it is
  std::uint64_t bytes = 0;                            ///< to signal: those outside the tensor included
  std::uint32_t read_group = 0;                       ///< for a store: its number among the warp's bulk groups
  std::uint32_t write_group = 0;
  AtomicType atomic_type = AtomicType::kInteger;  ///< type of a reduction
  trace::BoxLines lines;                          ///< still to be sent
  std::uint32_t under_way = 0;                    ///< lines that L2, or another SM, has not answered yet
  bool all_sent = false;
  bool delivers_here = true;     ///< for a load: false when only other CTAs get it
  std::uint32_t other_ctas = 0;  ///< for a load: how many other CTAs get it
  DsmemTarget target;            ///< for a move: the CTA that it goes to, and the mbarrier there
  bool has_moved = false;        ///< for a move: a line has been sent
  Cycle done = 0;                ///< when the last answer so far had its effect
};

class TmaEngine {
 public:
  explicit TmaEngine(const arch::TmaConfig& config) : config_(config), rate_(Ratio::of(1, config.lines_per_cycle)) {}

  [[nodiscard]] bool is_full() const { return queue_.size() >= config_.queue_entries; }
  std::uint32_t submit(const TmaCommand& command, Cycle now) {
    const std::uint32_t index = commands_.take(command);
    if (queue_.empty()) {
      begins_at_ = std::max(begins_at_, now + config_.start_latency);
    }
    queue_.push_back(index);
    return index;
  }

  /// No command has lines left to send.
  [[nodiscard]] bool has_nothing_to_send() const { return queue_.empty(); }
  /// No command is under way.
  [[nodiscard]] bool idle() const { return commands_.used() == 0; }
  [[nodiscard]] std::uint32_t first() const { return queue_.front(); }
  [[nodiscard]] TmaCommand& operator[](std::uint32_t command) { return commands_[command]; }
  [[nodiscard]] const TmaCommand& operator[](std::uint32_t command) const { return commands_[command]; }

  /// When the first command's next line may be sent, `now` or later.
  [[nodiscard]] Cycle ready_at(Cycle now) const { return std::max(begins_at_, rate_.free_at(now)); }
  /// A load or a move must wait for answers before it may ask for more, or send more.
  [[nodiscard]] bool is_saturated() const { return loading_ >= config_.outstanding_lines; }

  void sent(std::uint32_t command, Cycle now) {
    rate_.take(now, 1);
    ++commands_[command].under_way;
    loading_ += waits_for_data(commands_[command]) ? 1 : 0;
  }
  void answered(std::uint32_t command) {
    --commands_[command].under_way;
    loading_ -= waits_for_data(commands_[command]) ? 1 : 0;
  }
  /// The first command has sent its last line: the next one may begin.
  void pop(Cycle now) {
    queue_.pop_front();
    begins_at_ = std::max(now, begins_at_ + config_.interval);
  }
  void release(std::uint32_t command) { commands_.release(command); }

 private:
  [[nodiscard]] static bool waits_for_data(const TmaCommand& command) {
    return command.action == trace::AsyncAction::kLoad || command.action == trace::AsyncAction::kPrefetch ||
           trace::is_move(command.action);
  }

  arch::TmaConfig config_;
  SlotPool<TmaCommand> commands_;
  Ring<std::uint32_t> queue_;  ///< commands with lines left to send
  RateServer rate_;
  Cycle begins_at_ = 0;        ///< begin of the first command
  std::uint32_t loading_ = 0;  ///< lines asked for, and those of moves
};

}  // namespace gpusim::sm

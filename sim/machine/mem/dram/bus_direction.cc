// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/bus_direction.h"

#include <algorithm>

#include "sim/model/arch/dram_config.h"

namespace gpusim::mem::dram {

BusDirection::BusDirection(const arch::DramConfig& config)
    : high_(config.write_high_percent * config.queue_entries),
      low_(config.write_low_percent * config.queue_entries),
      wait_(config.write_wait) {}

void BusDirection::reset() {
  writing_ = false;
  pause_at_ = kNever;
  sent_since_turn_ = 0;
  batch_ = 0;
}

bool BusDirection::turn(const BankQueues& reads, const BankQueues& writes, Clock now) {
  if (should_wait(reads.requests(), writes.requests(), now) || !should_turn(reads.requests(), writes.requests())) {
    return false;
  }
  pause_at_ = kNever;
  writing_ = !writing_;
  sent_since_turn_ = 0;
  // A drain takes what was queued when it began; then as many reads go as a drain from high to low takes writes. So
  // neither side starves when the other never runs dry.
  batch_ = writing_ ? writes.bursts() : (high_ - low_) / 100;
  return true;
}

bool BusDirection::should_turn(std::uint32_t reads, std::uint32_t writes) const {
  if (writing_) {
    const bool enough = writes * 100 <= low_ || sent_since_turn_ >= batch_;
    return reads > 0 && (writes == 0 || enough);
  }
  const bool needed = writes * 100 >= high_ && sent_since_turn_ >= batch_;
  return writes > 0 && (reads == 0 || needed);
}

/// Whether the writes that might go now wait for more of them, since a read may come soon.
bool BusDirection::should_wait(std::uint32_t reads, std::uint32_t writes, Clock now) {
  if (writing_ || writes == 0 || writes * 100 >= high_ || reads > 0) {
    pause_at_ = kNever;
    return false;
  }
  pause_at_ = std::min(pause_at_, now + wait_);
  return now < pause_at_;
}

}  // namespace gpusim::mem::dram

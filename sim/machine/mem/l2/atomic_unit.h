// SPDX-License-Identifier: MIT
// The unit of an L2 slice that calculates atomics and reductions, in the order in which their sectors are there. A
// request takes a cycle for each pass (one lane on every word of a sector) and some more; the next one begins then.
// Lanes on one word wait for each other's result, for as long as the type of number takes, and so do requests for one
// sector, which hold up nobody else. Requests beyond its entries wait where they are. Owns the requests under
// way, when the unit and each busy sector are free, and how many entries are taken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "sim/base/slot_pool.h"
#include "sim/base/types.h"
#include "sim/machine/msg/message.h"
#include "sim/model/arch/l2_config.h"

namespace gpusim::mem::l2 {

class AtomicUnit {
 public:
  explicit AtomicUnit(const arch::L2Config& config) : config_(config) {}

  [[nodiscard]] bool has_room() const { return held_ < config_.atomic_entries; }
  /// The request takes an entry, until finish(): it may have to wait for its sectors.
  void take_entry() { ++held_; }
  [[nodiscard]] std::uint32_t held() const { return held_; }

  /// A request under way, and when it is done.
  struct Started {
    std::uint32_t slot = 0;
    Cycle done = 0;
  };
  /// The sectors of a request that has an entry are there.
  Started start(const msg::Message& message, Cycle now) {
    const msg::AtomicWork work = message.as<msg::L2Access>().atomic;
    const Cycle begin = std::max(free_at_, now);
    busy_cycles_ += work.passes + config_.atomic_request_cycles;
    free_at_ = begin + work.passes + config_.atomic_request_cycles;
    const Cycle chain = Cycle{work.depth} * interval(work.type);
    Cycle done = begin + work.passes;
    for_each_sector(message, [&](Address sector) {
      Cycle& free_at = sector_free_at_[sector];
      free_at = std::max(free_at, begin) + chain;
      done = std::max(done, free_at);
    });
    return {started_.take(message), done};
  }

  /// The request in `slot` is done.
  msg::Message finish(std::uint32_t slot, Cycle now) {
    const msg::Message message = started_.remove(slot);
    --held_;
    last_done_ = now;
    for_each_sector(message, [&](Address sector) {
      const auto busy = sector_free_at_.find(sector);
      if (busy != sector_free_at_.end() && busy->second <= now) {
        sector_free_at_.erase(busy);
      }
    });
    return message;
  }

  /// For a run that starts at cycle 0 again.
  void restart() {
    free_at_ = 0;
    last_done_ = 0;
    busy_cycles_ = 0;
  }
  /// When the last request was done; 0 when there was none.
  [[nodiscard]] Cycle last_done() const { return last_done_; }
  [[nodiscard]] Cycle busy_cycles() const { return busy_cycles_; }

 private:
  [[nodiscard]] std::uint32_t interval(AtomicType type) const {
    switch (type) {
      case AtomicType::kFloat: return config_.atomic_float_interval;
      case AtomicType::kHalf: return config_.atomic_half_interval;
      default: return config_.atomic_interval;
    }
  }
  template <class Visit>
  static void for_each_sector(const msg::Message& message, Visit&& visit) {
    const Address line = message.as<msg::L2Access>().address;
    for (unsigned i = 0; i < kSectorsPerLine; ++i) {
      if ((message.sectors >> i & 1) != 0) {
        visit(line + i * kSectorBytes);
      }
    }
  }

  const arch::L2Config& config_;
  SlotPool<msg::Message> started_;
  std::uint32_t held_ = 0;
  Cycle free_at_ = 0;
  Cycle last_done_ = 0;
  Cycle busy_cycles_ = 0;
  std::unordered_map<Address, Cycle> sector_free_at_;  ///< when each busy sector is free
};

}  // namespace gpusim::mem::l2

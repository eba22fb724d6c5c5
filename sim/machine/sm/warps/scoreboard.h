// SPDX-License-Identifier: MIT
// Dependences by register, as simulators had them before control bits were understood: a what-if (`sm.dependence:
// scoreboard`). An instruction waits while a register that it reads or writes is pending. Owns the registers that are
// pending, by warp slot.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/types.h"

namespace gpusim::lower {
struct KernelImage;
}

namespace gpusim::sm {

/// When a dependence was met, and by the operation of which instruction (an index).
struct Release {
  Cycle at = 0;
  std::uint32_t producer = 0;

  void put_off(const Release& other) {
    if (other.at > at) {
      *this = other;
    }
  }
};

class Scoreboard {
 public:
  /// `image` has been lowered for a scoreboard.
  Scoreboard(const lower::KernelImage& image, std::uint32_t warp_slots);

  void begin_warp(std::uint32_t slot);
  /// Instruction `pc` of the warp in `slot` issued at `now`: what it writes is pending.
  void issue(std::uint32_t slot, std::uint32_t pc, Cycle now);
  /// The result of `pc`, whose time was not known when it issued, is in the registers.
  void complete(std::uint32_t slot, std::uint32_t pc, Cycle now);

  /// What the registers of an instruction wait for. kNever: not known yet.
  struct Needs {
    Release by_long;   ///< L1TEX
    Release by_short;  ///< other variable latencies
    Cycle fixed = 0;   ///< the last fixed-latency result
  };
  [[nodiscard]] Needs needs(std::uint32_t slot, std::uint32_t pc) const;

 private:
  enum class Kind : std::uint8_t { kFixed, kShort, kLong };
  struct Entry {
    Cycle ready = 0;
    std::uint32_t producer = 0;
    Kind kind = Kind::kFixed;
  };
  [[nodiscard]] const Entry& entry(std::uint32_t slot, std::uint16_t reg) const {
    return entries_[slot * registers_ + reg];
  }
  [[nodiscard]] Entry& entry(std::uint32_t slot, std::uint16_t reg) { return entries_[slot * registers_ + reg]; }

  const lower::KernelImage& image_;
  std::size_t registers_;       ///< registers of a warp
  std::vector<Entry> entries_;  ///< by warp slot, then by register
};

}  // namespace gpusim::sm

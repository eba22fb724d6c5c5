// SPDX-License-Identifier: MIT
// A sub-core's registers as far as they cost time (Huerta et al., MICRO 2025): two banks of one read and one write port
// each, a window in which a fixed-latency instruction has to do its reads, and the reuse cache in front of the ports.
// Owns when each bank's read port is free, the writes that are under way, and what the reuse cache holds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/machine/lower/register_ports.h"
#include "sim/model/arch/sm_config.h"

namespace gpusim::sm {

class RegisterFile {
 public:
  explicit RegisterFile(const arch::RegisterFileConfig& config)
      : banked_(config.model == arch::RegisterFileModel::kBanked), window_(config.read_window) {}

  /// An instruction of the warp in `slot` issued at `now`; what it writes is there `latency` cycles later, if that is
  /// fixed. Returns for how many cycles the sub-core may issue nothing after it, because it cannot do its reads in its
  /// window.
  std::uint32_t issue(const lower::RegisterPorts& ports, std::uint32_t slot, std::uint32_t latency, Cycle now) {
    if (!banked_ || !ports.uses_ports) {
      return 0;
    }
    const lower::ReuseBytes misses = look_up(ports, slot);
    reserve_write(ports.fixed_writes, now, latency);
    if (!ports.reserves) {
      return 0;
    }
    const auto [even_reads, odd_reads] = ports.reads[slots_of(zero_bytes(misses))];
    const Cycle end = std::max(reserve_reads(0, even_reads, now), reserve_reads(1, odd_reads, now));
    return end > now + window_ ? static_cast<std::uint32_t>(end - (now + window_)) : 0;
  }

  /// Cycles by which a variable-latency instruction that issues at `now` reads later than it would from free ports: it
  /// comes after the fixed-latency instructions before it.
  [[nodiscard]] Cycle read_delay(const lower::RegisterPorts& ports, Cycle now) const {
    Cycle last = now + window_;
    for (std::size_t bank = 0; bank < lower::kRegisterBanks; ++bank) {
      const Cycle first = next_read_[bank] > now ? next_read_[bank] : now;
      const Cycle reads = ports.reads[0][bank];
      last = reads != 0 && first + reads > last ? first + reads : last;
    }
    return banked_ ? last - (now + window_) : 0;
  }

  /// A variable-latency result for the banks in the mask is there at `now`. Takes the write ports that are free, and
  /// returns the banks whose are not: to ask for again in the next cycle.
  [[nodiscard]] std::uint8_t write(std::uint8_t banks, Cycle now) {
    if (!banked_) {
      return 0;
    }
    advance(now);
    const std::uint64_t taken = writes_[0] & banks;
    writes_[0] |= banks;
    return static_cast<std::uint8_t>(taken);
  }

  /// From `now` on the tensor cores write a register of each bank in every `period`-th cycle (at least 2), which nobody
  /// reads it in; until end_tensor_writes().
  void begin_tensor_writes(Cycle now, std::uint32_t period) {
    tensor_since_ = now;
    tensor_period_ = period;
  }
  void end_tensor_writes() { tensor_period_ = 0; }

  /// A new warp lives in the slot: what is cached is not its.
  void forget(std::uint32_t slot);

 private:
  /// Horizon of reserved writes: a fixed latency beyond it, of which no shipped GPU has one, reserves nothing.
  static constexpr std::uint32_t kRing = 64;
  static constexpr std::uint32_t kCyclesAWord = 64 / lower::kRegisterBanks;
  static constexpr std::uint8_t kNobody = 0xff;  ///< the slot of no warp
  static constexpr lower::ReuseBytes kEveryByte = 0x0101010101010101;

  /// A byte for each entry of the reuse cache: 0 where it has the operand that it is asked for. Keeps there what is to
  /// be kept, and nothing else of what is read.
  [[nodiscard]] lower::ReuseBytes look_up(const lower::RegisterPorts& ports, std::uint32_t slot) {
    const lower::ReuseBytes owner = kEveryByte * slot;
    const lower::ReuseBytes misses = (registers_ ^ ports.operands) | (owners_ ^ owner) | ~ports.asks;
    registers_ = (registers_ & ~ports.keeps) | (ports.operands & ports.keeps);
    owners_ = (owners_ & ~ports.keeps) | (owner & ports.keeps) | ports.empties;
    return misses;
  }
  /// The highest bit of each byte that is 0.
  [[nodiscard]] static lower::ReuseBytes zero_bytes(lower::ReuseBytes bytes) {
    constexpr lower::ReuseBytes kLowBits = 0x7f * kEveryByte;
    return ~(((bytes & kLowBits) + kLowBits) | bytes | kLowBits);
  }
  /// The operand slots of entries, of which the highest bit is set.
  [[nodiscard]] static unsigned slots_of(lower::ReuseBytes entries) {
    static_assert(lower::kReuseSlots == 3 && lower::kRegisterBanks == 2);
    const auto of_any_bank = static_cast<std::uint32_t>(entries | entries >> 8 * lower::kReuseSlots) & 0x808080U;
    constexpr std::uint32_t kSideBySide = 1U | 1U << 7U | 1U << 14U;  // brings bits 7, 15 and 23 to 21, 22 and 23
    return of_any_bank * kSideBySide >> 21U & 0b111U;
  }

  /// Takes the bank's port for `count` cycles. Returns their end.
  Cycle reserve_reads(std::size_t bank, std::uint32_t count, Cycle now) {
    Cycle& next = next_read_[bank];
    next = std::max(next, now);
    if (tensor_period_ == 0) [[likely]] {
      next += count;
      return next;
    }
    for (; count != 0; --count) {
      next += (next - tensor_since_) % tensor_period_ == 0 ? 2 : 1;
    }
    return next;
  }

  void reserve_write(std::uint8_t banks, Cycle now, std::uint32_t latency) {
    if (banks == 0 || latency >= kRing) {
      return;
    }
    if (now + latency - writes_from_ >= kRing) {
      advance(now);
    }
    const Cycle place = now + latency - writes_from_;
    writes_[place / kCyclesAWord] |= std::uint64_t{banks} << lower::kRegisterBanks * (place % kCyclesAWord);
  }

  void advance(Cycle now) {
    __extension__ using Wide = unsigned __int128;
    const Cycle passed = now - writes_from_;
    const Wide all = Wide{writes_[1]} << 64U | writes_[0];
    const Wide left = passed < kRing ? all >> lower::kRegisterBanks * passed : 0;
    writes_ = {static_cast<std::uint64_t>(left), static_cast<std::uint64_t>(left >> 64U)};
    writes_from_ = now;
  }

  bool banked_;
  std::uint32_t window_;
  std::uint32_t tensor_period_ = 0;  ///< 0: the tensor cores write nothing
  Cycle tensor_since_ = 0;
  /// By bank, the first cycle whose read is free, counted from issue: the way from there to the read is the same for
  /// all.
  std::array<Cycle, lower::kRegisterBanks> next_read_{};
  Cycle writes_from_ = 0;
  /// One bit per bank for each cycle from writes_from_ on: its port is taken.
  std::array<std::uint64_t, kRing / kCyclesAWord> writes_{};
  lower::ReuseBytes registers_ = 0;                  ///< that are cached
  lower::ReuseBytes owners_ = kNobody * kEveryByte;  ///< the slots of their warps
};

}  // namespace gpusim::sm

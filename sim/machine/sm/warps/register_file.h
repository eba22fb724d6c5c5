// SPDX-License-Identifier: MIT
// A sub-core's registers as far as they cost time (Huerta et al., MICRO 2025): two banks of one read and one write port
// each, a window in which a fixed-latency instruction has to do its reads, and the reuse cache in front of the ports.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/machine/lower/register_ports.h"
#include "sim/model/arch/arch.h"

namespace gpusim::sm {

class RegisterFile {
 public:
  explicit RegisterFile(const arch::RegisterFileConfig& config)
      : banked_(config.model == arch::RegisterFileModel::kBanked), window_(config.read_window) {
    names_.fill(kEmpty);
  }

  /// An instruction of the warp in `slot` issued at `now`; what it writes is there `latency` cycles later, if that is
  /// fixed. Returns for how many cycles the sub-core may issue nothing after it, because it cannot do its reads in its
  /// window.
  std::uint32_t issue(const lower::RegisterPorts& ports, std::uint32_t slot, std::uint32_t latency, Cycle now) {
    if (!banked_ || !ports.uses_ports) {
      return 0;
    }
    const auto [even_reads, odd_reads] = ports.reads[look_up(ports, slot)];
    reserve_write(ports.fixed_writes, now, latency);
    if (!ports.reserves) {
      return 0;
    }
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
    const auto taken = static_cast<unsigned>((writes_[0] & 1U) | (writes_[1] & 1U) << 1U);
    writes_[0] |= banks & 1U;
    writes_[1] |= banks >> 1U & 1U;
    return static_cast<std::uint8_t>(banks & taken);
  }

  /// A new warp lives in the slot: what is cached is not its.
  void forget(std::uint32_t slot);

 private:
  /// Horizon of reserved writes: a fixed latency beyond it, of which no shipped part has one, reserves nothing.
  static constexpr std::uint32_t kRing = 64;
  static constexpr std::uint16_t kEmpty = 0xffff;  ///< the name of no register

  [[nodiscard]] static std::uint16_t name(std::uint32_t slot, std::uint8_t reg) {
    return static_cast<std::uint16_t>(slot << 8U | reg);
  }

  /// Slots (mask) whose operand the reuse cache has; keeps there what is to be kept, and nothing else of what is read.
  [[nodiscard]] unsigned look_up(const lower::RegisterPorts& ports, std::uint32_t slot) {
    unsigned hits = 0;
    for (unsigned s = 0; s < lower::kReuseSlots; ++s) {
      std::uint16_t& entry = names_[ports.entries[s]];
      const std::uint16_t operand = name(slot, ports.operands[s]);
      hits |= static_cast<unsigned>(entry == operand) << s;
      entry = (ports.keeps >> s & 1U) != 0 ? operand : kEmpty;
    }
    for (unsigned rest = ports.evicts; rest != 0; rest &= rest - 1) {
      names_[static_cast<std::size_t>(std::countr_zero(rest))] = kEmpty;
    }
    return hits;
  }

  /// Takes the bank's port for `count` cycles. Returns their end.
  Cycle reserve_reads(std::size_t bank, std::uint32_t count, Cycle now) {
    next_read_[bank] = std::max(next_read_[bank], now) + count;
    return next_read_[bank];
  }

  void reserve_write(std::uint8_t banks, Cycle now, std::uint32_t latency) {
    if (banks == 0 || latency >= kRing) {
      return;
    }
    if (now + latency - writes_from_ >= kRing) {
      advance(now);
    }
    const Cycle place = now + latency - writes_from_;
    writes_[0] |= std::uint64_t{banks & 1U} << place;
    writes_[1] |= std::uint64_t{banks >> 1U & 1U} << place;
  }

  void advance(Cycle now) {
    const Cycle passed = now - writes_from_;
    writes_[0] = passed < kRing ? writes_[0] >> passed : 0;
    writes_[1] = passed < kRing ? writes_[1] >> passed : 0;
    writes_from_ = now;
  }

  bool banked_;
  std::uint32_t window_;
  /// By bank, the first cycle whose read is free, counted from issue: the way from there to the read is the same for
  /// all.
  std::array<Cycle, lower::kRegisterBanks> next_read_{};
  Cycle writes_from_ = 0;
  std::array<std::uint64_t, lower::kRegisterBanks> writes_{};  ///< bit k: the port is taken at writes_from_ + k
  /// Warp slot and register of what is cached; behind them the place of operands that are never cached.
  std::array<std::uint16_t, lower::kReuseEntries + 1> names_{};
};

}  // namespace gpusim::sm

// SPDX-License-Identifier: MIT
// What an access takes in the load/store unit: cycles of address calculation, of reading a store's registers, of one
// pass through the banks. Reproduces the measured tables of Huerta et al., MICRO 2025. Without state.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/machine/lower/warp_op.h"
#include "sim/machine/sm/memory/bank_conflicts.h"
#include "sim/model/arch/sm_config.h"

namespace gpusim::sm {

/// General registers of a 64-bit address.
inline constexpr std::uint32_t kGlobalAddressRegisters = 2;
inline constexpr std::uint32_t kSharedAddressRegisters = 1;

/// Cycles after the first register's for the data of a wider load to reach the registers (64 bytes a cycle; sm-model's
/// 32, 34 and 38 cycles for 32, 64 and 128 bits).
[[nodiscard]] inline std::uint32_t extra_cycles(std::uint8_t bytes_per_lane) {
  constexpr std::uint32_t kCyclesPerRegister = 2;
  return bytes_per_lane <= 4 ? 0 : (bytes_per_lane / 4U - 1) * kCyclesPerRegister;
}

class LsuTiming {
 public:
  explicit LsuTiming(const arch::SmConfig& sm) : lsu_(sm.lsu), hit_latency_(sm.l1.hit_latency) {}

  /// Source registers are read one after the other: an address in one register, or in none, is there before one in two,
  /// that of an LDGSTS, with its destination, after it (9, 11 and 13 cycles by Huerta et al.).
  [[nodiscard]] std::uint32_t address_cycles(std::uint32_t registers) const {
    const std::int64_t more = std::max<std::int64_t>(1, registers) - kGlobalAddressRegisters;
    return static_cast<std::uint32_t>(std::max<std::int64_t>(1, lsu_.address_latency + more * lsu_.register_cycles));
  }
  /// Cycles after a store got to the unit until all its sources have been read: 8 + 2 for each register from its issue,
  /// of addresses and data alike (Huerta et al.).
  [[nodiscard]] std::uint32_t store_read_cycles(const lower::WarpOp& op) const {
    constexpr std::uint32_t kStoreRegisterCycles = 2;  // 512 bits of stored data a cycle
    const std::uint32_t registers = std::max<std::uint32_t>(1, op.bytes_per_lane / 4U);
    const std::uint32_t address = op.address_registers > 0 ? lsu_.register_cycles : 0;
    return kStoreRegisterCycles * registers - 1 + address;
  }
  /// Cycles that one pass through the banks takes: as many as its lanes take to get there. (On Ada, with 16 lanes, each
  /// way of a conflict costs two cycles.)
  [[nodiscard]] std::uint32_t cycles_a_pass(const lower::WarpOp& op) const {
    return std::max(1U, lanes_a_phase({op.bytes_per_lane, op.matrices}) / lsu_.lanes);
  }
  /// For the lanes of a warp to get to the unit.
  [[nodiscard]] std::uint32_t lane_groups() const { return kWarpLanes / lsu_.lanes; }
  /// How much later the data of an access is that holds the unit for `more` cycles than the shortest does.
  [[nodiscard]] std::uint32_t return_delay(std::uint32_t more) const { return more * lsu_.return_cycles; }
  /// From the unit to the registers, where loads with an address in so many registers take `latency` from issue.
  [[nodiscard]] std::uint32_t cycles_in_unit(const lower::WarpOp& op, std::uint32_t latency,
                                             std::uint32_t registers) const {
    const std::uint32_t before = address_cycles(registers) + (op.address_registers == 0 ? lsu_.lane_cycles : 0);
    return latency > before ? latency - before : 1;
  }
  /// What is left of a latency from issue when the instruction gets to the unit; a cycle at least.
  [[nodiscard]] std::uint32_t left_of(std::uint32_t latency) const {
    return latency > lsu_.address_latency ? latency - lsu_.address_latency : 1;
  }
  /// From the unit through L1 to the registers: what data that comes from elsewhere takes, too.
  [[nodiscard]] Cycle through_l1() const { return hit_latency_ - lsu_.address_latency; }
  /// Cycles from issue until an instruction gets to the unit.
  [[nodiscard]] std::uint32_t before_unit() const { return lsu_.address_latency; }
  [[nodiscard]] std::uint32_t copy_cycles() const { return lsu_.copy_cycles; }

 private:
  arch::LsuConfig lsu_;
  std::uint32_t hit_latency_;
};

}  // namespace gpusim::sm

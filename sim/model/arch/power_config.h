// SPDX-License-Identifier: MIT
// What the GPU draws, for estimates of power. No time depends on it.
#pragma once

#include <cstdint>
#include <vector>

namespace gpusim::arch {

/// Power in milliwatts, energy in femtojoules; energies and `sm` are those at clocks.boost and its voltage.
struct PowerConfig {
  std::uint32_t limit = 0;               ///< most that the card draws for long; 0: not known, and no power is estimated
  std::uint32_t idle = 0;                ///< with clocks up and no kernel; does not change with the clock
  std::uint32_t sm = 0;                  ///< an SM that has warps
  std::uint32_t thread_instruction = 0;  ///< an instruction of one lane
  std::uint32_t tensor_flop = 0;         ///< at the rate of FP16 products
  std::uint32_t shared_byte = 0;         ///< through the banks of L1 and shared memory
  std::uint32_t l2_byte = 0;             ///< between an SM and L2
  std::uint32_t dram_byte = 0;           ///< does not change with the clock
  std::uint32_t least_voltage_percent = 100;  ///< share of the voltage at clocks.boost
  /// Hertz: the highest SM clock while tensor cores work, at even steps of the share of their peak that a kernel's
  /// products take, from next to none to all of it. Never rises; one value holds at any share; none: no such limit.
  std::vector<std::uint64_t> tensor_clock;
  friend bool operator==(const PowerConfig&, const PowerConfig&) = default;
};

}  // namespace gpusim::arch

// SPDX-License-Identifier: MIT
// What an instruction asks of its sub-core's register file: read ports by bank, slots of the reuse cache, write ports.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/model/isa/instr.h"

namespace gpusim::trace {
struct Kernel;
}

namespace gpusim::lower {

inline constexpr std::size_t kRegisterBanks = 2;  ///< even and odd registers
inline constexpr std::size_t kReuseSlots = 3;     ///< operands that the reuse cache keeps of a bank
inline constexpr std::size_t kReuseEntries = kRegisterBanks * kReuseSlots;

/// The reuse cache's entry for operand `slot` of a register.
[[nodiscard]] constexpr unsigned reuse_entry(unsigned reg, unsigned slot) {
  return reg % unsigned{kRegisterBanks} * unsigned{kReuseSlots} + slot;
}

/// A byte for each entry of the reuse cache, the first in the lowest bits.
using ReuseBytes = std::uint64_t;
static_assert(kReuseEntries <= sizeof(ReuseBytes));

struct RegisterPorts {
  using Reads = std::array<std::uint8_t, kRegisterBanks>;

  /// Registers to read when the reuse cache has the operands of the slots in the mask. What it has none of is in [0].
  std::array<Reads, std::size_t{1} << kReuseSlots> reads{};
  // What it asks of the reuse cache. Bytes of entries that are not named are 0; those that a mask names are 0xff.
  ReuseBytes operands = 0;           ///< the single register that each entry is asked for
  ReuseBytes asks = 0;               ///< mask of those entries, at most one per slot
  ReuseBytes keeps = 0;              ///< mask of those where the register stays: those with a reuse bit
  ReuseBytes empties = 0;            ///< mask of those asked and not kept, and of others whose bank and slot are read
  bool uses_ports = false;           ///< reads registers, or writes some after a fixed latency
  std::uint8_t fixed_writes = 0;     ///< mask of the banks that it writes after a fixed latency
  std::uint8_t variable_writes = 0;  ///< mask of the banks that it writes when the result is there
  bool reserves = false;             ///< its reads have to be done in its window
};

/// The reuse bits of each instruction, by slot: those of the trace where it has any or has control bits, else as an
/// assembler would set them: for an operand that the next instruction reads from the same slot.
[[nodiscard]] std::vector<std::uint8_t> reuse_bits(const trace::Kernel& kernel);

[[nodiscard]] RegisterPorts register_ports(const isa::Instr& instr, std::uint8_t reuse_bits);

}  // namespace gpusim::lower

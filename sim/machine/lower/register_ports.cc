// SPDX-License-Identifier: MIT
#include "sim/machine/lower/register_ports.h"

#include <algorithm>
#include <array>
#include <bitset>

#include "sim/machine/lower/flow_graph.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::lower {
namespace {

using isa::Instr;
using isa::Operand;
using RegisterSet = std::bitset<isa::kRZ + 1>;

constexpr unsigned kEverySlot = (1U << kReuseSlots) - 1;

bool is_banked(const Operand& operand) {
  return operand.file == isa::RegFile::kGeneral && operand.is_real();
}

bool has_slot(const Operand& operand) {
  return is_banked(operand) && operand.width == 1 && operand.slot < kReuseSlots;
}

bool is_fixed(const Instr& instr) {
  return isa::info(instr.timing).kind == isa::LatencyKind::kFixed;
}

std::uint8_t written_banks(const Instr& instr) {
  unsigned banks = 0;
  for (const Operand& destination : instr.destinations) {
    if (is_banked(destination)) {
      banks |= destination.width > 1 ? 0b11U : 1U << destination.index % kRegisterBanks;
    }
  }
  return static_cast<std::uint8_t>(banks);
}

/// Reads that have to be done at once: docs/model/registers-and-tensor.md has the two kinds that take the slots that
/// others leave.
bool reserves_reads(const Instr& instr) {
  return is_fixed(instr) && instr.pipe() != isa::Pipe::kTensor;
}

/// Whether any lane of the next instruction may see another value than this one read.
bool writes(const Instr& instr, std::uint16_t reg) {
  return std::ranges::any_of(instr.destinations, [reg](const Operand& d) {
    return is_banked(d) && reg >= d.index && reg < d.index + d.width;
  });
}

std::uint8_t recorded_reuse(const Instr& instr) {
  unsigned bits = 0;
  for (const Operand& source : instr.sources) {
    bits |= has_slot(source) && source.reuse ? 1U << source.slot : 0U;
  }
  return static_cast<std::uint8_t>(bits);
}

/// For an operand that `next` reads from the same slot.
std::uint8_t assigned_reuse(const Instr& instr, const Instr& next) {
  if (!reserves_reads(instr) || !reserves_reads(next)) {
    return 0;
  }
  unsigned bits = 0;
  for (const Operand& source : instr.sources) {
    const bool again = has_slot(source) && std::ranges::any_of(next.sources, [&source](const Operand& other) {
                         return has_slot(other) && other.index == source.index && other.slot == source.slot;
                       });
    bits |= again && !writes(instr, source.index) ? 1U << source.slot : 0U;
  }
  return static_cast<std::uint8_t>(bits);
}

/// The registers of a bank.
RegisterSet registers_of(unsigned bank) {
  RegisterSet set;
  for (std::size_t reg = bank; reg < isa::kRZ; reg += kRegisterBanks) {
    set.set(reg);
  }
  return set;
}

constexpr std::uint8_t kNoOperand = isa::kRZ;  // RZ is in no bank

/// The single register in each slot.
using SlotOperands = std::array<std::uint8_t, kReuseSlots>;

ReuseBytes byte_of(unsigned entry, std::uint8_t value = 0xff) {
  return ReuseBytes{value} << 8 * entry;
}

/// How many registers of the set each bank is read for when the operands of the slots in `hits` need not be. One that
/// another operand names, which does not hit, is read all the same.
RegisterPorts::Reads reads_beside(unsigned hits, const SlotOperands& operands, RegisterSet read) {
  for (const bool saved : {true, false}) {
    for (unsigned slot = 0; slot < kReuseSlots; ++slot) {
      if (operands[slot] != kNoOperand && (hits >> slot & 1U) == (saved ? 1U : 0U)) {
        read.set(operands[slot], !saved);
      }
    }
  }
  static const std::array<RegisterSet, kRegisterBanks> kBanks{registers_of(0), registers_of(1)};
  RegisterPorts::Reads reads{};
  for (unsigned bank = 0; bank < kRegisterBanks; ++bank) {
    reads[bank] = static_cast<std::uint8_t>((read & kBanks[bank]).count());
  }
  return reads;
}

}  // namespace

std::vector<std::uint8_t> reuse_bits(const trace::Kernel& kernel) {
  std::vector<std::uint8_t> bits(kernel.code.size());
  std::ranges::transform(kernel.code, bits.begin(), recorded_reuse);
  if (kernel.control_recorded || std::ranges::any_of(bits, [](std::uint8_t b) { return b != 0; })) {
    return bits;
  }
  for (const Block& block : build_blocks(kernel)) {
    for (std::uint32_t i = block.first; i + 1 < block.end; ++i) {
      bits[i] = assigned_reuse(kernel.code[i], kernel.code[i + 1]);
    }
  }
  return bits;
}

RegisterPorts register_ports(const Instr& instr, std::uint8_t reuse_bits) {
  RegisterPorts ports;
  RegisterSet wide;
  RegisterSet all;
  SlotOperands operands{kNoOperand, kNoOperand, kNoOperand};
  for (const Operand& source : instr.sources) {
    if (!is_banked(source)) {
      continue;
    }
    for (unsigned reg = source.index; reg < source.index + source.width; ++reg) {
      all.set(reg);
      wide.set(reg, wide[reg] || !has_slot(source));
      const bool is_cached = source.slot < kReuseSlots && reg < source.index + kRegisterBanks;
      ports.empties |= is_cached ? byte_of(reuse_entry(reg, source.slot)) : 0;
    }
    if (has_slot(source)) {
      operands[source.slot] = static_cast<std::uint8_t>(source.index);
    }
  }
  for (unsigned slot = 0; slot < kReuseSlots; ++slot) {
    std::uint8_t& reg = operands[slot];
    reg = reg != kNoOperand && wide[reg] ? kNoOperand : reg;
    if (reg != kNoOperand) {
      const unsigned entry = reuse_entry(reg, slot);
      ports.operands |= byte_of(entry, reg);
      ports.asks |= byte_of(entry);
      ports.keeps |= (reuse_bits >> slot & 1U) != 0 ? byte_of(entry) : 0;
    }
  }
  ports.empties = (ports.empties | ports.asks) & ~ports.keeps;
  for (unsigned hits = 0; hits < ports.reads.size(); ++hits) {
    ports.reads[hits] = reads_beside(hits, operands, all);
  }
  (is_fixed(instr) ? ports.fixed_writes : ports.variable_writes) = written_banks(instr);
  ports.reserves = reserves_reads(instr);
  ports.uses_ports = all.any() || ports.fixed_writes != 0;
  return ports;
}

}  // namespace gpusim::lower

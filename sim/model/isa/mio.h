// SPDX-License-Identifier: MIT
// Which unit an instruction goes to that a sub-core hands to the memory input/output queue (MIO), and how much data it
// takes along. Measured: what Nsight Compute counts as sm__inst_executed_pipe_lsu, sm__inst_executed_pipe_adu and
// sm__mio_pq_read_cycles_active of 46 kernels on an H100 and an H200 equals the sums of their opcodes, within 1 %.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/model/isa/instr.h"

namespace gpusim::isa {

enum class MioUnit : std::uint8_t {
  kNone,  ///< none of the two, or not known: the tensor memory accelerator, REDUX, fences, R2UR
  kLsu,   ///< load/store unit: global, local and shared memory, shuffles, LDGDEPBAR
  kAdu    ///< address divergence unit: LDC, BAR, SYNCS, special registers
};

/// S2R of a thread's place in its CTA goes to the load/store unit, that of a CTA's place to the ADU; both count as ADU
/// here, since the operand does not say which it is.
[[nodiscard]] constexpr MioUnit mio_unit(const Instr& instr) {
  switch (instr.timing) {
    case TimingClass::kMemory:
    case TimingClass::kAsyncCopy:
    case TimingClass::kMatrixLoad:
    case TimingClass::kShuffle: return MioUnit::kLsu;
    case TimingClass::kConstantLoad:
    case TimingClass::kBarrier:
    case TimingClass::kMbarrier: return MioUnit::kAdu;
    case TimingClass::kSpecialRead: {
      const bool moves = std::ranges::any_of(
          instr.sources, [](const Operand& source) { return source.file == RegFile::kGeneral && source.is_real(); });
      return moves ? MioUnit::kNone : MioUnit::kAdu;
    }
    default: return MioUnit::kNone;
  }
}

/// Registers of 32 bits a lane that it takes to the load/store unit as data: those that are stored, exchanged or added,
/// without addresses.
[[nodiscard]] constexpr std::uint32_t data_registers(const Instr& instr) {
  constexpr std::uint32_t kRegisterBytes = 4;
  if (instr.timing == TimingClass::kShuffle) {
    return 1;
  }
  const bool has_data =
      instr.kind == OpKind::kStore || instr.kind == OpKind::kAtomic || instr.kind == OpKind::kReduction;
  return has_data ? (instr.bytes_per_lane + kRegisterBytes - 1) / kRegisterBytes : 0;
}

}  // namespace gpusim::isa

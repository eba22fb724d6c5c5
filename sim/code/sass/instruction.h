// SPDX-License-Identifier: MIT
// A decoded instruction of SASS, complete enough to be executed and to be encoded again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/code/sass/code.h"
#include "sim/code/sass/modifiers.h"
#include "sim/code/sass/op.h"
#include "sim/model/isa/instr.h"

namespace gpusim::sass {

/// The encodings that differ: a set of SMs that share their machine code.
enum class Generation : std::uint8_t { kSm75, kSm80, kSm86, kSm89, kSm90 };
inline constexpr std::size_t kGenerations = 5;

/// The generation of an SM such as 80 (sm_80) or 87; nothing for one that the table does not know.
[[nodiscard]] std::optional<Generation> generation_of(unsigned sm);
/// 80 for kSm80.
[[nodiscard]] unsigned sm_of(Generation generation);

enum class OperandKind : std::uint8_t {
  kNone,              ///< this form of the instruction has no such operand: a place that others have
  kRegister,          ///< a register of `file`
  kImmediate,         ///< `value`
  kConstant,          ///< c[bank][value], or c[bank][register + value]
  kMemory,            ///< [register + uniform register + value]
  kTarget,            ///< a place in the code: `value` bytes behind the end of this instruction
  kSpecial,           ///< special register number `value` (S2R)
  kConvergence,       ///< convergence barrier B<index>
  kWarpState,         ///< a state of the warp that BMOV reads and writes, number `index`
  kPredicates,        ///< PR, UPR: the whole predicate file, as bits
  kReturnPc,          ///< Rpc.LO or Rpc.HI (index 0, 1): half of the return program counter
  kScoreboard,        ///< SB<index>
  kScoreboards,       ///< {5,4,...}: a mask of dependence counters
  kMatrixDescriptor,  ///< gdesc[UR<index>]: `width` uniform registers that describe matrices in shared memory
  kGroup,             ///< gsb<index>, the counter of WGMMA groups; none where index is kNoGroup
};
inline constexpr std::uint8_t kNoGroup = 7;

/// How an immediate of 32 bits is meant.
enum class ImmediateKind : std::uint8_t {
  kInteger,
  kSigned,  ///< sign-extended in `value`
  kFloat,
  kDouble,   ///< the upper half of an FP64 number, whose lower half is 0
  kHalves,   ///< two FP16 numbers, or BF16 with Mod::kBfloat; the upper one first
  kPattern,  ///< FSWZADD: two bits a lane of four
};

/// Which part of a register is read.
enum class Part : std::uint8_t {
  kWhole,
  kHalves,     ///< .H1_H0: both halves, in place
  kFloat,      ///< .F32: one FP32 number, for both
  kLowTwice,   ///< .H0_H0
  kHighTwice,  ///< .H1_H1
  kLow,        ///< .H0
  kHigh,       ///< .H1
  kByte0,      ///< .B0
  kByte1,
  kByte2,
  kByte3,
  kRow,  ///< .ROW: how a matrix is laid out
  kColumn,
};

struct Operand {
  OperandKind kind = OperandKind::kNone;
  /// kRegister: which file. kConstant, kMemory: of `index`, kNone without a register.
  isa::RegFile file = isa::RegFile::kNone;
  /// The register, or the first of a group of `width`; the number of a barrier or counter. RZ, URZ and PT are as in
  /// isa.
  std::uint8_t index = 0;
  std::uint8_t width = 1;            ///< 32-bit registers; of an address in kMemory: 2 for 64 bits
  std::uint8_t uniform = isa::kURZ;  ///< kMemory: the uniform register added, or the first of the descriptor's pair
  std::uint8_t bank = 0;             ///< kConstant
  std::uint8_t scale = 1;            ///< kMemory: the register counts so many times (.X4, .X8, .X16)
  Part part = Part::kWhole;
  ImmediateKind immediate = ImmediateKind::kInteger;
  bool written = false;      ///< a destination
  bool negated = false;      ///< -a; of a predicate: !p
  bool absolute = false;     ///< |a|, before the sign
  bool inverted = false;     ///< ~a
  bool reuse = false;        ///< .reuse
  bool has_uniform = false;  ///< kMemory: `uniform` takes part
  bool descriptor = false;   ///< kMemory: `uniform` is a descriptor, and no part of the address
  bool typed = false;        ///< kMemory: the text says .64 or .U32 behind the register
  bool hidden = false;       ///< disassemblers leave it out: it has no effect
  std::int64_t value = 0;    ///< kImmediate: its 32 bits (kSigned: with sign); an offset in bytes, with sign

  [[nodiscard]] constexpr bool is_register(isa::RegFile of) const {
    return kind == OperandKind::kRegister && file == of;
  }
  friend constexpr bool operator==(const Operand&, const Operand&) = default;
};

inline constexpr std::size_t kMaxOperands = 8;
inline constexpr std::size_t kMaxModifiers = 10;

struct Guard {
  std::uint8_t index = isa::kPT;
  bool negated = false;
  bool uniform = false;  ///< UP<index>
  [[nodiscard]] constexpr bool always() const { return index == isa::kPT && !negated; }
  friend constexpr bool operator==(const Guard&, const Guard&) = default;
};

/// The fields as they stand in the word.
struct Control {
  std::uint8_t stall = 0;  ///< 0 to 15
  bool yield = false;      ///< the bit is clear: the scheduler prefers another warp
  std::uint8_t write_barrier = isa::kNoBarrier;
  std::uint8_t read_barrier = isa::kNoBarrier;
  std::uint8_t wait_mask = 0;
  std::uint8_t reuse = 0;  ///< reuse bits of the first, second and third source, from bit 0
  friend constexpr bool operator==(const Control&, const Control&) = default;
};

struct EncodingRow;

struct Instruction {
  Op op = Op::kUnknown;
  Generation generation = Generation::kSm75;
  std::uint16_t key = 0;  ///< bits 0 to 11 of the code, and 0x1000 where bit 91 is set
  Guard guard;
  Control control;
  const EncodingRow* row = nullptr;  ///< null for an encoding that the table does not have
  /// Each Op has its operands at places of their own, whatever the form: what IADD3 adds is always 3, 4 and 5.
  std::array<Operand, kMaxOperands> operands;
  std::uint8_t operand_count = 0;
  /// Values of the row's modifiers, in its order; modifier() finds them by name.
  std::array<std::uint8_t, kMaxModifiers> modifiers{};
  /// What no field of the row explains, at its place; for an unknown encoding all of its bits but guard and control.
  Code rest;

  [[nodiscard]] bool is_known() const { return row != nullptr; }
  /// The value of a modifier; 0 where this instruction has none such.
  [[nodiscard]] std::uint8_t modifier(Mod mod) const;
  [[nodiscard]] bool has(Mod mod) const { return modifier(mod) != 0; }
};

}  // namespace gpusim::sass

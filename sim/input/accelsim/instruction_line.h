// SPDX-License-Identifier: MIT
// One line of a trace's body: a warp instruction as the tracer saw it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/types.h"

namespace gpusim::frontend::accelsim {

/// The lowest lane of a mask that has one.
[[nodiscard]] inline std::size_t first_lane(LaneMask mask) {
  return static_cast<std::size_t>(std::countr_zero(mask));
}

/// What the header says about the form of instruction lines.
struct LineForm {
  bool has_place = false;  ///< tracer versions below 3: "tbx tby tbz warp" in front
  bool has_line_number = false;
  bool has_immediate = false;  ///< tracer version 4 on: behind the addresses, always
  bool has_values = false;     ///< tracer version 6: a second immediate and destination values at the end
};

/// What a line says of a bulk copy: UTMALDG and kin.
struct TransferLine {
  bool is_complete = false;         ///< all of it is there; first recordings of Hopper have the addresses alone
  Address barrier = 0;              ///< of a load: address of the mbarrier in shared memory
  std::uint16_t ranks = 0;          ///< mask of the ranks that a load goes to; 0: its own CTA
  std::uint64_t bytes = 0;          ///< of all, as an mbarrier counts them
  std::uint64_t outside_bytes = 0;  ///< those outside the tensor
  std::uint64_t width = 0;          ///< bytes at each address
  std::vector<Address> addresses;   ///< in global memory, inside the tensor
};

/// The barrier that a BAR names.
struct BarrierLine {
  std::uint8_t id = 0;
  std::uint16_t threads = 0;  ///< how many complete it; 0: all of the CTA
};

/// Registers are numbered as the tracer does it: R0 to R255, and from kUniform on UR0 and the following.
struct InstructionLine {
  static constexpr std::size_t kMostRegisters = 16;
  static constexpr std::uint16_t kUniform = 256;
  using Values = std::array<std::uint64_t, kWarpLanes>;

  std::uint64_t pc = 0;
  LaneMask mask = 0;  ///< active lanes whose predicate is true
  std::string_view opcode;
  std::array<std::uint16_t, kMostRegisters> destinations{};
  std::array<std::uint16_t, kMostRegisters> sources{};
  std::uint8_t destination_count = 0;
  std::uint8_t source_count = 0;
  bool has_addresses = false;
  std::array<Address, kWarpLanes> addresses{};      ///< bytes; of the lanes in `mask`
  std::array<std::uint32_t, kWarpLanes> columns{};  ///< columns of the words that give them
  std::int64_t immediate = 0;                       ///< the (first) immediate operand; 0 when the line has none
  std::optional<std::int64_t> second_immediate;
  std::optional<bool> closes_group;    ///< of a product of a warpgroup
  std::optional<BarrierLine> barrier;  ///< where the line says which
  bool has_transfer = false;
  TransferLine transfer;
  /// Values of the destinations before the instruction, then of the sources; empty where the line has none. Of
  /// instructions for mbarriers and barriers only.
  std::vector<Values> values;
  /// The static part of the line, from the number of destinations to the last source, and the barrier: equal for equal
  /// instructions.
  std::string_view signature;
  std::string rewritten;  ///< the signature where the line does not have it as it is

  InstructionLine() = default;
  InstructionLine(const InstructionLine&) = delete;  // a copy's signature would be the other's
  InstructionLine& operator=(const InstructionLine&) = delete;
};

/// What is wrong with a line, and where.
struct LineProblem {
  std::uint32_t column = 0;
  std::string message;
  std::string hint;
};

/// Reads `text` into `line`, whose string views point into `text`. False with `problem` filled in when malformed.
[[nodiscard]] bool parse_instruction(std::string_view text, const LineForm& form, InstructionLine& line,
                                     LineProblem& problem);

}  // namespace gpusim::frontend::accelsim

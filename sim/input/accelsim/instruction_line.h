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
#include "sim/input/accelsim/line_head.h"
#include "sim/input/accelsim/transfer_line.h"
#include "sim/input/accelsim/word_parser.h"

namespace gpusim::frontend::accelsim {

/// The lowest lane of a mask that has one.
[[nodiscard]] inline std::size_t first_lane(LaneMask mask) {
  return static_cast<std::size_t>(std::countr_zero(mask));
}

/// The barrier that a BAR names.
struct BarrierLine {
  std::uint8_t id = 0;
  std::uint16_t threads = 0;  ///< how many complete it; 0: all of the CTA
};

struct InstructionLine {
  using Values = std::array<std::uint64_t, kWarpLanes>;

  std::uint64_t pc = 0;
  LaneMask mask = 0;                 ///< active lanes whose predicate is true
  const StaticPart* what = nullptr;  ///< valid until the next line is read
  bool has_addresses = false;
  std::array<Address, kWarpLanes> addresses{};  ///< bytes; of the lanes in `mask`
  std::string_view address_words;               ///< the words that give them, and all behind
  bool is_stride = false;                       ///< they are an address and a stride, not one word per lane
  std::int64_t immediate = 0;                   ///< the (first) immediate operand; 0 when the line has none
  std::optional<std::int64_t> second_immediate;
  std::optional<bool> closes_group;    ///< whether a WGMMA operation ends its group
  std::optional<BarrierLine> barrier;  ///< where the line says which
  TransferLine transfer;               ///< what a bulk copy does
  /// Values of the destinations before the instruction, then of the sources; empty where the line has none. Of
  /// instructions for mbarriers and barriers only.
  std::vector<Values> values;
  /// What tells instructions at one program counter apart: the signature of the static part, and the barrier.
  std::string_view signature;
  std::string with_barrier;  ///< the signature of a line that names one

  /// The column of the word that gives a lane's address, in `text`, which is the line.
  [[nodiscard]] std::uint32_t address_column(std::string_view text, std::size_t lane) const;

  InstructionLine() = default;
  InstructionLine(const InstructionLine&) = delete;  // a copy's signature would be the other's
  InstructionLine& operator=(const InstructionLine&) = delete;
};

/// Reads the instruction lines of a body.
class InstructionReader {
 public:
  explicit InstructionReader(const LineForm& form) : form_(form) {}

  /// Reads `text` into line(). False with `problem` filled in when malformed.
  [[nodiscard]] bool read(std::string_view text, LineProblem& problem);
  [[nodiscard]] const InstructionLine& line() const { return line_; }

 private:
  LineForm form_;
  LineHeads heads_;
  InstructionLine line_;
};

}  // namespace gpusim::frontend::accelsim

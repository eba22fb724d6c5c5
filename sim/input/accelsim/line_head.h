// SPDX-License-Identifier: MIT
// What an instruction line says before its addresses. A trace has some thousand instructions and many millions of
// lines, and most lines begin as the last line of their instruction did: such a head is compared, not parsed.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/base/types.h"
#include "sim/input/accelsim/static_part.h"
#include "sim/input/accelsim/tokens.h"
#include "sim/input/accelsim/word_parser.h"

namespace gpusim::frontend::accelsim {

/// What the header says about the form of instruction lines.
struct LineForm {
  bool has_place = false;  ///< tracer versions below 3: "tbx tby tbz warp" in front
  bool has_line_number = false;
  bool has_immediate = false;  ///< tracer version 4 on: behind the addresses, always
  bool has_values = false;     ///< tracer version 6: a second immediate and destination values at the end
};

/// The last line of an instruction, or of several that share a program counter.
struct LineHead {
  std::string text;  ///< all words up to the last source; empty when there was no good line yet
  std::uint64_t pc = 0;
  LaneMask mask = 0;
  StaticPart part;
  LineHead* next = nullptr;  ///< what came behind it the last time

  /// The last differences between addresses, which mostly come again.
  struct Offsets {
    LaneMask mask = 0;            ///< lanes that have addresses; none when there were no differences yet
    std::string text;             ///< the words behind the first address
    std::vector<Address> values;  ///< bytes behind the first address, by lane
  };
  Offsets offsets;
};

class LineHeads {
 public:
  LineHeads() = default;
  LineHeads(const LineHeads&) = delete;  // its heads point to one another
  LineHeads& operator=(const LineHeads&) = delete;

  /// The head of the next line; null with `problem` filled in when malformed. Valid until the next call.
  [[nodiscard]] LineHead* read(Tokens& tokens, const LineForm& form, LineProblem& problem);

 private:
  [[nodiscard]] LineHead* parse(Tokens& tokens, const LineForm& form, LineProblem& problem);

  std::unordered_map<std::uint64_t, LineHead> by_pc_;
  LineHead start_;  ///< stands before the first line
  LineHead* previous_ = &start_;
};

}  // namespace gpusim::frontend::accelsim

// SPDX-License-Identifier: MIT
// What all lines of an instruction have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/input/accelsim/tokens.h"
#include "sim/input/accelsim/word_parser.h"

namespace gpusim::frontend::accelsim {

/// The words of a line from the number of destinations to the last source. Registers are numbered as the tracer does
/// it: R0 to R255, and from kUniform on UR0 and the following.
struct StaticPart {
  static constexpr std::size_t kMostRegisters = 16;
  static constexpr std::uint16_t kUniform = 256;

  std::string text;       ///< as the line has it
  std::string signature;  ///< as signature_of() writes it: equal for equal instructions
  std::string opcode;
  std::vector<std::uint16_t> destinations;
  std::vector<std::uint16_t> sources;
  bool is_mark = false;          ///< no instruction, but a mark at a loop of polls
  bool is_poll = false;          ///< a poll of an mbarrier
  bool is_transfer = false;      ///< its lines are those of a bulk copy
  bool may_close_group = false;  ///< a WGMMA operation: its lines may say whether it is the last of its group

  [[nodiscard]] std::size_t registers() const { return destinations.size() + sources.size(); }
};

/// Reads a static part into `part`. False with `problem` filled in and the text empty when it is malformed.
[[nodiscard]] bool parse_static_part(Tokens& tokens, StaticPart& part, LineProblem& problem);

}  // namespace gpusim::frontend::accelsim

// SPDX-License-Identifier: MIT
// The code of a kernel expanded: loops opened, turns of unrolls repeated, static choices made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/input/text/code_writer.h"
#include "sim/input/text/environment.h"

namespace gpusim {
struct Place;
}  // namespace gpusim

namespace gpusim::frontend {

class InstructionReader;
class Labels;
struct Statement;

/// Owns the number of turns of a kernel's unrolls, and binds the names that blocks give. Reports bounds, steps and
/// conditions that make no sense, and too many turns.
class BlockExpander {
 public:
  BlockExpander(Environment& names, Labels& labels, CodeWriter& writer, InstructionReader& instructions)
      : names_(names), reporter_(names.reporter()), labels_(labels), writer_(writer), instructions_(instructions) {}

  void expand(const std::vector<Statement>& statements);

 private:
  void expand(const Statement& statement);
  void loop(const Statement& statement);
  void unroll(const Statement& statement);
  void branch_block(const Statement& statement);
  void static_if(const Statement& statement);
  /// Looks for problems in the blocks of a statement that makes no sense itself.
  void look_into(const Statement& statement);
  /// Counts the turns of an unroll, unless all together are too many.
  [[nodiscard]] bool may_turn(std::uint64_t turns, Place place);
  /// Whether unrolling has to stop, for a reason that was told.
  [[nodiscard]] bool is_stopped() const { return has_too_many_turns_ || writer_.is_too_long(); }
  /// The predicate of the branches that a block becomes.
  [[nodiscard]] std::string predicate_of(const Statement& statement);

  Environment& names_;
  Reporter& reporter_;
  Labels& labels_;
  CodeWriter& writer_;
  InstructionReader& instructions_;
  std::uint64_t turns_ = 0;
  bool has_too_many_turns_ = false;
};

}  // namespace gpusim::frontend

// SPDX-License-Identifier: MIT
// The code of kernels in a text trace: its lines as statements, with the blocks that they open.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/input/text/scanner.h"
#include "sim/input/text/trace_lines.h"

namespace gpusim::frontend {

/// Owns how deep blocks are nested, how many lines of code there are, and whether some block was opened on suspicion.
/// Reports lines that make no sense and blocks that are not closed. Throws FatalError for code that is too deep or too
/// long.
class CodeParser {
 public:
  explicit CodeParser(TraceLines& lines) : lines_(lines) {}

  /// The code of one kernel, with the 'end' behind it. False where that is missing for no reason that was told.
  [[nodiscard]] bool parse(std::vector<Statement>& into) {
    return block(into, false, nullptr) != BlockEnd::kFile || guessed_block_;
  }

 private:
  enum class BlockEnd : std::uint8_t { kEnd, kElse, kFile };
  BlockEnd block(std::vector<Statement>& into, bool may_else, std::string* else_control);
  void open_block(Statement& statement, const std::string& what);
  void statement(Scanner& in, std::vector<Statement>& into);
  /// An instruction, or the block that a misspelt word seems to open; false when the line was neither.
  [[nodiscard]] bool instruction(Scanner& in, Statement& statement, const std::string& word);
  void loop(Scanner& in, Statement& statement);
  void unroll(Scanner& in, Statement& statement);
  void branch_block(Scanner& in, Statement& statement);
  void static_if(Scanner& in, Statement& statement);

  TraceLines& lines_;
  unsigned depth_ = 0;
  std::size_t statements_ = 0;
  bool guessed_block_ = false;  ///< ends may be missing because of a block opened on suspicion
};

}  // namespace gpusim::frontend

// SPDX-License-Identifier: MIT
// From text to Syntax: every line is read, so that all problems of the file are reported together.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/problem.h"
#include "sim/input/text/scanner.h"

namespace gpusim::frontend {

/// What a text with problems still makes sense of; the problems are added to `problems`.
[[nodiscard]] Syntax parse(std::string_view text, const std::string& file, ProblemList& problems);

class Parser {
 public:
  Parser(std::string_view text, const std::string& file, ProblemList& problems);
  Syntax run();

 private:
  /// Reads the next line and hands it to `read`; a LineError in it becomes a problem. False at the end of the file.
  bool on_next_line(const std::function<void(Scanner&)>& read);
  void report(const LineError& error);
  /// Reports the problem of the line just read, which is then missing.
  void skip(const LineError& error);

  /// Counts a parameter, let, check, buffer or kernel; throws FatalError beyond what any trace needs.
  void count_declaration(Scanner& in);
  void file_statement(Scanner& in);
  void parameter(Scanner& in);
  /// "f16 | bf16 | f32", at least two; false when something else comes next.
  bool words(Scanner& in, std::vector<Word>& into);
  /// "a=1 b=2" up to the end of the line.
  void values(Scanner& in, std::vector<TestValue>& into);
  void library(Scanner& in);
  void file_let(Scanner& in);
  void check(Scanner& in);
  BufferSyntax buffer(Scanner& in, isa::MemSpace space);
  MbarrierSyntax mbarrier(Scanner& in);
  TensorMapSyntax tensor_map(Scanner& in);
  std::vector<SyntaxId> list(Scanner& in, const std::string& after);
  void clauses(Scanner& in, Statement& statement);

  void kernel(Scanner& in);
  bool kernel_line(Scanner& in, KernelSyntax& kernel);
  void shared_bytes(Scanner& in, KernelSyntax& kernel);
  std::vector<SyntaxId> dimensions(Scanner& in);
  SyntaxId once(Scanner& in, SyntaxId before, std::string_view word);

  enum class BlockEnd : std::uint8_t { kEnd, kElse, kFile };
  BlockEnd block(std::vector<Statement>& into, bool may_else, std::string* else_control);
  void open_block(Statement& statement, const std::string& what);
  /// An instruction, or the block that a misspelt word seems to open; false when the line was neither.
  bool parse_instruction(Scanner& in, Statement& statement, const std::string& word);
  void statement(Scanner& in, std::vector<Statement>& into);
  void loop(Scanner& in, Statement& statement);
  void unroll(Scanner& in, Statement& statement);
  void branch_block(Scanner& in, Statement& statement);
  void static_if(Scanner& in, Statement& statement);
  void range(Scanner& in, Statement& statement);
  std::string control_bits(Scanner& in);
  void predicate(Scanner& in, Statement& statement);
  void instruction(Scanner& in, Statement& statement);
  void operands(Scanner& in, Statement& statement, std::size_t end);
  void sources(Scanner& in, Statement& statement);
  AccessSyntax access(Scanner& in);

  Syntax syntax_;
  LineReader reader_;
  ProblemList& problems_;
  LogicalLine line_;
  std::unordered_map<std::string, std::uint32_t> name_ids_;
  unsigned depth_ = 0;
  bool guessed_block_ = false;  ///< some block was opened on suspicion: ends may be missing because of that
  std::size_t skipped_ = 0;
  std::size_t statements_ = 0;
  std::size_t declarations_ = 0;
};

}  // namespace gpusim::frontend

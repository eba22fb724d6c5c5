// SPDX-License-Identifier: MIT
// What the kernels of a text trace share: constants, memory, how long the code is so far, and warnings.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/problem.h"
#include "sim/input/text/memory_layout.h"

namespace gpusim::frontend {

/// Owns the warnings of one file, and answers which causes were told before.
class FileWarnings {
 public:
  /// Causes of which a line is told once, however many turns of an unroll or kernels repeat it.
  enum class Cause : std::uint8_t { kTooFewOperands, kNoSource, kLongStall };

  explicit FileWarnings(std::string file) : file_(std::move(file)) {}
  /// A warning is of a line: what unrolled code repeats has no more columns.
  void add(Place place, std::string message, std::string hint = {}) {
    list_.add({{file_, place.line, 0}, std::move(message), std::move(hint)});
  }
  /// True the first time that this line has this cause. The warning itself is still to be added.
  [[nodiscard]] bool take_line(Cause cause, std::uint32_t line) { return lines_.emplace(cause, line).second; }
  /// True the first time that the file names this unknown opcode.
  [[nodiscard]] bool take_opcode(const std::string& opcode) { return unknown_opcodes_.insert(opcode).second; }
  [[nodiscard]] const ProblemList& list() const { return list_; }

 private:
  std::string file_;
  std::set<std::pair<Cause, std::uint32_t>> lines_;
  std::set<std::string> unknown_opcodes_;
  ProblemList list_;
};

struct FileState {
  explicit FileState(const std::string& file) : warnings(file) {}

  std::vector<std::pair<std::string, std::int64_t>> constants;  ///< parameters, their words, and lets so far
  std::vector<std::pair<std::string, std::string>> words;       ///< parameters whose value is a word
  MemoryLayout layout;
  std::uint64_t instructions = 0;  ///< expanded so far
  FileWarnings warnings;
};

}  // namespace gpusim::frontend

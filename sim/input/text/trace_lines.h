// SPDX-License-Identifier: MIT
// The lines of a text trace, one after the other, so that a problem in one of them leaves the others readable.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "sim/base/problem.h"
#include "sim/input/text/scanner.h"
#include "sim/input/text/source_text.h"

namespace gpusim::frontend {

/// Owns the place in a text and the line that is read, and answers how many lines went lost with a problem. It is where
/// problems of the text are reported. What a lost line may have declared is noted in the syntax.
class TraceLines {
 public:
  TraceLines(std::string_view text, Syntax& syntax, ProblemList& problems)
      : syntax_(syntax), problems_(problems), reader_(text) {}

  /// Reads the next line and hands it to `read`; a LineError in it becomes a problem. False at the end of the file.
  bool on_next(const std::function<void(Scanner&)>& read);
  void report(const LineError& error);
  /// Reports the problem of the line just read, which is then missing.
  void skip(const LineError& error);
  [[nodiscard]] std::size_t skipped() const { return skipped_; }

 private:
  Syntax& syntax_;
  ProblemList& problems_;
  LineReader reader_;
  LogicalLine line_;
  std::unordered_map<std::string, std::uint32_t> name_ids_;
  std::size_t skipped_ = 0;
};

}  // namespace gpusim::frontend

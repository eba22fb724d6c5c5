// SPDX-License-Identifier: MIT
// The matrices of a text trace as what --param may choose: each comes from a file, or is random.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/input/text/definitions.h"
#include "sim/model/trace/trace.h"

namespace gpusim::frontend {

/// Owns the parameters that stand for matrices. The matrices go to the file's memory.
class MatrixParameters {
 public:
  MatrixParameters(const std::string& trace, const trace::ParameterChoice& choice, Environment& names,
                   Definitions& definitions, FileState& file)
      : trace_(trace), choice_(choice), names_(names), definitions_(definitions), file_(file) {}

  /// Chooses where the matrix comes from, and reads or makes it: its rows, columns and entries are names from then on.
  /// Where it is not wanted, or the trace has problems, no file is read: nobody waits for a large one to see them.
  /// Throws InputError when the file cannot be read.
  void read(const MatrixSyntax& syntax, bool is_wanted);
  /// As a parameter whose words are what may be given; no file is read.
  void describe(const MatrixSyntax& syntax);
  /// Those so far, in their order. To be asked for once.
  [[nodiscard]] std::vector<trace::Parameter> take_parameters() { return std::move(parameters_); }

 private:
  /// What --param says of a matrix: the name of a file, or `random`. As everywhere, 0 is the first word: the default.
  [[nodiscard]] std::string given_source(const MatrixSyntax& syntax);

  const std::string& trace_;  ///< its path
  const trace::ParameterChoice& choice_;
  Environment& names_;
  Definitions& definitions_;
  FileState& file_;
  std::vector<trace::Parameter> parameters_;
};

}  // namespace gpusim::frontend

// SPDX-License-Identifier: MIT
// The parameters of a text trace: what each may be, and which value the choice gives it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sim/input/text/definitions.h"
#include "sim/model/trace/trace.h"

namespace gpusim::frontend {

/// Whether the choice, or the test set where it asks for that, says what the parameter is.
[[nodiscard]] bool is_given(const Syntax& syntax, const trace::ParameterChoice& choice, const std::string& parameter);
/// Whether the parameter's default is still to be filled in.
[[nodiscard]] bool is_hole(const Syntax& syntax, const std::string& parameter);

/// Owns what each word of a parameter means.
class ParameterReader {
 public:
  ParameterReader(const Syntax& syntax, const trace::ParameterChoice& choice, Environment& names,
                  Definitions& definitions, FileState& file)
      : syntax_(syntax), choice_(choice), names_(names), definitions_(definitions), file_(file) {}

  /// The parameter with its value, which its name means from now on. Reports a value that is not allowed.
  [[nodiscard]] trace::Parameter read(const ParameterSyntax& syntax);

 private:
  [[nodiscard]] std::optional<std::int64_t> test_value(const std::string& name);
  /// A word means its place in the list, whichever parameter names it.
  void define_words(const ParameterSyntax& syntax);
  /// The value that a word given from outside means.
  void choose_word(const ParameterSyntax& syntax, trace::Parameter& parameter);
  void check_range(const ParameterSyntax& syntax, trace::Parameter& parameter);
  void read_range(const ParameterSyntax& syntax, trace::Parameter& parameter);
  [[nodiscard]] std::int64_t chosen_value(const trace::Parameter& parameter) const;

  const Syntax& syntax_;
  const trace::ParameterChoice& choice_;
  Environment& names_;
  Definitions& definitions_;
  FileState& file_;
  std::map<std::string, std::int64_t> words_;
};

}  // namespace gpusim::frontend

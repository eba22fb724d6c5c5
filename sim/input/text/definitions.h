// SPDX-License-Identifier: MIT
// What the names outside kernels mean: parameters, their words, lets, and what is known of matrices. Each has one
// meaning.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "sim/input/text/environment.h"
#include "sim/input/text/file_state.h"

namespace gpusim::frontend {

/// Owns the names that stand for no value; the values are those of the environment and of the file.
class Definitions {
 public:
  Definitions(Environment& names, FileState& file) : names_(names), file_(file) {}

  /// Gives the name this value. Without one, because of a problem that was reported, its uses are not reported either.
  /// Reports a name that has a meaning already.
  void define(const Word& name, std::optional<std::int64_t> value);
  /// The name stands for a matrix, which has no value itself. False (reported) when it has a meaning already.
  [[nodiscard]] bool reserve(const Word& name);

 private:
  /// False (reported) when the name has a meaning.
  [[nodiscard]] bool is_free(const Word& name);

  Environment& names_;
  FileState& file_;
  std::set<std::string> without_value_;
};

}  // namespace gpusim::frontend

// SPDX-License-Identifier: MIT
// The files that a result is written to, besides what is printed. A form is a row of one table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/output_file.h"

namespace CLI {
class App;
}  // namespace CLI

namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats

namespace gpusim::cli {

struct OutputPath;

/// As the user gave them; empty: not wanted.
struct ResultPaths {
  std::string json;
  std::string html;
  std::string timeline;  ///< packed where it ends in ".gz"
  std::string konata;
};

/// Declares the options of all paths but that of JSON, which only a run has.
void add_result_paths(CLI::App& app, ResultPaths& paths);

/// With their options, in the order of the table.
[[nodiscard]] std::vector<OutputPath> outputs_of(const ResultPaths& paths);

class ResultFiles {
 public:
  /// Opens all files that are wanted; throws what open_outputs() does.
  explicit ResultFiles(const ResultPaths& paths);

  /// Writes them all. Logs a warning when a file does not hold all of the result.
  void commit(const stats::Result& result);

 private:
  std::vector<std::optional<OutputFile>> files_;  ///< by row of the table; empty: not wanted
};

}  // namespace gpusim::cli

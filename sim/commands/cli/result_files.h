// SPDX-License-Identifier: MIT
// The files that a result is written to, besides what is printed. A form is a row of one table.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/output_file.h"
#include "sim/commands/cli/command_set.h"
#include "sim/model/stats/result.h"

namespace gpusim::cli {

/// As the user gave them; empty: not wanted.
struct ResultPaths {
  std::string json;
  std::string html;
  std::string timeline;  ///< packed where it ends in ".gz"
  std::string konata;
};

/// Declares the options of all paths but that of JSON, which only a run has.
void add_result_paths(CLI::App& app, ResultPaths& paths);

/// Throws InputError when one of the files would replace `input`.
void refuse_to_replace(const ResultPaths& paths, const std::filesystem::path& input);

class ResultFiles {
 public:
  /// Opens all files that are wanted, so that what cannot be written is known before a long run. Throws InputError, and
  /// UsageError for '-' and for two files of one name.
  explicit ResultFiles(const ResultPaths& paths);

  /// Writes them all. Logs a warning when a file does not hold all of the result.
  void commit(const stats::Result& result);

 private:
  struct Wanted {
    std::size_t form;  ///< its row in the table
    OutputFile file;
  };
  std::vector<Wanted> wanted_;
};

}  // namespace gpusim::cli

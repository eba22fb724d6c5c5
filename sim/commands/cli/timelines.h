// SPDX-License-Identifier: MIT
// What every command offers that has a Result: why a warp waits, and its timelines as files for other programs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/output_file.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"
#include "sim/model/stats/result.h"
#include "sim/output/timeline/why.h"

namespace gpusim::cli {

struct TimelineOptions {
  std::string why;
  std::string timeline;  ///< file
  std::string konata;    ///< file
};

/// --why, --timeline and --konata.
void add_timelines(CLI::App& app, TimelineOptions& options);

/// "sm=0,warp=3,cycle=412,kernel=0": any order; sm and kernel default to 0. Throws UsageError.
[[nodiscard]] timeline::Moment parse_moment(std::string_view text);

/// How timelines look on standard output: as wide as the terminal.
[[nodiscard]] timeline::TextOptions timeline_options(const Common& common, bool details);

/// The files that are asked for. That they can be written is known before there is a Result.
class TimelineFiles {
 public:
  explicit TimelineFiles(const TimelineOptions& options);
  /// Throws InputError when one of them would replace `input`.
  void refuse_to_replace(const std::filesystem::path& input) const;
  /// Logs a warning when a file does not hold all.
  void write(const stats::Result& result);

 private:
  std::unique_ptr<OutputFile> timeline_;
  std::unique_ptr<OutputFile> konata_;
};

}  // namespace gpusim::cli

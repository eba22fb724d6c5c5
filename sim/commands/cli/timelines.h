// SPDX-License-Identifier: MIT
// What every command offers that has a Result: why a warp waits in a cycle.
#pragma once

#include <string>
#include <string_view>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"
#include "sim/output/timeline/why.h"

namespace gpusim::cli {

/// --why.
void add_why(CLI::App& app, std::string& why);
/// Throws UsageError when --why was given without a question.
void refuse_empty_why(const CLI::App& command, const std::string& why);

/// "sm=0,warp=3,cycle=412,kernel=0": any order; sm and kernel default to 0. Throws UsageError.
[[nodiscard]] timeline::Moment parse_moment(std::string_view text);

/// Throws UsageError for a format that an answer to --why does not have.
void require_answerable(const std::string& format);
/// The answer, as text or JSON. Throws as timeline::why().
[[nodiscard]] std::string answer(const stats::Result& result, const timeline::Moment& moment, const std::string& format,
                                 const Common& common);

/// How timelines look on standard output: as wide as the terminal.
[[nodiscard]] timeline::TextOptions timeline_options(const Common& common, bool details);

}  // namespace gpusim::cli

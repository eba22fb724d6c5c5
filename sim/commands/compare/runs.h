// SPDX-License-Identifier: MIT
// What is compared: "NAME:KEY=VALUE,..." taken apart, results read, pairs of architecture and trace simulated.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/stats/result.h"

namespace gpusim::cli {
struct OutputPath;
}  // namespace gpusim::cli

namespace gpusim::commands {

struct CompareOptions;

/// A name with values of its own.
struct NamedWithValues {
  std::string name;
  std::vector<std::string> values;  ///< "KEY=VALUE"
};

/// "h100:sm.count=66,dram.model=ideal". A colon belongs to the name unless what follows has KEY=VALUE.
[[nodiscard]] NamedWithValues parse_named(std::string_view text);

/// The values that hold for all, but for those that `own` has as well, and behind them its own.
[[nodiscard]] std::vector<std::string> with_own_values(const std::vector<std::string>& shared,
                                                       const std::vector<std::string>& own);

struct ComparedResult {
  std::string source;
  stats::Result result;
};

/// The files that are written.
[[nodiscard]] std::array<cli::OutputPath, 2> outputs_of(const CompareOptions& options);

/// Saved results, then every trace on every architecture. Throws InputError with what is wrong in all inputs.
[[nodiscard]] std::vector<ComparedResult> results_to_compare(const CompareOptions& options, bool show_progress);

}  // namespace gpusim::commands

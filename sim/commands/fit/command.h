// SPDX-License-Identifier: MIT
// gpusim fit: whether a model fits a GPU in training or use, and what would make it fit.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::commands {

/// Texts as they are typed; empty: not given.
struct FitOptions {
  std::string model;
  std::string gpu;
  std::vector<std::string> set;
  bool train = false;
  bool infer = false;
  std::string batch;
  std::string gpus;
  // Training.
  std::string sequence;
  std::string precision = "bf16";
  std::string recompute = "none";
  std::string optimizer = "adamw-fused";
  std::string attention = "flash";
  std::string loss = "operations";
  std::string tuning = "full";
  std::string rank;
  std::string shard;
  std::string tensor;
  std::string pipeline;
  bool sequence_parallel = false;
  bool no_dropout = false;
  // Use.
  std::string prompt;
  std::string context;
  std::string weights = "bf16";
  std::string cache = "bf16";
  std::string format = "text";
};

/// Returns the exit code, 3 where the model does not fit, and leaves errors to its caller as exceptions.
[[nodiscard]] int fit_command(const FitOptions& options, const cli::Common& common);

/// Adds the command to the program's.
void add_fit_command(cli::CommandSet& commands);

}  // namespace gpusim::commands

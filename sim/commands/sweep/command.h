// SPDX-License-Identifier: MIT
// gpusim sweep, sweep merge and sweep show: what they are asked, and what runs them.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI
namespace gpusim::cli {
class CommandSet;
struct Common;
}  // namespace gpusim::cli

namespace gpusim::commands {

/// What is kept of sweeps when no file is named.
inline constexpr const char* kDefaultSweepDatabase = "gpusim-sweep.db";

/// Where and how jobs of a sweep run on a cluster.
struct SubmitOptions {
  std::string system;  ///< "slurm"; empty: run here
  std::string shards;
  std::string partition;
  std::string account;
  std::string time;
  std::string memory;
  std::string folder;
};

struct SweepOptions {
  std::string file;  ///< a study, instead of the options down to max_cycles
  std::vector<std::string> arch;
  std::vector<std::string> trace;
  std::vector<std::string> system;  ///< systems for steps of applications, in place of arch and trace
  std::vector<std::string> app;
  std::vector<std::string> vary;
  std::vector<std::string> where;
  std::vector<std::string> set;
  std::vector<std::string> param;
  bool zip = false;
  bool one_at_a_time = false;
  std::string random;
  std::string seed;
  std::string kernel;  ///< regular expression
  std::string ctas;
  std::string cache;
  std::string max_cycles;
  bool test_params = false;

  std::string db;
  std::string kernel_times;  ///< for steps: file, or "none"; empty: the usual one
  std::string jobs;
  std::string shard;
  std::string cost;    ///< a formula
  std::string prices;  ///< NAME=USD,...
  std::string format = "text";
  bool dry_run = false;
  bool retry = false;
  bool yes = false;
  SubmitOptions submit;
};

struct SweepMergeOptions {
  std::string db = kDefaultSweepDatabase;
  std::vector<std::string> others;
};

struct SweepShowOptions {
  std::string db = kDefaultSweepDatabase;
  std::string study = "last";
  std::string trace;
  std::string format = "text";
  std::string metric = "time_us";
  std::string cost;
  std::string prices;
  std::vector<std::string> at;  ///< KEY=VALUE
  std::string knee = "50";      ///< per cent
  std::string svg;              ///< folder
  std::string html;             ///< file
  std::string result;           ///< "best", or how a point's key begins
  std::string top = "10";
};

/// Each returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int sweep_command(const SweepOptions& options, const cli::Common& common);
[[nodiscard]] int sweep_merge_command(const SweepMergeOptions& options, const cli::Common& common);
[[nodiscard]] int sweep_show_command(const SweepShowOptions& options, const cli::Common& common);

/// Adds the commands to the program's.
void add_sweep_commands(cli::CommandSet& commands);
/// Adds the one below `gpusim sweep`.
void add_sweep_show_command(cli::CommandSet& commands, CLI::App& sweep);

}  // namespace gpusim::commands

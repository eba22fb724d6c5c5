// SPDX-License-Identifier: MIT
// What the user asked for, as text: which command, with which options.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace gpusim::app {

struct RunOptions {
  std::string arch;
  std::string trace;
  std::vector<std::string> set;
  std::vector<std::string> param;
  std::string kernel;  ///< regular expression
  std::string ctas;
  std::string cache = "warm";
  std::string threads;
  std::string format = "text";
  std::string json;  ///< file
  std::string watch;
  std::string max_cycles;
  bool test_params = false;
  bool details = false;
};

enum class ArchAction : std::uint8_t { kList, kShow, kCheck, kDiff };
struct ArchOptions {
  ArchAction action = ArchAction::kList;
  std::string name;
  std::string other;  ///< of diff
  std::vector<std::string> set;
  std::string format = "text";
};

enum class TraceAction : std::uint8_t { kInfo, kCheck, kDump, kMake };
struct TraceOptions {
  TraceAction action = TraceAction::kInfo;
  std::string name;
  std::vector<std::string> param;
  bool test_params = false;
  std::string kernel;
  std::string cta;   ///< of dump: what a warp of this CTA does
  std::string warp;  ///< in the CTA
  std::string most;  ///< steps shown
  std::string format = "text";
  std::string output;  ///< of make
  bool list = false;   ///< of make
};

struct TraceImportOptions {
  std::string name;
  std::string output;  ///< file
};

struct TraceExportOptions {
  std::string name;
  std::vector<std::string> param;
  bool test_params = false;
  std::string kernel;  ///< regular expression
  std::string ctas;
  std::string output;  ///< folder
  std::string reader;  ///< "accel-sim": who must be able to read it; empty: gpusim
};

struct ReportOptions {
  std::string file;
  std::string format = "text";
  bool details = false;
};

struct OccupancyOptions {
  std::string arch;
  std::string registers;
  std::string block;
  std::string shared;  ///< "S" or "S+D"
  std::string carveout;
  std::string barriers;
  std::string cluster;
  bool opt_in = true;
  std::vector<std::string> set;
  std::string format = "text";
  std::string trace;  ///< file: its kernels instead of one launch
  std::vector<std::string> param;
  bool test_params = false;
  std::string kernel;  ///< regular expression
  std::string batch;   ///< file
  std::string output;  ///< file, of the batch
};

struct RooflineOptions {
  std::string arch;
  std::vector<std::string> set;
  std::vector<std::string> flops;  ///< one a point, as are bytes and, if any, names
  std::vector<std::string> bytes;
  std::vector<std::string> names;
  std::string type;
  bool sparse = false;
  std::string level = "dram";
  std::string clock = "vendor";
  bool operations = false;
  std::vector<std::string> shape;  ///< of the operations, in the order of roofline::shape_fields()
  std::string result;              ///< file
  std::string format = "text";
  bool details = false;
};

struct ValidateOptions {
  std::string suite;  ///< empty: all
  std::string cases;  ///< file or folder, instead of a suite
  std::string arch;
  std::string filter;     ///< regular expression
  std::string max_error;  ///< per cent
  std::string format = "text";
  std::string json;  ///< a file for the cases as JSON, beside what is printed
  bool details = false;
  bool all = false;  ///< slow cases too
};

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
  std::string jobs;
  std::string shard;
  std::string cost;  ///< a formula
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
  std::vector<std::string> at;  ///< KEY=VALUE
  std::string knee = "50";      ///< per cent
  std::string svg;              ///< folder
  std::string result;           ///< "best", or how a point's key begins
  std::string top = "10";
};

/// Text to print and be done: help, version.
struct Message {
  std::string text;
};

using AnyCommand = std::variant<RunOptions, ArchOptions, TraceOptions, TraceImportOptions, TraceExportOptions,
                                ReportOptions, OccupancyOptions, RooflineOptions, ValidateOptions, SweepOptions,
                                SweepShowOptions, SweepMergeOptions, Message>;

struct CommandLine {
  AnyCommand command;
  bool quiet = false;
  std::string colour = "auto";  ///< auto, always, never
};

/// Throws UsageError: unknown options and commands with the nearest known one, missing or malformed values.
[[nodiscard]] CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace gpusim::app

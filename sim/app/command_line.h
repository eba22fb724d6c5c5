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

enum class TraceAction : std::uint8_t { kInfo, kCheck, kDump };
struct TraceOptions {
  TraceAction action = TraceAction::kInfo;
  std::string name;
  std::vector<std::string> param;
  bool test_params = false;
  std::string kernel;
  std::string cta;   ///< of dump: what a warp of this CTA does
  std::string warp;  ///< in the CTA
  std::string most;  ///< steps shown
};

struct ReportOptions {
  std::string file;
  std::string format = "text";
  bool details = false;
};

/// What is kept of sweeps when no file is named.
inline constexpr const char* kDefaultSweepDatabase = "gpusim-sweep.db";

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
  std::string top = "10";
};

/// Text to print and be done: help, version.
struct Message {
  std::string text;
};

using AnyCommand = std::variant<RunOptions, ArchOptions, TraceOptions, ReportOptions, SweepShowOptions, Message>;

struct CommandLine {
  AnyCommand command;
  bool quiet = false;
  std::string colour = "auto";  ///< auto, always, never
};

/// Throws UsageError: unknown options and commands with the nearest known one, missing or malformed values.
[[nodiscard]] CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace gpusim::app

// SPDX-License-Identifier: MIT
// What a sweep varies, as the user wrote it: axes with their values, how they combine, conditions. Plain values; the
// command line and a study file (study_file.h) both make one, check() finds everything that is wrong with it, and
// expand.h turns it into points.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/problem.h"

namespace gpusim::sweep {

class KeyBook;

/// A varied key ("sm.count", "dram.bandwidth", "param.seq") and its items as written, blanks around them removed:
/// values ("66", "50 MiB"), factors of the base value ("1.5x"), ranges ("66..160", "1x..2x:5", "1 MiB..64 MiB:7log",
/// "66..160+33").
struct Axis {
  std::string key;
  std::vector<std::string> items;
  friend bool operator==(const Axis&, const Axis&) = default;
};

/// How the values of several axes make points, for each architecture and trace.
enum class Combination : std::uint8_t {
  kGrid,       ///< every value with every other
  kZip,        ///< the first values of all axes together, then the second ones, ...
  kRandom,     ///< so many different points of the grid, drawn with a seed
  kOneAtATime  ///< the base point, then each axis alone
};

/// "grid", "zip", "random", "one-at-a-time": the words of study files.
[[nodiscard]] std::string_view combination_name(Combination combination);

struct Study {
  std::vector<std::string> archs;   ///< names or files as the user gave them; of steps the systems
  std::vector<std::string> traces;  ///< the same; of steps the applications
  const KeyBook* keys = nullptr;    ///< keys of a study of steps; null: of kernels, which have keys of architectures
  std::vector<std::string> set;     ///< KEY=VALUE, the same for all points; the base values of factors come after them
  std::vector<std::string> param;   ///< NAME=VALUE, the same for all points
  std::vector<Axis> axes;
  Combination combination = Combination::kGrid;
  std::uint64_t random_count = 0;  ///< for kRandom: points for each architecture and trace
  std::uint64_t seed = 1;
  std::vector<std::string> where;  ///< conditions (where.h) that must all hold
  std::string cache = "warm";      ///< this and what follows: as `gpusim run` has them
  bool test_params = false;
  std::string kernel;
  std::string ctas;
  std::string max_cycles;
  friend bool operator==(const Study&, const Study&) = default;
};

/// A parameter of a trace as it was loaded.
struct Parameter {
  std::string name;
  std::int64_t value = 0;
  std::vector<std::string> words{};  ///< where its values are words: value i is called words[i]
  bool takes_file = false;           ///< any name of a file is a value, too
};
using Parameters = std::vector<Parameter>;

/// What --param is given, by name: integers, or words.
using Choices = std::vector<std::pair<std::string, std::string>>;

/// Keys that begin with this are parameters of the trace.
inline constexpr std::string_view kParamPrefix = "param.";
/// No key of an architecture's file, but --set takes it, and an architecture has it.
inline constexpr std::string_view kBandwidthKey = "dram.bandwidth";
/// Values of one axis: more are a typing error, and would take memory.
inline constexpr std::size_t kMostValues = 10'000;
inline constexpr std::size_t kMostAxes = 64;
/// Points that may run at once.
inline constexpr unsigned kMostJobs = 1024;

/// "KEY=VALUES" of --vary; throws UsageError when there is no '=', or nothing before it.
[[nodiscard]] Axis parse_axis(std::string_view text);

/// The items of "66, 99, 132..160": separated by commas, but not within the brackets of a list of sizes.
[[nodiscard]] std::vector<std::string> split_items(std::string_view text);

/// NAME=VALUE of Study::param; throws InputError with everything that is neither an integer nor a word.
[[nodiscard]] Choices fixed_parameters(const Study& study);

/// Where an option stands, for messages: ("vary", "sm.count"), ("set", "l2.bytes"), ("param", "seq"), ("where", the
/// condition), ("random", ""), ("combination", "").
using Locate = std::function<SourceLocation(std::string_view option, std::string_view word)>;

/// Places on the command line: "--vary sm.count"; "--vary" for no word.
[[nodiscard]] SourceLocation on_command_line(std::string_view option, std::string_view word);

/// Adds everything that can be known to be wrong before an architecture is read: unknown keys (with the nearest),
/// values that their key refuses, empty ranges, too many values, conditions that do not parse, contradictions.
void check(const Study& study, const Locate& locate, ProblemList& problems);

}  // namespace gpusim::sweep

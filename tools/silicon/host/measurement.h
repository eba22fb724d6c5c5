// SPDX-License-Identifier: MIT
// What an experiment says, one JSON line each: a measured value with everything needed to compare it later, or why
// there is none. README.md lists the fields.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tools/silicon/host/compare.h"
#include "tools/silicon/host/statistics.h"

namespace gpusim::silicon {

/// Tensor kernels draw less power on zeros than on random data, so they are measured with both.
enum class Input { None, Random, Zero };

/// What the caches held before the timed part: the data it touches (as far as it fits), or something else.
enum class Cache { Warm, Cold };

/// The SM clock around a measurement, as the ratio of two counters on the device; read, never set.
struct Clock {
  double mhz = 0;
  double spread_mhz = 0;  ///< between the readings before and after: large when power or heat moved the clock
};

/// How the kernel was launched; `kernel` is its symbol, which leads to its SASS.
struct LaunchFacts {
  std::string kernel;
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t cluster = 1;
  std::uint32_t dynamic_smem = 0;
  std::uint32_t static_smem = 0;
  std::uint32_t registers = 0;
  std::uint32_t local_bytes = 0;
};

using ParamValue = std::variant<std::int64_t, double, std::string>;

/// One value of a parameter that tells measurements of an experiment apart: {"warps", 4}, {"op", "FFMA"}.
struct Param {
  Param(std::string_view key_, std::integral auto value_) : key(key_), value(static_cast<std::int64_t>(value_)) {}
  Param(std::string_view key_, double value_) : key(key_), value(value_) {}
  Param(std::string_view key_, std::string_view value_) : key(key_), value(std::string(value_)) {}
  Param(std::string_view key_, const char* value_) : Param(key_, std::string_view(value_)) {}

  std::string key;
  ParamValue value;
};

using Params = std::vector<Param>;

/// The trace that runs the same kernel in the simulator, where there is one: a file of traces/ and its parameters.
struct TraceOf {
  std::string file;
  Params params;
};

struct Measurement {
  std::string metric;  ///< "latency", "bandwidth", ...: what, not how
  std::string unit;
  Summary summary;  ///< of `metric`, in `unit`
  Clock clock;
  LaunchFacts launch{};
  Params params{};
  Input input = Input::None;
  Cache cache = Cache::Warm;
  TraceOf trace{};
  std::string note{};
};

/// A SASS instruction that a kernel must consist of for its figures to mean what they claim.
struct SassExpectation {
  std::string kernel;    ///< symbol
  std::string mnemonic;  ///< "FFMA", "MUFU.EX2"; alternatives are separated by '|'
  std::uint32_t at_least = 1;
  bool between_clocks = false;  ///< count only what stands between the first and the last reading of the clock
};

/// A kernel's numbers were off: recorded instead of its timing.
struct WrongNumbers {
  std::string what;
  Params params;
  Comparison comparison;
};

/// What a process ran on; the first line of every experiment, so that files of several runs can be told apart.
struct DeviceFacts {
  std::string gpu;
  std::string compute_capability;
  std::uint32_t sms = 0;
  std::uint64_t l2_bytes = 0;
  std::string driver_version{};  ///< "580.159.04"; empty where the system does not say
  int driver = 0;                ///< CUDA version the driver supports, 1000 x major + 10 x minor
  int runtime = 0;               ///< CUDA version the program was built with
};

enum class Outcome { Ok, Skipped, Wrong, Fault };

[[nodiscard]] std::string_view to_text(Outcome outcome);

[[nodiscard]] std::string to_json(std::string_view experiment, const DeviceFacts& device);
[[nodiscard]] std::string to_json(std::string_view experiment, const Measurement& measurement);
[[nodiscard]] std::string to_json(std::string_view experiment, const SassExpectation& expectation);
[[nodiscard]] std::string to_json(std::string_view experiment, const WrongNumbers& wrong);
/// The last line of an experiment: without it the experiment counts as not run.
[[nodiscard]] std::string to_json(std::string_view experiment, Outcome outcome, std::string_view message,
                                  double seconds);

}  // namespace gpusim::silicon

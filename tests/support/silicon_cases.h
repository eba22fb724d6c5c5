// SPDX-License-Identifier: MIT
// What tools/silicon measured on a real GPU, as cases to compare a simulation with.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::test {

/// How far a measured value can be trusted. Low: shown, never counted.
enum class Confidence { Low, Medium, High };

/// One measured value and the simulation that should give it; the one schema of everything measured.
struct Case {
  std::string id;
  std::string suite;                          ///< "micro", "kernels"
  std::string gpu;                            ///< as the device calls itself
  std::string arch;                           ///< file in configs/; empty when none describes this GPU
  std::map<std::string, std::string> set;     ///< overrides of that architecture
  std::string trace;                          ///< file in traces/; empty when no trace runs this
  std::map<std::string, std::string> params;  ///< parameters of the trace
  std::string make;                           ///< what a trace would have to do, where there is none
  std::string metric;
  double measured = 0;
  std::string unit;
  double clock_mhz = 0;
  std::string cache;  ///< "cold" or "warm"
  std::string source;
  Confidence confidence = Confidence::Low;
  bool counted = false;
  std::string note;
};

/// Cases of results.jsonl, or results.jsonl.xz. Throws InputError, all problems at once, on a line that is not a
/// record: what is kept as data has been checked when it was written.
[[nodiscard]] std::vector<Case> read_silicon_cases(const std::filesystem::path& file);

/// The same from the text; `name` is for messages.
[[nodiscard]] std::vector<Case> parse_silicon_cases(std::string_view text, const std::string& name);

}  // namespace gpusim::test

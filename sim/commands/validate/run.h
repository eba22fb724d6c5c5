// SPDX-License-Identifier: MIT
// Simulates cases and compares what comes out with what was measured.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/commands/validate/case.h"
#include "sim/commands/validate/kept_values.h"
#include "sim/model/trace/trace.h"

namespace gpusim::validate {

/// A case and what became of it.
struct Outcome {
  Case of;
  std::string arch;  ///< name of the architecture, "h100"
  std::optional<double> simulated;
  double measured = 0;  ///< the measured value; of a range, the value nearest to the simulated one
  double error_pct =
      0;  ///< 100 x (simulated - measured) / measured; with 0 measured, 100 for each unit off; 0 of a word
  std::string refusal;  ///< why the case is not one that can be run: wrong input
  std::string fault;    ///< what the simulator met: it, not the case, is wrong
  [[nodiscard]] bool is_counted() const { return of.counted && simulated.has_value() && !of.is_word(); }
  [[nodiscard]] bool is_equal_word() const { return of.is_word() && simulated == of.measured.low; }
  [[nodiscard]] bool is_within() const;  ///< off by no more than the case's tolerance, or it has none
};

/// How names become files and files become traces, and whether to go on: the program's business. Where several cases
/// are simulated at a time, several threads ask.
struct Sources {
  std::function<std::filesystem::path(const std::string& name)> find_arch;
  std::vector<std::filesystem::path> arch_folders;  ///< for `extends:`
  std::function<trace::Trace(const std::string& name, const std::vector<NamedText>& params)> load_trace;
  std::function<double(const Case& of)> estimate;  ///< the value of a case that is calculated
  std::function<bool()> keep_going;                ///< asked before each case and now and then
  /// Told of each case, one after the other, in the order in which they end; may be empty.
  std::function<void(const Outcome& outcome, std::size_t done, std::size_t of)> on_outcome;
  unsigned threads = 1;    ///< shared by the simulations at a time: kernels side by side, the others with all threads
  bool slow_ones = false;  ///< whether to simulate cases that take long
  std::shared_ptr<KeptValues> kept = std::make_shared<KeptValues>();
};

/// The name of an architecture: "h100" of "configs/h100.yaml".
[[nodiscard]] std::string arch_name(const std::string& file);

/// Appends to `outcomes` in the order of the cases; fewer when keep_going says no. Cases that cannot run, slow ones
/// that are not wanted, and those with a refusal or a fault have no simulated value. Throws InputError with the
/// problems of all cases after the last, and at once what else a function of `sources` throws: what was simulated
/// before is in `outcomes`.
void run_cases(std::span<const Case> cases, const Sources& sources, std::vector<Outcome>& outcomes);

}  // namespace gpusim::validate

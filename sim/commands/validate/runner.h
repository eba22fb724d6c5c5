// SPDX-License-Identifier: MIT
// Simulates one case after the other. What cases have in common is done once: architectures are read once, and cases
// that follow one another and differ in their metric alone take theirs from one simulation.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/commands/sweep/run/key.h"
#include "sim/commands/validate/case.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/result.h"

namespace gpusim::validate {

struct Sources;

class Runner {
 public:
  /// Both must outlive it. `threads` are those of one simulation.
  Runner(const Sources& sources, unsigned threads) : sources_(sources), threads_(threads) {}

  /// The value of the case's metric. Throws InputError for what the case or its files have wrong, and whatever a
  /// simulation throws.
  [[nodiscard]] double simulate(const Case& of);

 private:
  [[nodiscard]] double value_of(const Case& of);
  /// The value of what else a case runs, at the clock that the case itself kept.
  [[nodiscard]] double value_beside(const Case& of, const Case& other, double mhz);
  /// The case's architecture at the clock of its measurement, or at the highest that it may keep.
  const arch::Arch& arch_of(const Case& of);
  const arch::Arch& arch_with(const Case& of, std::vector<NamedText> set);
  [[nodiscard]] gpu::SimulateOptions options_of(const Case& of) const;
  [[nodiscard]] double run_trace(const Case& of);
  [[nodiscard]] double run_program(const Case& of);

  const Sources& sources_;
  unsigned threads_;
  std::map<std::pair<std::string, std::vector<NamedText>>, arch::Arch> archs_;
  sweep::TraceDigester digest_of_;
  std::string latest_key_;  ///< key of the trace that was simulated last
  stats::Result latest_;
  double kept_mhz_ = 0;  ///< SM clock of the trace whose value was asked for last
};

}  // namespace gpusim::validate

// SPDX-License-Identifier: MIT
// The cost of a kernel that is simulated.
#pragma once

#include <optional>
#include <string>

#include "sim/commands/app/times/smaller.h"
#include "sim/model/trace/trace.h"
#include "sim/system/run/cost.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch

namespace gpusim::app {

class Database;

/// Warp instructions up to which a kernel is simulated whole: seconds of the host's time.
inline constexpr double kWholeWork = 4e6;
/// Those at which parts of a larger one aim.
inline constexpr double kPartWork = 3e6;

/// A trace, and what tells it from others.
struct Program {
  trace::Trace trace;
  std::string digest;
};

/// The smaller forms of a kernel, ready to be simulated.
struct SmallerPrograms {
  SmallerForms forms;
  Program larger;
  Program smaller;
};

/// A kernel on an architecture, ready to be simulated.
struct Job {
  const arch::Arch* arch = nullptr;
  std::string arch_digest;
  Program program;
  bool is_cold = false;                     ///< L2 is empty when it begins
  double work = 0;                          ///< warp instructions, about
  std::optional<SmallerPrograms> in_parts;  ///< to be run in place of the whole
  bool may_share_sms = false;               ///< whether it may run beside others, so that its time on fewer SMs counts
};

struct Answer {
  run::KernelCost cost;
  bool was_known = false;
};

/// `whole`: all CTAs, whatever the work. A kernel that may share SMs, and fills more than half of them, is simulated on
/// half as many as it fills as well, at the same clock and with the same memory, if its clusters have room there.
/// Throws what the simulation does, and cli::Interrupted.
[[nodiscard]] Answer simulate_cost(const Job& job, bool whole, Database& database);

}  // namespace gpusim::app

// SPDX-License-Identifier: MIT
// What every command is given, and how it ends.
#pragma once

#include <string>

namespace gpusim::cli {

/// What every command has.
struct Common {
  bool quiet = false;
  std::string colour = "auto";  ///< auto, always, never
  bool no_pager = false;        ///< lists are printed without a pager
};

/// Exit codes, the same for every command.
enum Exit : int {
  kDone = 0,
  kUsage = 1,         ///< wrong command line
  kBadInput = 2,      ///< a file, a trace, an architecture, an output that cannot be written
  kCannotFinish = 3,  ///< nothing can progress, or a limit was met
  kOurFault = 4,
  kMissed = 5  ///< a threshold, or a condition under which a comparison fails; beyond it: interrupt_code()
};

}  // namespace gpusim::cli

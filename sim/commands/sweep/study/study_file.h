// SPDX-License-Identifier: MIT
// A study as a YAML file: everything that `gpusim sweep` takes as options, so that a study can be kept, shared and run
// again. docs/sweeps.md describes it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/commands/sweep/study/study.h"

namespace gpusim::sweep {

class KeyBook;

/// A study, and how and with what to run it: text as its option takes it, "" where the file says nothing.
struct StudyFile {
  Study study;
  std::string db;
  std::string jobs;
  std::string cost;  ///< an expression, for the answers
  friend bool operator==(const StudyFile&, const StudyFile&) = default;
};

/// A study with the places of what it says, for problems that show later: when its architectures and traces are read.
struct LocatedStudy {
  StudyFile file;
  Locate locate;
};

/// Reads and checks. Throws InputError with every problem as file:line:column: unknown keys (with the nearest), no
/// architecture or no trace, values of the wrong form, and all that check() finds.
/// `steps` has the keys of studies of steps; without it there are none.
[[nodiscard]] LocatedStudy read_study(const std::filesystem::path& file, const KeyBook* steps = nullptr);

/// The same from text; `name` stands for the file in messages.
[[nodiscard]] StudyFile parse_study(std::string_view yaml, const std::string& name, const KeyBook* steps = nullptr);

/// A file that reads back to the same, however the study was made, if it names an architecture and a trace and check()
/// finds nothing wrong with it. Text that is not UTF-8 is excepted: YAML cannot hold it.
[[nodiscard]] std::string write_study(const StudyFile& study);

}  // namespace gpusim::sweep

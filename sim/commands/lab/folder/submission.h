// SPDX-License-Identifier: MIT
// A folder of a student, checked as a whole.
#pragma once

#include <filesystem>
#include <string>

#include "sim/commands/lab/check/attempts.h"
#include "sim/commands/lab/check/judge.h"
#include "sim/commands/lab/course/lab.h"
#include "sim/commands/lab/folder/folders.h"
#include "sim/commands/lab/run/bench.h"

namespace gpusim::lab {

/// What the folder holds. Throws InputError when its answers cannot be read, or belong to another student.
[[nodiscard]] Submission read_submission(const Lab& lab, const Student& student, const std::filesystem::path& folder);

/// Reads and judges, however long that takes on a busy machine. What was simulated is in `memory` then.
[[nodiscard]] Report check_folder(const Lab& lab, const Student& student, const std::filesystem::path& folder,
                                  Attempts& attempts, Memory& memory);

/// The same of a folder on its own, for a student who waits for it. The folder remembers what was tried, so that hints
/// become plainer from check to check. When the work passes for the first time, the discussion comes into the folder.
struct Checked {
  Report report;
  std::string not_kept;  ///< why the folder cannot be written; empty when it can
};
[[nodiscard]] Checked check_and_remember(const Lab& lab, const Student& student, const std::filesystem::path& folder,
                                         double wall_seconds = Bench::kWallSeconds);

/// A folder with the solution and the student's right answers. Files that are there are kept.
void write_solution(const Lab& lab, const Student& student, const std::filesystem::path& folder, Memory& memory,
                    Form form = Form::kTrace);

}  // namespace gpusim::lab

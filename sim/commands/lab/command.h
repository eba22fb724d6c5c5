// SPDX-License-Identifier: MIT
// Labs for students: found, started, checked, graded.
#pragma once

#include <string>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::commands {

struct LabOptions {
  std::string name;    ///< of a lab, or its folder
  std::string folder;  ///< the student's; of grading: that of all submissions
  std::string student;
  std::string again;  ///< a file to write once more
  std::string junit;  ///< a file
  bool json = false;
  bool csv = false;
  bool lint = false;
};

/// Each returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int lab_list_command(const LabOptions& options, const cli::Common& common);
[[nodiscard]] int lab_start_command(const LabOptions& options, const cli::Common& common);
[[nodiscard]] int lab_show_command(const LabOptions& options, const cli::Common& common);
[[nodiscard]] int lab_check_command(const LabOptions& options, const cli::Common& common);
[[nodiscard]] int lab_solution_command(const LabOptions& options, const cli::Common& common);
[[nodiscard]] int lab_grade_command(const LabOptions& options, const cli::Common& common);

/// Adds the commands to the program's.
void add_lab_commands(cli::CommandSet& commands);

}  // namespace gpusim::commands

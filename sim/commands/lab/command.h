// SPDX-License-Identifier: MIT
// Labs for students: found, started, checked, graded.
#pragma once

#include <filesystem>
#include <string>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/lab/check/student.h"

namespace gpusim::commands {

struct LabOptions {
  std::string name;    ///< name of a lab, or its folder
  std::string folder;  ///< the student's; of grading: that of all submissions
  std::string student;
  std::string again;  ///< a file to write once more
  std::string junit;  ///< a file
  std::string page;   ///< a file
  std::string language;
  std::string wrong;  ///< name of a typical wrong solution
  std::string wait;   ///< seconds that a run or a check may take; empty: as many as students wait for
  std::string port;   ///< port of the server; empty: any
  bool cuda = false;
  bool json = false;
  bool csv = false;
  bool lint = false;
  bool discussion = false;
};

/// The student of a folder, if one is at home there and the options name none; else of the options, or of this machine.
/// Throws UsageError when there is no name.
[[nodiscard]] lab::Student student_in(const std::filesystem::path& folder, const lab::Lab& lab,
                                      const LabOptions& options);

/// How many seconds a run or a check may take. Throws UsageError where the option is no such number.
[[nodiscard]] double wait_of(const LabOptions& options);

/// Each returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int lab_list_command(const LabOptions& options, const cli::Common& common);
[[nodiscard]] int lab_start_command(const LabOptions& options, const cli::Common& common);
[[nodiscard]] int lab_show_command(const LabOptions& options, const cli::Common& common);
[[nodiscard]] int lab_check_command(const LabOptions& options, const cli::Common& common);
[[nodiscard]] int lab_serve_command(const LabOptions& options, const cli::Common& common);
[[nodiscard]] int lab_solution_command(const LabOptions& options, const cli::Common& common);
[[nodiscard]] int lab_grade_command(const LabOptions& options, const cli::Common& common);

/// Adds the commands to the program's.
void add_lab_commands(cli::CommandSet& commands);

}  // namespace gpusim::commands

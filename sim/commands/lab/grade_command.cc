// SPDX-License-Identifier: MIT
// A folder of submissions graded.
#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/lab/check/student.h"
#include "sim/commands/lab/command.h"
#include "sim/commands/lab/grades.h"

namespace gpusim::commands {
namespace {

namespace fs = std::filesystem;

/// A submission that nobody has unpacked gets its row, too.
bool is_archive(const fs::path& file) {
  static constexpr std::array<std::string_view, 8> kEndings{".zip", ".tar", ".gz", ".tgz",
                                                            ".xz",  ".zst", ".7z", ".rar"};
  return std::ranges::find(kEndings, file.extension().string()) != kEndings.end();
}

std::vector<fs::path> submissions_in(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder / lab::kStudentFile, error)) {
    throw InputError({{folder.string(), 0, 0},
                      "has no folders to grade: it is the work of one student",
                      "`gpusim lab check` checks it; name the folder that holds it"});
  }
  std::vector<fs::path> folders;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->is_directory(error) || is_archive(at->path())) {
      folders.push_back(at->path());
    }
  }
  if (folders.empty()) {
    throw InputError({{folder.string(), 0, 0}, "has no folders to grade", "one folder a submission"});
  }
  std::ranges::sort(folders);
  return folders;
}

}  // namespace

int lab_grade_command(const LabOptions& options, const cli::Common& common) {
  const std::vector<fs::path> folders = submissions_in(options.folder);
  cli::catch_interrupt();
  lab::Grading grading;
  const std::vector<std::string> tasks = options.csv ? grading.tasks_of(folders) : std::vector<std::string>{};
  if (options.csv) {
    cli::print(lab::csv_head(tasks));
  }
  std::vector<lab::Grade> grades;
  for (const fs::path& folder : folders) {
    grading.add(folder);
    if (cli::interrupted()) {
      break;
    }
    grades.push_back(grading.grades().back());
    if (options.csv) {
      cli::print(lab::csv_row(grades.back(), tasks));  // at once: whatever ends the program leaves the rows before
    }
  }
  if (!options.csv) {
    cli::print(lab::grades_text(grades, cli::look_of(common)));
  }
  if (cli::interrupted()) {
    cli::log_warning("interrupted: the rows are those that were done");
    return cli::interrupt_code();
  }
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands

// SPDX-License-Identifier: MIT
#include "sim/commands/lab/folder/submission.h"

#include <algorithm>
#include <vector>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/commands/lab/check/handout.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/file_text.h"
#include "sim/commands/lab/course/lab_file.h"
#include "sim/commands/lab/folder/folders.h"

namespace gpusim::lab {

namespace fs = std::filesystem;

Submission read_submission(const Lab& lab, const Student& student, const fs::path& folder) {
  return {lab, student, scope_of(lab, student.seed), read_answers(folder, lab, student), digest_of_try(lab, folder)};
}

Report check_folder(const Lab& lab, const Student& student, const fs::path& folder, Attempts& attempts,
                    Memory& memory) {
  Bench bench(lab, folder, memory, Bench::kPatientSeconds);
  return judge(read_submission(lab, student, folder), attempts, bench);
}

namespace {

/// Writes the discussion where it is not there yet, and says so. In an exam there is none.
void write_discussion(const Lab& lab, const Student& student, const fs::path& folder, Report& report) {
  if (is_exam() || has_discussion(folder)) {
    return;
  }
  const std::vector<WorkFile> files = discussion_files(lab, student);
  std::for_each(files.rbegin(), files.rend(), [&folder](const WorkFile& file) { write_file(folder, file); });
  report.notes.push_back(std::string(kDiscussionFile) +
                         " says what happened, and why. In a browser, load the page again to read it.");
}

}  // namespace

Checked check_and_remember(const Lab& lab, const Student& student, const fs::path& folder, double wall_seconds) {
  Attempts attempts = Attempts::read(folder);
  Memory memory;
  Bench bench(lab, folder, memory, wall_seconds);
  Checked checked{judge(read_submission(lab, student, folder), attempts, bench), ""};
  try {
    require_no_link(folder, kAttemptsFile);
    attempts.write(folder);
    if (checked.report.passed()) {
      write_discussion(lab, student, folder, checked.report);
    }
  } catch (const InputError& error) {
    checked.not_kept = error.what();  // no reason to keep the report back
  }
  return checked;
}

void write_solution(const Lab& lab, const Student& student, const fs::path& folder, Memory& memory, Form form) {
  fs::create_directories(folder);
  const Scope scope = scope_of(lab, student.seed);
  for (const WorkFile& file : start_files(lab, student, form)) {
    const fs::path solution = lab.folder / kSolutionFolder / file.name;
    std::error_code error;
    const bool is_solved = fs::path(file.name) != kAnswersFile && fs::is_regular_file(solution, error);
    if (!fs::exists(folder / file.name, error)) {
      write_file(folder, is_solved ? WorkFile{file.name, filled_text(solution, scope)} : file);
    }
  }
  Submission submission{lab, student, scope, {}, 0};
  std::error_code error;
  if (fs::is_regular_file(lab.folder / kSolutionFolder / kAnswersFile, error)) {
    submission.answers = read_answers(lab.folder / kSolutionFolder, lab, student);  // what students choose
  }
  Bench bench(lab, folder, memory, Bench::kPatientSeconds);
  const Answers truths = true_answers(submission, bench);
  OutputFile(folder / kAnswersFile).commit(answers_text(lab, student, submission.scope, truths));
}

}  // namespace gpusim::lab

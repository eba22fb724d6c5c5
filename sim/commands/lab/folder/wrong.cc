// SPDX-License-Identifier: MIT
#include "sim/commands/lab/folder/wrong.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "sim/base/nearest.h"
#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/commands/lab/check/judge.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/lab_file.h"
#include "sim/commands/lab/folder/folders.h"
#include "sim/commands/lab/folder/submission.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;

/// Whatever students may change, in either language.
std::vector<std::string> changeable_files(const Lab& lab) {
  std::vector<std::string> files = lab.files;
  for (const CudaForm& form : lab.cuda) {
    files.insert(files.end(), {form.source, form.launch});
  }
  return files;
}

void overlay_files(const Lab& lab, const Student& student, const fs::path& wrong, const fs::path& folder) {
  const Scope scope = scope_of(lab, student.seed);
  for (const std::string& file : changeable_files(lab)) {
    std::error_code error;
    if (fs::is_regular_file(wrong / file, error)) {
      OutputFile(folder / file).commit(filled_text(wrong / file, scope));
    }
  }
}

void overlay_answers(const Lab& lab, const Student& student, const fs::path& wrong, const fs::path& folder,
                     Memory& memory) {
  std::error_code error;
  if (!fs::is_regular_file(wrong / kAnswersFile, error)) {
    return;
  }
  Submission submission = read_submission(lab, student, folder);
  Bench bench(lab, folder, memory, Bench::kPatientSeconds);
  for (const auto& [key, answer] : read_answers(wrong, lab, student)) {
    const bool is_option = lab.task(key)->is_choice();  // not a difference, where it has a hyphen
    submission.answers[key] = {is_option ? answer.text : worked_out(submission, bench, answer.text), {}};
  }
  OutputFile(folder / kAnswersFile).commit(answers_text(lab, student, submission.scope, submission.answers));
}

}  // namespace

std::vector<std::string> wrong_names(const Lab& lab) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(lab.folder / kWrongFolder, error), end; !error && at != end; at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

fs::path wrong_folder(const Lab& lab, const std::string& name) {
  const std::vector<std::string> names = wrong_names(lab);
  if (std::ranges::find(names, name) == names.end()) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    throw UsageError("--wrong: the lab '" + lab.name + "' has no wrong solution '" + name + "' (" +
                     suggestion(name, known) + ")");
  }
  return lab.folder / kWrongFolder / name;
}

bool is_wrong_for(const Student& student, const Lab& lab, const fs::path& wrong) {
  const fs::path file = wrong / kExpectFile;
  const Expected expected = read_expected(file);
  return !expected.when || scope_of(lab, student.seed).holds(*expected.when, file.string());
}

bool is_wrong_in_cuda(const Lab& lab, const fs::path& wrong) {
  return std::ranges::any_of(lab.cuda, [&wrong](const CudaForm& form) { return fs::exists(wrong / form.source); });
}

void write_wrong(const Lab& lab, const Student& student, const fs::path& wrong, const fs::path& folder,
                 Memory& memory) {
  write_solution(lab, student, folder, memory);
  overlay_files(lab, student, wrong, folder);
  overlay_answers(lab, student, wrong, folder, memory);
}

}  // namespace gpusim::lab

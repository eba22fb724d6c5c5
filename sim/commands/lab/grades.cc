// SPDX-License-Identifier: MIT
#include "sim/commands/lab/grades.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/lab/folder/folders.h"
#include "sim/commands/lab/folder/submission.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestRemark = 300;

void remark(Grade& grade, const std::string& text) {
  std::string line = text;
  std::ranges::replace(line, '\n', ' ');
  grade.remark += (grade.remark.empty() ? "" : "; ") + printable(clipped(line, kLongestRemark));
}

/// A cell that spreadsheets neither split nor take for a formula.
std::string safe_cell(const std::string& text) {
  const bool is_formula = !text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos;
  return csv_cell(is_formula ? "'" + text : text);
}

std::string standing_in(const Grade& grade, const std::string& task) {
  const auto found = std::ranges::find(grade.tasks, task, &std::pair<std::string, Standing>::first);
  return found == grade.tasks.end() ? "" : std::string(standing_name(found->second));
}

/// The first file that students change and that is missing; empty when all are there.
std::string first_missing(const Lab& lab, const fs::path& folder) {
  const auto is_missing = [&](const std::string& file) {
    std::error_code error;
    const CudaForm* const form = lab.cuda_of(file);
    return !fs::is_regular_file(folder / file, error) &&
           (form == nullptr || !fs::is_regular_file(folder / form->source, error));
  };
  const auto found = std::ranges::find_if(lab.files, is_missing);
  return found == lab.files.end() ? "" : *found;
}

}  // namespace

const Lab& Grading::lab_of(const std::string& name) {
  const auto known = labs_.find(name);
  return known != labs_.end() ? known->second : labs_.emplace(name, lab_called(name)).first->second;
}

std::vector<std::string> Grading::tasks_of(const std::vector<fs::path>& folders) {
  std::vector<std::string> tasks;
  for (const fs::path& folder : folders) {
    try {
      for (const Task& task : lab_of(read_student(folder).lab).tasks) {
        if (std::ranges::find(tasks, task.key) == tasks.end()) {
          tasks.push_back(task.key);
        }
      }
    } catch (const InputError&) {
      // Its row says why.
    } catch (const fs::filesystem_error&) {
      // The same.
    }
  }
  return tasks;
}

void Grading::check(const fs::path& folder, Grade& grade) {
  grade.student = read_student(folder);
  const Lab& lab = lab_of(grade.student.lab);
  grade.of_points = lab.points();
  grade.files_digest = digest_of_files(lab, folder);
  const std::string missing = first_missing(lab, folder);
  grade.is_own_work =
      !lab.files.empty() && missing.empty() && grade.files_digest != digest_of_start(lab, grade.student);
  Attempts none;
  const Report report = check_folder(lab, grade.student, folder, none, memory_);
  grade.points = report.points();
  grade.passed = report.passed();
  for (const Verdict& verdict : report.verdicts) {
    grade.tasks.emplace_back(verdict.task->key, verdict.standing);
  }
  for (const std::string& problem : report.problems) {
    remark(grade, problem);
  }
  if (!missing.empty() && report.problems.empty()) {
    remark(grade, missing + " is missing");
  }
}

void Grading::add(const fs::path& folder) {
  Grade grade;
  grade.folder = folder.filename().string();
  try {
    check(folder, grade);
  } catch (const InputError& error) {
    remark(grade, error.what());
  } catch (const fs::filesystem_error& error) {
    remark(grade, error.what());
  }
  mark_equal(grade);
  grades_.push_back(std::move(grade));
}

void Grading::mark_equal(Grade& grade) const {
  for (const Grade& first : grades_) {
    const bool same_lab = !first.student.lab.empty() && first.student.lab == grade.student.lab;
    const bool same_student = same_lab && first.student.id == grade.student.id;
    const bool same_files = same_lab && grade.is_own_work && first.files_digest == grade.files_digest;
    if (same_student || same_files) {
      remark(grade, (same_student ? "same student as " : "same files as ") + first.folder);
      return;
    }
  }
}

std::string csv_head(const std::vector<std::string>& tasks) {
  std::string out = "folder,student,lab,seed,points,of_points,passed";
  for (const std::string& task : tasks) {
    out += "," + safe_cell(task);
  }
  return out + ",remark\r\n";
}

std::string csv_row(const Grade& grade, const std::vector<std::string>& tasks) {
  std::string out = fmt::format("{},{},{},{},{},{},{}", safe_cell(grade.folder), safe_cell(grade.student.id),
                                safe_cell(grade.student.lab), grade.student.seed, grade.points, grade.of_points,
                                grade.passed ? "yes" : "no");
  for (const std::string& task : tasks) {
    out += "," + standing_in(grade, task);
  }
  return out + "," + safe_cell(grade.remark) + "\r\n";
}

std::string grades_text(const std::vector<Grade>& grades, const layout::Look& look) {
  layout::Table table("LLlrlL", {"folder", "student", "lab", "points", "passed", "remark"});
  for (const Grade& grade : grades) {
    table.add({printable(grade.folder), printable(grade.student.id), printable(grade.student.lab),
               fmt::format("{}/{}", grade.points, grade.of_points), grade.passed ? "yes" : "no", grade.remark});
  }
  const auto passed = std::ranges::count(grades, true, &Grade::passed);
  return table.to_text(look) + fmt::format("\n{} of {} passed\n", passed, counted(grades.size(), "submission"));
}

}  // namespace gpusim::lab

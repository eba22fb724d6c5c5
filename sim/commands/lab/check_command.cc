// SPDX-License-Identifier: MIT
// A student's folder checked, or a lab itself.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/code/compile/compile.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/lab/check/report.h"
#include "sim/commands/lab/command.h"
#include "sim/commands/lab/course/lab_file.h"
#include "sim/commands/lab/folder/folders.h"
#include "sim/commands/lab/folder/submission.h"
#include "sim/commands/lab/lint.h"

namespace gpusim::commands {
namespace {

namespace fs = std::filesystem;

int lint_lab(const std::string& name) {
  const lab::Lab lab = lab::find_lab(name);
  if (!lab.cuda.empty() && !compile::can_compile(compile::Places::of_machine())) {
    cli::log_warning(lab.name + ": no nvcc is here, so its CUDA is not checked");
  }
  const std::vector<std::string> problems = lab::lint(lab);
  for (const std::string& problem : problems) {
    cli::log_error(lab.name + ": " + problem);
  }
  cli::print(problems.empty() ? lab.name + " is fit for students\n" : counted(problems.size(), "problem") + "\n");
  return problems.empty() ? cli::Exit::kDone : cli::Exit::kMissed;
}

/// For programs, which read what was written and not the message: work that cannot be checked is not right.
void write_refusal(const InputError& error, const LabOptions& options, OutputFile* junit) {
  const std::vector<std::string> problems = told(error.problems());
  if (junit != nullptr) {
    junit->commit(lab::refusal_junit(problems));
  }
  if (options.json) {
    cli::print(lab::refusal_json(problems));
  }
}

int tell(const lab::Checked& checked, const LabOptions& options, OutputFile* junit, const cli::Common& common) {
  const lab::Report& report = checked.report;
  if (!checked.not_kept.empty()) {
    cli::log_warning("hints will not become plainer, and no discussion comes: " + checked.not_kept);
  }
  if (junit != nullptr) {
    junit->commit(lab::report_junit(report));
  }
  cli::print(options.json ? lab::report_json(report) : lab::report_text(report, cli::look_of(common)));
  return report.is_broken ? cli::Exit::kBadInput : report.passed() ? cli::Exit::kDone : cli::Exit::kMissed;
}

}  // namespace

int lab_check_command(const LabOptions& options, const cli::Common& common) {
  const fs::path folder = options.folder.empty() ? fs::path(".") : fs::path(options.folder);
  if (options.lint) {
    return lint_lab(options.folder.empty() ? "." : options.folder);
  }
  const auto junit = options.junit.empty() ? nullptr : std::make_unique<OutputFile>(options.junit);
  lab::Lab lab;  // the report refers to it
  lab::Checked checked;
  try {
    const lab::Student student = lab::read_student(folder);
    lab = lab::translated(lab::lab_called(student.lab), student.language);
    checked = lab::check_and_remember(lab, student, folder, wait_of(options));
  } catch (const InputError& error) {
    write_refusal(error, options, junit.get());
    throw;
  }
  return tell(checked, options, junit.get(), common);
}

}  // namespace gpusim::commands

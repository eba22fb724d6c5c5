// SPDX-License-Identifier: MIT
#include "sim/commands/lab/lint.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/temporary_folder.h"
#include "sim/base/text.h"
#include "sim/code/compile/compile.h"
#include "sim/commands/lab/check/judge.h"
#include "sim/commands/lab/copies.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/file_text.h"
#include "sim/commands/lab/course/lab_file.h"
#include "sim/commands/lab/folder/folders.h"
#include "sim/commands/lab/folder/submission.h"
#include "sim/commands/lab/folder/wrong.h"
#include "sim/commands/lab/run/bench.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;

/// A lab is tried with the parameters of these.
constexpr std::array kStudents{"ada", "grace", "alan"};
constexpr std::size_t kLeastWrong = 5;
/// At most one copied solution in so many may pass: answers that are passed on are of no use.
constexpr std::size_t kCopiesForOnePass = 30;
/// Four pages.
constexpr std::size_t kMostWords = 2000;
constexpr std::size_t kMostLines = 200;
constexpr const char* kHandoutFile = "handout.md";
/// A general hint leads on, the next one says more.
constexpr std::size_t kLeastHints = 2;
constexpr std::array kSections{"## Goals", "## Predict",    "## Experiment", "## Change",
                               "## Check", "## Discussion", "## Sources"};

std::size_t sections_in(const std::string& handout) {
  std::size_t count = 0;
  for (std::size_t at = handout.find("\n## "); at != std::string::npos; at = handout.find("\n## ", at + 1)) {
    ++count;
  }
  return count;
}

class Linter {
 public:
  Linter(const Lab& lab, Memory& memory) : lab_(lab), memory_(memory) {}

  std::vector<std::string> run() {
    check_handout();
    check_hints();
    check_measured();
    for (const char* const name : kStudents) {
      const Student student = student_of(lab_, name);
      check_solution(student, Form::kTrace);
      check_start(student, Form::kTrace);
    }
    if (has_cuda_) {
      const Student student = student_of(lab_, kStudents.front());
      check_solution(student, Form::kCuda);
      check_start(student, Form::kCuda);
    }
    check_wrong_ones();
    if (lab_.language.empty()) {
      check_copies();
    }
    return std::move(problems_);
  }

 private:
  void check_handout();
  void check_sections(const std::string& text);
  void check_links(const std::string& text);
  void check_hints();
  void check_measured();
  void check_solution(const Student& student, Form form);
  void check_start(const Student& student, Form form);
  void check_mistakes(const Student& student, const fs::path& solved);
  void check_wrong_ones();
  void check_wrong_of_all(const std::string& name);
  void check_copies();
  void check_wrong(const Student& student, const fs::path& wrong);
  void add(std::string problem) { problems_.push_back(std::move(problem)); }

  const Lab& lab_;
  Memory& memory_;
  /// Whether there is CUDA, and a compiler for it.
  bool has_cuda_ = !lab_.cuda.empty() && compile::can_compile(compile::Places::of_machine());
  std::vector<std::string> problems_;
};

void Linter::check_handout() {
  const std::string text = text_of(lab_.handout_file());
  const std::string name = lab_.handout_file().filename().string();
  std::istringstream words(text);
  std::size_t count = 0;
  for (std::string word; words >> word;) {
    ++count;
  }
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  if (count > kMostWords || lines > kMostLines) {
    add(fmt::format("{} has {} words in {} lines; four pages are {} words in {} lines", name, count, lines, kMostWords,
                    kMostLines));
  }
  check_links(text);
  if (lab_.language.empty()) {
    check_sections(text);
    return;
  }
  const std::size_t own = sections_in(text);
  const std::size_t original = sections_in(text_of(lab_.folder / kHandoutFile));
  if (own != original) {
    add(fmt::format("{} has {} sections, {} has {}", name, own, kHandoutFile, original));
  }
}

void Linter::check_sections(const std::string& text) {
  for (const char* const section : kSections) {
    if (text.find(std::string("\n") + section) == std::string::npos) {
      add(fmt::format("{} lacks the section '{}'", kHandoutFile, section));
    }
  }
}

/// Links lead to the web, to a picture of the lab, or to a document beside the labs: of that students get the name.
void Linter::check_links(const std::string& text) {
  for (std::size_t at = text.find("]("); at != text.npos; at = text.find("](", at + 1)) {
    const std::string link = text.substr(at + 2, text.find(')', at) - at - 2);
    const fs::path file = lab_.folder / link.substr(0, link.find('#'));
    const bool is_known_place = link.starts_with(std::string(kPicturesFolder) + "/") || link.starts_with("../");
    std::error_code error;
    if (!link.starts_with("https://") && (!is_known_place || !fs::is_regular_file(file, error))) {
      add(fmt::format("{} has a link to '{}', which leads nowhere", lab_.handout_file().filename().string(), link));
    }
  }
}

void Linter::check_hints() {
  for (const Task& task : lab_.tasks) {
    const std::size_t hints = lab_.text.of(task.key).hints.size();
    if (task.kind != TaskKind::kPredict && task.kind != TaskKind::kSetting && hints < kLeastHints) {
      add(fmt::format("the task '{}' has {}, not {}: the first leads on, the next says more", task.key,
                      counted(hints, "general hint"), kLeastHints));
    }
  }
}

/// A run of a student's trace that a metric judges has to be one whose work is compared: a kernel may know by its
/// parameters which run it is in.
void Linter::check_measured() {
  const auto is_compared = [this](const std::string& run) {
    return std::ranges::any_of(lab_.tasks, [&run](const Task& task) {
      return task.kind == TaskKind::kWork && (task.run == run || task.timed == run);
    });
  };
  for (const Task& task : lab_.tasks) {
    std::set<std::string> reported;
    for (const std::string& name : task.kind == TaskKind::kMetric ? task.value->names() : std::vector<std::string>{}) {
      const Run* const run = lab_.run(name.substr(0, name.find('.')));
      const bool is_open = run != nullptr && lab_.is_of_student(run->trace) && !is_compared(run->name);
      if (is_open && reported.insert(run->name).second) {
        add(fmt::format("the task '{}' measures the run '{}', whose work no task compares, as its 'run' or as 'timed'",
                        task.key, run->name));
      }
    }
  }
}

void Linter::check_solution(const Student& student, Form form) {
  const TemporaryFolder folder;
  write_solution(lab_, student, folder.path(), memory_, form);
  Attempts none;
  const Report report = check_folder(lab_, student, folder.path(), none, memory_);
  for (const Verdict& verdict : report.verdicts) {
    if (verdict.standing != Standing::kRight) {
      add(fmt::format("the solution{} does not pass for the student '{}': {} is {}. {} {}",
                      form == Form::kCuda ? " in CUDA" : "", student.id, verdict.task->key,
                      standing_name(verdict.standing), verdict.note, verdict.hint));
    }
  }
  problems_.insert(problems_.end(), report.problems.begin(), report.problems.end());
  check_mistakes(student, folder.path());
}

/// A known wrong answer must not be taken for a right one.
void Linter::check_mistakes(const Student& student, const fs::path& solved) {
  for (const Task& task : lab_.tasks) {
    for (const NamedFormula& mistake : task.kind == TaskKind::kNumber ? task.mistakes : std::vector<NamedFormula>{}) {
      Submission submission = read_submission(lab_, student, solved);
      Bench bench(lab_, solved, memory_, Bench::kPatientSeconds);
      submission.answers[task.key] = {worked_out(submission, bench, mistake.formula.text()), {}};
      Attempts none;
      const Report report = judge(std::move(submission), none, bench);
      const auto verdict = std::ranges::find(report.verdicts, &task, &Verdict::task);
      if (verdict->standing == Standing::kRight || verdict->hint_key != mistake.key) {
        add(fmt::format("for the student '{}' the mistake '{}' of '{}' is taken for {}", student.id, mistake.key,
                        task.key, verdict->standing == Standing::kRight ? "right" : "'" + verdict->hint_key + "'"));
      }
    }
  }
}

/// With right answers alone nobody passes where there is something to change.
void Linter::check_start(const Student& student, Form form) {
  const TemporaryFolder folder;
  for (const WorkFile& file : start_files(lab_, student, form)) {
    write_file(folder.path(), file);
  }
  Attempts none;
  if (check_folder(lab_, student, folder.path(), none, memory_).passed()) {
    add(fmt::format("the unmodified start passes for the student '{}'", student.id));
  }
  if (!lab_.files.empty()) {
    write_solution(lab_, student, folder.path(), memory_);  // the answers; files that are there stay
    if (check_folder(lab_, student, folder.path(), none, memory_).passed()) {
      add(fmt::format("the start passes with right answers alone for the student '{}'", student.id));
    }
  }
}

void Linter::check_wrong(const Student& student, const fs::path& wrong) {
  const Expected expected = read_expected(wrong / kExpectFile);
  const TemporaryFolder folder;
  write_wrong(lab_, student, wrong, folder.path(), memory_);
  Attempts none;
  const Report report = check_folder(lab_, student, folder.path(), none, memory_);
  const auto verdict = std::ranges::find_if(
      report.verdicts, [&expected](const Verdict& each) { return each.task->key == expected.task; });
  const std::string name = std::string(kWrongFolder) + "/" + wrong.filename().string();
  if (verdict == report.verdicts.end()) {
    add(name + " expects the task '" + expected.task + "', which there is not");
  } else if (verdict->standing != Standing::kNotYet || verdict->hint_key != expected.hint) {
    add(fmt::format("{}, for the student '{}': '{}' is {} with the hint '{}', not with '{}'. {}", name, student.id,
                    expected.task, standing_name(verdict->standing), verdict->hint_key, expected.hint, verdict->note));
    problems_.insert(problems_.end(), report.problems.begin(), report.problems.end());
  }
}

/// What is wrong for one student may be right for another, whose parameters differ.
void Linter::check_wrong_of_all(const std::string& name) {
  const fs::path wrong = wrong_folder(lab_, name);
  bool is_wrong = false;
  for (const char* const id : kStudents) {
    const Student student = student_of(lab_, id);
    if (is_wrong_for(student, lab_, wrong)) {
      is_wrong = true;
      check_wrong(student, wrong);
    }
  }
  if (!is_wrong) {
    add(fmt::format("{}/{} is wrong for none of {}", kWrongFolder, name, fmt::join(kStudents, ", ")));
  }
}

void Linter::check_wrong_ones() {
  const std::vector<std::string> names = wrong_names(lab_);
  for (const std::string& name : names) {
    if (has_cuda_ || !is_wrong_in_cuda(lab_, wrong_folder(lab_, name))) {
      check_wrong_of_all(name);
    }
  }
  if (names.size() < kLeastWrong) {
    add(fmt::format("{}/ has {} wrong solutions, not {}", kWrongFolder, names.size(), kLeastWrong));
  }
}

void Linter::check_copies() {
  const Copies copies = try_copies(lab_, memory_);
  if (copies.passed * kCopiesForOnePass > copies.tried) {
    add(fmt::format("of {} solutions of another student {} pass, such as: {}. Draw more, or ask for what depends on it",
                    copies.tried, copies.passed, copies.example));
  }
}

}  // namespace

std::vector<std::string> lint(const Lab& lab) {
  Memory memory;
  std::vector<std::string> problems = Linter(lab, memory).run();
  for (const std::string& language : translations_of(lab)) {
    const Lab translation = translated(lab, language);
    for (const std::string& problem : Linter(translation, memory).run()) {
      problems.push_back(language + ": " + problem);
    }
  }
  return problems;
}

}  // namespace gpusim::lab

// SPDX-License-Identifier: MIT
#include "sim/commands/lab/check/student.h"

#include <algorithm>
#include <cmath>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/lab_file.h"
#include "sim/commands/lab/course/yaml_map.h"
#include "sim/model/arch/value.h"
#include "sim/output/text/layout.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;
using arch::in_quotes;

constexpr std::string_view kStudentSchema = "gpusim.lab-student/1";
constexpr std::size_t kCommentWidth = 98;

/// A text as lines of comment.
std::string commented(const std::string& text, std::size_t indent = 0) {
  std::string out;
  std::string lines = layout::wrapped(text, indent, kCommentWidth);
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    out += "# " + lines.substr(0, end) + "\n";
    lines.erase(0, end == std::string::npos ? end : end + 1);
  }
  return out;
}

}  // namespace

Student student_of(const Lab& lab, const std::string& id) {
  return {lab.name, id, seed_of(lab.name, id), lab.language};
}

std::string student_text(const Lab& lab, const Student& student) {
  std::string out = "# Whose work this is. gpusim lab check compares the seed with the name: leave both as they are.\n";
  out += "schema: " + std::string(kStudentSchema) + "\n";
  out += "lab: " + arch::double_quoted(student.lab) + "\n";
  out += "student: " + arch::double_quoted(student.id) + "\n";
  out += "seed: " + std::to_string(student.seed) + "\n";
  out += student.language.empty() ? "" : "language: " + arch::double_quoted(student.language) + "\n";
  if (!lab.parameters.empty()) {
    out += "# Drawn for you, to be read: the check draws them again.\nparameters:\n";
  }
  const std::vector<Setting> drawn = draw(lab, student.seed);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (lab.parameters[i].with.empty()) {  // the others follow, and may be part of an answer
      out += "  " + drawn[i].first + ": " + arch::double_quoted(drawn[i].second) + "\n";
    }
  }
  return out;
}

Student read_student(const fs::path& folder) {
  const fs::path file = folder / kStudentFile;
  std::error_code error;
  if (fs::is_regular_file(folder, error)) {
    throw InputError({{folder.string(), 0, 0}, "is a file, not the folder of a lab", "unpack it, if it is an archive"});
  }
  if (!fs::exists(file, error)) {
    throw InputError({{file.string(), 0, 0},
                      "is missing: " + in_quotes(folder.string()) + " is not a folder of a lab",
                      "gpusim lab start NAME makes one; gpusim lab list names the labs"});
  }
  Student student;
  std::string seed;
  SourceLocation seed_at{file.string(), 0, 0};
  YamlMapReader yaml(file.string());
  yaml.read_file(file, "the file that says whose work this is",
                 {{"schema", [](const YamlItem&) {}},
                  {"lab", [&](const YamlItem& item) { student.lab = yaml.text(item); }},
                  {"student", [&](const YamlItem& item) { student.id = yaml.text(item); }},
                  {"seed",
                   [&](const YamlItem& item) {
                     seed = yaml.text(item);
                     seed_at = yaml.place(item.value);
                   }},
                  {"language", [&](const YamlItem& item) { student.language = yaml.text(item); }},
                  {"parameters", [](const YamlItem&) {}}});
  if (student.lab.empty() || student.id.empty()) {
    throw InputError({{file.string(), 0, 0}, "lacks 'lab' or 'student'", "gpusim lab start writes this file"});
  }
  student.seed = seed_of(student.lab, student.id);
  if (seed != std::to_string(student.seed)) {
    throw InputError({seed_at,
                      "this work belongs to another student: the seed " + in_quotes(seed) + " is not that of " +
                          in_quotes(student.id) + ", " + std::to_string(student.seed),
                      "gpusim lab start " + printable(student.lab) + " --student with your own name gives you yours"});
  }
  return student;
}

std::optional<double> Answer::number() const {
  std::string plain = text;
  if (plain.ends_with('%')) {
    plain.pop_back();
  }
  plain.erase(plain.find_last_not_of(' ') + 1);
  if (plain.find('.') == std::string::npos && std::ranges::count(plain, ',') == 1 &&
      plain.size() - plain.find(',') != 4) {
    std::ranges::replace(plain, ',', '.');  // 4,2 as some languages write it, but not 65,536
  }
  std::erase(plain, ',');
  try {
    const Formula formula = Formula::number("", plain);
    const double value = formula.names().empty() ? formula.value({}) : std::nan("");
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::string answers_text(const Lab& lab, const Student& student, const Scope& scope, const Answers& answers) {
  std::string out = "# Your answers to '" + lab.text.title +
                    "'. Write each behind its colon; gpusim lab check\n# reads this file. Numbers may be sums such as "
                    "4 * 32 / 128.\n\n";
  out += "seed: " + std::to_string(student.seed) + "  # whose answers these are; leave it\n";
  const std::string file = lab.text_file().string();
  for (const Task& task : lab.tasks) {
    if (!task.is_answered()) {
      continue;
    }
    const TaskText& text = lab.text.of(task.key);
    out += "\n" + commented(scope.filled(text.question, file));
    for (const std::string& option : task.options) {
      const auto what = text.options.find(option);
      out += commented(option + ": " + (what == text.options.end() ? "" : scope.filled(what->second, file)), 2);
    }
    const auto answer = answers.find(task.key);
    out += task.key + ":" + (answer == answers.end() ? "" : " " + arch::double_quoted(answer->second.text)) + "\n";
  }
  return out;
}

Answers read_answers(const fs::path& folder, const Lab& lab, const Student& student) {
  const fs::path file = folder / kAnswersFile;
  std::error_code error;
  if (!fs::exists(file, error)) {
    throw InputError(
        {{file.string(), 0, 0},
         "is missing",
         "gpusim lab start " + lab.name + " " + folder.string() + " --again " + kAnswersFile + " writes it once more"});
  }
  Answers answers;
  YamlMapReader yaml(file.string());
  std::vector<std::string_view> keys{"seed"};
  for (const Task& task : lab.tasks) {
    if (task.is_answered()) {
      keys.push_back(task.key);
    }
  }
  std::string why;
  const std::optional<std::string> text = arch::read_yaml_text(file, why);
  if (!text) {
    throw InputError({{file.string(), 0, 0}, why, ""});
  }
  yaml.read_all_of(*text, "a map of answers", [&](const YamlItem& item) {
    if (std::ranges::find(keys, item.name) == keys.end()) {
      yaml.add(item.key, "no question is called " + in_quotes(item.name), suggestion(item.name, keys));
    } else if (!item.value.is_null()) {
      answers[item.name] = {yaml.text(item), yaml.place(item.value)};
    }
  });
  const auto seed = answers.find("seed");
  if (seed != answers.end() && seed->second.text != std::to_string(student.seed)) {
    throw InputError({seed->second.where,
                      "these answers belong to another student: their seed is " + in_quotes(seed->second.text) +
                          ", that of " + in_quotes(student.id) + " is " + std::to_string(student.seed),
                      "questions have other answers for each student"});
  }
  answers.erase("seed");
  return answers;
}

void set_chosen(const Lab& lab, const Answers& answers, Scope& scope) {
  for (const Task& task : lab.tasks) {
    const auto answer = answers.find(task.key);
    if (task.kind == TaskKind::kSetting && answer != answers.end() && answer->second.number()) {
      scope.set(std::string(kAnswers) + task.key, *answer->second.number());
    }
  }
}

}  // namespace gpusim::lab

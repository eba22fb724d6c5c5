// SPDX-License-Identifier: MIT
#include "sim/commands/lab/course/text_file.h"

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/commands/lab/course/lab_file.h"
#include "sim/commands/lab/course/yaml_map.h"

namespace gpusim::lab {
namespace {

/// Wants a sentence for everything that lab.yaml names.
class TextReader {
 public:
  TextReader(Lab& lab, const std::string& name) : lab_(lab), yaml_(name) {}
  void read(const std::filesystem::path& file);

 private:
  void take_task(const YamlItem& item);
  void take_sentences(const YamlItem& item, std::map<std::string, std::string, std::less<>>& into,
                      const std::vector<std::string_view>& known);
  void check_task(const YamlItem& item, const Task& task, const TaskText& text);

  Lab& lab_;
  YamlMapReader yaml_;
};

std::vector<std::string_view> keys_of(const std::vector<NamedFormula>& formulas) {
  std::vector<std::string_view> keys;
  for (const NamedFormula& formula : formulas) {
    keys.push_back(formula.key);
  }
  return keys;
}

/// The names under which a task may have hints of mistakes.
std::vector<std::string_view> mistakes_of(const Task& task) {
  if (task.kind == TaskKind::kWork) {
    return {kWorkMistakes.begin(), kWorkMistakes.end()};
  }
  if (task.kind == TaskKind::kMachine) {
    return {kMachineMistakes.begin(), kMachineMistakes.end()};
  }
  return task.is_choice() ? std::vector<std::string_view>(task.options.begin(), task.options.end())
                          : keys_of(task.mistakes);
}

void TextReader::take_sentences(const YamlItem& item, std::map<std::string, std::string, std::less<>>& into,
                                const std::vector<std::string_view>& known) {
  yaml_.take_all(item.value, "'" + item.name + "'", [&](const YamlItem& sentence) {
    yaml_.refuse_unless_one_of(sentence.key, "a key of '" + item.name + "'", sentence.name, known);
    into[sentence.name] = yaml_.text(sentence);
  });
}

void TextReader::check_task(const YamlItem& item, const Task& task, const TaskText& text) {
  if (text.question.empty()) {
    yaml_.add(item.key, "the task '" + task.key + "' lacks its 'question'", "what the student is to do or to answer");
  }
  if (text.hints.empty() && task.kind != TaskKind::kPredict && task.kind != TaskKind::kSetting) {
    yaml_.add(item.key, "the task '" + task.key + "' lacks 'hints'", "first one that leads on, then a plainer one");
  }
  if (text.found.empty() == (task.kind == TaskKind::kMetric)) {
    yaml_.add(
        item.key,
        "the task '" + task.key + (text.found.empty() ? "' lacks 'found'" : "' has 'found', but it is not a metric"),
        "what was measured, such as  It takes {{student.time_us}} us.");
  }
  for (const NamedFormula& mistake : task.mistakes) {
    if (!text.mistakes.contains(mistake.key)) {
      yaml_.add(item.key, "the mistake '" + mistake.key + "' of '" + task.key + "' has no hint");
    }
  }
  for (const std::string& option : task.options) {
    if (!text.options.contains(option)) {
      yaml_.add(item.key, "the option '" + option + "' of '" + task.key + "' has no sentence");
    }
  }
}

void TextReader::take_task(const YamlItem& item) {
  const Task* const task = lab_.task(item.name);
  if (task == nullptr) {
    std::vector<std::string_view> known;
    for (const Task& each : lab_.tasks) {
      known.push_back(each.key);
    }
    yaml_.refuse_unless_one_of(item.key, "a task", item.name, known);
    return;
  }
  TaskText text;
  yaml_.take(item.value, "the text of a task",
             {{"question", [&](const YamlItem& field) { text.question = yaml_.text(field); }},
              {"right", [&](const YamlItem& field) { text.right = yaml_.text(field); }},
              {"found", [&](const YamlItem& field) { text.found = yaml_.text(field); }},
              {"hints", [&](const YamlItem& field) { text.hints = yaml_.texts(field); }},
              {"mistakes", [&](const YamlItem& field) { take_sentences(field, text.mistakes, mistakes_of(*task)); }},
              {"options", [&](const YamlItem& field) {
                 take_sentences(field, text.options, {task->options.begin(), task->options.end()});
               }}});
  check_task(item, *task, text);
  lab_.text.tasks[item.name] = std::move(text);
}

void TextReader::read(const std::filesystem::path& file) {
  yaml_.read_file(file, "the sentences of a lab",
                  {{"title", [this](const YamlItem& item) { lab_.text.title = yaml_.text(item); }},
                   {"summary", [this](const YamlItem& item) { lab_.text.summary = yaml_.text(item); }},
                   {"tasks", [this](const YamlItem& item) {
                      yaml_.take_all(item.value, "'tasks'", [this](const YamlItem& task) { take_task(task); });
                    }}});
  for (const Task& task : lab_.tasks) {
    if (!lab_.text.tasks.contains(task.key)) {
      yaml_.add({{file.string(), 0, 0}, "has no sentences of the task '" + task.key + "'", ""});
    }
  }
  if (lab_.text.title.empty() || lab_.text.summary.empty()) {
    yaml_.add({{file.string(), 0, 0}, "lacks 'title' or 'summary'", ""});
  }
  yaml_.throw_if_any();
}

}  // namespace

void read_texts(Lab& lab) {
  const std::filesystem::path file = lab.text_file();
  TextReader(lab, file.string()).read(file);
}

}  // namespace gpusim::lab

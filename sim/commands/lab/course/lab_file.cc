// SPDX-License-Identifier: MIT
#include "sim/commands/lab/course/lab_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/cache_state.h"
#include "sim/base/nearest.h"
#include "sim/commands/lab/course/scope.h"
#include "sim/commands/lab/course/text_file.h"
#include "sim/commands/lab/course/yaml_map.h"
#include "sim/model/arch/overrides.h"
#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;
using arch::in_quotes;

constexpr std::string_view kLabSchema = "gpusim.lab/1";
constexpr std::array kKinds{TaskKind::kPredict, TaskKind::kNumber, TaskKind::kChoice, TaskKind::kSetting,
                            TaskKind::kMetric,  TaskKind::kWork,   TaskKind::kMachine};
constexpr std::uint32_t kMostMinutes = 240;
constexpr std::uint32_t kMostPoints = 100;

/// lab.yaml. Tasks are read when parameters and runs are known, whose names their formulas have.
class LogicReader {
 public:
  LogicReader(Lab& lab, const std::string& name) : lab_(lab), yaml_(name) {}
  void read(const fs::path& file);

 private:
  void take_schema(const YamlItem& item);
  void take_parameter(const YamlItem& item);
  void take_files(const YamlItem& item, std::vector<std::string>& files);
  void take_cuda(const YamlItem& item);
  void take_run(const YamlItem& item);
  void take_task(const YamlItem& item);
  TaskKind kind_of(const YamlItem& task);
  void take_number(const YamlItem& item, Task& task);
  void take_choice(const YamlItem& item, Task& task);
  void take_setting(const YamlItem& item, Task& task);
  void take_metric(const YamlItem& item, Task& task);
  void take_work(const YamlItem& item, Task& task);
  void take_machine(const YamlItem& item, Task& task);
  void take_costs(const YamlItem& item, Task& task);
  void take_tolerance(const YamlItem& item, Task& task);
  void take_answer_name(const YamlItem& item, Task& task);
  std::vector<Setting> settings(const YamlItem& item);
  std::optional<Formula> formula(const YamlNode& node, bool is_condition);
  void check_names(const YamlNode& node, const Formula& formula);
  std::vector<NamedFormula> named_formulas(const YamlItem& item, bool is_condition);
  std::string run_name(const YamlItem& item);
  void check_choice(const YamlItem& item, const Task& task);
  [[nodiscard]] bool is_known(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> known_names() const;

  Lab& lab_;
  YamlMapReader yaml_;
};

void LogicReader::take_schema(const YamlItem& item) {
  const std::string schema = yaml_.text(item);
  if (schema != kLabSchema) {
    yaml_.add(item.value, "the schema is " + in_quotes(schema), "this program reads " + std::string(kLabSchema));
  }
}

void LogicReader::take_parameter(const YamlItem& item) {
  Parameter parameter{yaml_.name(item), {}, ""};
  const auto take_choices = [&](const YamlItem& choices) { parameter.choices = yaml_.texts(choices); };
  const auto take_with = [&](const YamlItem& with) {
    parameter.with = yaml_.text(with);
    std::vector<std::string_view> known;
    for (const Parameter& other : lab_.parameters) {
      if (other.with.empty() && other.choices.size() == parameter.choices.size()) {
        known.push_back(other.name);
      }
    }
    yaml_.refuse_unless_one_of(with.value, "'with'", parameter.with, known);
  };
  yaml_.take(item.value, "the parameter '" + item.name + "'", {{"choose", take_choices}, {"with", take_with}});
  if (parameter.choices.empty()) {
    yaml_.add(item.value, "the parameter '" + item.name + "' has no values", "such as  {choose: [2, 4, 8]}");
  }
  lab_.parameters.push_back(std::move(parameter));
}

void LogicReader::take_files(const YamlItem& item, std::vector<std::string>& files) {
  files = yaml_.texts(item);
  for (const std::string& file : files) {
    const fs::path path(file);
    std::error_code error;
    if (path.has_parent_path() || !fs::is_regular_file(lab_.folder / kStartFolder / path, error)) {
      yaml_.add(item.value, in_quotes(file) + " is not a file of the folder " + kStartFolder);
    }
  }
}

void LogicReader::take_cuda(const YamlItem& item) {
  CudaForm form{item.name, "", "", ""};
  const auto take_file = [this](std::string& into) {
    return [this, &into](const YamlItem& field) {
      into = yaml_.text(field);
      std::error_code error;
      if (fs::path(into).has_parent_path() || !fs::is_regular_file(lab_.folder / kStartFolder / into, error)) {
        yaml_.add(field.value, in_quotes(into) + " is not a file of the folder " + kStartFolder);
      }
    };
  };
  yaml_.refuse_unless_one_of(item.key, "what CUDA stands for", form.file, {lab_.files.begin(), lab_.files.end()});
  yaml_.take(item.value, "a kernel in CUDA",
             {{"source", take_file(form.source)},
              {"launch", take_file(form.launch)},
              {"arch", [&](const YamlItem& field) { form.arch = yaml_.text(field); }}});
  if (form.source.empty() || form.launch.empty()) {
    yaml_.add(item.key, "the kernel " + in_quotes(item.name) + " lacks 'source' or 'launch'",
              "such as  {source: kernel.cu, launch: kernel.yaml}");
  }
  lab_.cuda.push_back(std::move(form));
}

std::vector<Setting> LogicReader::settings(const YamlItem& item) {
  std::vector<Setting> out;
  yaml_.take_all(item.value, "'" + item.name + "'",
                 [&](const YamlItem& pair) { out.emplace_back(pair.name, yaml_.text(pair)); });
  return out;
}

void LogicReader::take_run(const YamlItem& item) {
  Run run;
  run.name = yaml_.name(item);
  const auto take_text = [this](std::string& into) {
    return [this, &into](const YamlItem& field) { into = yaml_.text(field); };
  };
  const auto take_settings = [this](std::vector<Setting>& into) {
    return [this, &into](const YamlItem& field) { into = settings(field); };
  };
  const auto take_cache = [&](const YamlItem& field) {
    run.cache = yaml_.text(field);
    yaml_.refuse_unless_one_of(field.value, "'cache'", run.cache, {kCacheStates.begin(), kCacheStates.end()});
  };
  yaml_.take(item.value, "a run",
             {{"trace", take_text(run.trace)},
              {"arch", take_text(run.arch)},
              {"params", take_settings(run.params)},
              {"set", take_settings(run.set)},
              {"cache", take_cache},
              {"kernel", take_text(run.kernel)}});
  for (const auto& [key, value] : {std::pair("trace", &run.trace), std::pair("arch", &run.arch)}) {
    if (value->empty()) {
      yaml_.add(item.key, "the run '" + item.name + "' lacks '" + key + "'", "a file, or a name that gpusim knows");
    }
  }
  lab_.runs.push_back(std::move(run));
}

std::vector<std::string> LogicReader::known_names() const {
  std::vector<std::string> names;
  for (const Parameter& parameter : lab_.parameters) {
    names.push_back(parameter.name);
  }
  for (const Run& run : lab_.runs) {
    names.push_back(run.name + ".time_us");
  }
  for (const Task& task : lab_.tasks) {
    if (task.kind == TaskKind::kSetting) {
      names.push_back(std::string(kAnswers) + task.key);
    }
  }
  return names;
}

bool LogicReader::is_known(std::string_view name) const {
  const std::vector<std::string> names = known_names();
  const std::size_t dot = name.find('.');
  return std::ranges::find(names, name) != names.end() ||
         (dot != std::string_view::npos && lab_.run(name.substr(0, dot)) != nullptr);
}

void LogicReader::check_names(const YamlNode& node, const Formula& formula) {
  for (const std::string& name : formula.names()) {
    if (!is_known(name)) {
      const std::vector<std::string> names = known_names();
      yaml_.add(node, in_quotes(name) + " is neither a parameter nor a value of a run",
                suggestion(name, std::vector<std::string_view>(names.begin(), names.end())));
    }
  }
}

std::optional<Formula> LogicReader::formula(const YamlNode& node, bool is_condition) {
  if (!node.is_scalar()) {
    yaml_.add(node, "a formula must be one text");
    return std::nullopt;
  }
  try {
    Formula read = is_condition ? Formula::condition("", node.text) : Formula::number("", node.text);
    check_names(node, read);
    return read;
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      yaml_.add(node, problem.message, problem.hint);
    }
    return std::nullopt;
  }
}

TaskKind LogicReader::kind_of(const YamlItem& task) {
  std::vector<std::string_view> names;
  for (const TaskKind kind : kKinds) {
    names.push_back(kind_name(kind));
  }
  const YamlNode* const node = task.value.is_map() ? task.value.find("kind") : nullptr;
  if (node == nullptr || !node->is_scalar()) {
    yaml_.add(task.key, "the task " + in_quotes(task.name) + " lacks its 'kind'", suggestion("", names));
    return TaskKind::kNumber;
  }
  yaml_.refuse_unless_one_of(*node, "'kind'", std::string(node->text), names);
  const auto found = std::ranges::find(names, node->text);
  return found == names.end() ? TaskKind::kNumber : kKinds[static_cast<std::size_t>(found - names.begin())];
}

void LogicReader::take_tolerance(const YamlItem& item, Task& task) {
  std::string text = yaml_.text(item);
  task.is_relative = text.ends_with('%');
  if (task.is_relative) {
    text.pop_back();
    text.erase(text.find_last_not_of(' ') + 1);
  }
  try {
    const Formula number = Formula::number("", text);
    task.tolerance = number.names().empty() ? number.value({}) / (task.is_relative ? 100 : 1) : -1;
  } catch (const InputError&) {
    task.tolerance = -1;
  }
  if (!(task.tolerance >= 0)) {
    yaml_.add(item.value, "'tolerance': " + in_quotes(yaml_.text(item)) + " is neither a number nor a share",
              "such as 0.5 or 2 %");
  }
}

std::vector<NamedFormula> LogicReader::named_formulas(const YamlItem& item, bool is_condition) {
  std::vector<NamedFormula> out;
  yaml_.take_all(item.value, "'" + item.name + "'", [&](const YamlItem& each) {
    if (std::optional<Formula> read = formula(each.value, is_condition)) {
      out.push_back({yaml_.key(each), *std::move(read)});
    }
  });
  return out;
}

void LogicReader::take_number(const YamlItem& item, Task& task) {
  yaml_.take(item.value, "a task of kind '" + std::string(kind_name(task.kind)) + "'",
             {{"kind", [](const YamlItem&) {}},
              {"points", [&](const YamlItem& field) { task.points = yaml_.count(field, 0, kMostPoints); }},
              {"value", [&](const YamlItem& field) { task.value = formula(field.value, false); }},
              {"tolerance", [&](const YamlItem& field) { take_tolerance(field, task); }},
              {"mistakes", [&](const YamlItem& field) { task.mistakes = named_formulas(field, false); }}});
  if (!task.value && yaml_.is_clean()) {
    yaml_.add(item.key, "the task " + in_quotes(item.name) + " lacks its 'value'", "a formula, such as n / 32");
  }
}

void LogicReader::take_answer_name(const YamlItem& item, Task& task) {
  task.answer_name = yaml_.text(item);
  if (task.answer_name.find('.') == std::string::npos || !is_known(task.answer_name)) {
    yaml_.add(item.value, in_quotes(task.answer_name) + " is not a value of a run", "such as student.bound");
  }
}

void LogicReader::check_choice(const YamlItem& item, const Task& task) {
  const auto is_option = [&task](const std::string& word) {
    return std::ranges::find(task.options, word) != task.options.end();
  };
  const int truths = (task.answer.empty() ? 0 : 1) + (task.answer_name.empty() ? 0 : 1) + (task.truth.empty() ? 0 : 1);
  if (truths != 1) {
    yaml_.add(item.key, "the task " + in_quotes(item.name) + " has " + std::to_string(truths) + " truths",
              "one of answer, value and truth");
  }
  if (!task.answer.empty() && !is_option(task.answer)) {
    yaml_.add(item.key, "the answer " + in_quotes(task.answer) + " is none of the options");
  }
  for (const NamedFormula& truth : task.truth) {
    if (!is_option(truth.key)) {
      yaml_.add(item.key, "the truth " + in_quotes(truth.key) + " is none of the options");
    }
  }
}

void LogicReader::take_choice(const YamlItem& item, Task& task) {
  yaml_.take(item.value, "a task of kind '" + std::string(kind_name(task.kind)) + "' with options",
             {{"kind", [](const YamlItem&) {}},
              {"points", [&](const YamlItem& field) { task.points = yaml_.count(field, 0, kMostPoints); }},
              {"options", [&](const YamlItem& field) { task.options = yaml_.texts(field); }},
              {"answer", [&](const YamlItem& field) { task.answer = yaml_.text(field); }},
              {"value", [&](const YamlItem& field) { take_answer_name(field, task); }},
              {"truth", [&](const YamlItem& field) { task.truth = named_formulas(field, true); }}});
  if (task.options.size() < 2) {
    yaml_.add(item.key, "the task " + in_quotes(item.name) + " has less than two options", "such as  options: [a, b]");
  }
  check_choice(item, task);
}

void LogicReader::take_setting(const YamlItem& item, Task& task) {
  task.points = 0;
  yaml_.take(item.value, "a task of kind 'setting'",
             {{"kind", [](const YamlItem&) {}},
              {"points", [&](const YamlItem& field) { task.points = yaml_.count(field, 0, kMostPoints); }},
              {"least", [&](const YamlItem& field) { task.least = yaml_.number(field.value, "'least'"); }},
              {"most", [&](const YamlItem& field) { task.most = yaml_.number(field.value, "'most'"); }}});
  if (task.most <= task.least) {
    yaml_.add(item.key, "the task " + in_quotes(item.name) + " leaves nothing to choose", "'least' is below 'most'");
  }
}

void LogicReader::take_metric(const YamlItem& item, Task& task) {
  yaml_.take(item.value, "a task of kind 'metric'",
             {{"kind", [](const YamlItem&) {}},
              {"points", [&](const YamlItem& field) { task.points = yaml_.count(field, 0, kMostPoints); }},
              {"holds", [&](const YamlItem& field) { task.value = formula(field.value, true); }},
              {"mistakes", [&](const YamlItem& field) { task.mistakes = named_formulas(field, true); }}});
  if (!task.value && yaml_.is_clean()) {
    yaml_.add(item.key, "the task " + in_quotes(item.name) + " lacks what 'holds'", "such as student.time_us <= 20");
  }
}

std::string LogicReader::run_name(const YamlItem& item) {
  const std::string name = yaml_.text(item);
  std::vector<std::string_view> known;
  for (const Run& run : lab_.runs) {
    known.push_back(run.name);
  }
  yaml_.refuse_unless_one_of(item.value, "'" + item.name + "'", name, known);
  return name;
}

void LogicReader::take_work(const YamlItem& item, Task& task) {
  yaml_.take(item.value, "a task of kind 'work'",
             {{"kind", [](const YamlItem&) {}},
              {"points", [&](const YamlItem& field) { task.points = yaml_.count(field, 0, kMostPoints); }},
              {"run", [&](const YamlItem& field) { task.run = run_name(field); }},
              {"like", [&](const YamlItem& field) { task.like = run_name(field); }},
              {"sums",
               [&](const YamlItem& field) {
                 const std::string word = yaml_.text(field);
                 yaml_.refuse_unless_one_of(field.value, "a value of 'sums'", word, {"yes", "no"});
                 task.are_sums = word == "yes";
               }},
              {"timed", [&](const YamlItem& field) { task.timed = run_name(field); }},
              {"witness", [&](const YamlItem& field) { task.witness = yaml_.text(field); }}});
  if ((task.run.empty() || task.like.empty()) && yaml_.is_clean()) {
    yaml_.add(item.key, "the task " + in_quotes(item.name) + " lacks 'run' or 'like'", "names of runs");
  }
  if (task.timed.empty() != task.witness.empty() && yaml_.is_clean()) {
    yaml_.add(item.key, "the task " + in_quotes(item.name) + " has one of 'timed' and 'witness'",
              "a run, and the buffer that the check looks into");
  }
}

void LogicReader::take_costs(const YamlItem& item, Task& task) {
  yaml_.take_all(item.value, "'" + item.name + "'", [&](const YamlItem& each) {
    if (!arch::find_key(each.name)) {
      yaml_.add(each.key, "no architecture has a key " + in_quotes(each.name), arch::suggest_key(each.name));
    } else if (std::optional<Formula> read = formula(each.value, false)) {
      task.costs.push_back({each.name, *std::move(read)});
    }
  });
}

void LogicReader::take_machine(const YamlItem& item, Task& task) {
  const auto take_file = [&](const YamlItem& field) {
    task.file = yaml_.text(field);
    yaml_.refuse_unless_one_of(field.value, "'file'", task.file, {lab_.files.begin(), lab_.files.end()});
  };
  const auto take_base = [&](const YamlItem& field) {
    task.base = yaml_.text(field);
    std::error_code error;
    if (!fs::is_regular_file(lab_.folder / task.base, error)) {
      yaml_.add(field.value, in_quotes(task.base) + " is not a file of the lab", "such as start/base.yaml");
    }
  };
  yaml_.take(item.value, "a task of kind 'machine'",
             {{"kind", [](const YamlItem&) {}},
              {"points", [&](const YamlItem& field) { task.points = yaml_.count(field, 0, kMostPoints); }},
              {"file", take_file},
              {"base", take_base},
              {"costs", [&](const YamlItem& field) { take_costs(field, task); }},
              {"budget", [&](const YamlItem& field) { task.value = formula(field.value, false); }}});
  if ((task.file.empty() || task.base.empty() || task.costs.empty() || !task.value) && yaml_.is_clean()) {
    yaml_.add(item.key, "the task " + in_quotes(item.name) + " lacks 'file', 'base', 'costs' or 'budget'",
              "such as  costs: {sm.count: 4}");
  }
}

void LogicReader::take_task(const YamlItem& item) {
  Task task;
  task.kind = kind_of(item);
  task.key = task.kind == TaskKind::kSetting ? yaml_.name(item) : yaml_.key(item);
  const bool has_options = item.value.is_map() && item.value.find("options") != nullptr;
  switch (task.kind) {
    case TaskKind::kPredict: has_options ? take_choice(item, task) : take_number(item, task); break;
    case TaskKind::kNumber: take_number(item, task); break;
    case TaskKind::kChoice: take_choice(item, task); break;
    case TaskKind::kSetting: take_setting(item, task); break;
    case TaskKind::kMetric: take_metric(item, task); break;
    case TaskKind::kWork: take_work(item, task); break;
    case TaskKind::kMachine: take_machine(item, task); break;
  }
  lab_.tasks.push_back(std::move(task));
}

void LogicReader::read(const fs::path& file) {
  const auto each = [this](void (LogicReader::*take)(const YamlItem&)) {
    return [this, take](const YamlItem& item) {
      yaml_.take_all(item.value, "'" + item.name + "'", [this, take](const YamlItem& inner) { (this->*take)(inner); });
    };
  };
  // Keys are taken in the order of the file, and a formula may only name what stands above it.
  yaml_.read_file(file, "the file of a lab",
                  {{"schema", [this](const YamlItem& item) { take_schema(item); }},
                   {"minutes", [this](const YamlItem& item) { lab_.minutes = yaml_.count(item, 1, kMostMinutes); }},
                   {"needs", [this](const YamlItem& item) { lab_.needs = yaml_.texts(item); }},
                   {"parameters", each(&LogicReader::take_parameter)},
                   {"files", [this](const YamlItem& item) { take_files(item, lab_.files); }},
                   {"given", [this](const YamlItem& item) { take_files(item, lab_.given); }},
                   {"cuda", each(&LogicReader::take_cuda)},
                   {"runs", each(&LogicReader::take_run)},
                   {"tasks", each(&LogicReader::take_task)}});
  if (lab_.tasks.empty()) {
    throw InputError({{file.string(), 0, 0}, "has no tasks", "a lab asks for something"});
  }
}

}  // namespace

Lab read_lab(const fs::path& folder) {
  Lab lab;
  lab.folder = folder;
  lab.name = fs::absolute(folder).lexically_normal().filename().string();
  if (lab.name.empty()) {  // the path ends in a slash
    lab.name = fs::absolute(folder).lexically_normal().parent_path().filename().string();
  }
  const fs::path logic = folder / kLabFile;
  LogicReader(lab, logic.string()).read(logic);
  read_texts(lab);
  return lab;
}

std::vector<std::string> translations_of(const Lab& lab) {
  constexpr std::string_view kBegin = "text.";
  constexpr std::string_view kEnd = ".yaml";
  std::vector<std::string> languages;
  std::error_code error;
  for (fs::directory_iterator at(lab.folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(kBegin) && name.ends_with(kEnd) && name.size() > kBegin.size() + kEnd.size()) {
      languages.push_back(name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size()));
    }
  }
  std::ranges::sort(languages);
  return languages;
}

Lab translated(Lab lab, const std::string& language) {
  if (language.empty()) {
    return lab;
  }
  const std::vector<std::string> translations = translations_of(lab);
  const std::vector<std::string_view> known(translations.begin(), translations.end());
  if (std::ranges::find(known, language) == known.end()) {
    throw InputError({{lab.name, 0, 0},
                      "has no translation " + in_quotes(language),
                      known.empty() ? "it is there in English alone" : suggestion(language, known)});
  }
  lab.language = language;
  lab.text = {};
  read_texts(lab);
  return lab;
}

Expected read_expected(const fs::path& file) {
  Expected expected;
  YamlMapReader yaml(file.string());
  yaml.read_file(file, "what a wrong solution shows",
                 {{"task", [&](const YamlItem& item) { expected.task = yaml.text(item); }},
                  {"hint", [&](const YamlItem& item) { expected.hint = yaml.text(item); }},
                  {"when", [&](const YamlItem& item) {
                     expected.when = Formula::condition(file.string() + ": when", yaml.text(item));
                   }}});
  if (expected.task.empty() || expected.hint.empty()) {
    throw InputError({{file.string(), 0, 0}, "lacks 'task' or 'hint'", ""});
  }
  return expected;
}

}  // namespace gpusim::lab

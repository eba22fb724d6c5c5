// SPDX-License-Identifier: MIT
#include "sim/commands/lab/check/judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/lab/check/attempts.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/lab_file.h"
#include "sim/model/arch/value.h"

namespace gpusim::lab {
namespace {

using arch::in_quotes;

/// A run of the student's files that a task needs did not come to its end, or a file is nothing to run.
struct NotRun {
  std::string problem;
  bool is_broken = false;  ///< as Measured has it
};

constexpr const char* kOtherValues = "other-values";

/// Judges the tasks of one submission, first to last.
class Judge {
 public:
  Judge(Submission submission, Attempts& attempts, Laboratory& laboratory);
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  Report report();
  Answers truths();
  [[nodiscard]] std::string worked_out(const std::string& text) const;

 private:
  std::optional<Scope::Value> value_of(std::string_view name);
  Verdict judge(const Task& task);
  void judge_prediction(const Task& task, Verdict& verdict);
  void judge_number(const Task& task, Verdict& verdict);
  void judge_choice(const Task& task, Verdict& verdict);
  void judge_setting(const Task& task, Verdict& verdict);
  void judge_metric(const Task& task, Verdict& verdict);
  void judge_work(const Task& task, Verdict& verdict);
  [[nodiscard]] std::string other_values_of(const std::string& trace);
  void judge_machine(const Task& task, Verdict& verdict);

  void say_mistake(Verdict& verdict, const std::string& key);
  void say_next_hint(Verdict& verdict);
  void say_right(Verdict& verdict);
  void ask_for(Verdict& verdict, const std::string& what);
  [[nodiscard]] std::string truth_of(const Task& task);
  [[nodiscard]] bool is_within(const Task& task, double answer, double truth) const;
  [[nodiscard]] const Answer* answer_of(const Task& task) const;
  [[nodiscard]] std::string filled(const std::string& sentence) const { return scope().filled(sentence, text_file()); }
  [[nodiscard]] std::string text_file() const { return lab().text_file().string(); }
  [[nodiscard]] std::string logic_file() const { return (lab().folder / kLabFile).string(); }
  [[nodiscard]] const Lab& lab() const { return submission_.lab; }
  [[nodiscard]] const Scope& scope() const { return submission_.scope; }

  Submission submission_;
  Attempts& attempts_;
  Laboratory& laboratory_;
  Scope parameters_;                      ///< what runs may use: no values of runs
  Purpose purpose_ = Purpose::kQuestion;  ///< purpose of the task that is judged
  std::string waits_for_;                 ///< what to do before anything else is judged
};

std::string first_answer(const Task& task) {
  return "First answer '" + task.key + "' in " + kAnswersFile + ".";
}

std::string no_option_text(const Task& task, const std::string& answer) {
  std::string all;
  for (const std::string& option : task.options) {
    all += (all.empty() ? "" : ", ") + option;
  }
  return in_quotes(answer) + " is none of the options: " + all + ".";
}

Judge::Judge(Submission submission, Attempts& attempts, Laboratory& laboratory)
    : submission_(std::move(submission)), attempts_(attempts), laboratory_(laboratory) {
  set_chosen(lab(), submission_.answers, submission_.scope);
  parameters_ = submission_.scope;
  submission_.scope.set_lookup([this](std::string_view name) { return value_of(name); });
}

const Answer* Judge::answer_of(const Task& task) const {
  const auto found = submission_.answers.find(task.key);
  return found == submission_.answers.end() || found->second.text.empty() ? nullptr : &found->second;
}

/// RUN.METRIC.
std::optional<Scope::Value> Judge::value_of(std::string_view name) {
  const std::size_t dot = name.find('.');
  const Run* const run = dot == std::string_view::npos ? nullptr : lab().run(name.substr(0, dot));
  if (run == nullptr) {
    return std::nullopt;
  }
  const Measured& measured = laboratory_.measure(*run, parameters_, purpose_);
  if (!measured.problem.empty()) {
    throw NotRun{measured.problem, measured.is_broken};
  }
  const std::string_view metric = name.substr(dot + 1);
  const auto found = measured.values.find(metric);
  if (found == measured.values.end()) {
    std::vector<std::string_view> known;
    for (const auto& [key, value] : measured.values) {
      known.push_back(key);
    }
    throw InputError({{logic_file(), 0, 0}, "no run has a value " + in_quotes(metric), suggestion(metric, known)});
  }
  return found->second;
}

void Judge::say_right(Verdict& verdict) {
  verdict.standing = Standing::kRight;
  if (const TaskText& text = lab().text.of(verdict.task->key); !text.right.empty()) {
    verdict.note += (verdict.note.empty() ? "" : " ") + filled(text.right);
  }
}

void Judge::say_mistake(Verdict& verdict, const std::string& key) {
  const auto& mistakes = lab().text.of(verdict.task->key).mistakes;
  const auto hint = mistakes.find(key);
  if (hint == mistakes.end()) {
    say_next_hint(verdict);
    return;
  }
  verdict.hint = filled(hint->second);
  verdict.hint_key = key;
}

/// One hint further with each different try, up to the last.
void Judge::say_next_hint(Verdict& verdict) {
  const Task& task = *verdict.task;
  const std::vector<std::string>& hints = lab().text.of(task.key).hints;
  const Answer* const answer = answer_of(task);
  const std::uint64_t digest = answer != nullptr ? digest_of(answer->text) : submission_.files_digest;
  const std::size_t tries = attempts_.count(task.key, digest);
  if (!hints.empty()) {
    const std::size_t number = std::min(tries, hints.size());
    verdict.hint = filled(hints[number - 1]);
    verdict.hint_key = std::to_string(number);
  }
}

/// What cannot be judged before something is written down.
void Judge::ask_for(Verdict& verdict, const std::string& what) {
  verdict.standing = Standing::kWaiting;
  verdict.hint = what;
}

/// The option that is right.
std::string Judge::truth_of(const Task& task) {
  if (!task.answer.empty()) {
    return task.answer;
  }
  for (const NamedFormula& option : task.truth) {
    if (scope().holds(option.formula, logic_file())) {
      return option.key;
    }
  }
  if (task.answer_name.empty()) {
    throw InputError({{logic_file(), 0, 0}, "no truth of the task '" + task.key + "' holds", "one must always"});
  }
  const std::optional<Scope::Value> value = scope().find(task.answer_name);
  return value && std::holds_alternative<std::string>(*value) ? std::get<std::string>(*value) : "";
}

bool Judge::is_within(const Task& task, double answer, double truth) const {
  return std::abs(answer - truth) <= task.tolerance * (task.is_relative ? std::abs(truth) : 1) * (1 + 1e-9);
}

void Judge::judge_prediction(const Task& task, Verdict& verdict) {
  const Answer& answer = *answer_of(task);
  const bool is_option = std::ranges::find(task.options, answer.text) != task.options.end();
  if (task.is_choice() ? !is_option : !answer.number()) {
    ask_for(verdict,
            task.is_choice() ? no_option_text(task, answer.text) : in_quotes(answer.text) + " is not a number.");
    waits_for_ = first_answer(task);
    return;
  }
  std::string truth;
  bool hit = false;
  if (task.is_choice()) {
    truth = truth_of(task);
    hit = answer.text == truth;
  } else {
    const double value = scope().number(*task.value, logic_file());
    truth = number_text(value);
    hit = is_within(task, *answer.number(), value);
  }
  verdict.note = "You guessed " + printable(answer.text) + (hit ? ", and that is it." : "; it is " + truth + ".");
  say_right(verdict);
}

void Judge::judge_number(const Task& task, Verdict& verdict) {
  const Answer& answer = *answer_of(task);
  const std::optional<double> number = answer.number();
  if (!number) {
    verdict.hint = in_quotes(answer.text) + " is not a number: write one such as 32 or 4.2, or a sum such as 4 * 32.";
    verdict.hint_key = "not-a-number";
    return;
  }
  if (is_within(task, *number, scope().number(*task.value, logic_file()))) {
    say_right(verdict);
    return;
  }
  for (const NamedFormula& mistake : task.mistakes) {
    if (is_within(task, *number, scope().number(mistake.formula, logic_file()))) {
      say_mistake(verdict, mistake.key);
      return;
    }
  }
  say_next_hint(verdict);
}

void Judge::judge_choice(const Task& task, Verdict& verdict) {
  const std::string& answer = answer_of(task)->text;
  if (std::ranges::find(task.options, answer) == task.options.end()) {
    verdict.hint = no_option_text(task, answer);
    verdict.hint_key = "no-option";
  } else if (answer == truth_of(task)) {
    say_right(verdict);
  } else {
    say_mistake(verdict, answer);
  }
}

void Judge::judge_setting(const Task& task, Verdict& verdict) {
  const std::optional<double> number = answer_of(task)->number();
  if (!number || *number < task.least || *number > task.most) {
    ask_for(verdict, in_quotes(answer_of(task)->text) + " is not a number from " + number_text(task.least) + " to " +
                         number_text(task.most) + ".");
    waits_for_ = first_answer(task);
    return;
  }
  say_right(verdict);
}

void Judge::judge_metric(const Task& task, Verdict& verdict) {
  const bool holds = scope().holds(*task.value, logic_file());
  verdict.note = filled(lab().text.of(task.key).found);
  if (holds) {
    say_right(verdict);
    return;
  }
  for (const NamedFormula& mistake : task.mistakes) {
    if (scope().holds(mistake.formula, logic_file())) {
      say_mistake(verdict, mistake.key);
      return;
    }
  }
  say_next_hint(verdict);
}

void Judge::judge_work(const Task& task, Verdict& verdict) {
  const Run& run = *lab().run(task.run);
  if (const Measured& measured = laboratory_.measure(run, parameters_, purpose_); !measured.problem.empty()) {
    throw NotRun{measured.problem, measured.is_broken};
  }
  const Work& work = laboratory_.compare_work(task, parameters_);
  if (!work.problem.empty()) {
    throw NotRun{work.problem};
  }
  verdict.note = work.said;
  std::string mistake = work.mistake;
  if (const std::string other = mistake.empty() ? other_values_of(run.trace) : ""; !other.empty()) {
    verdict.note = other;
    mistake = kOtherValues;
  }
  mistake.empty() ? say_right(verdict) : say_mistake(verdict, mistake);
}

/// What any run of a student's file calculates otherwise than it should: those that are measured count, too.
std::string Judge::other_values_of(const std::string& trace) {
  for (const Run& run : lab().runs) {
    const std::string& other = run.trace == trace ? laboratory_.measure(run, parameters_, purpose_).other_values : "";
    if (!other.empty()) {
      return other;
    }
  }
  return "";
}

/// What stands behind it waits until the machine is allowed.
void Judge::judge_machine(const Task& task, Verdict& verdict) {
  const Machine machine = laboratory_.compare_machine(task);
  waits_for_ = "First get '" + task.key + "' right.";
  if (!machine.problem.empty()) {
    throw NotRun{machine.problem, true};
  }
  double cost = 0;
  for (const NamedFormula& each : task.costs) {
    const Machine::Value& value = machine.values.at(each.key);
    const double part = value.number * scope().number(each.formula, logic_file());
    verdict.note += each.key + " " + value.text + " costs " + number_text(part) + ", ";
    cost += part;
  }
  const double budget = scope().number(*task.value, logic_file());
  verdict.note += "together " + number_text(cost) + " of " + number_text(budget) + ".";
  if (machine.other.empty() && cost <= budget * (1 + 1e-9)) {
    waits_for_.clear();
    say_right(verdict);
    return;
  }
  verdict.note += machine.other.empty() ? "" : " " + machine.other;
  say_mistake(verdict, machine.other.empty() ? "over-budget" : "other-keys");
}

Verdict Judge::judge(const Task& task) {
  Verdict verdict;
  verdict.task = &task;
  purpose_ = task.kind == TaskKind::kMetric || task.kind == TaskKind::kWork ? Purpose::kChange : Purpose::kQuestion;
  if (!waits_for_.empty()) {
    ask_for(verdict, waits_for_);
    return verdict;
  }
  if (task.is_answered() && answer_of(task) == nullptr) {
    ask_for(verdict, "Write your answer behind '" + task.key + ":' in " + kAnswersFile + ".");
    const bool others_wait = task.kind == TaskKind::kPredict || task.kind == TaskKind::kSetting;
    waits_for_ = others_wait ? first_answer(task) : "";
    return verdict;
  }
  verdict.standing = Standing::kNotYet;
  switch (task.kind) {
    case TaskKind::kPredict: judge_prediction(task, verdict); break;
    case TaskKind::kNumber: judge_number(task, verdict); break;
    case TaskKind::kChoice: judge_choice(task, verdict); break;
    case TaskKind::kSetting: judge_setting(task, verdict); break;
    case TaskKind::kMetric: judge_metric(task, verdict); break;
    case TaskKind::kWork: judge_work(task, verdict); break;
    case TaskKind::kMachine: judge_machine(task, verdict); break;
  }
  return verdict;
}

Report Judge::report() {
  Report out{&lab(), submission_.student, {}, {}, laboratory_.notes(parameters_), false};
  for (const Task& task : lab().tasks) {
    try {
      out.verdicts.push_back(judge(task));
    } catch (const NotRun& failure) {
      out.verdicts.push_back({&task, Standing::kNotYet, "",
                              "This is not judged, because a run of your files failed; see below.", "not-run"});
      out.is_broken = out.is_broken || failure.is_broken;
      if (std::ranges::find(out.problems, failure.problem) == out.problems.end()) {
        out.problems.push_back(failure.problem);
      }
    }
  }
  return out;
}

Answers Judge::truths() {
  Answers out;
  for (const Task& task : lab().tasks) {
    if (task.is_choice()) {
      out[task.key] = {truth_of(task), {}};
    } else if (task.kind == TaskKind::kPredict || task.kind == TaskKind::kNumber) {
      out[task.key] = {exact_text(scope().number(*task.value, logic_file())), {}};
    } else if (const Answer* const given = task.is_answered() ? answer_of(task) : nullptr) {
      out[task.key] = *given;
    }
  }
  return out;
}

std::string Judge::worked_out(const std::string& text) const {
  return scope().resolved(text);
}

}  // namespace

std::string_view standing_name(Standing standing) {
  static constexpr std::array<std::string_view, 3> kNames{"right", "not yet", "waiting"};
  return kNames[static_cast<std::size_t>(standing)];
}

bool Report::passed() const {
  return std::ranges::all_of(verdicts, [](const Verdict& each) { return each.standing == Standing::kRight; });
}

std::uint32_t Report::points() const {
  return std::accumulate(verdicts.begin(), verdicts.end(), 0U, [](std::uint32_t sum, const Verdict& each) {
    return sum + (each.standing == Standing::kRight ? each.task->points : 0);
  });
}

Report judge(Submission submission, Attempts& attempts, Laboratory& laboratory) {
  return Judge(std::move(submission), attempts, laboratory).report();
}

Answers true_answers(Submission submission, Laboratory& laboratory) {
  Attempts none;
  try {
    return Judge(std::move(submission), none, laboratory).truths();
  } catch (const NotRun& failure) {
    throw InputError({{"", 0, 0}, failure.problem, ""});
  }
}

std::string worked_out(const Submission& submission, Laboratory& laboratory, const std::string& text) {
  Attempts none;
  try {
    return Judge(submission, none, laboratory).worked_out(text);
  } catch (const NotRun& failure) {
    throw InputError({{"", 0, 0}, failure.problem, ""});
  }
}

}  // namespace gpusim::lab

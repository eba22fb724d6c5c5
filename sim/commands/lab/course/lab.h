// SPDX-License-Identifier: MIT
// A lab as its folder describes it: what the student gets, what is run, and what is asked. docs/labs/writing.md is the
// page for those who write labs.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/commands/sweep/formula/formula.h"

namespace gpusim::lab {

using Formula = sweep::Formula;

/// One of several values, drawn for each student.
struct Parameter {
  std::string name;
  std::vector<std::string> choices;  ///< numbers or words
  std::string with;                  ///< a parameter of as many choices: that of the same place is drawn; may be empty
};

/// A key with a value that may be a formula of the parameters; see settings.h.
using Setting = std::pair<std::string, std::string>;

/// A kernel that students may hand in as CUDA.
struct CudaForm {
  std::string file;    ///< the trace in whose place it may stand
  std::string source;  ///< a file of CUDA in start/ and solution/
  std::string launch;  ///< how it is launched: a file of start/, and of solution/ where that has another
  std::string arch;    ///< for runs of the CUDA, where the compiler makes no code for theirs; may be empty
};

/// A simulation that tasks ask about.
struct Run {
  std::string name;
  std::string trace;  ///< a file of the student, of the lab's folder, or a trace that came along
  std::string arch;   ///< likewise
  std::vector<Setting> params;
  std::vector<Setting> set;
  std::string cache = "warm";
  std::string kernel;  ///< the one whose metrics count; empty: all together
};

enum class TaskKind : std::uint8_t {
  kPredict,  ///< a guess, made before what follows is checked; never wrong
  kNumber,   ///< an answer with a tolerance
  kChoice,   ///< one of several answers
  kSetting,  ///< a number that the student chooses and that runs use
  kMetric,   ///< a condition on what was simulated
  kWork,     ///< a run reads and writes what another one does
  kMachine   ///< an architecture that differs from another one in keys with a price, within a budget
};
[[nodiscard]] std::string_view kind_name(TaskKind kind);

/// What may be wrong with the work of a kernel: keys of hints of a kWork task.
inline constexpr std::array<std::string_view, 10> kWorkMistakes{
    "not-read",     "not-written",  "written-beyond", "written-again", "other-sources",
    "other-counts", "other-values", "not-followed",   "other-steps",   "fewer-flops"};

/// What may be wrong with a machine: keys of hints of a kMachine task.
inline constexpr std::array<std::string_view, 2> kMachineMistakes{"other-keys", "over-budget"};

/// A formula with a name: of a known wrong answer to a number its value; of a metric, the condition under which a known
/// mistake was made; of a choice, the condition under which an option is the truth; of a key of an architecture, what
/// one of its base unit costs.
struct NamedFormula {
  std::string key;
  Formula formula;
};

struct Task {
  std::string key;
  TaskKind kind = TaskKind::kNumber;
  std::optional<Formula> value;  ///< the truth of a number; the condition of kMetric; the budget of kMachine
  double tolerance = 0.01;       ///< how far a number may be off: a share of the truth, or absolute
  bool is_relative = true;
  double least = 0;  ///< for kSetting: the least value
  double most = 0;
  std::vector<std::string> options;  ///< for kChoice, and for kPredict where no number is guessed: what can be chosen
  // One of these says which option is the truth.
  std::string answer;               ///< the option
  std::string answer_name;          ///< RUN.METRIC, whose value is an option
  std::vector<NamedFormula> truth;  ///< the first that holds
  std::vector<NamedFormula> mistakes;
  std::string run;                  ///< for kWork: the run
  std::string like;                 ///< the run that does it right
  bool are_sums = false;            ///< for kWork: each element has to be used as often as in `like`
  std::string timed;                ///< the run that is measured where `run` shows more than that; may be empty
  std::string witness;              ///< the buffer to which `run` stores what `timed` keeps to itself
  std::string file;                 ///< for kMachine: the student's architecture
  std::string base;                 ///< the architecture of the lab that it changes
  std::vector<NamedFormula> costs;  ///< by key; no other key may differ
  std::uint32_t points = 1;

  [[nodiscard]] bool is_choice() const { return !options.empty(); }
  /// Whether the student writes an answer.
  [[nodiscard]] bool is_answered() const {
    return kind != TaskKind::kMetric && kind != TaskKind::kWork && kind != TaskKind::kMachine;
  }
};

/// The sentences of a task, in one language. Braces stand for values: {{n}}, {{student.time_us}}, {{4 * n}}.
struct TaskText {
  std::string question;
  std::string right;  ///< said when it is right; may be empty
  std::string found;  ///< what was measured of a metric, said whether it is right or not
  std::vector<std::string> hints;
  std::map<std::string, std::string, std::less<>> mistakes;  ///< by key of the mistake; of a choice, by option
  std::map<std::string, std::string, std::less<>> options;   ///< what each option means
};

struct LabText {
  std::string title;
  std::string summary;
  std::map<std::string, TaskText, std::less<>> tasks;
  [[nodiscard]] const TaskText& of(std::string_view task) const;
};

struct Lab {
  std::string name;  ///< its folder's
  std::filesystem::path folder;
  std::uint32_t minutes = 30;
  std::vector<std::string> needs;  ///< labs to do before
  std::vector<Parameter> parameters;
  std::vector<std::string> files;  ///< files of start/ that the student changes
  std::vector<std::string> given;  ///< files of start/ for experiments: nobody checks them
  std::vector<CudaForm> cuda;
  std::vector<Run> runs;
  std::vector<Task> tasks;
  LabText text;
  std::string language;  ///< language of the text, as in text.LANGUAGE.yaml; empty: that of text.yaml

  [[nodiscard]] const Run* run(std::string_view run_name) const;
  [[nodiscard]] const Task* task(std::string_view key) const;
  [[nodiscard]] bool is_of_student(std::string_view file) const;
  /// How a trace may be handed in as CUDA: one of the student, or the same of start/ or solution/; null when it may
  /// not.
  [[nodiscard]] const CudaForm* cuda_of(std::string_view trace) const;
  [[nodiscard]] std::uint32_t points() const;
  /// Files of its folder with the sentences of its language.
  [[nodiscard]] std::filesystem::path text_file() const { return folder / in_language("text", ".yaml"); }
  [[nodiscard]] std::filesystem::path handout_file() const { return folder / in_language("handout", ".md"); }

 private:
  [[nodiscard]] std::string in_language(const std::string& stem, const std::string& ending) const {
    return stem + (language.empty() ? "" : "." + language) + ending;
  }
};

}  // namespace gpusim::lab

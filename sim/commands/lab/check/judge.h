// SPDX-License-Identifier: MIT
// Whether a student's work is right, task by task, and what to say where it is not yet.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/lab/check/student.h"
#include "sim/commands/lab/course/lab.h"
#include "sim/commands/lab/course/scope.h"

namespace gpusim::lab {

class Attempts;

/// What a run measured.
struct Measured {
  std::map<std::string, Scope::Value, std::less<>> values;  ///< by key of docs/metrics.md
  std::string problem;     ///< why a file of the student did not run; empty when it did
  bool is_broken = false;  ///< that file is missing, or no trace at all
  /// How what it calculated differs from what the lab's solution calculates; empty: it does not, or has no values.
  std::string other_values{};
};

/// How the work of two kernels compares.
struct Work {
  std::string mistake;    ///< a key of kWorkMistakes; empty: they do the same
  std::string said;       ///< what is missing or too much
  std::string problem{};  ///< why the comparison did not come to its end; empty when it did
};

/// How the machine of a student differs from the one that it changes.
struct Machine {
  struct Value {
    std::string text;   ///< as the file has it
    double number = 0;  ///< in base units
  };
  std::map<std::string, Value, std::less<>> values;  ///< values of the keys that cost something
  std::string other;                                 ///< what else differs, and must not; empty: nothing
  std::string problem;                               ///< why the file is not an architecture; empty when it is one
};

/// What a value is asked for.
enum class Purpose : std::uint8_t {
  kQuestion,  ///< a question: the kernels are those of the handout
  kChange     ///< what the student changed: kernels of the lab beside it are in the student's language
};

/// Simulates what tasks ask about, each run at most once.
class Laboratory {
 public:
  Laboratory() = default;
  Laboratory(const Laboratory&) = delete;
  Laboratory& operator=(const Laboratory&) = delete;
  virtual ~Laboratory() = default;
  /// Throws InputError when files of the lab itself are at fault.
  [[nodiscard]] virtual const Measured& measure(const Run& run, const Scope& scope, Purpose purpose) = 0;
  /// Compares the work of two runs of a kWork task; the first was measured without a problem.
  [[nodiscard]] virtual const Work& compare_work(const Task& task, const Scope& scope) = 0;
  /// Compares the student's GPU with the given one, for a kMachine task.
  [[nodiscard]] virtual Machine compare_machine(const Task& task) = 0;
  /// Which files of the student are judged in place of others, and what in them does not count; a sentence each.
  [[nodiscard]] virtual std::vector<std::string> notes(const Scope& scope) const = 0;
};

enum class Standing : std::uint8_t { kRight, kNotYet, kWaiting };
[[nodiscard]] std::string_view standing_name(Standing standing);

struct Verdict {
  const Task* task = nullptr;
  Standing standing = Standing::kWaiting;
  std::string note;      ///< what was found: values, the truth beside a guess
  std::string hint;      ///< what to think of next
  std::string hint_key;  ///< key of a mistake or an option, or the number of the hint from 1 on
};

struct Report {
  const Lab* lab = nullptr;
  Student student;
  std::vector<Verdict> verdicts;      ///< verdicts on all tasks, in their order
  std::vector<std::string> problems;  ///< problems of the student's files, each once
  std::vector<std::string> notes;     ///< which files were judged in place of others
  bool is_broken = false;             ///< a file of the student is missing, or no trace

  [[nodiscard]] bool passed() const;
  [[nodiscard]] std::uint32_t points() const;
};

/// What is judged.
struct Submission {
  const Lab& lab;
  Student student;
  Scope scope;  ///< with the student's parameters
  Answers answers;
  std::uint64_t files_digest = 0;  ///< digest of the student's files
};

[[nodiscard]] Report judge(Submission submission, Attempts& attempts, Laboratory& laboratory);

/// The answers that are right, as students write them; of a setting what was submitted. Throws InputError when a run
/// of the student's files fails, here and below.
[[nodiscard]] Answers true_answers(Submission submission, Laboratory& laboratory);

/// `text` with formulas of the lab worked out, for answers of wrong solutions.
[[nodiscard]] std::string worked_out(const Submission& submission, Laboratory& laboratory, const std::string& text);

}  // namespace gpusim::lab

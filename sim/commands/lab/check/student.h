// SPDX-License-Identifier: MIT
// The student's folder: who works in it (student.yaml), and the answers (answers.yaml).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/problem.h"

namespace gpusim::lab {

struct Lab;
class Scope;

inline constexpr const char* kStudentFile = "student.yaml";
inline constexpr const char* kAnswersFile = "answers.yaml";
inline constexpr const char* kReadmeFile = "README.md";

struct Student {
  std::string lab;
  std::string id;
  std::uint32_t seed = 0;
  std::string language = {};  ///< language of the lab's sentences; empty: English
};

/// The student of a lab, with the seed that follows, who reads it in its language.
[[nodiscard]] Student student_of(const Lab& lab, const std::string& id);
/// student.yaml.
[[nodiscard]] std::string student_text(const Lab& lab, const Student& student);
/// Throws InputError when the file is missing or malformed, and when its seed is not that of its student.
[[nodiscard]] Student read_student(const std::filesystem::path& folder);

/// What the student wrote behind a key of answers.yaml; empty when nothing.
struct Answer {
  std::string text;
  SourceLocation where;

  /// "4.2", "1/32", "50 MiB", "40 %": nothing when it is not a number.
  [[nodiscard]] std::optional<double> number() const;
};
using Answers = std::map<std::string, Answer, std::less<>>;

/// answers.yaml with its questions, and the answers that are there already.
[[nodiscard]] std::string answers_text(const Lab& lab, const Student& student, const Scope& scope,
                                       const Answers& answers = {});
/// Throws InputError when the file is missing, is not YAML, has a key that is not a question, or is of another student.
[[nodiscard]] Answers read_answers(const std::filesystem::path& folder, const Lab& lab, const Student& student);

/// What the student chose in kSetting tasks, as "answers.TASK".
void set_chosen(const Lab& lab, const Answers& answers, Scope& scope);

}  // namespace gpusim::lab

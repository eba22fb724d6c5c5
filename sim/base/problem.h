// SPDX-License-Identifier: MIT
// What is wrong with an input, where, and what would be right: the library collects Problems and
// throws them together; only the program prints.
#pragma once

#include <compare>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim {

/// Line and column within a text, both from 1; 0 where they are not known.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// A place in a file. Line and column count from 1; 0 means "the whole file".
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

/// One thing that is wrong. `message` names the offending word; `hint` says what is allowed or what
/// was probably meant (may be empty).
struct Problem {
  SourceLocation where;
  std::string message;
  std::string hint;
  std::size_t times = 1;  ///< how often it was found at its place
  friend bool operator==(const Problem&, const Problem&) = default;
};

/// "file:line:column: message, 3 times (hint)"; parts that are unknown are left out, and what is very long is cut.
[[nodiscard]] std::string to_text(const Problem& problem);

/// Wrong command-line usage: exit code 1.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One or more problems in a file or in an option's value: exit code 2. what() is all of them, a line each; where
/// several lines of a file have the same problem, one line stands for them and says which others there are.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Problem> problems);
  explicit InputError(Problem problem);
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// The simulation cannot finish (a deadlock, a limit): exit code 3. what() explains, over several lines.
struct CannotFinishError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Collects problems while an input is read on, so that the user sees all of them at once.
class ProblemList {
 public:
  /// More than this many are counted, not kept: a garbage file must not fill the memory.
  static constexpr std::size_t kMostKept = 50;

  /// The same problem at the same place is kept once, and counted.
  void add(Problem problem);
  [[nodiscard]] bool empty() const { return problems_.empty(); }
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }
  /// Throws InputError when there is at least one problem.
  void throw_if_any() const;

 private:
  std::vector<Problem> problems_;  ///< each place once
  std::size_t dropped_ = 0;
};

}  // namespace gpusim

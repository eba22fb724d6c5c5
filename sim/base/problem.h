// SPDX-License-Identifier: MIT
// What is wrong with an input, where, and what would be right: the library collects Problems and
// throws them together; only the program prints.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
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

/// Problems as people read them, a text each. One text stands for several lines of a file with the same problem, and
/// for many problems that differ in the words they quote: it says how many there are, in which lines, and some of the
/// words.
[[nodiscard]] std::vector<std::string> told(const std::vector<Problem>& problems);

/// Wrong command-line usage: exit code 1.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One or more problems in a file or in an option's value: exit code 2. what() is all of them as told(), a line each.
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
  /// Problems of more kinds than this are counted, not kept: a garbage file must not fill the screen. A kind is told
  /// in one line or a few.
  static constexpr std::size_t kMostKept = 50;
  /// More problems of these kinds than this are counted, not kept: it must not fill the memory, either.
  static constexpr std::size_t kMostOfKinds = 2000;

  /// The same problem at the same place is kept once, and counted.
  void add(Problem problem);
  [[nodiscard]] bool empty() const { return problems_.empty(); }
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }
  /// How many there were that are not kept.
  [[nodiscard]] std::size_t dropped() const { return dropped_; }
  /// Throws InputError when there is at least one problem.
  void throw_if_any() const;

 private:
  std::vector<Problem> problems_;             ///< each place once
  std::map<std::size_t, std::size_t> known_;  ///< from the hash of a problem and its place to its index
  std::set<std::size_t> kinds_;               ///< hashes
  std::size_t dropped_ = 0;
};

}  // namespace gpusim

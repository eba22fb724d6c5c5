// SPDX-License-Identifier: MIT
#include "sim/base/problem.h"

#include <utility>

namespace gpusim {
namespace {

std::string join(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) {
      text += '\n';
    }
    text += to_text(problem);
  }
  return text;
}

/// A message repeats words of the input, which may be of any length.
std::string shortened(const std::string& message) {
  constexpr std::size_t kMost = 500;
  if (message.size() <= kMost) {
    return message;
  }
  std::size_t end = kMost;
  // Not within a character of UTF-8: bytes after its first are 10xxxxxx.
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xc0U) == 0x80U) {
    --end;
  }
  return message.substr(0, end) + "...";
}

}  // namespace

std::string to_text(const Problem& problem) {
  std::string text = problem.where.file;
  if (problem.where.line != 0) {
    text += ':' + std::to_string(problem.where.line);
    if (problem.where.column != 0) {
      text += ':' + std::to_string(problem.where.column);
    }
  }
  if (!text.empty()) {
    text += ": ";
  }
  text += shortened(problem.message);
  if (!problem.hint.empty()) {
    text += " (" + shortened(problem.hint) + ")";
  }
  return text;
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(join(problems)), problems_(std::move(problems)) {}

InputError::InputError(Problem problem) : InputError(std::vector<Problem>{std::move(problem)}) {}

void ProblemList::add(Problem problem) {
  if (problems_.size() < kMostKept) {
    problems_.push_back(std::move(problem));
  } else {
    ++dropped_;
  }
}

void ProblemList::throw_if_any() const {
  if (problems_.empty()) {
    return;
  }
  std::vector<Problem> all = problems_;
  if (dropped_ > 0) {
    all.push_back({{}, "and " + std::to_string(dropped_) + " more problems", ""});
  }
  throw InputError(std::move(all));
}

}  // namespace gpusim

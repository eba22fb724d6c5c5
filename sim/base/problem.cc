// SPDX-License-Identifier: MIT
#include "sim/base/problem.h"

#include <algorithm>
#include <utility>

namespace gpusim {
namespace {

/// More lines than these with the same problem are told in one.
constexpr std::size_t kMostAlike = 3;
constexpr std::size_t kLinesNamed = 100;

bool are_alike(const Problem& one, const Problem& other) {
  return one.where.file == other.where.file && one.message == other.message && one.hint == other.hint;
}

/// "; 12 more lines like this: 5, 7, 9, 11, 13, ..."
std::string more_like_this(const std::vector<const Problem*>& alike) {
  std::string text = "; " + std::to_string(alike.size() - 1) + " more lines like this: ";
  for (std::size_t i = 1; i < alike.size() && i <= kLinesNamed; ++i) {
    text += (i == 1 ? "" : ", ") + std::to_string(alike[i]->where.line);
  }
  return text + (alike.size() - 1 > kLinesNamed ? ", ..." : "");
}

std::string join(const std::vector<Problem>& problems) {
  std::string text;
  std::vector<bool> told(problems.size(), false);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (told[i]) {
      continue;
    }
    std::vector<const Problem*> alike;
    for (std::size_t j = i; j < problems.size(); ++j) {
      if (!told[j] && problems[j].where.line != 0 && are_alike(problems[i], problems[j])) {
        alike.push_back(&problems[j]);
      }
    }
    const bool as_one = alike.size() > kMostAlike;
    for (std::size_t j = i; as_one && j < problems.size(); ++j) {
      told[j] = told[j] || are_alike(problems[i], problems[j]);
    }
    text += (text.empty() ? "" : "\n") + to_text(problems[i]) + (as_one ? more_like_this(alike) : "");
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
  if (const auto known = std::ranges::find(problems_, problem); known != problems_.end()) {
    ++times_[static_cast<std::size_t>(known - problems_.begin())];
  } else if (problems_.size() < kMostKept) {
    problems_.push_back(std::move(problem));
    times_.push_back(1);
  } else {
    ++dropped_;
  }
}

void ProblemList::throw_if_any() const {
  if (problems_.empty()) {
    return;
  }
  std::vector<Problem> all = problems_;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].message += times_[i] == 1 ? "" : ", " + std::to_string(times_[i]) + " times";
  }
  if (dropped_ > 0) {
    all.push_back({{}, "and " + std::to_string(dropped_) + " more problems", ""});
  }
  throw InputError(std::move(all));
}

}  // namespace gpusim

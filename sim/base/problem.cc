// SPDX-License-Identifier: MIT
#include "sim/base/problem.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace gpusim {
namespace {

/// More lines than these with the same problem are told in one.
constexpr std::size_t kMostAlike = 2;
constexpr std::size_t kLinesNamed = 100;

/// What problems share that differ in their line only.
using Kind = std::tuple<std::string_view, std::string_view, std::string_view>;

Kind kind_of(const Problem& problem) {
  return {problem.where.file, problem.message, problem.hint};
}

/// "; 12 more lines like this: 5, 7, 9, 11, 13, ...". `lines`: the first line and those like it, in order.
std::string more_like_this(const std::vector<std::uint32_t>& lines) {
  const std::size_t more = lines.size() - 1;
  std::string text = "; " + std::to_string(more) + " more lines like this: ";
  for (std::size_t i = 1; i <= std::min(more, kLinesNamed); ++i) {
    text += (i == 1 ? "" : ", ") + std::to_string(lines[i]);
  }
  return text + (more > kLinesNamed ? ", ..." : "");
}

/// Lines of each kind that is told in one: in order, each once.
std::map<Kind, std::vector<std::uint32_t>> lines_of_groups(const std::vector<Problem>& problems) {
  std::map<Kind, std::vector<std::uint32_t>> groups;
  for (const Problem& problem : problems) {
    if (problem.where.line != 0) {
      groups[kind_of(problem)].push_back(problem.where.line);
    }
  }
  for (auto& [kind, lines] : groups) {
    std::ranges::sort(lines);
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  }
  std::erase_if(groups, [](const auto& group) { return group.second.size() <= kMostAlike; });
  return groups;
}

std::string join(const std::vector<Problem>& problems) {
  const std::map<Kind, std::vector<std::uint32_t>> groups = lines_of_groups(problems);
  std::set<Kind> told;
  std::string text;
  for (const Problem& problem : problems) {
    const auto group = problem.where.line == 0 ? groups.end() : groups.find(kind_of(problem));
    if (group == groups.end()) {
      text += (text.empty() ? "" : "\n") + to_text(problem);
    } else if (told.insert(group->first).second) {
      Problem first = problem;
      first.where = {problem.where.file, group->second.front(), 0};
      first.where.column = problem.where.line == first.where.line ? problem.where.column : 0;
      first.times = 1;
      text += (text.empty() ? "" : "\n") + to_text(first) + more_like_this(group->second);
    }
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
  if (problem.times > 1) {
    text += ", " + std::to_string(problem.times) + " times";
  }
  if (!problem.hint.empty()) {
    text += " (" + shortened(problem.hint) + ")";
  }
  return text;
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(join(problems)), problems_(std::move(problems)) {}

InputError::InputError(Problem problem) : InputError(std::vector<Problem>{std::move(problem)}) {}

void ProblemList::add(Problem problem) {
  const auto known = std::ranges::find_if(problems_, [&problem](const Problem& other) {
    return other.where == problem.where && kind_of(other) == kind_of(problem);
  });
  if (known != problems_.end()) {
    known->times += problem.times;
  } else if (problems_.size() < kMostKept) {
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

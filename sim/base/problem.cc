// SPDX-License-Identifier: MIT
#include "sim/base/problem.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <tuple>
#include <utility>

#include "sim/base/text.h"

namespace gpusim {
namespace {

/// More lines than these with the very same problem are told in one.
constexpr std::size_t kMostAlike = 2;
/// More problems than these that differ in the words they quote are told in one.
constexpr std::size_t kMostOfKind = 8;
/// How many words or options are named, and how many characters of each.
constexpr std::size_t kWordsNamed = 8;
constexpr std::size_t kMostOfWord = 60;

bool is_letter_or_digit(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// A text and the first of the words that it quotes.
struct Form {
  std::string text;  ///< without the words that it quotes
  std::string word;  ///< with its quotes; "" where it quotes none
};

/// A quote within a word is an apostrophe.
Form form_of(std::string_view text) {
  Form form;
  for (std::size_t at = 0; at < text.size(); ++at) {
    form.text += text[at];
    if (text[at] != '\'' || (at > 0 && is_letter_or_digit(text[at - 1]))) {
      continue;
    }
    std::size_t end = text.find('\'', at + 1);
    while (end != std::string_view::npos && end + 1 < text.size() && is_letter_or_digit(text[end + 1])) {
      end = text.find('\'', end + 1);
    }
    if (end == std::string_view::npos) {
      form.text += text.substr(at + 1);
      break;
    }
    form.word = form.word.empty() ? std::string(text.substr(at, end + 1 - at)) : form.word;
    form.text += '\'';
    at = end;
  }
  return form;
}

/// What problems share that are told in one: their file, or the option, the form of their message, and the hint.
using Kind = std::tuple<std::string, std::string, std::string>;

/// An option is one of many by itself, and what has no place at all is a text of its own.
Kind kind_of(const Problem& problem) {
  if (problem.where.line != 0) {
    return {problem.where.file, form_of(problem.message).text, problem.hint};
  }
  return problem.where.file.empty() ? Kind{"", problem.message, problem.hint}
                                    : Kind{"of many", form_of(problem.message).text, problem.hint};
}

std::string text_of(const Kind& kind) {
  return std::get<0>(kind) + '\n' + std::get<1>(kind) + '\n' + std::get<2>(kind);
}

/// What problems share that differ in their place only.
Kind same_of(const Problem& problem) {
  return {problem.where.file, problem.message, problem.hint};
}

/// Problems of one kind, those of a file in the order of their places.
using Group = std::vector<const Problem*>;

Group in_order(const std::vector<Problem>& problems) {
  Group order;
  std::ranges::transform(problems, std::back_inserter(order), [](const Problem& problem) { return &problem; });
  std::ranges::stable_sort(order, {}, [](const Problem* problem) { return problem->where.line; });
  return order;
}

std::vector<std::uint64_t> lines_of(const Group& group) {
  std::vector<std::uint64_t> lines;
  for (const Problem* const problem : group) {
    lines.push_back(problem->where.line);
  }
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

/// "'a', 'b'": what tells each problem from the first, in its words or by its file.
std::string differences(const Group& group) {
  const Problem& first = *group.front();
  std::vector<std::string> names{clipped(form_of(first.message).word, kMostOfWord)};
  std::string text;
  for (const Problem* const problem : group) {
    const bool is_elsewhere = problem->where.file != first.where.file;
    const std::string name = is_elsewhere ? problem->where.file : clipped(form_of(problem->message).word, kMostOfWord);
    if (std::ranges::find(names, name) != names.end()) {
      continue;
    }
    if (names.size() > kWordsNamed) {
      return text + ", ...";
    }
    text += (text.empty() ? ": " : ", ") + name;
    names.push_back(name);
  }
  return text;
}

/// "; 12 more lines like this (5 to 16): 'b', 'c'", "; 12 more like this: --set a, --set b".
std::string more_like_this(const Group& group) {
  std::vector<std::uint64_t> lines = lines_of(group);
  if (lines.size() == 1) {
    return "; " + std::to_string(group.size() - 1) + " more like this" + (lines.front() == 0 ? "" : " in the line") +
           differences(group);
  }
  lines.erase(lines.begin());
  return "; " + counted(lines.size(), "more line") + " like this (" + ranges_text(lines) + ")" + differences(group);
}

std::string text_of(const Group& group) {
  Problem first = *group.front();
  first.times = 1;
  return to_text(first) + more_like_this(group);
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

std::vector<std::string> told(const std::vector<Problem>& problems) {
  std::map<Kind, Group> kinds;
  std::map<Kind, Group> alike;
  for (const Problem* const problem : in_order(problems)) {
    kinds[kind_of(*problem)].push_back(problem);
    alike[same_of(*problem)].push_back(problem);
  }
  std::vector<std::string> texts;
  std::set<const Group*> done;
  for (const Problem& problem : problems) {
    const Group& kind = kinds.at(kind_of(problem));
    const Group& same = alike.at(same_of(problem));
    const bool is_flood = kind.size() > kMostOfKind;
    if (!is_flood && (problem.where.line == 0 || lines_of(same).size() <= kMostAlike)) {
      texts.push_back(to_text(problem));
    } else if (const Group& group = is_flood ? kind : same; done.insert(&group).second) {
      texts.push_back(text_of(group));
    }
  }
  return texts;
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(joined(told(problems), "\n")), problems_(std::move(problems)) {}

InputError::InputError(Problem problem) : InputError(std::vector<Problem>{std::move(problem)}) {}

void ProblemList::add(Problem problem) {
  const std::hash<std::string> hash;
  const std::size_t place = (std::size_t{problem.where.line} << 32U) ^ problem.where.column;
  const std::size_t own = hash(text_of(same_of(problem))) ^ place;
  const auto known = known_.find(own);
  const auto is_the_same = [&problem](const Problem& other) {
    return other.where == problem.where && other.message == problem.message && other.hint == problem.hint;
  };
  if (known != known_.end() && is_the_same(problems_[known->second])) {
    problems_[known->second].times += problem.times;
    return;
  }
  const std::size_t kind = hash(text_of(kind_of(problem)));
  const bool is_kept = problems_.size() < kMostOfKinds && (kinds_.contains(kind) || kinds_.size() < kMostKept);
  if (!is_kept) {
    ++dropped_;
    return;
  }
  kinds_.insert(kind);
  known_.emplace(own, problems_.size());
  problems_.push_back(std::move(problem));
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

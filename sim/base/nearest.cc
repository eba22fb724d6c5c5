// SPDX-License-Identifier: MIT
#include "sim/base/nearest.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/base/letter_case.h"

namespace gpusim {
namespace {

std::string did_you_mean(std::string_view name) {
  return "did you mean '" + std::string(name) + "'?";
}

/// Whether `name` is `start`, in any letter case, and then goes on with anything but a letter or a digit.
bool goes_on(std::string_view name, std::string_view start) {
  return !start.empty() && name.size() > start.size() &&
         std::isalnum(static_cast<unsigned char>(name[start.size()])) == 0 &&
         in_lower_case(name.substr(0, start.size())) == in_lower_case(start);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);  // distances of the first letters of `a` from the first ones of `b`
  std::iota(row.begin(), row.end(), std::size_t{0});
  std::vector<std::size_t> before;
  std::vector<std::size_t> two_before;
  const auto same = [&](std::size_t i, std::size_t j) { return in_lower_case(a[i]) == in_lower_case(b[j]); };
  for (std::size_t i = 0; i < a.size(); ++i) {
    two_before = std::exchange(before, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({before[j + 1] + 1, row[j] + 1, before[j] + (same(i, j) ? 0 : 1)});
      if (i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j)) {
        row[j + 1] = std::min(row[j + 1], two_before[j - 1] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> allowed) {
  // A word of thousands of characters is garbage, not a slip of the finger.
  constexpr std::size_t kLongestWord = 64;
  if (word.size() > kLongestWord) {
    return {};
  }
  const std::size_t limit = std::max<std::size_t>(2, word.size() / 3);
  std::string_view best;
  std::size_t best_distance = limit + 1;
  for (const std::string_view candidate : allowed) {
    const std::size_t distance = edit_distance(word, candidate);
    // Two words with few letters in common are not alike, however short they are.
    if (distance < best_distance && 2 * distance <= std::max(word.size(), candidate.size())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> allowed) {
  if (const std::string_view near = nearest(word, allowed); !near.empty()) {
    return did_you_mean(near);
  }
  constexpr std::size_t kMostListed = 12;
  std::string text = "known:";
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (i == kMostListed) {
      return text + ", ...";
    }
    text += (i == 0 ? " " : ", ") + std::string(allowed[i]);
  }
  return allowed.empty() ? std::string() : text;
}

std::string name_suggestion(std::string_view word, std::span<const std::string_view> allowed) {
  std::string_view longer;   // the shortest of those that go on from the word
  std::string_view shorter;  // the longest of those from which the word goes on
  for (const std::string_view name : allowed) {
    if (goes_on(name, word) && (longer.empty() || name.size() < longer.size())) {
      longer = name;
    }
    if (goes_on(word, name) && name.size() > shorter.size()) {
      shorter = name;
    }
  }
  if (!longer.empty()) {
    return did_you_mean(longer);
  }
  const std::string_view near = nearest(word, allowed);
  return shorter.empty() || goes_on(near, shorter) ? suggestion(word, allowed) : did_you_mean(shorter);
}

}  // namespace gpusim

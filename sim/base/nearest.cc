// SPDX-License-Identifier: MIT
#include "sim/base/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/base/letter_case.h"

namespace gpusim {
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
    return "did you mean '" + std::string(near) + "'?";
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

}  // namespace gpusim

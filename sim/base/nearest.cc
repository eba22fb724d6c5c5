// SPDX-License-Identifier: MIT
#include "sim/base/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/base/letter_case.h"

namespace gpusim {
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t substituted = diagonal + (in_lower_case(a[i - 1]) == in_lower_case(b[j - 1]) ? 0 : 1);
      row[j] = std::min({above + 1, row[j - 1] + 1, substituted});
      diagonal = above;
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
    // Two words without a letter in common are not alike, however short they are.
    if (distance < best_distance && distance < std::max(word.size(), candidate.size())) {
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

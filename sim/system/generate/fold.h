// SPDX-License-Identifier: MIT
// What repeats in a list, so that it is written once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gpusim::generate {

/// Part of a list: `period` items, `times` times.
struct Fold {
  std::size_t begin = 0;
  std::size_t period = 1;
  std::size_t times = 1;
};

/// The list as folds in order, each the longest that begins there.
template <class T>
std::vector<Fold> folds_of(const std::vector<T>& list) {
  constexpr std::size_t kLongest = 256;
  std::vector<Fold> folds;
  for (std::size_t at = 0; at < list.size();) {
    Fold best{at, 1, 1};
    for (std::size_t period = 1; period <= kLongest && at + 2 * period <= list.size(); ++period) {
      std::size_t end = at + period;
      while (end < list.size() && list[end] == list[end - period]) {
        ++end;
      }
      const std::size_t times = (end - at) / period;
      if (times > 1 && times * period > best.times * best.period) {
        best = {at, period, times};
      }
    }
    folds.push_back(best);
    at += best.period * best.times;
  }
  return folds;
}

}  // namespace gpusim::generate

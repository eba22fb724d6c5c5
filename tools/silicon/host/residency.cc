// SPDX-License-Identifier: MIT
#include "tools/silicon/host/residency.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>

namespace gpusim::silicon {
namespace {

// Ends of CTAs, the earliest first.
using Ends = std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>>;

}  // namespace

std::vector<double> turnarounds(std::span<const Life> lives) {
  std::vector<Life> ordered(lives.begin(), lives.end());
  std::sort(ordered.begin(), ordered.end(), [](const Life& a, const Life& b) { return a.begin < b.begin; });
  std::map<std::uint64_t, Ends> ends_of_sm;
  std::vector<double> gaps;
  for (const Life& life : ordered) {
    Ends& ends = ends_of_sm[life.sm];
    if (!ends.empty() && ends.top() <= life.begin) {
      gaps.push_back(static_cast<double>(life.begin - ends.top()));
      ends.pop();
    }
    ends.push(life.end);
  }
  return gaps;
}

FirstWave first_wave(std::span<const Life> lives, std::size_t at_once) {
  std::vector<std::uint64_t> begins;
  for (const Life& life : lives) {
    begins.push_back(life.nanoseconds);
  }
  std::sort(begins.begin(), begins.end());
  return {begins.front(), begins[std::min(at_once, begins.size()) - 1]};
}

}  // namespace gpusim::silicon

// SPDX-License-Identifier: MIT
#include "sim/model/trace/dealing.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace gpusim::trace {

std::uint32_t Dealing::steps(std::uint64_t tile) const {
  const std::uint64_t of_section = std::uint64_t{section} * blocks;
  const std::uint64_t first = tile / of_section * section;
  const std::uint64_t wide = std::min<std::uint64_t>(section, heads - first);
  const std::uint64_t block = blocks - 1 - tile % of_section / wide;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, ((block + 1) * rows + ahead + keys - 1) / keys));
}

std::vector<std::uint32_t> dealt(const Dealing& dealing) {
  using Free = std::pair<std::uint64_t, std::uint32_t>;  // when, who: of those free at once the first one takes
  std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
  for (std::uint32_t worker = 0; worker < dealing.workers; ++worker) {
    free.emplace(0, worker);
  }
  std::vector<std::vector<std::uint32_t>> taken(dealing.workers);
  for (std::uint64_t tile = 0; tile < dealing.tiles(); ++tile) {
    const auto [when, worker] = free.top();
    free.pop();
    taken[worker].push_back(static_cast<std::uint32_t>(tile));
    free.emplace(when + dealing.steps(tile) + 1, worker);
  }
  std::vector<std::uint32_t> entries{0};
  entries.reserve(dealing.entries());
  for (const std::vector<std::uint32_t>& tiles : taken) {
    entries.push_back(entries.back() + static_cast<std::uint32_t>(tiles.size()));
  }
  for (const std::vector<std::uint32_t>& tiles : taken) {
    entries.insert(entries.end(), tiles.begin(), tiles.end());
  }
  for (const std::vector<std::uint32_t>& tiles : taken) {
    std::uint32_t before = 0;
    for (const std::uint32_t tile : tiles) {
      entries.push_back(before);
      before += dealing.steps(tile);
    }
  }
  return entries;
}

}  // namespace gpusim::trace

// SPDX-License-Identifier: MIT
// Natural loops: an edge back to a block that a depth-first walk is still within closes one, and what reaches that edge
// without passing the loop's head is inside.
#include <algorithm>

#include "sim/machine/lower/flow_graph.h"

namespace gpusim::lower {
namespace {

constexpr std::uint64_t kMostLoopSteps = 16ULL << 20U;  ///< loops times blocks

using Lists = std::vector<std::vector<std::uint32_t>>;

/// For each block the blocks that jump back to it.
Lists latches_of(std::span<const Block> blocks) {
  enum class Mark : std::uint8_t { kNew, kOpen, kDone };
  struct Place {
    std::uint32_t block;
    std::size_t next;
  };
  Lists latches(blocks.size());
  std::vector<Mark> marks(blocks.size(), Mark::kNew);
  std::vector<Place> stack;
  for (std::uint32_t root = 0; root < blocks.size(); ++root) {
    if (marks[root] == Mark::kNew) {
      marks[root] = Mark::kOpen;
      stack.push_back({root, 0});
    }
    while (!stack.empty()) {
      Place& place = stack.back();
      const std::uint32_t from = place.block;
      if (place.next == blocks[from].successors.size()) {
        marks[from] = Mark::kDone;
        stack.pop_back();
        continue;
      }
      const std::uint32_t to = blocks[from].successors[place.next++];
      if (marks[to] == Mark::kOpen) {
        latches[to].push_back(from);
      } else if (marks[to] == Mark::kNew) {
        marks[to] = Mark::kOpen;
        stack.push_back({to, 0});
      }
    }
  }
  return latches;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> loop_entries(std::span<const Block> blocks) {
  Lists entries(blocks.size());
  const Lists latches = latches_of(blocks);
  const auto loops =
      static_cast<std::uint64_t>(std::ranges::count_if(latches, [](const auto& l) { return !l.empty(); }));
  if (loops * blocks.size() > kMostLoopSteps) {
    return entries;
  }
  Lists predecessors(blocks.size());
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    for (const std::uint32_t next : blocks[b].successors) {
      predecessors[next].push_back(b);
    }
  }
  for (std::uint32_t head = 0; head < blocks.size(); ++head) {
    if (latches[head].empty()) {
      continue;
    }
    std::vector<bool> inside(blocks.size());
    inside[head] = true;
    std::vector<std::uint32_t> work = latches[head];
    while (!work.empty()) {
      const std::uint32_t block = work.back();
      work.pop_back();
      if (!inside[block]) {
        inside[block] = true;
        work.insert(work.end(), predecessors[block].begin(), predecessors[block].end());
      }
    }
    for (const std::uint32_t from : predecessors[head]) {
      if (!inside[from]) {
        entries[from].push_back(head);
      }
    }
  }
  return entries;
}

}  // namespace gpusim::lower

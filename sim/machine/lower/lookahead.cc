// SPDX-License-Identifier: MIT
#include "sim/machine/lower/lookahead.h"

#include <algorithm>
#include <queue>
#include <set>
#include <utility>

#include "sim/model/trace/kernel.h"

namespace gpusim::lower {
namespace {

/// A search that has seen so many blocks assumes that the next one holds what it looks for: the assumption costs at
/// most an unneeded counter, and keeps kernels of many blocks linear.
constexpr std::size_t kMostBlocks = 64;

void add_position(std::vector<std::uint32_t>& positions, std::uint32_t instr) {
  if (positions.empty() || positions.back() != instr) {
    positions.push_back(instr);
  }
}

/// The first of `registers`' positions in [begin, end), or `end`.
std::uint32_t first_position(const std::vector<std::vector<std::uint32_t>>& positions,
                             std::span<const std::uint16_t> registers, std::pair<std::uint32_t, std::uint32_t> range) {
  std::uint32_t first = range.second;
  for (const std::uint16_t reg : registers) {
    const auto found = std::lower_bound(positions[reg].begin(), positions[reg].end(), range.first);
    if (found != positions[reg].end()) {
      first = std::min(first, *found);
    }
  }
  return first;
}

}  // namespace

Lookahead::Lookahead(const trace::Kernel& kernel, const RegisterUse& use, std::span<const Block> blocks)
    : use_(use), blocks_(blocks), block_of_(block_of_instructions(blocks)) {
  accesses_.resize(use.count());
  writes_.resize(use.count());
  for (std::uint32_t i = 0; i < kernel.code.size(); ++i) {
    for (const std::uint16_t reg : use.reads(i)) {
      add_position(accesses_[reg], i);
    }
    for (const std::uint16_t reg : use.writes(i)) {
      add_position(accesses_[reg], i);
      add_position(writes_[reg], i);
    }
  }
}

std::optional<FirstUse> Lookahead::first_consumer(std::uint32_t instr) const {
  if (use_.writes(instr).empty()) {
    return std::nullopt;
  }
  return search(instr, [&](std::uint32_t begin, std::uint32_t end) {
    return Hit{first_position(accesses_, use_.writes(instr), {begin, end}), end};
  });
}

std::optional<FirstUse> Lookahead::first_overwriter(std::uint32_t instr) const {
  if (use_.late_reads(instr).empty()) {
    return std::nullopt;
  }
  return search(instr, [&](std::uint32_t begin, std::uint32_t end) {
    return Hit{first_position(writes_, use_.late_reads(instr), {begin, end}),
               first_position(accesses_, use_.writes(instr), {begin, end})};
  });
}

template <typename Find>
std::optional<FirstUse> Lookahead::search(std::uint32_t instr, const Find& find) const {
  struct Stretch {
    std::uint64_t distance;
    std::uint32_t begin;
    std::uint32_t block;
    bool operator>(const Stretch& other) const {
      return std::pair(distance, begin) > std::pair(other.distance, other.begin);
    }
  };
  std::priority_queue<Stretch, std::vector<Stretch>, std::greater<>> open;
  std::set<std::uint32_t> seen;
  open.push({1, instr + 1, block_of_[instr]});
  while (!open.empty()) {
    const Stretch at = open.top();
    open.pop();
    const Block& block = blocks_[at.block];
    const Hit hit = find(at.begin, block.end);
    if (hit.target < block.end && hit.target < hit.stop) {
      return FirstUse{hit.target, at.distance + (hit.target - at.begin)};
    }
    if (hit.stop < block.end) {
      continue;
    }
    if (seen.size() >= kMostBlocks) {
      return FirstUse{at.begin, at.distance};
    }
    for (const std::uint32_t next : block.successors) {
      if (seen.insert(next).second) {
        open.push({at.distance + (block.end - at.begin), blocks_[next].first, next});
      }
    }
  }
  return std::nullopt;
}

}  // namespace gpusim::lower

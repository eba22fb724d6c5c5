// SPDX-License-Identifier: MIT
#include "sim/lower/flow_graph.h"

#include <algorithm>

namespace gpusim::lower {
namespace {

/// Whether each instruction begins a block: the entry, targets of jumps, and whatever follows a fork or an end.
std::vector<bool> find_leaders(const trace::Kernel& kernel) {
  const auto count = static_cast<std::uint32_t>(kernel.code.size());
  std::vector<bool> leader(count, false);
  std::vector<bool> falls_through(count, false);
  std::vector<std::uint8_t> successors(count, 0);
  if (count > 0) {
    leader[0] = true;
  }
  for (const trace::Edge& edge : kernel.edges) {
    successors[edge.from] = static_cast<std::uint8_t>(std::min(successors[edge.from] + 1, 2));
    if (edge.to == edge.from + 1) {
      falls_through[edge.from] = true;
    } else if (edge.to != trace::kExitNode) {
      leader[edge.to] = true;
    }
  }
  for (std::uint32_t i = 0; i + 1 < count; ++i) {
    if (successors[i] != 1 || !falls_through[i]) {
      leader[i + 1] = true;
    }
  }
  return leader;
}

}  // namespace

std::vector<Block> build_blocks(const trace::Kernel& kernel) {
  const std::vector<bool> leader = find_leaders(kernel);
  std::vector<Block> blocks;
  for (std::uint32_t i = 0; i < leader.size(); ++i) {
    if (leader[i]) {
      blocks.push_back({i, i, {}});
    }
    blocks.back().end = i + 1;
  }
  const std::vector<std::uint32_t> block_of = block_of_instructions(blocks);
  for (const trace::Edge& edge : kernel.edges) {
    Block& from = blocks[block_of[edge.from]];
    if (edge.from + 1 == from.end && edge.to != trace::kExitNode) {
      from.successors.push_back(block_of[edge.to]);
    }
  }
  return blocks;
}

std::vector<std::uint32_t> block_of_instructions(std::span<const Block> blocks) {
  std::vector<std::uint32_t> block_of(blocks.empty() ? 0 : blocks.back().end);
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    std::fill(block_of.begin() + blocks[b].first, block_of.begin() + blocks[b].end, b);
  }
  return block_of;
}

RegisterUse::RegisterUse(const trace::Kernel& kernel) {
  ranges_.reserve(kernel.code.size());
  const auto position = [this] { return static_cast<std::uint32_t>(used_.size()); };
  for (const isa::Instr& instr : kernel.code) {
    Range range;
    range.sources = position();
    std::for_each(instr.sources.begin(), instr.sources.end(), [this](const isa::Operand& o) { add(o); });
    range.guard = position();
    add(instr.guard);
    range.destinations = position();
    std::for_each(instr.destinations.begin(), instr.destinations.end(), [this](const isa::Operand& o) { add(o); });
    range.end = position();
    ranges_.push_back(range);
  }
}

void RegisterUse::add(const isa::Operand& operand) {
  if (!operand.is_real()) {
    return;
  }
  auto& numbers = number_[static_cast<std::size_t>(operand.file)];
  const std::size_t end = std::min<std::size_t>(operand.index + operand.width, numbers.size());
  for (std::size_t index = operand.index; index < end; ++index) {
    if (numbers[index] == 0) {
      numbers[index] = static_cast<std::uint16_t>(++count_);
    }
    used_.push_back(static_cast<std::uint16_t>(numbers[index] - 1));
  }
}

}  // namespace gpusim::lower

// SPDX-License-Identifier: MIT
#include "sim/machine/lower/flow_graph.h"

#include <algorithm>

#include "sim/model/trace/cfg.h"

namespace gpusim::lower {
std::vector<Block> build_blocks(const trace::Kernel& kernel) {
  const auto count = static_cast<std::uint32_t>(kernel.code.size());
  const std::vector<std::uint32_t> leaders = trace::block_leaders(count, kernel.edges);
  std::vector<Block> blocks;
  blocks.reserve(leaders.size());
  for (std::size_t b = 0; b < leaders.size(); ++b) {
    blocks.push_back({leaders[b], b + 1 < leaders.size() ? leaders[b + 1] : count, {}});
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
      predicates_.push_back(operand.file == isa::RegFile::kPredicate);
    }
    used_.push_back(static_cast<std::uint16_t>(numbers[index] - 1));
  }
}

}  // namespace gpusim::lower

// SPDX-License-Identifier: MIT
#include "sim/exec/trace/code.h"

#include <algorithm>
#include <map>
#include <optional>

#include "sim/code/flow/edges.h"
#include "sim/code/sass/text.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::exec {
namespace {

using sass::Op;

/// The file that most entries of the line table name; nothing without one.
std::optional<std::uint32_t> main_file(const Image& image) {
  std::map<std::uint32_t, std::size_t> entries;
  for (const cubin::LineEntry& line : image.lines) {
    ++entries[line.file];
  }
  const auto most = std::ranges::max_element(entries, {}, [](const auto& entry) { return entry.second; });
  return most == entries.end() ? std::nullopt : std::optional(most->first);
}

/// By instruction: its line in the file; of code that comes from another one, such as a header, the line before it.
std::vector<std::uint32_t> lines_in(const Image& image, std::uint32_t file) {
  std::vector<std::uint32_t> lines;
  std::uint32_t line = 0;
  for (std::uint32_t pc = 0; pc < image.instructions.size(); ++pc) {
    const cubin::LineEntry* const entry = image.line_of(pc);
    line = entry != nullptr && entry->file == file ? entry->line : line;
    lines.push_back(line);
  }
  return lines;
}

std::vector<trace::Edge> edges_of(const Image& image) {
  std::vector<trace::Edge> edges;
  for (const flow::Edge& edge : flow::edges_of(image.instructions)) {
    edges.push_back({edge.from, edge.to == flow::kEnd ? trace::kExitNode : edge.to});
  }
  return edges;
}

/// A copy from the CTA's shared memory to that of a CTA of the cluster, which may be itself.
bool is_move(const sass::Instruction& instruction) {
  constexpr std::uint8_t kBetweenShared = 3;
  const bool copies = instruction.op == Op::kUblkcp || instruction.op == Op::kUblkred;
  return copies && instruction.modifier(sass::Mod::kTransfer) == kBetweenShared;
}

/// Whether it may name another CTA of the cluster: arrivals at mbarriers, and copies to several.
bool is_of_cluster(const sass::Instruction& instruction) {
  using sass::Mod;
  switch (instruction.op) {
    case Op::kSyncsArrive: return instruction.has(Mod::kRed);
    case Op::kUblkcp:
    case Op::kUtmaldg:
    case Op::kUtmaldgExtra: return instruction.has(Mod::kMulticast);
    default: return false;
  }
}

}  // namespace

void add_code(const Image& image, trace::Kernel& kernel) {
  const std::optional<std::uint32_t> file = main_file(image);
  std::vector<std::uint32_t> lines(image.instructions.size());
  if (file) {
    lines = lines_in(image, *file);
    kernel.where.file = image.files[*file];
  }
  for (std::uint32_t pc = 0; pc < image.instructions.size(); ++pc) {
    const sass::Instruction& instruction = image.instructions[pc];
    const std::uint64_t address = std::uint64_t{pc} * sass::kInstructionBytes;
    kernel.code.push_back(sass::to_isa(instruction));
    kernel.code.back().of_cluster =
        is_move(instruction) || (image.launch.cluster.volume() > 1 && is_of_cluster(instruction));
    kernel.texts.push_back({sass::opcode_text(instruction),
                            sass::to_text(instruction, static_cast<std::int64_t>(address)), lines[pc], address});
  }
  kernel.control_recorded = true;
  kernel.edges = edges_of(image);
}

}  // namespace gpusim::exec

// SPDX-License-Identifier: MIT
#include "sim/exec/trace/code.h"

#include <algorithm>
#include <map>
#include <optional>

#include "sim/code/sass/text.h"

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

bool is_call(Op op) {
  return op == Op::kCallRel || op == Op::kCallAbs || op == Op::kCallAbsRegister || op == Op::kCallRelRegister;
}

/// Whether all lanes that come to an unguarded one leave it for somewhere else than the instruction behind.
bool leaves_for_good(const sass::Instruction& instruction) {
  switch (instruction.op) {
    case Op::kBra: {
      const sass::Operand& predicate = instruction.operands[0];
      const bool always = predicate.kind != sass::OperandKind::kRegister || predicate.index == isa::kPT;
      return always && instruction.guard.always() && !instruction.has(sass::Mod::kBranchMode);
    }
    case Op::kBrx:
    case Op::kBrxu:
    case Op::kJmp:
    case Op::kJmx:
    case Op::kRet:
    case Op::kExit:
    case Op::kKill: return instruction.guard.always();
    default: return false;
  }
}

/// Where indirect branches lead is in their registers, and not known here; a return leads behind a call.
std::vector<trace::Edge> edges_of(const Image& image) {
  const auto count = static_cast<std::uint32_t>(image.instructions.size());
  std::vector<trace::Edge> edges;
  std::vector<std::uint32_t> behind_calls;
  for (std::uint32_t pc = 0; pc + 1 < count; ++pc) {
    if (is_call(image.instructions[pc].op)) {
      behind_calls.push_back(pc + 1);
    }
  }
  for (std::uint32_t pc = 0; pc < count; ++pc) {
    const sass::Instruction& instruction = image.instructions[pc];
    if (!leaves_for_good(instruction)) {
      edges.push_back({pc, pc + 1 < count ? pc + 1 : trace::kExitNode});
    }
    switch (instruction.op) {
      case Op::kBra:
      case Op::kBraDiv:
      case Op::kBraUniform:
      case Op::kCallRel:
        edges.push_back({pc, image.code[pc].target < count ? image.code[pc].target : trace::kExitNode});
        break;
      case Op::kRet: std::ranges::for_each(behind_calls, [&](std::uint32_t to) { edges.push_back({pc, to}); }); break;
      case Op::kExit:
      case Op::kKill: edges.push_back({pc, trace::kExitNode}); break;
      default: break;
    }
  }
  const auto place = [](const trace::Edge& edge) { return std::pair(edge.from, edge.to); };
  std::ranges::sort(edges, {}, place);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
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

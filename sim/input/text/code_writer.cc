// SPDX-License-Identifier: MIT
#include "sim/input/text/code_writer.h"

#include <array>
#include <cstdio>
#include <utility>

#include "sim/model/isa/decode.h"

namespace gpusim::frontend {
namespace {

using trace::FlowKind;
using trace::kNone;

constexpr std::uint64_t kMostInstructions = 1U << 18U;
/// Boost's dominator tree recurses along chains of blocks; this keeps it well within a thread's stack.
constexpr std::uint32_t kMostBranches = 8192;
/// What the stall count of an instruction can be on GPUs since Volta: Jia et al., "Dissecting the NVIDIA Volta GPU
/// Architecture via Microbenchmarking".
constexpr std::uint8_t kMostStall = 15;

}  // namespace

void CodeWriter::count(const InstructionText& text, FlowKind kind) {
  if (++file_.instructions > kMostInstructions) {
    reporter_.add(where_,
                  "the file's code is longer than " + std::to_string(kMostInstructions) + " instructions, unrolled",
                  "a 'loop' takes the place of an 'unroll' without making more code");
    is_too_long_ = true;
  }
  const bool branches = kind == FlowKind::kBranch || kind == FlowKind::kLoopGuard || kind == FlowKind::kLoopEnd;
  if (branches && ++branches_ == kMostBranches + 1) {
    reporter_.add(text.place, "the kernel has more than " + std::to_string(kMostBranches) + " branches, unrolled");
    is_too_long_ = true;
  }
}

trace::DraftOp& CodeWriter::emit(const InstructionText& text, FlowKind kind) {
  count(text, kind);
  isa::Instr instr = decode(text.opcode, text.place);
  const std::vector<std::string_view> operands(text.operands.begin(), text.operands.end());
  if (const auto error = isa::assign_operands(text.opcode, text.guard, operands, instr)) {
    reporter_.add(text.place, *error);
  }
  add_control(text, instr);
  isa::InstrText shown;
  shown.opcode = text.opcode;
  shown.text = text.guard + (text.guard.empty() ? "" : " ") + text.opcode;
  for (std::size_t i = 0; i < text.operands.size(); ++i) {
    shown.text += (i == 0 ? " " : ", ") + text.operands[i];
  }
  shown.line = text.place.line;
  constexpr std::uint64_t kInstructionBytes = 16;
  shown.pc = kInstructionBytes * kernel_.code.size();
  trace::DraftOp& op = draft_.ops.emplace_back();
  op.kind = kind;
  op.instr = static_cast<std::uint32_t>(kernel_.code.size());
  op.place = text.place;
  op.loop = loop_;
  kernel_.code.push_back(instr);
  kernel_.texts.push_back(std::move(shown));
  return op;
}

trace::DraftOp& CodeWriter::emit_branch(const std::string& guard, const std::string& control, Place place,
                                        FlowKind kind) {
  return emit({"BRA", guard, {"L"}, control, place}, kind);
}

void CodeWriter::add_control(const InstructionText& text, isa::Instr& instr) {
  Place& first = text.control.empty() ? without_control_ : with_control_;
  if (first.line == 0) {
    first = text.place;
  }
  if (const auto control = text.control.empty() ? std::nullopt : isa::parse_control_bits(text.control)) {
    instr.control = *control;
    instr.has_control = true;
    if (control->stall > kMostStall && file_.warnings.take_line(FileWarnings::Cause::kLongStall, text.place.line)) {
      file_.warnings.add(text.place, "a stall count of " + std::to_string(control->stall) +
                                         " is simulated, but no GPU has it: it has 4 bits, so at most 15");
    }
  }
}

const isa::Instr& CodeWriter::decode(const std::string& opcode, Place place) {
  const auto known = decoded_.find(opcode);
  if (known != decoded_.end()) {
    return known->second;
  }
  const isa::Instr instr = isa::decode_opcode(opcode);
  if (!instr.known_opcode && file_.warnings.take_opcode(opcode)) {
    const bool listed = isa::find_opcode(opcode) != nullptr;
    const std::string near(listed ? "" : isa::nearest_opcode(opcode));
    file_.warnings.add(place,
                       (listed ? "opcode '" : "unknown opcode '") + opcode + (listed ? "' is not modelled" : "'") +
                           ": treated as an ALU operation",
                       near.empty() ? "" : "did you mean '" + near + "'?");
  }
  return decoded_.emplace(opcode, instr).first->second;
}

std::uint32_t CodeWriter::begin_loop(trace::DraftLoop loop, Place place) {
  loop.parent = loop_;
  loop.level = loop_ == kNone ? 0 : draft_.loops[loop_].level + 1;
  loop.begin_op = next();
  loop_ = static_cast<std::uint32_t>(draft_.loops.size());
  draft_.loops.push_back(std::move(loop));
  trace::DraftOp& start = draft_.ops.emplace_back();
  start.kind = FlowKind::kLoopBegin;
  start.place = place;
  start.loop = loop_;
  return draft_.loops.back().level;
}

void CodeWriter::end_loop() {
  draft_.loops[loop_].end_op = next() - 1;
  loop_ = draft_.loops[loop_].parent;
}

void CodeWriter::set_async(trace::DraftOp& op, const trace::DraftAsync& async) {
  op.async = static_cast<std::uint32_t>(draft_.asyncs.size());
  draft_.asyncs.push_back(async);
}

void CodeWriter::check_control() {
  if (with_control_.line != 0 && without_control_.line != 0) {
    reporter_.add(without_control_, "this instruction has no control bits, others of the kernel have",
                  "the first of those in line " + std::to_string(with_control_.line));
  }
  kernel_.control_recorded = with_control_.line != 0;
}

void CodeWriter::write_targets() {
  for (const trace::DraftOp& op : draft_.ops) {
    if (op.target == kNone || !kernel_.texts[op.instr].text.ends_with("BRA L")) {
      continue;
    }
    std::uint32_t target = op.target;
    while (draft_.ops[target].instr == kNone) {
      ++target;
    }
    std::array<char, 2 + 16 + 1> text{};
    std::snprintf(text.data(), text.size(), "0x%llx",
                  static_cast<unsigned long long>(kernel_.texts[draft_.ops[target].instr].pc));
    std::string& shown = kernel_.texts[op.instr].text;
    shown.replace(shown.size() - 1, 1, text.data());
  }
}

}  // namespace gpusim::frontend

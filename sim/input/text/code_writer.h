// SPDX-License-Identifier: MIT
// The instructions and operations of a kernel, written one behind the other.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/input/text/environment.h"
#include "sim/input/text/file_state.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/program_draft.h"

namespace gpusim::frontend {

/// What an instruction is made from.
struct InstructionText {
  std::string opcode;
  std::string guard;
  std::vector<std::string> operands;
  std::string control;
  Place place;
};

/// Appends to the code of one kernel and to its draft. Owns what is known of the code so far: the loop that it is in,
/// its opcodes, branches and control bits. Reports operands that make no sense, code that is too long and control bits
/// that only some instructions have, and warns of unknown opcodes and of stall counts beyond a GPU's.
class CodeWriter {
 public:
  /// `where`: the kernel's place.
  CodeWriter(Place where, Reporter& reporter, FileState& file, trace::Kernel& kernel, trace::ProgramDraft& draft)
      : where_(where), reporter_(reporter), file_(file), kernel_(kernel), draft_(draft) {}

  [[nodiscard]] const isa::Instr& decode(const std::string& opcode, Place place);
  /// Appends an instruction with its operation.
  trace::DraftOp& emit(const InstructionText& text, trace::FlowKind kind);
  /// Appends a branch that a block becomes.
  trace::DraftOp& emit_branch(const std::string& guard, const std::string& control, Place place, trace::FlowKind kind);
  /// Opens a loop in the current one, with the operation that begins it. Returns its level.
  std::uint32_t begin_loop(trace::DraftLoop loop, Place place);
  /// The last operation ends the current loop.
  void end_loop();

  /// Number of the operation that comes next.
  [[nodiscard]] std::uint32_t next() const { return static_cast<std::uint32_t>(draft_.ops.size()); }
  /// The current loop; kNone: none.
  [[nodiscard]] std::uint32_t loop() const { return loop_; }
  /// Whether the code has so many instructions or branches (reported) that unrolling has to stop.
  [[nodiscard]] bool is_too_long() const { return is_too_long_; }
  [[nodiscard]] isa::Instr& instr(const trace::DraftOp& op) { return kernel_.code[op.instr]; }
  [[nodiscard]] const isa::InstrText& text(const trace::DraftOp& op) const { return kernel_.texts[op.instr]; }

  /// The branch leads to the operation that comes next.
  void lead_here(std::uint32_t branch) { draft_.ops[branch].target = next(); }
  /// Adds what the operation does asynchronously.
  void set_async(trace::DraftOp& op, const trace::DraftAsync& async);

  /// Whether all instructions have control bits, or none; says so in the kernel.
  void check_control();
  /// Branches that blocks became name their target as a disassembler does.
  void write_targets();

 private:
  void count(const InstructionText& text, trace::FlowKind kind);
  void add_control(const InstructionText& text, isa::Instr& instr);

  Place where_;
  Reporter& reporter_;
  FileState& file_;
  trace::Kernel& kernel_;
  trace::ProgramDraft& draft_;
  std::unordered_map<std::string, isa::Instr> decoded_;
  std::uint32_t loop_ = trace::kNone;
  std::uint32_t branches_ = 0;
  bool is_too_long_ = false;
  Place with_control_;     ///< place of the first instruction that has control bits
  Place without_control_;  ///< place of the first instruction that has none
};

}  // namespace gpusim::frontend

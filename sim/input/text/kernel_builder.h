// SPDX-License-Identifier: MIT
// One kernel: its head evaluated, its code expanded into instructions and a drafted program, and both compiled.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/input/text/buffers.h"
#include "sim/input/text/environment.h"
#include "sim/input/text/file_state.h"
#include "sim/input/text/mbarriers.h"
#include "sim/input/text/tensor_maps.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/program_draft.h"

namespace gpusim::frontend {

/// What the sources of an instruction name.
struct Declarations {
  explicit Declarations(Environment& names) : buffers(names), mbarriers(names), tensor_maps(names, buffers) {}
  Declarations(const Declarations&) = delete;
  Declarations& operator=(const Declarations&) = delete;

  Buffers buffers;
  Mbarriers mbarriers;
  TensorMaps tensor_maps;
};

class KernelBuilder {
 public:
  KernelBuilder(const Syntax& syntax, const KernelSyntax& kernel, Reporter& reporter, FileState& file);
  /// The kernel; nothing when there were problems, which are reported.
  [[nodiscard]] std::optional<trace::Kernel> run();

 private:
  /// Labels of one copy of a piece of code: the kernel's, or one turn of an unroll.
  struct LabelScope {
    std::uint32_t parent = trace::kNone;
    std::unordered_map<std::string, std::uint32_t> labels;  ///< into labels_
  };
  struct Label {
    std::uint32_t op = 0;
    std::uint32_t loop = trace::kNone;
    Place place;
  };
  /// A branch whose label is not yet known.
  struct OpenBranch {
    std::uint32_t op = 0;
    std::uint32_t scope = 0;
    Word label;
  };
  /// A BSSY, and the label of the place where its lanes meet.
  struct OpenBarrier {
    std::uint32_t op = 0;
    OpenBranch place;
  };
  /// What an instruction is made from.
  struct InstructionText {
    std::string opcode;
    std::string guard;
    std::vector<std::string> operands;
    std::string control;
    Place place;
  };
  [[nodiscard]] std::optional<trace::Kernel> build();
  void read_declarations();

  void block(const std::vector<Statement>& statements);
  void statement(const Statement& statement);
  void instruction(const Statement& statement);
  void loop(const Statement& statement);
  [[nodiscard]] bool may_turn(std::uint64_t turns, Place place);
  void unroll(const Statement& statement);
  void branch_block(const Statement& statement);
  void static_if(const Statement& statement);
  /// Looks for problems in the blocks of a statement that makes no sense itself.
  void look_into(const Statement& statement);
  void label(const Statement& statement);

  trace::DraftOp& emit(const InstructionText& text, trace::FlowKind kind);
  trace::DraftOp& emit_branch(const Statement& statement, const std::string& guard, trace::FlowKind kind);
  void add_control(const InstructionText& text, isa::Instr& instr);
  void add_sources(const Statement& statement, const isa::Instr& instr, trace::DraftOp& op);
  void add_guard(const Statement& statement, const isa::Instr& instr, trace::DraftOp& op);
  void add_convergence(const Statement& statement, trace::DraftOp& op);
  void check_convergence();
  void check_meeting_place(const OpenBarrier& barrier);
  [[nodiscard]] std::vector<std::uint32_t> barriers_begun() const;
  void add_rank(const Statement& statement, trace::DraftOp& op);
  [[nodiscard]] bool bind_rank(SyntaxId rank, trace::DraftOp& op);
  void add_signal(const Statement& statement, trace::DraftOp& op);
  void warn_of_missing_source(const Statement& statement);
  void add_async(const Statement& statement, const isa::Instr& instr, trace::DraftOp& op);
  void add_mbarrier(const Statement& statement, const std::string& opcode, trace::DraftAsync& async);
  void add_arrival(const Statement& statement, const std::string& opcode, trace::DraftAsync& async);
  void add_mbarrier_rank(const Statement& statement, const std::string& opcode, trace::DraftOp& op);
  void add_multicast(const Statement& statement, const std::string& opcode, trace::DraftOp& op,
                     trace::DraftAsync& async);
  void check_place(const AccessSyntax& syntax, const std::string& opcode);
  void add_bulk_copy(const Statement& statement, const std::string& opcode, trace::DraftAsync& async);
  void add_remote(const AccessSyntax& syntax, trace::DraftAsync& async);
  /// The clause that begins with `word`, which means something to this instruction; null when it has none.
  [[nodiscard]] const Clause* find_clause(const Statement& statement, std::string_view word);
  [[nodiscard]] trace::ExprId clause(const Statement& statement, std::string_view word);
  /// Clauses that nobody asked for.
  void refuse_other_clauses(const Statement& statement);
  void check_live_guards();
  void refuse(const trace::EndlessLoop& loop);
  const isa::Instr& decode(const std::string& opcode, Place place);

  void resolve_labels();
  void resolve(const OpenBranch& branch);
  [[nodiscard]] const Label* find_label(const OpenBranch& branch);
  void check_end();
  void check_registers();
  void write_targets();

  const Syntax& syntax_;
  const KernelSyntax& source_;
  Reporter& reporter_;
  FileState& file_;
  trace::ProgramDraft draft_;
  Environment names_;
  trace::Kernel kernel_;
  Declarations declarations_;
  std::unordered_map<std::string, isa::Instr> decoded_;
  std::vector<LabelScope> scopes_;
  std::vector<Label> labels_;
  std::vector<OpenBranch> open_branches_;
  std::vector<OpenBarrier> open_barriers_;
  std::uint32_t scope_ = 0;
  std::uint32_t loop_ = trace::kNone;
  std::uint32_t level_ = 0;
  std::uint64_t expansions_ = 0;
  std::uint32_t branches_ = 0;
  std::set<std::string_view> clauses_asked_for_;  ///< by the instruction that is being built
  Place with_control_;                            ///< place of the first instruction that has control bits
  Place without_control_;                         ///< place of the first instruction that has none
};

}  // namespace gpusim::frontend

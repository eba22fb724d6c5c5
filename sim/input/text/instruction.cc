// SPDX-License-Identifier: MIT
// One instruction of a kernel with its sources: guard, branch and addresses.
#include "sim/base/nearest.h"
#include "sim/input/text/kernel_builder.h"
#include "sim/input/text/operand_check.h"
#include "sim/model/isa/decode.h"

namespace gpusim::frontend {
namespace {

using isa::MemSpace;
using isa::OpKind;
using trace::FlowKind;

FlowKind flow_of(const isa::Instr& instr) {
  switch (instr.kind) {
    case OpKind::kBranch: return FlowKind::kBranch;
    case OpKind::kExit: return FlowKind::kExit;
    default: return FlowKind::kPlain;
  }
}

/// Whether an instruction without an address would be of no use to the machine.
bool needs_address(MemSpace space) {
  return space != MemSpace::kNone && space != MemSpace::kConstant;
}

}  // namespace

void KernelBuilder::instruction(const Statement& statement) {
  InstructionText text;
  text.opcode = names_.expand(statement.opcode);
  text.guard = names_.expand(statement.guard);
  text.control = statement.control;
  text.place = statement.place;
  for (const Template& operand : statement.operands) {
    text.operands.push_back(names_.expand(operand));
  }
  if (const std::string lack = too_few_operands(text.opcode, text.operands.size());
      !lack.empty() && file_.warnings.take_line(FileWarnings::Cause::kTooFewOperands, text.place.line)) {
    file_.warnings.add(text.place, lack + ": what it reads or writes is not all known");
  }
  const isa::Instr& decoded = decode(text.opcode, text.place);
  trace::DraftOp& op = emit(text, flow_of(decoded));
  const isa::Instr instr = kernel_.code.back();
  if (instr.kind == OpKind::kBranch) {
    if (!statement.label) {
      reporter_.add(statement.place, "'" + statement.name + "' names no label to branch to");
    } else {
      open_branches_.push_back({static_cast<std::uint32_t>(draft_.ops.size() - 1), scope_, *statement.label});
    }
  }
  const std::uint64_t problems_before = reporter_.added();
  clauses_asked_for_.clear();
  add_guard(statement, instr, op);
  add_convergence(statement, op);
  if (instr.timing == isa::TimingClass::kMbarrier || instr.kind == OpKind::kTensorCopy) {
    add_async(statement, instr, op);
  } else {
    add_sources(statement, instr, op);
  }
  if (reporter_.added() == problems_before) {
    refuse_other_clauses(statement);
  }
}

void KernelBuilder::add_guard(const Statement& statement, const isa::Instr& instr, trace::DraftOp& op) {
  const bool guarded = instr.guarded;
  if (statement.expression != kNoSyntax) {
    op.when = names_.build(statement.expression);
    kernel_.code.back().runtime_guard = (names_.pool()[op.when].flags & trace::kDependsRuntime) != 0;
    if (op.kind == FlowKind::kPlain) {
      op.kind = FlowKind::kGuarded;
    }
    if (!guarded) {
      reporter_.add(statement.place, "'when' needs a guard before the opcode, such as '@P0'");
    }
  } else if (guarded) {
    if (file_.warnings.take_line(FileWarnings::Cause::kNoSource, statement.place.line)) {
      file_.warnings.add(statement.place, "guard without a source: taken as true for all lanes",
                         "add 'when CONDITION'");
    }
  }
}

void KernelBuilder::add_sources(const Statement& statement, const isa::Instr& instr, trace::DraftOp& op) {
  const bool copies = instr.kind == OpKind::kAsyncCopy;
  if (!instr.is_memory()) {
    if (statement.access && instr.known_opcode) {
      reporter_.add(statement.access->place, "'" + statement.name + "' accesses no memory");
    } else if (statement.access) {
      const bool listed = isa::find_opcode(statement.name) != nullptr;
      const std::string_view near = listed ? "" : isa::nearest_opcode(statement.name);
      reporter_.add(statement.access->place,
                    "'" + statement.name + (listed ? "' is not modelled" : "' is not a known opcode") +
                        ", so it takes no address",
                    near.empty() ? "" : "did you mean '" + std::string(near) + "'?");
    }
    return;
  }
  if (!statement.access) {
    if (instr.space == MemSpace::kClusterShared) {  // as an import has it, which knows neither CTA nor mbarrier
      warn_of_missing_source(statement);
      kernel_.code[op.instr].space = MemSpace::kShared;
    } else if (needs_address(instr.space)) {
      reporter_.add(statement.place, "'" + statement.name + "' has no address source",
                    copies ? "add '@ SHARED[index] <- GLOBAL[index]'" : "add '@ BUFFER[index]'");
    }
    return;
  }
  if (copies != statement.shared_destination.has_value()) {
    reporter_.add(statement.access->place,
                  copies ? "'" + statement.name + "' has no shared destination"
                         : "only LDGSTS copies: '" + statement.name + "' has one address source",
                  copies ? "write '@ SHARED[index] <- GLOBAL[index]'" : "");
    return;
  }
  const bool names_cta =
      statement.access->rank != kNoSyntax || (copies && statement.shared_destination->rank != kNoSyntax);
  if (instr.space == MemSpace::kClusterShared && !names_cta) {
    reporter_.add(statement.access->place, "'" + statement.name + "' names no CTA of the cluster",
                  "write '@ SHARED[index] in cta (RANK) signals MBARRIER'");
    return;
  }
  if (names_cta) {
    add_rank(statement, op);
    return;
  }
  op.addresses[0] = declarations_.buffers.access(*statement.access, instr.space);
  if (copies) {
    op.addresses[1] = declarations_.buffers.access(*statement.shared_destination, MemSpace::kShared);
  }
}

/// Adds the rank of the CTA whose shared memory the instruction accesses.
void KernelBuilder::add_rank(const Statement& statement, trace::DraftOp& op) {
  const isa::OpcodeRow* row = isa::find_opcode(kernel_.texts[op.instr].opcode);
  const bool signals = row != nullptr && row->space == MemSpace::kClusterShared;
  if (row == nullptr || (!row->generic && !signals)) {
    reporter_.add(statement.access->place, "'" + statement.name + "' does not reach the shared memory of another CTA",
                  "generic accesses do: LD, ST, ATOM, RED");
    return;
  }
  if (!bind_rank(statement.access->rank, op)) {
    return;
  }
  isa::Instr& instr = kernel_.code[op.instr];
  instr.space = MemSpace::kClusterShared;
  instr.bypass_l1 = false;
  op.addresses[0] = declarations_.buffers.access(*statement.access, MemSpace::kShared);
  if (signals) {
    add_signal(statement, op);
  }
}

/// "in cta (rank)": the same for all lanes. False when it is not a rank.
bool KernelBuilder::bind_rank(SyntaxId rank, trace::DraftOp& op) {
  trace::ExprPool& pool = names_.pool();
  op.rank_place = names_.place(rank);
  op.rank = names_.build(rank);
  if ((pool[op.rank].flags & trace::kDependsLane) != 0) {
    reporter_.add(op.rank_place, "the rank differs between the lanes of a warp",
                  "a warp accesses one CTA at a time: write an instruction for each");
    return false;
  }
  const std::int64_t ctas = kernel_.ctas_per_cluster();
  if (pool.is_constant(op.rank) && (pool[op.rank].value < 0 || pool[op.rank].value >= ctas)) {
    reporter_.add(op.rank_place, "rank " + std::to_string(pool[op.rank].value) + " is outside the cluster",
                  "its CTAs have the ranks 0 to " + std::to_string(ctas - 1));
  }
  return true;
}

}  // namespace gpusim::frontend

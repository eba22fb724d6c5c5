// SPDX-License-Identifier: MIT
#include "sim/input/text/instruction_reader.h"

#include "sim/input/text/bulk_copy_source.h"
#include "sim/input/text/clauses.h"
#include "sim/input/text/cluster_rank.h"
#include "sim/input/text/convergence.h"
#include "sim/input/text/declarations.h"
#include "sim/input/text/labels.h"
#include "sim/input/text/mbarrier_source.h"
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

InstructionText InstructionReader::expand(const Statement& statement) {
  InstructionText text;
  text.opcode = names_.expand(statement.opcode);
  text.guard = names_.expand(statement.guard);
  text.control = statement.control;
  text.place = statement.place;
  for (const Template& operand : statement.operands) {
    text.operands.push_back(names_.expand(operand));
  }
  return text;
}

void InstructionReader::read(const Statement& statement) {
  const InstructionText text = expand(statement);
  if (const std::string lack = too_few_operands(text.opcode, text.operands.size());
      !lack.empty() && warnings_.take_line(FileWarnings::Cause::kTooFewOperands, text.place.line)) {
    warnings_.add(text.place, lack + ": what it reads or writes is not all known");
  }
  const FlowKind flow = flow_of(writer_.decode(text.opcode, text.place));
  trace::DraftOp& op = writer_.emit(text, flow);
  isa::Instr& instr = writer_.instr(op);
  if (instr.kind == OpKind::kBranch) {
    if (!statement.label) {
      reporter_.add(statement.place, "'" + statement.name + "' names no label to branch to");
    } else {
      labels_.add_branch(writer_.next() - 1, *statement.label);
    }
  }
  const std::uint64_t problems_before = reporter_.added();
  Clauses clauses(statement, names_);
  const SourceContext sources{statement, names_, declarations_, clauses, kernel_.ctas_per_cluster(), op, instr};
  add_guard(statement, op);
  convergence_.add(statement, op);
  if (instr.timing == isa::TimingClass::kMbarrier || instr.kind == OpKind::kTensorCopy) {
    add_async(sources);
  } else {
    add_sources(sources);
  }
  if (reporter_.added() == problems_before) {
    clauses.refuse_others();
  }
}

void InstructionReader::add_guard(const Statement& statement, trace::DraftOp& op) {
  isa::Instr& instr = writer_.instr(op);
  if (statement.expression != kNoSyntax) {
    op.when = names_.build(statement.expression);
    instr.runtime_guard = (names_.pool()[op.when].flags & trace::kDependsRuntime) != 0;
    if (op.kind == FlowKind::kPlain) {
      op.kind = FlowKind::kGuarded;
    }
    if (!instr.guarded) {
      reporter_.add(statement.place, "'when' needs a guard before the opcode, such as '@P0'");
    }
  } else if (instr.guarded) {
    if (warnings_.take_line(FileWarnings::Cause::kNoSource, statement.place.line)) {
      warnings_.add(statement.place, "guard without a source: taken as true for all lanes", "add 'when CONDITION'");
    }
  }
}

void InstructionReader::add_sources(const SourceContext& in) {
  const Statement& statement = in.statement;
  isa::Instr& instr = in.instr;
  const bool copies = instr.kind == OpKind::kAsyncCopy;
  if (!instr.is_memory()) {
    if (statement.access) {
      refuse_access(statement, instr);
    }
    return;
  }
  if (!statement.access) {
    if (instr.space == MemSpace::kClusterShared) {  // as an import has it, which knows neither CTA nor mbarrier
      warn_of_missing_source(statement);
      instr.space = MemSpace::kShared;
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
    add_rank(in);
    return;
  }
  in.op.addresses[0] = declarations_.buffers.access(*statement.access, instr.space);
  if (copies) {
    in.op.addresses[1] = declarations_.buffers.access(*statement.shared_destination, MemSpace::kShared);
  }
}

void InstructionReader::refuse_access(const Statement& statement, const isa::Instr& instr) {
  if (instr.known_opcode) {
    reporter_.add(statement.access->place, "'" + statement.name + "' accesses no memory");
    return;
  }
  const bool listed = isa::find_opcode(statement.name) != nullptr;
  const std::string_view near = listed ? "" : isa::nearest_opcode(statement.name);
  reporter_.add(
      statement.access->place,
      "'" + statement.name + (listed ? "' is not modelled" : "' is not a known opcode") + ", so it takes no address",
      near.empty() ? "" : "did you mean '" + std::string(near) + "'?");
}

/// Adds the rank of the CTA whose shared memory the instruction accesses.
void InstructionReader::add_rank(const SourceContext& in) {
  const Statement& statement = in.statement;
  const isa::OpcodeRow* row = isa::find_opcode(writer_.text(in.op).opcode);
  const bool signals = row != nullptr && row->space == MemSpace::kClusterShared;
  if (row == nullptr || (!row->generic && !signals)) {
    reporter_.add(statement.access->place, "'" + statement.name + "' does not reach the shared memory of another CTA",
                  "generic accesses do: LD, ST, ATOM, RED");
    return;
  }
  if (!bind_rank(statement.access->rank, in.ctas, names_, in.op)) {
    return;
  }
  in.instr.space = MemSpace::kClusterShared;
  in.instr.bypass_l1 = false;
  in.op.addresses[0] = declarations_.buffers.access(*statement.access, MemSpace::kShared);
  if (signals) {
    if (const std::optional<trace::DraftAsync> async = read_signal(in)) {
      writer_.set_async(in.op, *async);
    }
  }
}

void InstructionReader::add_async(const SourceContext& in) {
  const std::string opcode = names_.expand(in.statement.opcode);
  if (!in.statement.access) {
    warn_of_missing_source(in.statement);
    return;
  }
  const bool copies = in.instr.kind == OpKind::kTensorCopy;
  writer_.set_async(in.op, copies ? read_bulk_copy(in, opcode) : read_mbarrier_source(in, opcode));
}

void InstructionReader::warn_of_missing_source(const Statement& statement) {
  if (warnings_.take_line(FileWarnings::Cause::kNoSource, statement.place.line)) {
    warnings_.add(statement.place,
                  "'" + names_.expand(statement.opcode) + "' without a source: it takes its time and signals nobody");
  }
}

}  // namespace gpusim::frontend

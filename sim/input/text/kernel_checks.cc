// SPDX-License-Identifier: MIT
#include "sim/input/text/kernel_checks.h"

#include <algorithm>

#include "sim/input/text/operand_check.h"

namespace gpusim::frontend {

using isa::OpKind;
using trace::FlowKind;

bool check_end(const Syntax& syntax, const KernelSyntax& source, const trace::ProgramDraft& draft, Labels& labels,
               Reporter& reporter) {
  if (syntax.skipped_lines || !source.has_code) {
    return false;  // what is missing may have been the end
  }
  const auto count = static_cast<std::uint32_t>(draft.ops.size());
  labels.check_end(count);
  const auto leaves = [](const trace::DraftOp& op) {
    return (op.kind == FlowKind::kExit || op.kind == FlowKind::kBranch) && op.when == trace::kNoExpr;
  };
  if (count == 0 || !leaves(draft.ops.back()) ||
      (draft.ops.back().kind == FlowKind::kBranch && draft.ops.back().target == count)) {
    reporter.add(source.name.place, "the code of kernel '" + source.name.text + "' can run past its end", "add EXIT");
    return false;
  }
  for (const trace::DraftOp& op : draft.ops) {
    if (op.target == count) {
      reporter.add(op.place, "the branch runs past the end of the code", "add EXIT");
    }
  }
  return true;
}

void check_live_guards(const trace::Kernel& kernel, Reporter& reporter) {
  const auto is_polled = [&](const isa::Operand& guard) {
    return std::ranges::any_of(kernel.code, [&](const isa::Instr& instr) {
      return instr.kind == OpKind::kPoll && instr.destinations[0].file == guard.file &&
             instr.destinations[0].index == guard.index;
    });
  };
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    if (kernel.code[i].runtime_guard && !is_polled(kernel.code[i].guard)) {
      reporter.add({kernel.texts[i].line, 0}, "the guard depends on 'live', but no poll writes its predicate",
                   "SYNCS.PHASECHK and USETMAXREG.TRY_ALLOC do");
    }
  }
}

void check_registers(const KernelSyntax& source, trace::Kernel& kernel, Reporter& reporter) {
  const RegisterNeed need = registers_needed(kernel);
  if (source.registers == kNoSyntax) {
    kernel.registers_per_thread = std::max(kernel.registers_per_thread, need.registers);
  } else if (need.registers > kernel.registers_per_thread && !moves_registers(kernel)) {
    reporter.add({need.line, 0},
                 "R" + std::to_string(need.registers - 1) + " is used here, and the kernel declares " +
                     std::to_string(kernel.registers_per_thread) + " registers a thread",
                 "'registers " + std::to_string(need.registers) + "' or more");
  }
}

bool check_loops(const trace::ProgramDraft& draft, Reporter& reporter) {
  const std::optional<trace::EndlessLoop> loop = trace::endless_loop(draft);
  if (!loop) {
    return true;
  }
  if (loop->is_conditional) {
    reporter.add(loop->jump, "this loop never ends: a lane that jumps back once does so for ever",
                 "repeat with 'loop', or let 'when' depend on 'live'");
  } else {
    reporter.add(loop->jump, "this loop never ends: no way out of it leads to an EXIT",
                 "let an EXIT or a branch out of it have a condition, or repeat with 'loop'");
  }
  return false;
}

}  // namespace gpusim::frontend

// SPDX-License-Identifier: MIT
#include "sim/model/trace/summary.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "sim/model/isa/decode.h"
#include "sim/model/isa/flops.h"
#include "sim/model/trace/box.h"
#include "sim/model/trace/trace.h"
#include "sim/model/trace/walker.h"

namespace gpusim::trace {
namespace {

void add(InstructionCount& to, const InstructionCount& count) {
  to.issues += count.issues;
  to.warps += count.warps;
  to.lanes += count.lanes;
}

/// The i-th of `count` CTAs that lie evenly in a grid of `of`, with the first and the last.
std::uint64_t spread_cta(std::uint64_t i, std::uint64_t count, std::uint64_t of) {
  // Without overflow: the quotient and the remainder of last / (count - 1) apart.
  const std::uint64_t last = of - 1;
  const std::uint64_t gaps = std::max<std::uint64_t>(count - 1, 1);
  return i * (last / gaps) + i * (last % gaps) / gaps;
}

/// What a bulk copy moves: the box as far as it lies in the tensor.
void count_copy(const AsyncOperands& copy, Footprint* footprint, KernelSummary& summary) {
  if (copy.action == AsyncAction::kNone) {
    return;
  }
  if (is_move(copy.action)) {
    RequestedBytes& there = summary.bytes[static_cast<std::size_t>(isa::MemSpace::kClusterShared)];
    (copy.action == AsyncAction::kMove ? there.written : there.atomic) += copy.bytes;
    summary.bytes[static_cast<std::size_t>(isa::MemSpace::kShared)].read += copy.bytes;
    return;
  }
  const bool stores = copy.action == AsyncAction::kStore || copy.action == AsyncAction::kReduce;
  RequestedBytes& global = summary.bytes[static_cast<std::size_t>(isa::MemSpace::kGlobal)];
  RequestedBytes& shared = summary.bytes[static_cast<std::size_t>(isa::MemSpace::kShared)];
  for (BoxRows rows(copy); !rows.done(); rows.advance()) {
    const std::uint64_t bytes = rows.row().bytes;
    std::uint64_t& moved = copy.action == AsyncAction::kReduce ? global.atomic : stores ? global.written : global.read;
    moved += bytes;
    shared.read += stores ? bytes : 0;
    const auto receivers = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::popcount(copy.multicast)));
    shared.written += copy.action == AsyncAction::kLoad ? receivers * bytes : 0;
    if (footprint != nullptr) {
      footprint->touch(rows.row().begin, bytes);
    }
  }
}

/// Counts the steps of one CTA; false when `most` did not suffice.
bool count_cta(const Kernel& kernel, CtaId cta, std::uint64_t most, KernelSummary& summary, Footprint* footprint) {
  for (std::uint32_t warp = 0; warp < kernel.warps_per_cta(); ++warp) {
    Walker walker(kernel, cta, warp);
    Step step;
    while (walker.next(step)) {
      InstructionCount& count = summary.by_instruction[step.pc];
      ++count.issues;
      count.warps += step.mask != 0 ? 1 : 0;
      count.lanes += static_cast<std::uint64_t>(std::popcount(step.mask));
      summary.active_lanes += static_cast<std::uint64_t>(std::popcount(step.active));
      const isa::Instr& instr = kernel.code[step.pc];
      if (footprint != nullptr && instr.space == isa::MemSpace::kGlobal && step.mask != 0) {
        footprint->touch(walker.addresses(AccessSlot::kPrimary), step.mask, instr.bytes_per_lane);
      }
      if (instr.kind == isa::OpKind::kTensorCopy && step.mask != 0) {
        count_copy(walker.async_operands(), footprint, summary);
      }
      if (++summary.walked.steps == most) {
        return false;
      }
    }
  }
  return true;
}

/// Takes back the first `steps` of a CTA.
void uncount_cta(const Kernel& kernel, CtaId cta, std::uint64_t steps, KernelSummary& summary) {
  KernelSummary part;
  part.by_instruction.resize(kernel.code.size());
  (void)count_cta(kernel, cta, steps, part, nullptr);
  for (std::size_t pc = 0; pc < kernel.code.size(); ++pc) {
    summary.by_instruction[pc].issues -= part.by_instruction[pc].issues;
    summary.by_instruction[pc].warps -= part.by_instruction[pc].warps;
    summary.by_instruction[pc].lanes -= part.by_instruction[pc].lanes;
  }
  for (std::size_t space = 0; space < kMemSpaces; ++space) {
    summary.bytes[space].read -= part.bytes[space].read;
    summary.bytes[space].written -= part.bytes[space].written;
    summary.bytes[space].atomic -= part.bytes[space].atomic;
  }
  summary.active_lanes -= part.active_lanes;
  summary.walked.steps -= part.walked.steps;
}

void add_bytes(const isa::Instr& instr, std::uint64_t lanes, KernelSummary& summary) {
  const std::uint64_t bytes = lanes * instr.bytes_per_lane;
  RequestedBytes& space = summary.bytes[static_cast<std::size_t>(instr.space)];
  switch (instr.kind) {
    case isa::OpKind::kStore: space.written += bytes; break;
    case isa::OpKind::kAtomic:
    case isa::OpKind::kReduction: space.atomic += bytes; break;
    case isa::OpKind::kAsyncCopy:
      space.read += bytes;
      summary.bytes[static_cast<std::size_t>(isa::MemSpace::kShared)].written += bytes;
      break;
    default: space.read += bytes;
  }
}

void aggregate(const Kernel& kernel, KernelSummary& summary) {
  std::map<std::string, OpcodeCount> opcodes;
  for (std::size_t pc = 0; pc < kernel.code.size(); ++pc) {
    const isa::Instr& instr = kernel.code[pc];
    const InstructionCount& count = summary.by_instruction[pc];
    add(summary.total, count);
    OpcodeCount& opcode = opcodes[kernel.texts[pc].opcode];
    opcode.opcode = kernel.texts[pc].opcode;
    opcode.pipe = instr.pipe();
    add(opcode.count, count);
    summary.issues_by_pipe[static_cast<std::size_t>(instr.pipe())] += count.issues;
    const std::uint64_t units = isa::is_tensor(instr.flop_class) ? count.warps : count.lanes;
    summary.flops[static_cast<std::size_t>(instr.flop_class)] += units * isa::flops_of(instr);
    if (instr.is_memory()) {
      add_bytes(instr, count.lanes, summary);
    }
  }
  for (auto& [name, opcode] : opcodes) {
    summary.by_opcode.push_back(std::move(opcode));
  }
  std::stable_sort(summary.by_opcode.begin(), summary.by_opcode.end(),
                   [](const OpcodeCount& a, const OpcodeCount& b) { return a.count.issues > b.count.issues; });
}

/// Walks a warp with its addresses; false when `steps` is used up.
bool try_warp(const Kernel& kernel, CtaId cta, std::uint32_t warp, Coverage& walked, std::uint64_t most) {
  // On their own, since only then can lanes wait for each other.
  Walker walker(kernel, cta, warp, PollAnswers::kAlwaysYes, Simt::kIndependent);
  Step step;
  while (walker.next(step)) {
    const isa::Instr& instr = kernel.code[step.pc];
    if (instr.is_memory() && step.mask != 0) {
      (void)walker.addresses(AccessSlot::kPrimary);
      if (instr.kind == isa::OpKind::kAsyncCopy) {
        (void)walker.addresses(AccessSlot::kSharedDestination);
      }
    }
    if (step.mask != 0) {
      const AsyncAction action = walker.async_operands().action;
      if (instr.space == isa::MemSpace::kClusterShared || may_name_other_cta(instr, action)) {
        (void)walker.target_rank();
      }
    }
    if (++walked.steps == most) {
      return false;
    }
  }
  return true;
}

class Checker {
 public:
  explicit Checker(const WalkLimit& limit) : limit_(limit) {}

  void run(const Kernel& kernel) {
    look_for_unknown_opcodes(kernel);
    Coverage walked;
    walked.of_ctas = kernel.ctas();
    const std::uint64_t ctas = std::max<std::uint64_t>(std::min(walked.of_ctas, limit_.ctas), 1);
    for (std::uint64_t i = 0; i < ctas && !walked.cut_off; ++i) {
      const std::uint64_t cta = spread_cta(i, ctas, walked.of_ctas);
      for (std::uint32_t warp = 0; warp < kernel.warps_per_cta() && !walked.cut_off; ++warp) {
        walk(kernel, cta_at(cta, kernel.grid), warp, walked);
      }
      walked.ctas += walked.cut_off ? 0 : 1;
    }
    result.walked.push_back(walked);
  }

  CheckResult result;

 private:
  /// A run treats them as ALU operations, with a warning; what is checked has to be right.
  void look_for_unknown_opcodes(const Kernel& kernel) {
    std::set<std::string_view> seen;
    for (std::size_t pc = 0; pc < kernel.code.size(); ++pc) {
      const isa::InstrText& text = kernel.texts[pc];
      if (!kernel.code[pc].known_opcode && isa::find_opcode(text.opcode) == nullptr &&
          seen.insert(text.opcode).second) {
        const std::string_view near = isa::nearest_opcode(text.opcode);
        result.problems.push_back({{kernel.where.file, text.line, 0},
                                   "unknown opcode '" + text.opcode + "'",
                                   near.empty() ? "" : "did you mean '" + std::string(near) + "'?"});
      }
    }
  }

  void walk(const Kernel& kernel, CtaId cta, std::uint32_t warp, Coverage& walked) {
    try {
      walked.cut_off = !try_warp(kernel, cta, warp, walked, limit_.steps);
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems()) {
        if (lines_.insert(problem.where.line).second) {
          result.problems.push_back(problem);
        }
      }
    } catch (const CannotFinishError& error) {
      if (lines_.insert(kernel.where.line).second) {
        result.problems.push_back({kernel.where, error.what(), ""});
      }
    }
  }

  WalkLimit limit_;
  std::set<std::uint32_t> lines_;
};

}  // namespace

KernelSummary summarize(const Kernel& kernel, const WalkLimit& limit, Footprint* footprint) {
  KernelSummary summary;
  summary.by_instruction.resize(kernel.code.size());
  summary.walked.of_ctas = kernel.ctas();
  const std::uint64_t ctas = std::min(kernel.ctas(), limit.ctas);
  for (std::uint64_t i = 0; i < ctas && !summary.walked.cut_off; ++i) {
    const CtaId cta = cta_at(limit.spread ? spread_cta(i, ctas, kernel.ctas()) : i, kernel.grid);
    const std::uint64_t before = summary.walked.steps;
    summary.walked.cut_off = !count_cta(kernel, cta, limit.steps, summary, footprint);
    if (!summary.walked.cut_off) {
      ++summary.walked.ctas;
    } else if (summary.walked.ctas != 0) {
      // A part of a CTA beside whole ones would be scaled as if it were nothing.
      uncount_cta(kernel, cta, summary.walked.steps - before, summary);
    }
  }
  aggregate(kernel, summary);
  return summary;
}

CheckResult check(const Trace& trace, const WalkLimit& limit) {
  Checker checker(limit);
  for (const Kernel& kernel : trace.kernels) {
    checker.run(kernel);
  }
  return std::move(checker.result);
}

}  // namespace gpusim::trace

// SPDX-License-Identifier: MIT
// Edges of a drafted program: as the machine's passes see them, and as reconvergence needs them.
#include <algorithm>

#include "sim/model/trace/cfg.h"
#include "sim/model/trace/program_draft.h"

namespace gpusim::trace {
namespace {

bool is_branch(FlowKind kind) {
  return kind == FlowKind::kBranch || kind == FlowKind::kLoopGuard || kind == FlowKind::kLoopEnd;
}

bool is_jump(const DraftOp& op) {
  return op.kind == FlowKind::kBranch && op.when == kNoExpr;
}

/// Whether lanes that take this backward branch could start a loop again inside which others wait.
bool may_reenter_loops(const ProgramDraft& draft, std::uint32_t index, const std::vector<std::uint32_t>& begins) {
  const DraftOp& op = draft.ops[index];
  if (op.kind != FlowKind::kBranch || op.target > index) {
    return false;
  }
  for (std::uint32_t loop = op.loop; loop != kNone; loop = draft.loops[loop].parent) {
    if (op.target <= draft.loops[loop].begin_op) {
      return true;
    }
  }
  const auto inside = std::lower_bound(begins.begin(), begins.end(), op.target);
  return is_jump(op) && inside != begins.end() && *inside < index;
}

std::vector<Edge> join_edges(const ProgramDraft& draft) {
  const auto count = static_cast<std::uint32_t>(draft.ops.size());
  std::vector<std::uint32_t> begins;
  for (const DraftLoop& loop : draft.loops) {
    begins.push_back(loop.begin_op);
  }
  std::sort(begins.begin(), begins.end());
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < count; ++i) {
    const DraftOp& op = draft.ops[i];
    if (!is_jump(op)) {
      edges.push_back({i, i + 1 < count ? i + 1 : kExitNode});
    }
    if (is_branch(op.kind)) {
      edges.push_back({i, op.target});
    }
    if (may_reenter_loops(draft, i, begins)) {
      edges.push_back({i, kExitNode});
    }
  }
  return edges;
}

/// Operations from which some path of `edges` leaves the kernel.
std::vector<bool> reaches_exit(const ProgramDraft& draft, const std::vector<Edge>& edges) {
  std::vector<std::vector<std::uint32_t>> from(draft.ops.size());
  std::vector<std::uint32_t> open;
  std::vector<bool> reaches(draft.ops.size(), false);
  const auto visit = [&](std::uint32_t op) {
    if (!reaches[op]) {
      reaches[op] = true;
      open.push_back(op);
    }
  };
  for (const Edge& edge : edges) {
    if (edge.to == kExitNode) {
      visit(edge.from);
    } else {
      from[edge.to].push_back(edge.from);
    }
  }
  while (!open.empty()) {
    const std::uint32_t op = open.back();
    open.pop_back();
    for (const std::uint32_t before : from[op]) {
      visit(before);
    }
  }
  return reaches;
}

/// Whether it is a jump back under a condition that stays the same for a lane, and may be true.
bool jumps_back_for_ever(const ProgramDraft& draft, std::uint32_t index) {
  const DraftOp& op = draft.ops[index];
  if (op.kind != FlowKind::kBranch || op.target > index || op.when == kNoExpr) {
    return false;
  }
  const ExprNode& when = draft.pool[op.when];
  return (when.flags & kDependsRuntime) == 0 && !(draft.pool.is_constant(op.when) && when.value == 0);
}

/// The ways that a warp can take, operation to operation.
std::vector<Edge> flow_edges(const ProgramDraft& draft) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < draft.ops.size(); ++i) {
    const DraftOp& op = draft.ops[i];
    const bool ends = op.kind == FlowKind::kExit;
    if (!is_jump(op) && !(ends && op.when == kNoExpr)) {
      edges.push_back({i, i + 1 < draft.ops.size() ? i + 1 : kExitNode});
    }
    if (is_branch(op.kind)) {
      edges.push_back({i, op.target});
    }
    if (ends) {
      edges.push_back({i, kExitNode});
    }
  }
  return edges;
}

/// Operations that some path of `edges`, which are sorted by where they begin, leads to from the first one.
std::vector<bool> reached_from_start(std::size_t count, const std::vector<Edge>& edges) {
  std::vector<bool> reached(count, false);
  std::vector<std::uint32_t> open;
  if (count != 0) {
    reached[0] = true;
    open.push_back(0);
  }
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    auto edge = std::ranges::lower_bound(edges, at, {}, &Edge::from);
    for (; edge != edges.end() && edge->from == at; ++edge) {
      if (edge->to != kExitNode && !reached[edge->to]) {
        reached[edge->to] = true;
        open.push_back(edge->to);
      }
    }
  }
  return reached;
}

}  // namespace

std::optional<EndlessLoop> endless_loop(const ProgramDraft& draft) {
  std::vector<Edge> edges = flow_edges(draft);
  const std::vector<bool> reached = reached_from_start(draft.ops.size(), edges);
  // A lane that jumps back under a condition that stays the same never goes on behind the jump.
  std::erase_if(edges, [&draft](const Edge& edge) {
    return jumps_back_for_ever(draft, edge.from) && draft.ops[edge.from].target != edge.to;
  });
  const std::vector<bool> ends = reaches_exit(draft, edges);
  std::optional<std::uint32_t> found;  // the shortest: those around it may be left from inside
  const auto length = [&draft](std::uint32_t i) { return i - draft.ops[i].target; };
  for (std::uint32_t i = 0; i < draft.ops.size(); ++i) {
    if (reached[i] && !ends[i] && is_branch(draft.ops[i].kind) && draft.ops[i].target <= i &&
        (!found || length(i) < length(*found))) {
      found = i;
    }
  }
  return found ? std::optional(EndlessLoop{draft.ops[*found].place, draft.ops[*found].when != kNoExpr}) : std::nullopt;
}

std::vector<std::uint32_t> joins(const ProgramDraft& draft) {
  std::vector<Edge> edges = join_edges(draft);
  // Code that only ends by a guarded EXIT, or never: let it leave there, or where it jumps.
  for (const bool exits : {true, false}) {
    const std::vector<bool> ends = reaches_exit(draft, edges);
    for (std::uint32_t i = 0; i < draft.ops.size(); ++i) {
      const DraftOp& op = draft.ops[i];
      if (!ends[i] && (exits ? op.kind == FlowKind::kExit : is_jump(op))) {
        edges.push_back({i, kExitNode});
      }
    }
  }
  return immediate_post_dominators(static_cast<std::uint32_t>(draft.ops.size()), edges);
}

std::vector<Edge> instruction_edges(const ProgramDraft& draft) {
  const std::vector<DraftOp>& ops = draft.ops;
  // The instruction that runs first when control arrives at each operation.
  std::vector<std::uint32_t> lands(ops.size() + 1, kExitNode);
  for (std::size_t i = ops.size(); i-- > 0;) {
    lands[i] = ops[i].instr != kNone ? ops[i].instr : lands[i + 1];
  }
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const DraftOp& op = ops[i];
    if (op.instr == kNone) {
      continue;
    }
    const bool ends = op.kind == FlowKind::kExit;
    if (!is_jump(op) && !(ends && op.when == kNoExpr)) {
      edges.push_back({op.instr, lands[i + 1]});
    }
    if (is_branch(op.kind)) {
      edges.push_back({op.instr, lands[op.target]});
    }
    if (ends) {
      edges.push_back({op.instr, kExitNode});
    }
  }
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

}  // namespace gpusim::trace

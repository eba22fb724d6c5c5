// SPDX-License-Identifier: MIT
// A program as a front end writes it down: operations with expressions not yet compiled. compile() decides what can be
// evaluated at load, what once a warp, and what for each lane.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/model/isa/instr.h"
#include "sim/model/trace/program.h"

namespace gpusim::trace {

struct DraftAccess {
  ExprId address = kNoExpr;      ///< in bytes
  std::uint32_t buffer = kNone;  ///< kNone: the instruction has no such access
  Place place;
};

/// As AsyncSource, with expressions; kNoExpr where there is none.
struct DraftAsync {
  AsyncAction action = AsyncAction::kNone;
  std::uint32_t barriers = kNone;
  ExprId barrier = kNoExpr;
  ExprId count = kNoExpr;
  ExprId bytes = kNoExpr;
  ExprId parity = kNoExpr;
  std::uint32_t map = kNone;
  std::array<ExprId, kMostTensorRank> at{kNoExpr, kNoExpr, kNoExpr, kNoExpr, kNoExpr};
  DraftAccess global;
  DraftAccess shared;
  ExprId multicast = kNoExpr;
  Place place;
};

/// An operation whose expressions are not compiled: its condition, accesses and rank stand here, and its `async` is an
/// index into ProgramDraft::asyncs. Where lanes meet is not known yet.
struct DraftOp : FlowOp {
  Place place;
  ExprId when = kNoExpr;  ///< becomes `condition`
  ExprId rank = kNoExpr;  ///< in its cluster, of the CTA whose shared memory is accessed; the same for all lanes
  Place rank_place;
  std::array<DraftAccess, kAccessSlots> addresses;  ///< become `access`
};

struct DraftLoop {
  std::string name;
  std::uint32_t parent = kNone;
  std::uint32_t level = 0;
  std::uint32_t begin_op = 0;  ///< kLoopBegin
  std::uint32_t end_op = 0;    ///< kLoopEnd
  ExprId begin = kNoExpr;
  ExprId trips = kNoExpr;
  std::int64_t step = 1;
};

struct ProgramDraft {
  std::string file;
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  ExprPool pool;
  std::vector<DraftOp> ops;
  std::vector<DraftLoop> loops;
  std::vector<DraftAsync> asyncs;
  std::vector<Convergence> convergences;
  std::vector<MbarrierArray> mbarriers;
  std::vector<TensorMap> tensor_maps;
  std::vector<Buffer> buffers;
  Tables tables;
  std::vector<std::string> table_names;
};

/// Every branch's target must be an operation, the last operation must not run past the end, and branches must not
/// enter loops. `code` is the kernel's.
/// Adds nodes to the draft's pool; throws ExpressionTooLarge when it overflows.
[[nodiscard]] Program compile(ProgramDraft& draft, std::span<const isa::Instr> code);

/// Edges between instructions (operations that issue nothing contracted), sorted and without duplicates.
[[nodiscard]] std::vector<Edge> instruction_edges(const ProgramDraft& draft);

struct EndlessLoop {
  Place jump;                   ///< the jump back
  bool is_conditional = false;  ///< it has a condition, which stays the same for a lane that takes it
};

/// A loop that a warp can come to and never leave: no way from its jump back leads to an EXIT or to the end. A
/// condition knows places and counters, so a lane that jumps back once does so for ever unless the machine answers
/// (a run-time predicate).
[[nodiscard]] std::optional<EndlessLoop> endless_loop(const ProgramDraft& draft);

/// For each operation where diverged lanes meet again (kNone: they do not). The graph is the program's own but for
/// two things. An EXIT is taken to run on, because lanes that ended wait for nobody. And a backward branch that could
/// enter a loop again while lanes wait inside it (unconditional around a loop, or out of one) is taken to leave the
/// kernel as well, so that nobody waits inside: lanes that share a loop always share its iteration.
[[nodiscard]] std::vector<std::uint32_t> joins(const ProgramDraft& draft);

}  // namespace gpusim::trace

// SPDX-License-Identifier: MIT
// Behaviour that a trace describes instead of recording: control flow, guards and addresses as compiled expressions.
// Everything that depends on the lane and the warp alone was evaluated when the trace was loaded, so that most
// addresses are a few multiplications and a pointer to a pattern. Built by compile() in program_draft.h.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/step.h"
#include "sim/model/trace/vm.h"

namespace gpusim::trace {

inline constexpr std::uint32_t kNone = 0xffffffffU;

/// What the walker does at an operation. All but kLoopBegin are instructions of the kernel.
enum class FlowKind : std::uint8_t {
  kPlain,
  kGuarded,    ///< `condition` gives the guard
  kBranch,     ///< `condition` gives the lanes that go to `target`; none: all
  kExit,       ///< `condition` gives the lanes that end; none: all
  kConverge,   ///< `condition` gives the lanes that take part in the Convergence number `target`; none: all
  kLoopBegin,  ///< issues nothing; starts `loop` at its first iteration
  kLoopGuard,  ///< branch over a loop for lanes that do no iteration
  kLoopEnd,    ///< branch back to `target` for lanes with iterations left
  kRuntime     ///< a `runtime_kind` whose condition the machine decides when it issues
};

struct FlowOp {
  FlowKind kind = FlowKind::kPlain;
  std::uint8_t plain_run = 0;   ///< operations from this one on, so many at least, that are kPlain, an instruction each
  std::uint32_t instr = kNone;  ///< index into Kernel::code
  /// Operation that a branch goes to; of an access to another CTA: index into ranks; kConverge: into convergences.
  std::uint32_t target = kNone;
  std::uint32_t join = kNone;       ///< where the lanes of a branch meet again; kNone: never before they end
  std::uint32_t condition = kNone;  ///< index into conditions
  std::uint32_t loop = kNone;       ///< kLoop...: the loop; else the innermost loop around it
  std::array<std::uint32_t, kAccessSlots> access{kNone, kNone};
  std::uint32_t async = kNone;               ///< index into asyncs
  FlowKind runtime_kind = FlowKind::kPlain;  ///< for kRuntime: the kind where the condition holds
};

/// constant + the sum of coefficient * variable + the sum of coefficient * value of code: the same for all lanes.
struct Affine {
  std::int64_t constant = 0;
  std::uint32_t first_variable = 0;
  std::uint32_t variables = 0;
  std::uint32_t first_code = 0;
  std::uint32_t codes = 0;
};
struct VariableTerm {
  std::int64_t coefficient = 0;
  std::uint32_t variable = 0;
};
struct CodeTerm {
  std::int64_t coefficient = 0;
  Code code;
};

/// A value for each lane: `uniform` plus a part that was tabled for each warp of a CTA, or that is evaluated each time.
struct LaneExpression {
  Affine uniform;
  std::uint32_t part = kNone;  ///< row of lane_parts; kNone: evaluate
  Code lanes;
  Code scalar;
};

/// A lane part for one warp of a CTA: base + patterns[pattern][lane].
struct LanePart {
  std::int64_t base = 0;
  std::uint32_t pattern = 0;
};

struct Pattern {
  LaneValues offsets{};
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::uint64_t bits = 0;  ///< or of all offsets: its low bits say whether every lane is aligned
};

struct Condition {
  enum class Kind : std::uint8_t { kUniform, kTabled, kCompared, kLanes } kind = Kind::kUniform;
  std::uint32_t first_mask = 0;  ///< kTabled: into masks, one per warp of the CTA
  Code lanes;
  Code scalar;
  LaneExpression left;    ///< kCompared: this is less than `right`; their lane parts are tabled
  LaneExpression right;   ///< kCompared
  bool or_equal = false;  ///< kCompared: or they are equal
};

struct AccessSource {
  LaneExpression address;
  std::uint32_t buffer = 0;
  std::uint32_t bytes = 0;     ///< a lane
  LaneMask lanes = kAllLanes;  ///< lanes whose addresses the instruction uses (LDSM.x1: the first eight)
};

/// The operands of an instruction for the asynchronous engines; the same for all lanes.
struct AsyncSource {
  AsyncAction action = AsyncAction::kNone;
  std::uint32_t barriers = kNone;  ///< index into Program::mbarriers
  Affine barrier;                  ///< which of them
  Affine count;
  Affine bytes;
  Affine parity;
  std::uint32_t map = kNone;  ///< index into Program::tensor_maps
  std::array<Affine, kMostTensorRank> at;
  std::uint32_t global_buffer = kNone;
  Affine global;
  std::uint32_t shared_buffer = kNone;
  Affine shared;
  bool is_multicast = false;
  Affine multicast;
  Place place;
};

/// The CTA of its cluster whose shared memory a warp accesses.
struct RankSource {
  Affine rank;
  Place place;
};

/// What an instruction says about which lanes of its warp run together.
struct Convergence {
  enum class Action : std::uint8_t {
    kBegin,  ///< BSSY: the lanes will meet at `barrier`
    kWait,   ///< BSYNC: until all have come
    kLeave,  ///< BREAK: the lanes will not come
    kLanes,  ///< WARPSYNC: until all of `lanes` have come
    kYield   ///< others have their turn
  } action = Action::kYield;
  std::uint8_t barrier = 0;  ///< for kBegin, kWait, kLeave: the barrier's number
  LaneMask lanes = 0;        ///< for kLanes: the lanes
};

struct Loop {
  std::string name;              ///< name of the counter
  std::uint32_t parent = kNone;  ///< the loop around it
  std::uint32_t level = 0;
  bool per_lane = false;  ///< trips differ between the lanes of a warp
  LaneExpression trips;
  Code begin;  ///< the counter's first value, for messages
  std::int64_t step = 1;
};

struct Program {
  std::string file;
  std::string kernel;
  Dim3 grid;
  std::uint32_t threads = 0;  ///< threads of a CTA
  std::uint32_t warps = 0;
  std::uint32_t ctas_per_cluster = 1;
  std::uint32_t levels = 0;  ///< deepest nesting of loops
  std::vector<FlowOp> ops;
  std::vector<Place> places;  ///< parallel to ops
  std::vector<Condition> conditions;
  std::vector<AccessSource> accesses;
  std::vector<Place> access_places;  ///< parallel to accesses
  std::vector<RankSource> ranks;
  std::vector<Convergence> convergences;
  std::vector<Loop> loops;
  std::vector<Code> hoisted;  ///< evaluated when a warp starts, into kVarHoisted + i
  std::vector<VmOp> code;
  std::vector<VariableTerm> variable_terms;
  std::vector<CodeTerm> code_terms;
  std::vector<LanePart> lane_parts;  ///< rows of `warps`
  std::vector<Pattern> patterns;
  std::vector<LaneMask> masks;
  std::vector<Buffer> buffers;
  std::vector<AsyncSource> asyncs;
  std::vector<MbarrierArray> mbarriers;
  std::vector<TensorMap> tensor_maps;
  Tables tables;
  std::vector<std::string> table_names;
};

}  // namespace gpusim::trace

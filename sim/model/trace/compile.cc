// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "sim/model/trace/intern.h"
#include "sim/model/trace/linear.h"
#include "sim/model/trace/program_draft.h"

namespace gpusim::trace {
namespace {

/// Bounds of what is evaluated at load: 16 MiB of patterns, 32 MiB of rows. Beyond, lanes are evaluated as they come.
constexpr std::uint32_t kMostPatterns = 1U << 16U;
constexpr std::size_t kMostParts = 1U << 21U;
/// Rows of 16 bytes that LDSM and STSM read and write.
constexpr std::uint32_t kMatrixRowBytes = 16;
constexpr std::uint32_t kMatrixRows = 8;

class Compiler {
 public:
  Compiler(ProgramDraft& draft, std::span<const isa::Instr> code)
      : draft_(draft), code_(code), vm_(draft.pool, out_.code), variables_(kVarLoops, 0) {
    out_.file = draft.file;
    out_.kernel = draft.kernel;
    out_.grid = draft.grid;
    out_.ctas_per_cluster = static_cast<std::uint32_t>(draft.cluster.volume());
    out_.threads = static_cast<std::uint32_t>(draft.block.volume());
    out_.warps = (out_.threads + kWarpLanes - 1) / kWarpLanes;
    out_.buffers = draft.buffers;
    out_.mbarriers = draft.mbarriers;
    out_.tensor_maps = draft.tensor_maps;
    out_.convergences = draft.convergences;
    out_.tables = draft.tables;
    out_.table_names = draft.table_names;
    (void)pattern_of(LaneValues{});  // pattern 0: all lanes alike
  }

  Program run() {
    for (const DraftLoop& loop : draft_.loops) {
      add_loop(loop);
    }
    const std::vector<std::uint32_t> join = joins(draft_);
    for (std::size_t i = 0; i < draft_.ops.size(); ++i) {
      add_op(draft_.ops[i], join[i]);
    }
    note_plain_runs();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::uint8_t flags(ExprId id) const { return draft_.pool[id].flags; }
  [[nodiscard]] VmContext context() const { return {out_.code.data(), &out_.tables, variables_.data()}; }

  void add_op(const DraftOp& draft, std::uint32_t join) {
    FlowOp op = draft;
    op.join = join;
    if (draft.when != kNoExpr) {
      op.condition = condition(draft.when);
      if ((flags(draft.when) & kDependsRuntime) != 0) {
        op.runtime_kind = std::exchange(op.kind, FlowKind::kRuntime);
      }
    }
    if (draft.async != kNone) {
      op.async = async(draft_.asyncs[draft.async]);
    }
    for (std::size_t slot = 0; slot < kAccessSlots; ++slot) {
      if (draft.addresses[slot].buffer != kNone) {
        op.access[slot] = access(draft.addresses[slot], code_[draft.instr]);
      }
    }
    if (draft.rank != kNoExpr) {
      op.target = static_cast<std::uint32_t>(out_.ranks.size());
      out_.ranks.push_back({lane_expression(draft.rank).uniform, draft.rank_place});
    }
    out_.ops.push_back(op);
    out_.places.push_back(draft.place);
  }

  void note_plain_runs() {
    constexpr unsigned kMost = 255;
    unsigned behind = 0;  // the run that begins behind the operation
    for (std::size_t i = out_.ops.size(); i-- > 0;) {
      FlowOp& op = out_.ops[i];
      const bool goes_on = behind != 0 && out_.ops[i + 1].instr == op.instr + 1;
      behind = op.kind == FlowKind::kPlain ? std::min(1 + (goes_on ? behind : 0), kMost) : 0;
      op.plain_run = static_cast<std::uint8_t>(behind);
    }
  }

  void add_loop(const DraftLoop& draft) {
    Loop loop;
    loop.name = draft.name;
    loop.parent = draft.parent;
    loop.level = draft.level;
    loop.per_lane = (flags(draft.trips) & kDependsLane) != 0;
    loop.trips = lane_expression(draft.trips);
    loop.begin = vm_.scalar(draft.begin);
    loop.step = draft.step;
    out_.loops.push_back(std::move(loop));
    out_.levels = std::max(out_.levels, draft.level + 1);
  }

  std::uint32_t access(const DraftAccess& draft, const isa::Instr& instr) {
    AccessSource source;
    source.address = lane_expression(draft.address);
    source.buffer = draft.buffer;
    source.bytes = instr.bytes_per_lane;
    if (instr.matrices != 0) {
      const std::uint32_t rows = kMatrixRows * instr.matrices;
      source.bytes = kMatrixRowBytes;
      source.lanes = rows < kWarpLanes ? (LaneMask{1} << rows) - 1 : kAllLanes;
    }
    out_.accesses.push_back(source);
    out_.access_places.push_back(draft.place);
    return static_cast<std::uint32_t>(out_.accesses.size() - 1);
  }

  std::uint32_t async(const DraftAsync& draft) {
    AsyncSource source;
    source.action = draft.action;
    source.barriers = draft.barriers;
    source.barrier = uniform(draft.barrier);
    source.count = uniform(draft.count);
    source.bytes = uniform(draft.bytes);
    source.parity = uniform(draft.parity);
    source.map = draft.map;
    for (std::size_t d = 0; d < source.at.size(); ++d) {
      source.at[d] = uniform(draft.at[d]);
    }
    source.global_buffer = draft.global.buffer;
    source.global = uniform(draft.global.address);
    source.shared_buffer = draft.shared.buffer;
    source.shared = uniform(draft.shared.address);
    source.is_multicast = draft.multicast != kNoExpr;
    source.multicast = uniform(draft.multicast);
    source.place = draft.place;
    out_.asyncs.push_back(source);
    return static_cast<std::uint32_t>(out_.asyncs.size() - 1);
  }

  /// The form of an expression without lanes; zero when there is no expression.
  Affine uniform(ExprId id) { return id == kNoExpr ? Affine{} : affine(linear_form(draft_.pool, id)); }

  std::uint32_t condition(ExprId id) {
    const auto [known, is_new] = conditions_.emplace(id, static_cast<std::uint32_t>(out_.conditions.size()));
    if (!is_new) {
      return known->second;
    }
    Condition made;
    made.scalar = vm_.scalar(id);
    if ((flags(id) & kDependsLane) != 0) {
      made.lanes = vm_.lanes(id);
      made.kind = Condition::Kind::kLanes;
      if ((flags(id) & (kDependsCta | kDependsLoop)) == 0 && table_masks(made)) {
        made.kind = Condition::Kind::kTabled;
      } else if (compare_sides(id, made)) {
        made.kind = Condition::Kind::kCompared;
      }
    }
    out_.conditions.push_back(made);
    return known->second;
  }

  /// Bounds that elements are compared with, above all: whole warps are on one side of most.
  bool compare_sides(ExprId id, Condition& condition) {
    const ExprNode node = draft_.pool[id];
    if ((node.op != ExprOp::kLess && node.op != ExprOp::kLessEqual) || (flags(id) & kMayFail) != 0) {
      return false;
    }
    condition.or_equal = node.op == ExprOp::kLessEqual;
    condition.left = lane_expression(node.args[0]);
    condition.right = lane_expression(node.args[1]);
    return condition.left.part != kNone && condition.right.part != kNone;
  }

  /// What expressions that are tabled by warp read: its number, and what is made of it once a warp. (What depends on
  /// the CTA as well is in none of them.)
  void enter_warp(std::uint32_t warp) {
    variables_[kVarWarp] = warp;
    for (std::size_t i = 0; i < out_.hoisted.size(); ++i) {
      Fault never;
      variables_[kVarHoisted + i] = run_scalar(context(), out_.hoisted[i], 0, never);
    }
  }

  bool table_masks(Condition& condition) {
    if (out_.masks.size() >= kMostParts) {
      return false;
    }
    condition.first_mask = static_cast<std::uint32_t>(out_.masks.size());
    for (std::uint32_t warp = 0; warp < out_.warps; ++warp) {
      LaneValues values;
      enter_warp(warp);
      if (!run_lanes(context(), condition.lanes, values)) {
        out_.masks.resize(condition.first_mask);
        return false;
      }
      LaneMask mask = 0;
      for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
        mask |= values[lane] != 0 ? LaneMask{1} << lane : 0;
      }
      out_.masks.push_back(mask);
    }
    return true;
  }

  LaneExpression lane_expression(ExprId id) {
    LinearForm uniform = linear_form(draft_.pool, id);
    std::uint8_t depends = 0;
    ExprId sum = draft_.pool.constant(0);
    for (auto it = uniform.terms.begin(); it != uniform.terms.end();) {
      if ((flags(it->first) & kDependsLane) == 0) {
        ++it;
        continue;
      }
      depends |= flags(it->first);
      const ExprId product = draft_.pool.node(ExprOp::kMultiply, it->first, draft_.pool.constant(it->second));
      sum = draft_.pool.node(ExprOp::kAdd, sum, product);
      it = uniform.terms.erase(it);
    }
    LaneExpression made;
    made.lanes = vm_.lanes(sum);
    made.scalar = vm_.scalar(sum);
    if ((depends & (kDependsCta | kDependsLoop)) == 0) {
      made.part = part_of(sum, made.lanes);
    }
    made.uniform = affine(uniform);
    return made;
  }

  std::uint32_t part_of(ExprId sum, Code lanes) {
    const auto known = parts_.find(sum);
    if (known != parts_.end()) {
      return known->second;
    }
    const auto row = static_cast<std::uint32_t>(out_.lane_parts.size());
    for (std::uint32_t warp = 0; warp < out_.warps; ++warp) {
      LaneValues values;
      enter_warp(warp);
      const bool evaluated = run_lanes(context(), lanes, values);
      const std::int64_t base = values[0];
      for (std::int64_t& value : values) {
        value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(base));
      }
      const std::uint32_t pattern = evaluated ? pattern_of(values) : kNone;
      if (pattern == kNone || out_.lane_parts.size() >= kMostParts) {
        out_.lane_parts.resize(row);
        parts_.emplace(sum, kNone);
        return kNone;
      }
      out_.lane_parts.push_back({base, pattern});
    }
    parts_.emplace(sum, row);
    return row;
  }

  std::uint32_t pattern_of(const LaneValues& offsets) {
    if (patterns_.size() == kMostPatterns) {
      return kNone;
    }
    const std::uint32_t id = patterns_.intern(offsets);
    if (id == out_.patterns.size()) {
      Pattern pattern;
      pattern.offsets = offsets;
      const auto [least, most] = std::minmax_element(offsets.begin(), offsets.end());
      pattern.least = *least;
      pattern.most = *most;
      for (const std::int64_t offset : offsets) {
        pattern.bits |= static_cast<std::uint64_t>(offset);
      }
      out_.patterns.push_back(pattern);
    }
    return id;
  }

  Affine affine(const LinearForm& form) {
    Affine made;
    made.constant = form.constant;
    std::vector<CodeTerm> codes;
    made.first_variable = static_cast<std::uint32_t>(out_.variable_terms.size());
    for (const auto& [id, coefficient] : form.terms) {
      const ExprNode& node = draft_.pool[id];
      if (node.op == ExprOp::kVariable) {
        out_.variable_terms.push_back({coefficient, static_cast<std::uint32_t>(node.value)});
      } else if (const std::uint32_t variable = hoist(id); variable != kNone) {
        out_.variable_terms.push_back({coefficient, variable});
      } else {
        codes.push_back({coefficient, vm_.scalar(id)});
      }
    }
    made.variables = static_cast<std::uint32_t>(out_.variable_terms.size()) - made.first_variable;
    made.first_code = static_cast<std::uint32_t>(out_.code_terms.size());
    made.codes = static_cast<std::uint32_t>(codes.size());
    out_.code_terms.insert(out_.code_terms.end(), codes.begin(), codes.end());
    return made;
  }

  /// Variable of an expression that a warp evaluates once, when it starts; kNone when it changes, can fail, or no
  /// place is left.
  std::uint32_t hoist(ExprId id) {
    if (const auto known = hoisted_.find(id); known != hoisted_.end()) {
      return known->second;
    }
    if ((flags(id) & (kDependsLoop | kMayFail)) != 0 || out_.hoisted.size() == kMostHoisted) {
      return kNone;
    }
    const auto variable = static_cast<std::uint32_t>(kVarHoisted + out_.hoisted.size());
    out_.hoisted.push_back(vm_.scalar(id));
    vm_.replace(id, variable);
    hoisted_.emplace(id, variable);
    return variable;
  }

  ProgramDraft& draft_;
  std::span<const isa::Instr> code_;
  Program out_;
  VmCompiler vm_;
  std::vector<std::int64_t> variables_;
  SequenceInterner<std::int64_t> patterns_;
  std::unordered_map<ExprId, std::uint32_t> conditions_;
  std::unordered_map<ExprId, std::uint32_t> parts_;
  std::unordered_map<ExprId, std::uint32_t> hoisted_;
};

}  // namespace

Program compile(ProgramDraft& draft, std::span<const isa::Instr> code) {
  return Compiler(draft, code).run();
}

}  // namespace gpusim::trace

// SPDX-License-Identifier: MIT
// A small stack machine for compiled expressions: one value at a time, lazily and exactly, or all lanes of a warp at
// once. The second form evaluates both sides of ?:, && and ||, so where it meets a fault the first has the last word.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/trace/expression.h"

namespace gpusim::trace {

class Table;

/// Operations beyond those of expressions.
enum class VmControl : std::uint8_t {
  kStrict,         ///< `op` as apply() has it, or a push of a constant, a variable or the lane
  kJump,           ///< forward by `aux`
  kJumpIfZero,     ///< pops
  kJumpIfNonZero,  ///< pops
  kTruth,          ///< 0 stays, everything else becomes 1
  kDivideByPower,  ///< by 2 to the `aux`, truncating
  kModuloByPower,
  kBroadcast  ///< lanes only: the next `aux` operations are scalar; their value goes to all lanes
};

struct VmOp {
  VmControl control = VmControl::kStrict;
  ExprOp op = ExprOp::kConstant;
  std::uint32_t aux = 0;  ///< variable, table, distance
  std::int64_t value = 0;
};

/// A range of operations.
struct Code {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

using Tables = std::vector<std::shared_ptr<const Table>>;
using LaneValues = std::array<std::int64_t, kWarpLanes>;

/// What an evaluation reads: operations, tables, and the variables of one warp.
struct VmContext {
  const VmOp* ops = nullptr;
  const Tables* tables = nullptr;
  const std::int64_t* variables = nullptr;
};

/// The value for one lane. When `fault` is set afterwards the value means nothing.
[[nodiscard]] std::int64_t run_scalar(const VmContext& context, Code code, std::uint32_t lane, Fault& fault);

/// The values for all lanes; false when any lane met a fault, also one that run_scalar would not.
[[nodiscard]] bool run_lanes(const VmContext& context, Code code, LaneValues& values);

/// Appends compiled expressions to one vector of operations.
class VmCompiler {
 public:
  VmCompiler(const ExprPool& pool, std::vector<VmOp>& ops) : pool_(pool), ops_(ops) {}
  /// Expressions of the CTA and warp alone that are cheaper to keep than to evaluate: read as variables from now on.
  void replace(ExprId expression, std::uint32_t variable) { replaced_[expression] = variable; }
  [[nodiscard]] Code scalar(ExprId expression);
  [[nodiscard]] Code lanes(ExprId expression);

 private:
  static constexpr std::size_t kMostOps = 8U << 20U;

  /// Bounds what expressions of one kernel may take; throws ExpressionTooLarge.
  void require_room() const;
  void emit_scalar(ExprId id);
  void emit_lanes(ExprId id);
  void emit_lazy(const ExprNode& node);
  [[nodiscard]] bool emit_power(const ExprNode& node);
  void emit_operator(const ExprNode& node);
  std::size_t emit_jump(VmControl control);
  void land(std::size_t jump);

  const ExprPool& pool_;
  std::vector<VmOp>& ops_;
  std::unordered_map<ExprId, std::uint32_t> replaced_;
  std::unordered_map<ExprId, Code> scalar_;
  std::unordered_map<ExprId, Code> lanes_;
};

}  // namespace gpusim::trace

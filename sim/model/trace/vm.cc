// SPDX-License-Identifier: MIT
#include "sim/model/trace/vm.h"

#include <bit>

#include "sim/model/trace/table.h"

namespace gpusim::trace {
namespace {

/// Three operands leave two on the stack while the third is evaluated.
constexpr std::size_t kStackDepth = 2 * ExprPool::kMostDepth + 2;

/// Division that truncates towards zero, as C has it.
std::int64_t divide_by_power(std::int64_t a, std::uint32_t shift) {
  const auto bias = static_cast<std::int64_t>((std::uint64_t{1} << shift) - 1);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>((a >> 63) & bias)) >>
         shift;
}

std::int64_t modulo_by_power(std::int64_t a, std::uint32_t shift) {
  const auto whole = static_cast<std::uint64_t>(divide_by_power(a, shift)) << shift;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - whole);
}

std::int64_t look_up(const Tables& tables, std::uint32_t number, std::int64_t index, Fault& fault) {
  const Table& table = *tables[number];
  if (!table.contains(index)) {
    fault = {Fault::Kind::kTableIndex, number, index};
    return 0;
  }
  return table.at(index);
}

unsigned operands_of(ExprOp op) {
  switch (op) {
    case ExprOp::kNot:
    case ExprOp::kAbs: return 1;
    case ExprOp::kTrips:
    case ExprOp::kSelect: return 3;
    default: return 2;
  }
}

/// A strict operator on the top of the stack; returns the new height.
std::size_t apply_to(std::int64_t* stack, std::size_t height, ExprOp op, Fault& fault) {
  const unsigned operands = operands_of(op);
  std::int64_t* a = stack + height - operands;
  a[0] = apply(op, a[0], operands > 1 ? a[1] : 0, operands > 2 ? a[2] : 0, fault);
  return height - operands + 1;
}

template <class F>
void for_lanes(LaneValues& a, const LaneValues& b, F f) {
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    a[lane] = f(a[lane], b[lane]);
  }
}

/// The operators that addresses and predicates are made of, in a form the compiler turns into vector code; false when
/// `op` is another.
bool apply_fast(LaneValues* a, ExprOp op) {
  using S = std::int64_t;
  using U = std::uint64_t;
  switch (op) {
    case ExprOp::kAdd: for_lanes(a[0], a[1], [](S x, S y) { return static_cast<S>(U(x) + U(y)); }); return true;
    case ExprOp::kSubtract: for_lanes(a[0], a[1], [](S x, S y) { return static_cast<S>(U(x) - U(y)); }); return true;
    case ExprOp::kMultiply: for_lanes(a[0], a[1], [](S x, S y) { return static_cast<S>(U(x) * U(y)); }); return true;
    case ExprOp::kAnd: for_lanes(a[0], a[1], [](S x, S y) { return x & y; }); return true;
    case ExprOp::kXor: for_lanes(a[0], a[1], [](S x, S y) { return x ^ y; }); return true;
    case ExprOp::kLess: for_lanes(a[0], a[1], [](S x, S y) { return S{x < y}; }); return true;
    case ExprOp::kLogicAnd: for_lanes(a[0], a[1], [](S x, S y) { return S{x != 0 && y != 0}; }); return true;
    case ExprOp::kLogicOr: for_lanes(a[0], a[1], [](S x, S y) { return S{x != 0 || y != 0}; }); return true;
    default: return false;
  }
}

std::size_t apply_to_lanes(LaneValues* stack, std::size_t height, ExprOp op, Fault& fault) {
  const unsigned operands = operands_of(op);
  LaneValues* a = stack + height - operands;
  if (op == ExprOp::kSelect) {
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      a[0][lane] = a[0][lane] != 0 ? a[1][lane] : a[2][lane];
    }
  } else if (!apply_fast(a, op)) {
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      a[0][lane] = apply(op, a[0][lane], operands > 1 ? a[1][lane] : 0, operands > 2 ? a[2][lane] : 0, fault);
    }
  }
  return height - operands + 1;
}

void push_lanes(LaneValues& top, const VmOp& op) {
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    top[lane] = op.op == ExprOp::kConstant ? op.value : static_cast<std::int64_t>(lane);
  }
}

}  // namespace

std::int64_t run_scalar(const VmContext& context, Code code, std::uint32_t lane, Fault& fault) {
  std::array<std::int64_t, kStackDepth> stack;
  std::size_t height = 0;
  const VmOp* const end = context.ops + code.first + code.count;
  for (const VmOp* op = context.ops + code.first; op != end; ++op) {
    switch (op->control) {
      case VmControl::kJump: op += op->aux; break;
      case VmControl::kJumpIfZero: op += stack[--height] == 0 ? op->aux : 0; break;
      case VmControl::kJumpIfNonZero: op += stack[--height] != 0 ? op->aux : 0; break;
      case VmControl::kTruth: stack[height - 1] = stack[height - 1] != 0 ? 1 : 0; break;
      case VmControl::kDivideByPower: stack[height - 1] = divide_by_power(stack[height - 1], op->aux); break;
      case VmControl::kModuloByPower: stack[height - 1] = modulo_by_power(stack[height - 1], op->aux); break;
      default:
        if (op->op == ExprOp::kConstant) {
          stack[height++] = op->value;
        } else if (op->op == ExprOp::kVariable) {
          stack[height++] = op->aux == kVarLane ? std::int64_t{lane} : context.variables[op->aux];
        } else if (op->op == ExprOp::kTable) {
          stack[height - 1] = look_up(*context.tables, op->aux, stack[height - 1], fault);
        } else {
          height = apply_to(stack.data(), height, op->op, fault);
        }
    }
    if (fault) {
      return 0;
    }
  }
  return stack[0];
}

bool run_lanes(const VmContext& context, Code code, LaneValues& values) {
  std::array<LaneValues, kStackDepth> stack;
  std::size_t height = 0;
  Fault fault;
  const VmOp* const end = context.ops + code.first + code.count;
  for (const VmOp* op = context.ops + code.first; op != end && !fault; ++op) {
    switch (op->control) {
      case VmControl::kBroadcast: {
        const auto next = static_cast<std::uint32_t>(op - context.ops) + 1;
        stack[height++].fill(run_scalar(context, {next, op->aux}, 0, fault));
        op += op->aux;
        break;
      }
      case VmControl::kDivideByPower:
        for (std::int64_t& value : stack[height - 1]) {
          value = divide_by_power(value, op->aux);
        }
        break;
      case VmControl::kModuloByPower:
        for (std::int64_t& value : stack[height - 1]) {
          value = modulo_by_power(value, op->aux);
        }
        break;
      default:
        if (op->op == ExprOp::kConstant || op->op == ExprOp::kVariable) {
          push_lanes(stack[height++], *op);
        } else if (op->op == ExprOp::kTable) {
          for (std::int64_t& value : stack[height - 1]) {
            value = look_up(*context.tables, op->aux, value, fault);
          }
        } else {
          height = apply_to_lanes(stack.data(), height, op->op, fault);
        }
    }
  }
  values = stack[0];
  return !fault;
}

void VmCompiler::require_room() const {
  if (ops_.size() > kMostOps) {
    throw ExpressionTooLarge{"the kernel's expressions are too long: at most 8,388,608 terms with names written out"};
  }
}

Code VmCompiler::scalar(ExprId expression) {
  if (const auto known = scalar_.find(expression); known != scalar_.end()) {
    return known->second;
  }
  require_room();
  const auto first = static_cast<std::uint32_t>(ops_.size());
  emit_scalar(expression);
  const Code code{first, static_cast<std::uint32_t>(ops_.size()) - first};
  scalar_.emplace(expression, code);
  return code;
}

Code VmCompiler::lanes(ExprId expression) {
  if (const auto known = lanes_.find(expression); known != lanes_.end()) {
    return known->second;
  }
  require_room();
  const auto first = static_cast<std::uint32_t>(ops_.size());
  emit_lanes(expression);
  const Code code{first, static_cast<std::uint32_t>(ops_.size()) - first};
  lanes_.emplace(expression, code);
  return code;
}

std::size_t VmCompiler::emit_jump(VmControl control) {
  ops_.push_back({control, ExprOp::kConstant, 0, 0});
  return ops_.size() - 1;
}

void VmCompiler::land(std::size_t jump) {
  ops_[jump].aux = static_cast<std::uint32_t>(ops_.size() - jump - 1);
}

void VmCompiler::emit_lazy(const ExprNode& node) {
  emit_scalar(node.args[0]);
  if (node.op == ExprOp::kSelect) {
    const std::size_t otherwise = emit_jump(VmControl::kJumpIfZero);
    emit_scalar(node.args[1]);
    const std::size_t done = emit_jump(VmControl::kJump);
    land(otherwise);
    emit_scalar(node.args[2]);
    land(done);
    return;
  }
  const bool is_and = node.op == ExprOp::kLogicAnd;
  const std::size_t decided = emit_jump(is_and ? VmControl::kJumpIfZero : VmControl::kJumpIfNonZero);
  emit_scalar(node.args[1]);
  ops_.push_back({VmControl::kTruth, ExprOp::kConstant, 0, 0});
  const std::size_t done = emit_jump(VmControl::kJump);
  land(decided);
  ops_.push_back({VmControl::kStrict, ExprOp::kConstant, 0, is_and ? 0 : 1});
  land(done);
}

bool VmCompiler::emit_power(const ExprNode& node) {
  if ((node.op != ExprOp::kDivide && node.op != ExprOp::kModulo) || !pool_.is_constant(node.args[1])) {
    return false;
  }
  const std::int64_t divisor = pool_[node.args[1]].value;
  if (divisor < 1 || !std::has_single_bit(static_cast<std::uint64_t>(divisor))) {
    return false;
  }
  const auto control = node.op == ExprOp::kDivide ? VmControl::kDivideByPower : VmControl::kModuloByPower;
  const auto shift = static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint64_t>(divisor)));
  ops_.push_back({control, node.op, shift, 0});
  return true;
}

void VmCompiler::emit_operator(const ExprNode& node) {
  ops_.push_back({VmControl::kStrict, node.op, static_cast<std::uint32_t>(node.value), node.value});
}

void VmCompiler::emit_scalar(ExprId id) {
  if (const auto variable = replaced_.find(id); variable != replaced_.end()) {
    ops_.push_back({VmControl::kStrict, ExprOp::kVariable, variable->second, 0});
    return;
  }
  const ExprNode& node = pool_[id];
  if (node.op >= ExprOp::kLogicAnd) {
    emit_lazy(node);
    return;
  }
  const bool leaf = node.op == ExprOp::kConstant || node.op == ExprOp::kVariable;
  for (std::size_t i = 0; !leaf && i < node.args.size() && node.args[i] != kNoExpr; ++i) {
    const bool power = i == 1 && emit_power(node);
    if (power) {
      return;
    }
    emit_scalar(node.args[i]);
  }
  emit_operator(node);
}

void VmCompiler::emit_lanes(ExprId id) {
  const ExprNode& node = pool_[id];
  const bool leaf = node.op == ExprOp::kConstant || node.op == ExprOp::kVariable;
  if ((node.flags & kDependsLane) == 0 && node.op != ExprOp::kConstant) {
    const std::size_t broadcast = emit_jump(VmControl::kBroadcast);
    emit_scalar(id);
    land(broadcast);
    return;
  }
  for (std::size_t i = 0; !leaf && i < node.args.size() && node.args[i] != kNoExpr; ++i) {
    if (i == 1 && emit_power(node)) {
      return;
    }
    emit_lanes(node.args[i]);
  }
  emit_operator(node);
}

}  // namespace gpusim::trace

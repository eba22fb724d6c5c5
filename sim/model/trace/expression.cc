// SPDX-License-Identifier: MIT
#include "sim/model/trace/expression.h"

#include <algorithm>
#include <limits>

#include "sim/base/hash.h"
#include "sim/model/trace/table.h"

namespace gpusim::trace {
namespace {

using Signed = std::int64_t;
using Unsigned = std::uint64_t;

Signed divide(Signed a, Signed b, Fault& fault) {
  if (b == 0) {
    fault.kind = Fault::Kind::kDivisionByZero;
    return 0;
  }
  // The one quotient that does not fit wraps like every other overflow.
  return b == -1 ? static_cast<Signed>(0 - static_cast<Unsigned>(a)) : a / b;
}

Signed modulo(Signed a, Signed b, Fault& fault) {
  if (b == 0) {
    fault.kind = Fault::Kind::kDivisionByZero;
    return 0;
  }
  return b == -1 ? 0 : a % b;
}

Signed trips(Signed begin, Signed end, Signed step) {
  if (begin >= end || step < 1) {
    return 0;
  }
  const Unsigned distance = static_cast<Unsigned>(end) - static_cast<Unsigned>(begin);
  const Unsigned count = (distance - 1) / static_cast<Unsigned>(step) + 1;
  return static_cast<Signed>(std::min<Unsigned>(count, std::numeric_limits<Signed>::max()));
}

Signed hash(Signed seed, Signed i) {
  return static_cast<Signed>(mix64(mix64(static_cast<Unsigned>(seed) + 0x9e3779b97f4a7c15ULL) ^
                                   (static_cast<Unsigned>(i) + 0x9e3779b97f4a7c15ULL)) >>
                             1U);
}

std::uint64_t hash_of(const ExprNode& node) {
  std::uint64_t hash = mix64(static_cast<Unsigned>(node.value) + static_cast<Unsigned>(node.op));
  for (const ExprId arg : node.args) {
    hash = mix64(hash ^ arg) + arg;
  }
  return hash;
}

bool equal(const ExprNode& a, const ExprNode& b) {
  return a.op == b.op && a.value == b.value && a.args == b.args;
}

bool is_lazy(ExprOp op) {
  return op >= ExprOp::kLogicAnd;
}

}  // namespace

std::int64_t apply(ExprOp op, std::int64_t a, std::int64_t b, std::int64_t c, Fault& fault) {
  const auto ua = static_cast<Unsigned>(a);
  const auto ub = static_cast<Unsigned>(b);
  switch (op) {
    case ExprOp::kNot: return a == 0 ? 1 : 0;
    case ExprOp::kAdd: return static_cast<Signed>(ua + ub);
    case ExprOp::kSubtract: return static_cast<Signed>(ua - ub);
    case ExprOp::kMultiply: return static_cast<Signed>(ua * ub);
    case ExprOp::kDivide: return divide(a, b, fault);
    case ExprOp::kModulo: return modulo(a, b, fault);
    case ExprOp::kShiftLeft: return static_cast<Signed>(ua << (ub & 63U));
    case ExprOp::kShiftRight: return a >> (ub & 63U);
    case ExprOp::kAnd: return a & b;
    case ExprOp::kOr: return a | b;
    case ExprOp::kXor: return a ^ b;
    case ExprOp::kEqual: return a == b ? 1 : 0;
    case ExprOp::kNotEqual: return a != b ? 1 : 0;
    case ExprOp::kLess: return a < b ? 1 : 0;
    case ExprOp::kLessEqual: return a <= b ? 1 : 0;
    case ExprOp::kMin: return std::min(a, b);
    case ExprOp::kMax: return std::max(a, b);
    case ExprOp::kAbs: return a < 0 ? static_cast<Signed>(0 - ua) : a;
    case ExprOp::kHash: return hash(a, b);
    case ExprOp::kBit: return static_cast<Signed>(ua >> (ub & 63U) & 1U);
    case ExprOp::kTrips: return trips(a, b, c);
    default: return 0;
  }
}

ExprId ExprPool::constant(std::int64_t value) {
  ExprNode node;
  node.value = value;
  return intern(node);
}

ExprId ExprPool::variable(std::uint32_t variable) {
  ExprNode node;
  node.op = ExprOp::kVariable;
  node.value = variable;
  if (variable == kVarLane) {
    node.flags = kDependsLane;
  } else if (variable == kVarRuntimePredicate) {
    node.flags = kDependsLoop | kDependsRuntime;
  } else if (variable >= kVarLoops) {
    node.flags = kDependsLoop;
  } else {
    node.flags = variable == kVarWarp ? kDependsWarp : kDependsCta;
  }
  return intern(node);
}

ExprId ExprPool::table(std::uint32_t number, const Table& table, ExprId index) {
  if (is_constant(index) && table.contains(nodes_[index].value)) {
    return constant(table.at(nodes_[index].value));
  }
  ExprNode node;
  node.op = ExprOp::kTable;
  node.value = number;
  node.args[0] = index;
  return intern(node);
}

ExprId ExprPool::node(ExprOp op, ExprId a, ExprId b, ExprId c) {
  ExprNode node;
  node.op = op;
  node.args = {a, b, c};
  const ExprId same = simplified(node);
  return same != kNoExpr ? same : intern(node);
}

bool ExprPool::is(ExprId id, std::int64_t value) const {
  return id != kNoExpr && is_constant(id) && nodes_[id].value == value;
}

ExprId ExprPool::folded(const ExprNode& node) {
  std::array<std::int64_t, 3> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (node.args[i] != kNoExpr) {
      if (!is_constant(node.args[i])) {
        return kNoExpr;
      }
      values[i] = nodes_[node.args[i]].value;
    }
  }
  Fault fault;
  const std::int64_t value = apply(node.op, values[0], values[1], values[2], fault);
  return fault ? kNoExpr : constant(value);
}

ExprId ExprPool::simplified(const ExprNode& expr) {
  const auto [a, b, c] = expr.args;
  if (is_lazy(expr.op)) {
    if (!is_constant(a)) {
      return kNoExpr;
    }
    const bool truth = nodes_[a].value != 0;
    switch (expr.op) {
      case ExprOp::kSelect: return truth ? b : c;
      case ExprOp::kLogicAnd: return truth ? node(ExprOp::kNotEqual, b, constant(0)) : constant(0);
      default: return truth ? constant(1) : node(ExprOp::kNotEqual, b, constant(0));
    }
  }
  if (const ExprId value = folded(expr); value != kNoExpr) {
    return value;
  }
  switch (expr.op) {
    case ExprOp::kAdd: return is(a, 0) ? b : (is(b, 0) ? a : kNoExpr);
    case ExprOp::kSubtract: return is(b, 0) ? a : kNoExpr;
    case ExprOp::kMultiply: return is(a, 1) ? b : (is(b, 1) ? a : kNoExpr);
    case ExprOp::kDivide: return is(b, 1) ? a : kNoExpr;
    default: return kNoExpr;
  }
}

std::uint8_t ExprPool::flags_of(const ExprNode& node) const {
  std::uint8_t flags = node.flags;
  for (const ExprId arg : node.args) {
    if (arg != kNoExpr) {
      flags |= nodes_[arg].flags;
    }
  }
  const bool divides = node.op == ExprOp::kDivide || node.op == ExprOp::kModulo;
  if (node.op == ExprOp::kTable || (divides && (!is_constant(node.args[1]) || is(node.args[1], 0)))) {
    flags |= kMayFail;
  }
  return flags;
}

ExprId ExprPool::intern(ExprNode node) {
  const std::uint64_t hash = hash_of(node);
  const auto [begin, end] = ids_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (equal(nodes_[it->second], node)) {
      return it->second;
    }
  }
  node.flags = flags_of(node);
  for (const ExprId arg : node.args) {
    if (arg != kNoExpr) {
      node.depth = std::max(node.depth, static_cast<std::uint16_t>(nodes_[arg].depth + 1));
      node.terms += nodes_[arg].terms;
    }
  }
  if (node.depth > kMostDepth) {
    throw ExpressionTooLarge{"the expression is nested too deeply: at most 200 operators within each other"};
  }
  if (node.terms > kMostTerms) {
    throw ExpressionTooLarge{"the expression is too long with its names written out: at most 20,000 terms"};
  }
  if (nodes_.size() == kMostNodes) {
    throw ExpressionTooLarge{"the kernel's expressions are too many: at most 4,194,304 different operators", true};
  }
  const auto id = static_cast<ExprId>(nodes_.size());
  nodes_.push_back(node);
  ids_.emplace(hash, id);
  return id;
}

}  // namespace gpusim::trace

// SPDX-License-Identifier: MIT
// Expressions of program traces: 64-bit signed integers over the CTA, the warp, the lane and the loop counters. Equal
// expressions are one node of a pool, constants are folded as they are built, and every node knows what it depends on,
// which decides how often it has to be evaluated.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace gpusim::trace {

class Table;

/// Nodes of expressions, and instructions of the machine that evaluates them (vm.h).
enum class ExprOp : std::uint8_t {
  kConstant,
  kVariable,
  kTable,  ///< one operand: the index; `value` is the table's number
  kNot,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kShiftLeft,
  kShiftRight,
  kAnd,
  kOr,
  kXor,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kMin,
  kMax,
  kAbs,
  kHash,
  kBit,
  kTrips,     ///< iterations of a loop: begin, end, step
  kLogicAnd,  ///< evaluates its second operand only when it must, as kLogicOr and kSelect
  kLogicOr,
  kSelect
};

/// Variables, as indices into a walker's array of values. The lane is not among them: it has no value of its own in a
/// warp. Hoisted expressions are evaluated once when the warp starts; each loop level has its iteration and its trips.
inline constexpr std::uint32_t kVarCtaX = 0;
inline constexpr std::uint32_t kVarCtaY = 1;
inline constexpr std::uint32_t kVarCtaZ = 2;
inline constexpr std::uint32_t kVarWarp = 3;
/// Whether the poll that wrote an instruction's guard was answered yes: the machine says so when the instruction
/// issues.
inline constexpr std::uint32_t kVarRuntimePredicate = 4;
inline constexpr std::uint32_t kVarHoisted = 5;
inline constexpr std::uint32_t kMostHoisted = 8;
inline constexpr std::uint32_t kVarLoops = kVarHoisted + kMostHoisted;
inline constexpr std::uint32_t kVarLane = 0xffffffffU;
[[nodiscard]] constexpr std::uint32_t iteration_variable(std::uint32_t level) {
  return kVarLoops + 2 * level;
}
[[nodiscard]] constexpr std::uint32_t trips_variable(std::uint32_t level) {
  return kVarLoops + 2 * level + 1;
}

/// What an expression's value may change with, as bits, and whether it can fail.
inline constexpr std::uint8_t kDependsCta = 1;
inline constexpr std::uint8_t kDependsWarp = 2;
inline constexpr std::uint8_t kDependsLane = 4;
inline constexpr std::uint8_t kDependsLoop = 8;
inline constexpr std::uint8_t kDependencies = 15;
inline constexpr std::uint8_t kMayFail = 16;
inline constexpr std::uint8_t kDependsRuntime = 32;

/// Why an expression has no value.
struct Fault {
  enum class Kind : std::uint8_t { kNone, kDivisionByZero, kTableIndex } kind = Kind::kNone;
  std::uint32_t table = 0;
  std::int64_t index = 0;
  explicit operator bool() const { return kind != Kind::kNone; }
};

/// The value of a strict operator (not kConstant, kVariable, kTable and the lazy three); total except for division,
/// which reports its fault. Overflow wraps, shift counts count modulo 64.
[[nodiscard]] std::int64_t apply(ExprOp op, std::int64_t a, std::int64_t b, std::int64_t c, Fault& fault);

using ExprId = std::uint32_t;
inline constexpr ExprId kNoExpr = 0xffffffffU;

struct ExprNode {
  ExprOp op = ExprOp::kConstant;
  std::uint8_t flags = 0;  ///< kDepends..., kMayFail
  std::uint16_t depth = 1;
  std::uint32_t terms = 1;  ///< written out, as the machine evaluates it: shared parts count each time
  std::array<ExprId, 3> args{kNoExpr, kNoExpr, kNoExpr};
  std::int64_t value = 0;  ///< constant, variable or table number
};

/// Thrown by the pool when an input's expressions outgrow any use: the caller adds the place.
struct ExpressionTooLarge {
  const char* what;
  bool is_pool_full = false;  ///< no further expression of the kernel can be built either
};

class ExprPool {
 public:
  static constexpr std::size_t kMostNodes = 4U << 20U;
  static constexpr std::uint16_t kMostDepth = 200;
  /// Names for parts of parts can double an expression with every line of a trace.
  static constexpr std::uint32_t kMostTerms = 20'000;

  [[nodiscard]] ExprId constant(std::int64_t value);
  [[nodiscard]] ExprId variable(std::uint32_t variable);
  [[nodiscard]] ExprId table(std::uint32_t number, const Table& table, ExprId index);
  [[nodiscard]] ExprId node(ExprOp op, ExprId a, ExprId b = kNoExpr, ExprId c = kNoExpr);

  [[nodiscard]] const ExprNode& operator[](ExprId id) const { return nodes_[id]; }
  [[nodiscard]] bool is_constant(ExprId id) const { return nodes_[id].op == ExprOp::kConstant; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

 private:
  ExprId intern(ExprNode node);
  ExprId simplified(const ExprNode& node);
  ExprId folded(const ExprNode& node);
  [[nodiscard]] bool is(ExprId id, std::int64_t value) const;
  [[nodiscard]] std::uint8_t flags_of(const ExprNode& node) const;

  std::vector<ExprNode> nodes_;
  std::unordered_multimap<std::uint64_t, ExprId> ids_;
};

}  // namespace gpusim::trace

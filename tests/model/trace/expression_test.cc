// SPDX-License-Identifier: MIT
#include "sim/model/trace/expression.h"

#include <limits>
#include <optional>
#include <random>

#include <catch2/catch.hpp>

#include "sim/model/trace/linear.h"
#include "sim/model/trace/table.h"
#include "sim/model/trace/vm.h"

namespace expression_test {

using namespace gpusim;
using namespace gpusim::trace;

namespace {

using Int = std::int64_t;
__extension__ typedef __int128 Wide;
constexpr Int kLeast = std::numeric_limits<Int>::min();
constexpr Int kMost = std::numeric_limits<Int>::max();
constexpr std::size_t kVariables = kVarLoops + 4;

/// A plain evaluator over the tree, with 128-bit integers where the pool wraps; nothing when there is no value.
class Reference {
 public:
  Reference(const ExprPool& pool, const std::vector<Int>& variables, Int lane, const Table& table)
      : pool_(pool), variables_(variables), lane_(lane), table_(table) {}

  [[nodiscard]] std::optional<Int> value(ExprId id) const {
    const ExprNode& node = pool_[id];
    switch (node.op) {
      case ExprOp::kConstant: return node.value;
      case ExprOp::kVariable: return node.value == kVarLane ? lane_ : variables_[static_cast<std::size_t>(node.value)];
      case ExprOp::kSelect: {
        const auto condition = value(node.args[0]);
        return condition ? value(node.args[*condition != 0 ? 1 : 2]) : std::nullopt;
      }
      case ExprOp::kLogicAnd:
      case ExprOp::kLogicOr: {
        const auto first = value(node.args[0]);
        if (!first || (*first != 0) == (node.op == ExprOp::kLogicOr)) {
          return first ? std::optional<Int>(*first != 0) : std::nullopt;
        }
        const auto second = value(node.args[1]);
        return second ? std::optional<Int>(*second != 0) : std::nullopt;
      }
      default: return strict(node);
    }
  }

 private:
  static Int wrap(Wide wide) { return static_cast<Int>(static_cast<std::uint64_t>(wide)); }

  [[nodiscard]] std::optional<Int> strict(const ExprNode& node) const {
    std::array<Wide, 3> v{};
    for (std::size_t i = 0; i < v.size() && node.args[i] != kNoExpr; ++i) {
      const auto arg = value(node.args[i]);
      if (!arg) {
        return std::nullopt;
      }
      v[i] = *arg;
    }
    const auto shift = static_cast<unsigned>(static_cast<std::uint64_t>(v[1]) % 64);
    switch (node.op) {
      case ExprOp::kTable:
        return v[0] >= 0 && v[0] < static_cast<Wide>(table_.size())
                   ? std::optional<Int>(table_.at(static_cast<Int>(v[0])))
                   : std::nullopt;
      case ExprOp::kNot: return v[0] == 0;
      case ExprOp::kAdd: return wrap(v[0] + v[1]);
      case ExprOp::kSubtract: return wrap(v[0] - v[1]);
      case ExprOp::kMultiply: return wrap(v[0] * v[1]);
      case ExprOp::kDivide: return v[1] == 0 ? std::nullopt : std::optional<Int>(wrap(v[0] / v[1]));
      case ExprOp::kModulo: return v[1] == 0 ? std::nullopt : std::optional<Int>(wrap(v[0] % v[1]));
      case ExprOp::kShiftLeft: return wrap(v[0] * (static_cast<Wide>(1) << shift));
      case ExprOp::kShiftRight: return wrap(v[0] >> shift);
      case ExprOp::kAnd: return wrap(v[0] & v[1]);
      case ExprOp::kOr: return wrap(v[0] | v[1]);
      case ExprOp::kXor: return wrap(v[0] ^ v[1]);
      case ExprOp::kEqual: return v[0] == v[1];
      case ExprOp::kNotEqual: return v[0] != v[1];
      case ExprOp::kLess: return v[0] < v[1];
      case ExprOp::kLessEqual: return v[0] <= v[1];
      case ExprOp::kMin: return wrap(v[0] < v[1] ? v[0] : v[1]);
      case ExprOp::kMax: return wrap(v[0] < v[1] ? v[1] : v[0]);
      case ExprOp::kAbs: return wrap(v[0] < 0 ? -v[0] : v[0]);
      case ExprOp::kBit: return wrap(v[0] >> shift & 1);
      case ExprOp::kTrips: {
        const Wide distance = v[1] - v[0];
        const Wide trips = distance <= 0 || v[2] < 1 ? 0 : (distance + v[2] - 1) / v[2];
        return wrap(trips > kMost ? kMost : trips);
      }
      default: {
        Fault fault;
        return apply(node.op, static_cast<Int>(v[0]), static_cast<Int>(v[1]), static_cast<Int>(v[2]), fault);
      }
    }
  }

  const ExprPool& pool_;
  const std::vector<Int>& variables_;
  Int lane_;
  const Table& table_;
};

class RandomExpressions {
 public:
  RandomExpressions(ExprPool& pool, const Table& table, unsigned seed) : pool_(pool), table_(table), random_(seed) {}

  ExprId make(unsigned depth) {
    if (depth == 0 || random_() % 8 == 0) {
      return leaf();
    }
    const auto op = static_cast<ExprOp>(2 + random_() % 25);
    const ExprId a = make(depth - 1);
    switch (op) {
      case ExprOp::kTable: return pool_.table(0, table_, a);
      case ExprOp::kNot:
      case ExprOp::kAbs: return pool_.node(op, a);
      case ExprOp::kTrips:
      case ExprOp::kSelect: return pool_.node(op, a, make(depth - 1), make(depth - 1));
      default: return pool_.node(op, a, make(depth - 1));
    }
  }
  Int interesting() {
    static constexpr std::array<Int, 12> kValues{0, 1, 2, 3, 4, 7, 16, 63, 64, -1, kLeast, kMost};
    return random_() % 4 == 0 ? static_cast<Int>(random_()) : kValues[random_() % kValues.size()];
  }

 private:
  ExprId leaf() {
    if (random_() % 2 == 0) {
      return pool_.constant(interesting());
    }
    return random_() % 2 == 0 ? pool_.variable(kVarLane)
                              : pool_.variable(static_cast<std::uint32_t>(random_() % kVariables));
  }
  ExprPool& pool_;
  const Table& table_;
  std::mt19937_64 random_;
};

Int constant_of(const ExprPool& pool, ExprId id) {
  REQUIRE(pool.is_constant(id));
  return pool[id].value;
}

}  // namespace

TEST_CASE("random expressions have the value of a plain evaluator, for one lane and for all lanes at once") {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    ExprPool pool;
    const auto table = std::make_shared<const Table>(Table::affine(20, 3, -5));
    RandomExpressions random(pool, *table, seed);
    const ExprId id = random.make(5);
    std::vector<Int> variables(kVariables);
    for (Int& variable : variables) {
      variable = random.interesting();
    }
    std::vector<VmOp> ops;
    VmCompiler compiler(pool, ops);
    const Code scalar = compiler.scalar(id);
    const Code lanes = compiler.lanes(id);
    const Tables tables{table};
    const VmContext context{ops.data(), &tables, variables.data()};
    LaneValues values{};
    const bool whole = run_lanes(context, lanes, values);
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      const auto expected = Reference(pool, variables, lane, *table).value(id);
      Fault fault;
      const Int got = run_scalar(context, scalar, lane, fault);
      INFO("seed " << seed << ", lane " << lane);
      REQUIRE(static_cast<bool>(fault) == !expected.has_value());
      if (expected) {
        REQUIRE(got == *expected);
        REQUIRE((!whole || values[lane] == *expected));
      } else {
        REQUIRE_FALSE(whole);
        REQUIRE((pool[id].flags & kMayFail) != 0);
      }
    }
  }
}

TEST_CASE("the linear form of an expression sums to its value") {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    ExprPool pool;
    const Table table = Table::affine(20, 3, -5);
    RandomExpressions random(pool, table, seed);
    const ExprId id = pool.node(ExprOp::kAdd, pool.node(ExprOp::kMultiply, random.make(3), pool.constant(12)),
                                pool.node(ExprOp::kSubtract, random.make(3), random.make(2)));
    const std::vector<Int> variables(kVariables, 5);
    const Reference reference(pool, variables, 9, table);
    const LinearForm form = linear_form(pool, id);
    auto sum = static_cast<std::uint64_t>(form.constant);
    bool failed = false;
    for (const auto& [term, coefficient] : form.terms) {
      const auto value = reference.value(term);
      failed = failed || !value;
      sum += static_cast<std::uint64_t>(coefficient) * static_cast<std::uint64_t>(value.value_or(0));
    }
    const auto expected = reference.value(id);
    INFO("seed " << seed);
    REQUIRE(failed == !expected.has_value());
    REQUIRE((failed || static_cast<Int>(sum) == *expected));
  }
}

TEST_CASE("overflow wraps and shift counts count modulo 64") {
  ExprPool pool;
  const auto value = [&](ExprOp op, Int a, Int b) {
    return constant_of(pool, pool.node(op, pool.constant(a), pool.constant(b)));
  };
  CHECK(value(ExprOp::kAdd, kMost, 1) == kLeast);
  CHECK(value(ExprOp::kSubtract, kLeast, 1) == kMost);
  CHECK(value(ExprOp::kMultiply, kLeast, -1) == kLeast);
  CHECK(value(ExprOp::kDivide, kLeast, -1) == kLeast);
  CHECK(value(ExprOp::kModulo, kLeast, -1) == 0);
  CHECK(value(ExprOp::kDivide, -7, 2) == -3);
  CHECK(value(ExprOp::kModulo, -7, 2) == -1);
  CHECK(value(ExprOp::kShiftLeft, 1, 65) == 2);
  CHECK(value(ExprOp::kShiftRight, -8, 1) == -4);
}

TEST_CASE("equal expressions are one node, and identities disappear") {
  ExprPool pool;
  const ExprId lane = pool.variable(kVarLane);
  CHECK(pool.node(ExprOp::kAdd, lane, pool.constant(4)) == pool.node(ExprOp::kAdd, lane, pool.constant(4)));
  CHECK(pool.node(ExprOp::kAdd, lane, pool.constant(0)) == lane);
  CHECK(pool.node(ExprOp::kMultiply, pool.constant(1), lane) == lane);
  CHECK(pool.node(ExprOp::kSelect, pool.constant(0), lane, pool.constant(3)) == pool.constant(3));
}

TEST_CASE("a table's permutation has every number once, and its chain visits every entry") {
  const Table permutation = Table::permutation(1000, 5);
  const Table chain = Table::chain(1000, 5);
  std::vector<bool> seen(1000, false);
  std::vector<bool> visited(1000, false);
  Int at = 0;
  for (Int i = 0; i < 1000; ++i) {
    seen[static_cast<std::size_t>(permutation.at(i))] = true;
    visited[static_cast<std::size_t>(at)] = true;
    at = chain.at(at);
  }
  CHECK(at == 0);
  CHECK(std::count(seen.begin(), seen.end(), true) == 1000);
  CHECK(std::count(visited.begin(), visited.end(), true) == 1000);
}

TEST_CASE("hashed entries lie below their modulus and differ between seeds") {
  const Table a = Table::hashed(1U << 20U, 1, 100);
  const Table b = Table::hashed(1U << 20U, 2, 100);
  int equal = 0;
  for (Int i = 0; i < 1000; ++i) {
    REQUIRE((a.at(i) >= 0 && a.at(i) < 100));
    equal += a.at(i) == b.at(i) ? 1 : 0;
  }
  CHECK(equal < 50);
}

}  // namespace expression_test

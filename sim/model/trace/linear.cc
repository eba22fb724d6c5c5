// SPDX-License-Identifier: MIT
#include "sim/model/trace/linear.h"

namespace gpusim::trace {
namespace {

class Decomposer {
 public:
  explicit Decomposer(const ExprPool& pool) : pool_(pool) {}
  LinearForm form;

  void add(ExprId id, std::uint64_t factor) {
    const ExprNode& node = pool_[id];
    // A shared node can be reached along exponentially many ways; beyond any address people write it stays whole.
    if (++visited_ > kMostVisited) {
      add_term(id, factor);
      return;
    }
    switch (node.op) {
      case ExprOp::kConstant: add_constant(factor * static_cast<std::uint64_t>(node.value)); return;
      case ExprOp::kAdd:
        add(node.args[0], factor);
        add(node.args[1], factor);
        return;
      case ExprOp::kSubtract:
        add(node.args[0], factor);
        add(node.args[1], 0 - factor);
        return;
      case ExprOp::kMultiply:
      case ExprOp::kShiftLeft: add_product(id, factor); return;
      default: add_term(id, factor);
    }
  }

 private:
  static constexpr unsigned kMostVisited = 4096;

  void add_product(ExprId id, std::uint64_t factor) {
    const ExprNode& node = pool_[id];
    const bool shift = node.op == ExprOp::kShiftLeft;
    if (pool_.is_constant(node.args[1])) {
      const auto value = static_cast<std::uint64_t>(pool_[node.args[1]].value);
      add(node.args[0], factor * (shift ? std::uint64_t{1} << (value & 63U) : value));
    } else if (!shift && pool_.is_constant(node.args[0])) {
      add(node.args[1], factor * static_cast<std::uint64_t>(pool_[node.args[0]].value));
    } else {
      add_term(id, factor);
    }
  }

  void add_constant(std::uint64_t value) {
    form.constant = static_cast<std::int64_t>(static_cast<std::uint64_t>(form.constant) + value);
  }

  void add_term(ExprId id, std::uint64_t factor) {
    const std::uint64_t sum = static_cast<std::uint64_t>(form.terms[id]) + factor;
    form.terms[id] = static_cast<std::int64_t>(sum);
    // A term that may fail stays even when nothing of it is left: it still has to be evaluated.
    if (sum == 0 && (pool_[id].flags & kMayFail) == 0) {
      form.terms.erase(id);
    }
  }

  const ExprPool& pool_;
  unsigned visited_ = 0;
};

}  // namespace

LinearForm linear_form(const ExprPool& pool, ExprId expression) {
  Decomposer decomposer(pool);
  decomposer.add(expression, 1);
  return std::move(decomposer.form);
}

}  // namespace gpusim::trace

// SPDX-License-Identifier: MIT
#include "sim/input/text/block_expander.h"

#include "sim/input/text/instruction_reader.h"
#include "sim/input/text/labels.h"

namespace gpusim::frontend {
namespace {

using trace::ExprId;
using trace::ExprOp;
using trace::FlowKind;

/// Turns of unrolls, empty ones included.
constexpr std::uint64_t kMostTurns = 1'000'000;

/// "@!P0" for the predicate P0, and "@P0" for !P0.
std::string without(const std::string& predicate) {
  return predicate.starts_with('!') ? "@" + predicate.substr(1) : "@!" + predicate;
}

}  // namespace

void BlockExpander::expand(const std::vector<Statement>& statements) {
  std::vector<std::string> lets;
  for (const Statement& one : statements) {
    if (one.kind == Statement::Kind::kLet) {
      names_.declare({one.name, one.place}, {names_.build(one.expression)});
      lets.push_back(one.name);
    } else {
      expand(one);
    }
  }
  for (const std::string& name : lets) {
    names_.unbind(name);
  }
}

void BlockExpander::expand(const Statement& statement) {
  switch (statement.kind) {
    case Statement::Kind::kLabel:
      labels_.add(statement.name, {writer_.next(), writer_.loop(), statement.place});
      return;
    case Statement::Kind::kLoop: loop(statement); return;
    case Statement::Kind::kUnroll: unroll(statement); return;
    case Statement::Kind::kIf: branch_block(statement); return;
    case Statement::Kind::kStaticIf: static_if(statement); return;
    default: instructions_.read(statement);
  }
}

void BlockExpander::look_into(const Statement& statement) {
  reporter_.excuse(statement.name);
  expand(statement.body);
  expand(statement.otherwise);
}

std::string BlockExpander::predicate_of(const Statement& statement) {
  const std::string predicate = names_.expand(statement.guard);
  return predicate.empty() ? "P6" : predicate;
}

bool BlockExpander::may_turn(std::uint64_t turns, Place place) {
  if (is_stopped()) {
    return false;
  }
  if (turns > kMostTurns - turns_) {
    reporter_.add(place, "the kernel's unrolls have more than " + std::to_string(kMostTurns) + " turns");
    has_too_many_turns_ = true;
    return false;
  }
  turns_ += turns;
  return true;
}

void BlockExpander::unroll(const Statement& statement) {
  if (statement.begin == kNoSyntax || statement.end == kNoSyntax) {
    look_into(statement);
    return;
  }
  const auto begin = names_.constant(statement.begin, "the first value of 'unroll'");
  const auto end = names_.constant(statement.end, "the end of 'unroll'");
  const auto step = statement.step == kNoSyntax
                        ? std::optional<std::int64_t>(1)
                        : names_.constant_in(statement.step, "the step of 'unroll'", 1, INT64_MAX);
  if (!begin || !end || !step) {
    look_into(statement);
    return;
  }
  trace::Fault none;
  const std::int64_t turns = trace::apply(ExprOp::kTrips, *begin, *end, *step, none);
  if (!may_turn(static_cast<std::uint64_t>(turns), statement.place)) {
    look_into(statement);
    return;
  }
  for (std::int64_t turn = 0; turn < turns && !is_stopped(); ++turn) {
    labels_.open_scope();
    names_.declare({statement.name, statement.place}, {names_.pool().constant(*begin + turn * *step)});
    expand(statement.body);
    names_.unbind(statement.name);
    labels_.close_scope();
  }
}

void BlockExpander::branch_block(const Statement& statement) {
  if (statement.expression == kNoSyntax) {
    look_into(statement);
    return;
  }
  trace::ExprPool& pool = names_.pool();
  const ExprId condition = names_.build(statement.expression);
  const std::string predicate = predicate_of(statement);
  const ExprId skips = pool.node(ExprOp::kNot, condition);
  const std::uint32_t over = writer_.next();
  trace::DraftOp& branch =
      writer_.emit_branch(without(predicate), statement.control, statement.place, FlowKind::kBranch);
  branch.when = skips;
  writer_.instr(branch).runtime_guard = (pool[condition].flags & trace::kDependsRuntime) != 0;
  expand(statement.body);
  const bool has_else = statement.name == "else";
  const std::uint32_t over_else = writer_.next();
  if (has_else) {
    writer_.emit_branch("", statement.else_control, statement.place, FlowKind::kBranch);
  }
  writer_.lead_here(over);
  expand(statement.otherwise);
  if (has_else) {
    writer_.lead_here(over_else);
  }
}

void BlockExpander::static_if(const Statement& statement) {
  const auto chosen = statement.expression == kNoSyntax
                          ? std::nullopt
                          : names_.decide(statement.expression, "the condition of 'static if'");
  if (!chosen) {
    look_into(statement);
    return;
  }
  // Labels inside are seen outside, so that a branch may lead into what the choice left.
  expand(*chosen ? statement.body : statement.otherwise);
}

void BlockExpander::loop(const Statement& statement) {
  if (statement.begin == kNoSyntax || statement.end == kNoSyntax) {
    look_into(statement);
    return;
  }
  const std::uint64_t problems = reporter_.added();
  trace::ExprPool& pool = names_.pool();
  const ExprId begin = names_.build(statement.begin);
  const ExprId end = names_.build(statement.end);
  names_.refuse_live(statement.begin, begin, "a loop's bounds");
  names_.refuse_live(statement.end, end, "a loop's bounds");
  const auto given = statement.step == kNoSyntax
                         ? std::optional<std::int64_t>(1)
                         : names_.constant_in(statement.step, "the step of 'loop'", 1, INT64_MAX);
  const std::int64_t step = given.value_or(1);
  const ExprId trips = pool.node(ExprOp::kTrips, begin, end, pool.constant(step));
  if (reporter_.added() != problems) {
    look_into(statement);
    return;
  }
  const bool fixed = pool.is_constant(trips);
  if (fixed && pool[trips].value == 0) {
    return;
  }
  const std::string predicate = predicate_of(statement);
  const std::uint32_t level = writer_.begin_loop({statement.name, 0, 0, 0, 0, begin, trips, step}, statement.place);
  const std::uint32_t guard = writer_.next();
  if (!fixed) {
    writer_.emit_branch(without(predicate), statement.control, statement.place, FlowKind::kLoopGuard);
  }
  const std::uint32_t body = writer_.next();
  const ExprId iteration = pool.variable(trace::iteration_variable(level));
  const ExprId passed = pool.node(ExprOp::kMultiply, iteration, pool.constant(step));
  names_.declare({statement.name, statement.place}, {pool.node(ExprOp::kAdd, begin, passed)});
  expand(statement.body);
  names_.unbind(statement.name);
  writer_.emit_branch("@" + predicate, statement.control, statement.place, FlowKind::kLoopEnd).target = body;
  writer_.end_loop();
  if (!fixed) {
    writer_.lead_here(guard);
  }
}

}  // namespace gpusim::frontend

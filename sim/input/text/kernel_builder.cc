// SPDX-License-Identifier: MIT
// The code of a kernel: blocks expanded, labels resolved, everything compiled.
#include "sim/input/text/kernel_builder.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "sim/base/nearest.h"
#include "sim/input/text/kernel_head.h"
#include "sim/input/text/l2_window.h"
#include "sim/input/text/operand_check.h"
#include "sim/model/isa/decode.h"
#include "sim/model/trace/walker.h"

namespace gpusim::frontend {
namespace {

using trace::ExprId;
using trace::ExprOp;
using trace::FlowKind;
using trace::kNone;

constexpr std::uint64_t kMostInstructions = 1U << 18U;
/// Turns of unrolls, empty ones included.
constexpr std::uint64_t kMostTurns = 1'000'000;
/// Boost's dominator tree recurses along chains of blocks; this keeps it well within a thread's stack.
constexpr std::uint32_t kMostBranches = 8192;
/// What the stall count of an instruction can be on GPUs since Volta: Jia et al., "Dissecting the NVIDIA Volta GPU
/// Architecture via Microbenchmarking".
constexpr std::uint8_t kMostStall = 15;

/// "@!P0" for the predicate P0, and "@P0" for !P0.
std::string without(const std::string& predicate) {
  return predicate.starts_with('!') ? "@" + predicate.substr(1) : "@!" + predicate;
}

}  // namespace

KernelBuilder::KernelBuilder(const Syntax& syntax, const KernelSyntax& kernel, Reporter& reporter, FileState& file)
    : syntax_(syntax),
      source_(kernel),
      reporter_(reporter),
      file_(file),
      names_(syntax, reporter, draft_.pool),
      declarations_(names_) {}

// Beyond the limits above unrolling stops: expansions_ then exceeds its own.
std::optional<trace::Kernel> KernelBuilder::run() {
  try {
    return build();
  } catch (const trace::ExpressionTooLarge& error) {
    reporter_.add(source_.name.place, error.what);
  } catch (const KernelGivenUp&) {
    // Its reason has been told, with its place.
  }
  return std::nullopt;
}

std::optional<trace::Kernel> KernelBuilder::build() {
  kernel_.name = source_.name.text;
  kernel_.where = {syntax_.file, source_.name.place.line, source_.name.place.column};
  for (const auto& [name, value] : file_.constants) {
    names_.bind_constant(name, value);
  }
  for (const auto& [parameter, word] : file_.words) {
    names_.bind_word(parameter, word);
  }
  read_head(source_, names_, kernel_);
  read_declarations();
  bind_places(kernel_, names_);
  scopes_.emplace_back();
  block(source_.code);
  resolve_labels();
  check_convergence();
  check_end();
  check_live_guards();
  check_registers();
  if (reporter_.any()) {
    return std::nullopt;
  }
  write_targets();
  draft_.file = syntax_.file;
  draft_.kernel = kernel_.name;
  draft_.grid = kernel_.grid;
  draft_.block = kernel_.block;
  draft_.cluster = kernel_.cluster;
  declarations_.buffers.move_to(kernel_, draft_);
  declarations_.mbarriers.move_to(kernel_, draft_);
  declarations_.tensor_maps.move_to(kernel_, draft_);
  if (const std::optional<trace::EndlessLoop> loop = trace::endless_loop(draft_)) {
    refuse(*loop);
    return std::nullopt;
  }
  kernel_.edges = trace::instruction_edges(draft_);
  kernel_.behaviour = std::make_shared<const trace::Behaviour>(trace::compile(draft_, kernel_.code));
  return std::move(kernel_);
}

void KernelBuilder::read_declarations() {
  for (const std::vector<BufferSyntax>* const buffers : {&syntax_.buffers, &source_.buffers}) {
    for (const BufferSyntax& buffer : *buffers) {
      declarations_.buffers.declare(buffer, file_.layout, bytes_of_space(buffer.space, source_, kernel_));
    }
  }
  if (source_.window) {
    kernel_.window = read_window(*source_.window, declarations_.buffers, names_);
  }
  for (const MbarrierSyntax& mbarrier : source_.mbarriers) {
    declarations_.mbarriers.declare(mbarrier, bytes_of_space(isa::MemSpace::kShared, source_, kernel_));
  }
  for (const TensorMapSyntax& map : source_.tensor_maps) {
    declarations_.tensor_maps.declare(map);
  }
}

void KernelBuilder::refuse(const trace::EndlessLoop& loop) {
  if (loop.is_conditional) {
    reporter_.add(loop.jump, "this loop never ends: a lane that jumps back once does so for ever",
                  "repeat with 'loop', or let 'when' depend on 'live'");
  } else {
    reporter_.add(loop.jump, "this loop never ends: no way out of it leads to an EXIT",
                  "let an EXIT or a branch out of it have a condition, or repeat with 'loop'");
  }
}

void KernelBuilder::block(const std::vector<Statement>& statements) {
  std::vector<std::string> lets;
  for (const Statement& one : statements) {
    if (one.kind == Statement::Kind::kLet) {
      names_.declare({one.name, one.place}, {names_.build(one.expression)});
      lets.push_back(one.name);
    } else {
      statement(one);
    }
  }
  for (const std::string& name : lets) {
    names_.unbind(name);
  }
}

void KernelBuilder::statement(const Statement& statement) {
  switch (statement.kind) {
    case Statement::Kind::kLabel: label(statement); return;
    case Statement::Kind::kLoop: loop(statement); return;
    case Statement::Kind::kUnroll: unroll(statement); return;
    case Statement::Kind::kIf: branch_block(statement); return;
    case Statement::Kind::kStaticIf: static_if(statement); return;
    default: instruction(statement);
  }
}

void KernelBuilder::label(const Statement& statement) {
  const auto number = static_cast<std::uint32_t>(labels_.size());
  labels_.push_back({static_cast<std::uint32_t>(draft_.ops.size()), loop_, statement.place});
  const auto [known, is_new] = scopes_[scope_].labels.emplace(statement.name, number);
  if (!is_new) {
    reporter_.add(statement.place, "label '" + statement.name + "' stands a second time",
                  "first in line " + std::to_string(labels_[known->second].place.line));
  }
}

void KernelBuilder::look_into(const Statement& statement) {
  reporter_.excuse(statement.name);
  block(statement.body);
  block(statement.otherwise);
}

/// Counts the turns of an unroll, unless all together are too many.
bool KernelBuilder::may_turn(std::uint64_t turns, Place place) {
  if (expansions_ > kMostTurns) {
    return false;
  }
  if (turns > kMostTurns - expansions_) {
    reporter_.add(place, "the kernel's unrolls have more than " + std::to_string(kMostTurns) + " turns");
    expansions_ = kMostTurns + 1;
    return false;
  }
  expansions_ += turns;
  return true;
}

void KernelBuilder::unroll(const Statement& statement) {
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
  Environment& names = names_;
  trace::Fault none;
  const std::int64_t turns = trace::apply(ExprOp::kTrips, *begin, *end, *step, none);
  if (!may_turn(static_cast<std::uint64_t>(turns), statement.place)) {
    look_into(statement);
    return;
  }
  const std::uint32_t outer = scope_;
  for (std::int64_t turn = 0; turn < turns && expansions_ <= kMostTurns; ++turn) {
    scope_ = static_cast<std::uint32_t>(scopes_.size());
    scopes_.push_back({outer, {}});
    names_.declare({statement.name, statement.place}, {names.pool().constant(*begin + turn * *step)});
    block(statement.body);
    names.unbind(statement.name);
  }
  scope_ = outer;
}

trace::DraftOp& KernelBuilder::emit(const InstructionText& text, FlowKind kind) {
  if (++file_.instructions > kMostInstructions) {
    reporter_.add(source_.name.place,
                  "the file's code is longer than " + std::to_string(kMostInstructions) + " instructions, unrolled",
                  "a 'loop' takes the place of an 'unroll' without making more code");
    expansions_ = kMostTurns + 1;
  }
  const bool branches = kind == FlowKind::kBranch || kind == FlowKind::kLoopGuard || kind == FlowKind::kLoopEnd;
  if (branches && ++branches_ == kMostBranches + 1) {
    reporter_.add(text.place, "the kernel has more than " + std::to_string(kMostBranches) + " branches, unrolled");
    expansions_ = kMostTurns + 1;
  }
  isa::Instr instr = decode(text.opcode, text.place);
  const std::vector<std::string_view> operands(text.operands.begin(), text.operands.end());
  if (const auto error = isa::assign_operands(text.opcode, text.guard, operands, instr)) {
    reporter_.add(text.place, *error);
  }
  add_control(text, instr);
  isa::InstrText shown;
  shown.opcode = text.opcode;
  shown.text = text.guard + (text.guard.empty() ? "" : " ") + text.opcode;
  for (std::size_t i = 0; i < text.operands.size(); ++i) {
    shown.text += (i == 0 ? " " : ", ") + text.operands[i];
  }
  shown.line = text.place.line;
  constexpr std::uint64_t kInstructionBytes = 16;
  shown.pc = kInstructionBytes * kernel_.code.size();
  trace::DraftOp& op = draft_.ops.emplace_back();
  op.kind = kind;
  op.instr = static_cast<std::uint32_t>(kernel_.code.size());
  op.place = text.place;
  op.loop = loop_;
  kernel_.code.push_back(instr);
  kernel_.texts.push_back(std::move(shown));
  return op;
}

void KernelBuilder::add_control(const InstructionText& text, isa::Instr& instr) {
  Place& first = text.control.empty() ? without_control_ : with_control_;
  if (first.line == 0) {
    first = text.place;
  }
  if (const auto control = text.control.empty() ? std::nullopt : isa::parse_control_bits(text.control)) {
    instr.control = *control;
    instr.has_control = true;
    if (control->stall > kMostStall && file_.warnings.take_line(FileWarnings::Cause::kLongStall, text.place.line)) {
      file_.warnings.add(text.place, "a stall count of " + std::to_string(control->stall) +
                                         " is simulated, but no GPU has it: it has 4 bits, so at most 15");
    }
  }
}

const isa::Instr& KernelBuilder::decode(const std::string& opcode, Place place) {
  const auto known = decoded_.find(opcode);
  if (known != decoded_.end()) {
    return known->second;
  }
  const isa::Instr instr = isa::decode_opcode(opcode);
  if (!instr.known_opcode && file_.warnings.take_opcode(opcode)) {
    const bool listed = isa::find_opcode(opcode) != nullptr;
    const std::string near(listed ? "" : isa::nearest_opcode(opcode));
    file_.warnings.add(place,
                       (listed ? "opcode '" : "unknown opcode '") + opcode + (listed ? "' is not modelled" : "'") +
                           ": treated as an ALU operation",
                       near.empty() ? "" : "did you mean '" + near + "'?");
  }
  return decoded_.emplace(opcode, instr).first->second;
}

trace::DraftOp& KernelBuilder::emit_branch(const Statement& statement, const std::string& guard, FlowKind kind) {
  InstructionText text{"BRA", guard, {"L"}, statement.control, statement.place};
  return emit(text, kind);
}

void KernelBuilder::branch_block(const Statement& statement) {
  if (statement.expression == kNoSyntax) {
    look_into(statement);
    return;
  }
  const ExprId condition = names_.build(statement.expression);
  std::string predicate = names_.expand(statement.guard);
  predicate = predicate.empty() ? "P6" : predicate;
  emit_branch(statement, without(predicate), FlowKind::kBranch).when = names_.pool().node(ExprOp::kNot, condition);
  kernel_.code.back().runtime_guard = (names_.pool()[condition].flags & trace::kDependsRuntime) != 0;
  const auto over = static_cast<std::uint32_t>(draft_.ops.size() - 1);
  block(statement.body);
  std::uint32_t over_else = kNone;
  if (statement.name == "else") {
    Statement end = {};
    end.control = statement.else_control;
    end.place = statement.place;
    emit_branch(end, "", FlowKind::kBranch);
    over_else = static_cast<std::uint32_t>(draft_.ops.size() - 1);
  }
  draft_.ops[over].target = static_cast<std::uint32_t>(draft_.ops.size());
  block(statement.otherwise);
  if (over_else != kNone) {
    draft_.ops[over_else].target = static_cast<std::uint32_t>(draft_.ops.size());
  }
}

void KernelBuilder::static_if(const Statement& statement) {
  const auto chosen = statement.expression == kNoSyntax
                          ? std::nullopt
                          : names_.decide(statement.expression, "the condition of 'static if'");
  if (!chosen) {
    look_into(statement);
    return;
  }
  // Labels inside are seen outside, so that a branch may lead into what the choice left.
  block(*chosen ? statement.body : statement.otherwise);
}

void KernelBuilder::loop(const Statement& statement) {
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
  const auto step = statement.step == kNoSyntax
                        ? std::optional<std::int64_t>(1)
                        : names_.constant_in(statement.step, "the step of 'loop'", 1, INT64_MAX);
  const ExprId trips = pool.node(ExprOp::kTrips, begin, end, pool.constant(step.value_or(1)));
  if (reporter_.added() != problems) {
    look_into(statement);
    return;
  }
  const bool fixed = pool.is_constant(trips);
  if (fixed && pool[trips].value == 0) {
    return;
  }
  std::string predicate = names_.expand(statement.guard);
  predicate = predicate.empty() ? "P6" : predicate;
  const auto number = static_cast<std::uint32_t>(draft_.loops.size());
  draft_.loops.push_back({statement.name, loop_, level_, static_cast<std::uint32_t>(draft_.ops.size()), 0, begin, trips,
                          step.value_or(1)});
  const std::uint32_t outer = std::exchange(loop_, number);
  trace::DraftOp& start = draft_.ops.emplace_back();
  start.kind = FlowKind::kLoopBegin;
  start.place = statement.place;
  start.loop = number;
  if (!fixed) {
    emit_branch(statement, without(predicate), FlowKind::kLoopGuard);
  }
  const auto body = static_cast<std::uint32_t>(draft_.ops.size());
  const ExprId iteration = pool.variable(trace::iteration_variable(level_));
  const ExprId passed = pool.node(ExprOp::kMultiply, iteration, pool.constant(step.value_or(1)));
  names_.declare({statement.name, statement.place}, {pool.node(ExprOp::kAdd, begin, passed)});
  ++level_;
  block(statement.body);
  --level_;
  names_.unbind(statement.name);
  trace::DraftOp& close = emit_branch(statement, "@" + predicate, FlowKind::kLoopEnd);
  close.target = body;
  draft_.loops[number].end_op = static_cast<std::uint32_t>(draft_.ops.size() - 1);
  if (!fixed) {
    draft_.ops[body - 1].target = static_cast<std::uint32_t>(draft_.ops.size());
  }
  loop_ = outer;
}

void KernelBuilder::resolve_labels() {
  for (const OpenBranch& branch : open_branches_) {
    resolve(branch);
  }
}

/// The label as seen from the branch; null, with the problem told, when there is none.
const KernelBuilder::Label* KernelBuilder::find_label(const OpenBranch& branch) {
  std::vector<std::string_view> known;
  const std::string message = "undefined label '" + branch.label.text + "'";
  const bool wants_hint = reporter_.wants(branch.label.place, message);
  for (std::uint32_t scope = branch.scope; scope != kNone; scope = scopes_[scope].parent) {
    const auto found = scopes_[scope].labels.find(branch.label.text);
    if (found == scopes_[scope].labels.end()) {
      for (const auto& [name, number] : scopes_[scope].labels) {
        if (wants_hint) {
          known.push_back(name);
        }
      }
      continue;
    }
    return &labels_[found->second];
  }
  if (reporter_.excuses(branch.label.text)) {
    return nullptr;
  }
  std::sort(known.begin(), known.end());
  reporter_.add(branch.label.place, message,
                known.empty() ? "there are no labels here" : suggestion(branch.label.text, known));
  return nullptr;
}

void KernelBuilder::resolve(const OpenBranch& branch) {
  const Label* const label = find_label(branch);
  if (label == nullptr) {
    return;
  }
  draft_.ops[branch.op].target = label->op;
  std::uint32_t around = draft_.ops[branch.op].loop;
  while (around != kNone && around != label->loop) {
    around = draft_.loops[around].parent;
  }
  if (around != label->loop) {
    reporter_.add(branch.label.place, "the branch to '" + branch.label.text + "' enters a loop from outside",
                  "the label stands in line " + std::to_string(label->place.line));
  }
}

/// Registers decide how many CTAs an SM holds: fewer than the code names would not be a kernel.
void KernelBuilder::check_registers() {
  const RegisterNeed need = registers_needed(kernel_);
  if (source_.registers == kNoSyntax) {
    kernel_.registers_per_thread = std::max(kernel_.registers_per_thread, need.registers);
  } else if (need.registers > kernel_.registers_per_thread && !moves_registers(kernel_)) {
    reporter_.add({need.line, 0},
                  "R" + std::to_string(need.registers - 1) + " is used here, and the kernel declares " +
                      std::to_string(kernel_.registers_per_thread) + " registers a thread",
                  "'registers " + std::to_string(need.registers) + "' or more");
  }
}

void KernelBuilder::check_end() {
  if (syntax_.skipped_lines || !source_.has_code) {
    return;  // what is missing may have been the end
  }
  const auto count = static_cast<std::uint32_t>(draft_.ops.size());
  for (const Label& label : labels_) {
    if (label.op == count) {
      reporter_.add(label.place, "no instruction follows this label");
    }
  }
  const auto leaves = [](const trace::DraftOp& op) {
    return (op.kind == FlowKind::kExit || op.kind == FlowKind::kBranch) && op.when == trace::kNoExpr;
  };
  if (count == 0 || !leaves(draft_.ops.back()) ||
      (draft_.ops.back().kind == FlowKind::kBranch && draft_.ops.back().target == count)) {
    reporter_.add(source_.name.place, "the code of kernel '" + kernel_.name + "' can run past its end", "add EXIT");
    return;
  }
  for (const trace::DraftOp& op : draft_.ops) {
    if (op.target == count) {
      reporter_.add(op.place, "the branch runs past the end of the code", "add EXIT");
    }
  }
  if (with_control_.line != 0 && without_control_.line != 0) {
    reporter_.add(without_control_, "this instruction has no control bits, others of the kernel have",
                  "the first of those in line " + std::to_string(with_control_.line));
  }
  kernel_.control_recorded = with_control_.line != 0;
}

void KernelBuilder::write_targets() {
  // Branches that blocks became name their target as a disassembler does.
  for (const trace::DraftOp& op : draft_.ops) {
    if (op.target == kNone || !kernel_.texts[op.instr].text.ends_with("BRA L")) {
      continue;
    }
    std::uint32_t target = op.target;
    while (draft_.ops[target].instr == kNone) {
      ++target;
    }
    std::array<char, 2 + 16 + 1> text{};
    std::snprintf(text.data(), text.size(), "0x%llx",
                  static_cast<unsigned long long>(kernel_.texts[draft_.ops[target].instr].pc));
    std::string& shown = kernel_.texts[op.instr].text;
    shown.replace(shown.size() - 1, 1, text.data());
  }
}

}  // namespace gpusim::frontend

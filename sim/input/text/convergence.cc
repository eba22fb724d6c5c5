// SPDX-License-Identifier: MIT
#include "sim/input/text/convergence.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "sim/model/isa/decode.h"

namespace gpusim::frontend {
namespace {

using trace::Convergence;
using trace::FlowKind;
using trace::kNone;
using Action = trace::Convergence::Action;

struct ConvergenceWord {
  std::string_view opcode;
  Action action;
};
constexpr std::array<ConvergenceWord, 5> kConvergenceWords{{{"BSSY", Action::kBegin},
                                                            {"BSYNC", Action::kWait},
                                                            {"BREAK", Action::kLeave},
                                                            {"WARPSYNC", Action::kLanes},
                                                            {"YIELD", Action::kYield}}};

const ConvergenceWord* find_word(std::string_view opcode) {
  const std::string_view base = opcode.substr(0, opcode.find('.'));
  const auto* const found = std::find_if(kConvergenceWords.begin(), kConvergenceWords.end(),
                                         [base](const ConvergenceWord& word) { return word.opcode == base; });
  return found == kConvergenceWords.end() ? nullptr : found;
}

std::optional<unsigned> barrier_among(const std::vector<std::string>& operands) {
  for (const std::string& operand : operands) {
    if (const auto number = isa::convergence_barrier_number(operand)) {
      return number;
    }
  }
  return std::nullopt;
}

/// An immediate, in hexadecimal or decimal.
std::optional<std::uint64_t> immediate(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  text.remove_prefix(hexadecimal ? 2 : 0);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (error == std::errc::result_out_of_range) {
    return UINT64_MAX;
  }
  return error == std::errc{} && end == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                   : std::nullopt;
}

constexpr std::string_view kNoLanes =
    "a mask is of the 32 lanes of a warp, such as 0xffffffff, and names at least one that exists";

/// By instruction: the barriers (mask) that some path to it has begun, or taken out of a register (BMOV).
std::vector<std::uint32_t> barriers_begun(const trace::ProgramDraft& draft, const trace::Kernel& kernel) {
  const std::vector<trace::Edge> edges = trace::instruction_edges(draft);
  std::vector<std::uint32_t> begins(kernel.code.size(), 0);
  for (const trace::DraftOp& op : draft.ops) {
    if (op.kind == FlowKind::kConverge && draft.convergences[op.target].action == Action::kBegin) {
      begins[op.instr] = 1U << draft.convergences[op.target].barrier;
    } else if (op.instr != kNone && kernel.texts[op.instr].opcode.starts_with("BMOV")) {
      begins[op.instr] = ~0U;
    }
  }
  std::vector<std::uint32_t> begun(kernel.code.size(), 0);
  std::vector<bool> seen(kernel.code.size(), false);
  std::vector<std::uint32_t> open{0};
  seen[0] = true;
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    const std::uint32_t out = begun[at] | begins[at];
    auto edge = std::lower_bound(edges.begin(), edges.end(), at,
                                 [](const trace::Edge& one, std::uint32_t from) { return one.from < from; });
    for (; edge != edges.end() && edge->from == at; ++edge) {
      if (edge->to != trace::kExitNode && (!seen[edge->to] || (out & ~begun[edge->to]) != 0)) {
        seen[edge->to] = true;
        begun[edge->to] |= out;
        open.push_back(edge->to);
      }
    }
  }
  for (std::size_t i = 0; i < begun.size(); ++i) {
    begun[i] |= seen[i] ? 0 : ~0U;  // code that no path reaches does no harm
  }
  return begun;
}

}  // namespace

void ConvergenceReader::add(const Statement& statement, trace::DraftOp& op) {
  const std::string& opcode = kernel_.texts[op.instr].opcode;
  const ConvergenceWord* const word = find_word(opcode);
  if (word == nullptr) {
    return;
  }
  std::vector<std::string> operands;
  for (const Template& operand : statement.operands) {
    operands.push_back(names_.expand(operand));
  }
  Convergence made;
  made.action = word->action;
  if (made.action == Action::kLanes) {
    // A mask in a register is not known. As a rule it names the lanes that run there together.
    const auto mask = operands.size() != 1 ? std::nullopt : immediate(operands.front());
    if (!mask && !opcode.starts_with("WARPSYNC.ALL")) {
      return;
    }
    const std::uint32_t threads = kernel_.threads_per_cta();
    const LaneMask exist = threads >= kWarpLanes ? kAllLanes : (LaneMask{1} << threads) - 1;
    if (mask.value_or(kAllLanes) > kAllLanes || (mask.value_or(kAllLanes) & exist) == 0) {
      reporter_.add(statement.place, "'" + operands.front() + "' names lanes that do not exist", std::string(kNoLanes));
      return;
    }
    made.lanes = static_cast<LaneMask>(mask.value_or(kAllLanes));
  } else if (made.action != Action::kYield) {
    const auto number = barrier_among(operands);
    if (!number || *number >= isa::kConvergenceBarriers) {
      reporter_.add(statement.place,
                    number ? "there is no convergence barrier B" + std::to_string(*number)
                           : "'" + statement.name + "' names no convergence barrier",
                    "a warp has B0 to B" + std::to_string(isa::kConvergenceBarriers - 1));
      return;
    }
    made.barrier = static_cast<std::uint8_t>(*number);
  }
  op.kind = FlowKind::kConverge;
  op.target = static_cast<std::uint32_t>(draft_.convergences.size());
  draft_.convergences.push_back(made);
  // Where its lanes meet need not be said; programs from listings of old do not.
  if (made.action == Action::kBegin && statement.label && !isa::convergence_barrier_number(statement.label->text)) {
    places_.push_back(labels_.refer(static_cast<std::uint32_t>(draft_.ops.size() - 1), *statement.label));
  }
}

void ConvergenceReader::check() {
  if (draft_.convergences.empty() || reporter_.any()) {
    return;
  }
  for (const Labels::Reference& place : places_) {
    check_meeting_place(place);
  }
  const std::vector<std::uint32_t> begun = barriers_begun(draft_, kernel_);
  for (const trace::DraftOp& op : draft_.ops) {
    if (op.kind != FlowKind::kConverge) {
      continue;
    }
    const Convergence& what = draft_.convergences[op.target];
    const bool uses = what.action == Action::kWait || what.action == Action::kLeave;
    if (uses && (begun[op.instr] >> what.barrier & 1U) == 0) {
      reporter_.add(op.place,
                    "'" + kernel_.texts[op.instr].text + "': no path that leads here has begun barrier B" +
                        std::to_string(what.barrier),
                    "begin it before the lanes part: BSSY B" + std::to_string(what.barrier) + ", LABEL");
    }
  }
}

/// A BSSY names the BSYNC of its barrier or, as compilers do, the instruction behind it.
void ConvergenceReader::check_meeting_place(const Labels::Reference& place) {
  const Labels::Label* const label = labels_.find(place);
  if (label == nullptr) {
    return;
  }
  const Convergence& begins = draft_.convergences[draft_.ops[place.op].target];
  const auto waits_at = [&](std::uint32_t op) {
    if (op >= draft_.ops.size() || draft_.ops[op].kind != FlowKind::kConverge) {
      return false;
    }
    const Convergence& what = draft_.convergences[draft_.ops[op].target];
    return what.action == Action::kWait && what.barrier == begins.barrier;
  };
  if (!waits_at(label->op) && (label->op == 0 || !waits_at(label->op - 1))) {
    reporter_.add(
        place.label.place,
        "there is no BSYNC B" + std::to_string(begins.barrier) + " at '" + place.label.text +
            "', where its lanes are to meet",
        "the label stands in line " + std::to_string(label->place.line) + ", and BSYNC at it or right before it");
  }
}

}  // namespace gpusim::frontend

// SPDX-License-Identifier: MIT
#include "sim/input/sass/branches.h"

#include <algorithm>
#include <charconv>

namespace gpusim::frontend::sass {
namespace {

constexpr std::uint32_t kMostLookedForLink = 64;

std::string_view base_name(const ListedInstruction& one) {
  return std::string_view(one.opcode).substr(0, one.opcode.find('.'));
}

bool is_predicate_name(std::string_view text) {
  text.remove_prefix(text.starts_with('!') ? 1 : 0);
  text.remove_prefix(text.starts_with('U') ? 1 : 0);
  return text.size() == 2 && text[0] == 'P' && ((text[1] >= '0' && text[1] <= '6') || text[1] == 'T');
}

/// What decides: the guard, or the predicate that "BRA !P1, target" and "BRA.U UP0, target" have among their operands.
std::string condition_of(const ListedInstruction& one) {
  if (one.instr.guarded) {
    return one.guard;
  }
  const bool among_operands =
      !one.operands.empty() && is_predicate_name(one.operands.front()) && !one.operands.front().ends_with('T');
  return among_operands ? "@" + one.operands.front() : "";
}

bool is_never(const ListedInstruction& one) {
  return one.guard == "@!PT" || one.guard == "@!UPT" || one.opcode.starts_with("BRA.DIV");
}

/// "R4" for a general register.
bool writes_register(const ListedInstruction& one, std::string_view name) {
  return std::any_of(one.instr.destinations.begin(), one.instr.destinations.end(), [&](const isa::Operand& to) {
    return to.file == isa::RegFile::kGeneral && "R" + std::to_string(to.index) == name;
  });
}

}  // namespace

std::string link_of(const ListedInstruction& ret) {
  const auto link = std::find_if(ret.instr.sources.begin(), ret.instr.sources.end(),
                                 [](const isa::Operand& from) { return from.file == isa::RegFile::kGeneral; });
  return link == ret.instr.sources.end() ? "RZ" : "R" + std::to_string(link->index);
}

Branches::Branches(const ListedFunction& function) : function_(function) {
  for (std::uint32_t i = 0; i < function.code.size(); ++i) {
    at_address_.emplace(function.code[i].address, i);
  }
  for (const ListedInstruction& one : function.code) {
    BranchInfo& info = infos_.emplace_back();
    if (is_never(one)) {
      info.role = Role::kNever;
      continue;
    }
    if (one.instr.kind != isa::OpKind::kBranch && one.instr.kind != isa::OpKind::kExit) {
      continue;
    }
    info.guard = condition_of(one);
    const std::string_view base = base_name(one);
    if (one.instr.kind == isa::OpKind::kExit) {
      info.role = Role::kExit;
    } else if (base == "RET") {
      info.role = Role::kReturn;
    } else {
      info.target =
          one.operands.empty() || (base != "BRA" && base != "CALL") ? kNowhere : place_of(one.operands.back());
      const Role known = base == "CALL" ? Role::kCall : Role::kBranch;
      info.role = info.target == kNowhere ? Role::kIndirect : known;
    }
  }
}

bool Branches::goes_on(std::uint32_t at) const {
  const BranchInfo& info = infos_[at];
  const bool leaves = info.role != Role::kPlain && info.role != Role::kNever && info.role != Role::kCall;
  return !leaves || !info.guard.empty();
}

std::uint32_t Branches::place_of(std::string_view written) const {
  std::string name;
  std::copy_if(written.begin(), written.end(), std::back_inserter(name),
               [](char c) { return c != '`' && c != '(' && c != ')' && c != ' '; });
  if (is_relocation(written)) {  // 32@lo((f + .L_x_5@srel))
    name = name.substr(name.find('+') == std::string::npos ? 0 : name.find('+') + 1);
    name.resize(std::min(name.find('@'), name.size()));
  }
  if (const auto label = function_.labels.find(name.starts_with('.') ? name.substr(1) : name);
      label != function_.labels.end() && label->second < function_.code.size()) {
    return label->second;
  }
  if (!name.starts_with("0x")) {
    return kNowhere;
  }
  std::uint64_t address = 0;
  const auto [end, error] = std::from_chars(name.data() + 2, name.data() + name.size(), address, 16);
  const auto found = at_address_.find(address);
  const bool good = error == std::errc{} && end == name.data() + name.size() && found != at_address_.end();
  return good ? found->second : kNowhere;
}

std::uint32_t Branches::return_of(std::uint32_t call, const std::string& link) const {
  const std::uint32_t first = call - std::min(call, kMostLookedForLink);
  for (std::uint32_t at = call; at-- > first;) {
    const ListedInstruction& one = function_.code[at];
    if (!writes_register(one, link)) {
      continue;
    }
    const bool moves = one.opcode == "MOV" || one.opcode == "IMAD.MOV.U32";
    const std::uint32_t place = moves && !one.operands.empty() ? place_of(one.operands.back()) : kNowhere;
    if (place != kNowhere) {
      return place;
    }
    break;
  }
  return call + 1 < function_.code.size() ? call + 1 : kNowhere;
}

Refusal Branches::refusal(std::uint32_t at) const {
  const ListedInstruction& one = function_.code[at];
  const std::string_view base = base_name(one);
  const std::string target = one.operands.empty() ? "" : one.operands.back();
  if (base == "BRA") {
    return {one.opcode + " goes to '" + target + "', which is not a place in '" + function_.name + "'", ""};
  }
  if (base == "CALL") {
    return {one.opcode + " calls '" + target + "', which is not in '" + function_.name + "'",
            "have it inlined (__forceinline__); printf, assert and malloc are such calls, too"};
  }
  return {one.opcode + " jumps to a place that is known at run time only (a jump table), which no program can",
          "write the switch as a chain of ifs, or replace this line by a BRA to the case that matters"};
}

}  // namespace gpusim::frontend::sass

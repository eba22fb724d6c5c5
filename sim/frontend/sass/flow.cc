// SPDX-License-Identifier: MIT
#include "sim/frontend/sass/flow.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

namespace gpusim::frontend::sass {
namespace {

constexpr std::size_t kMostLoops = 4096;  // branches are compared with each

class FlowFinder {
 public:
  FlowFinder(const ListedFunction& function, const std::string& file, ProblemList& problems)
      : function_(function), file_(file), problems_(problems) {
    for (std::uint32_t i = 0; i < function.code.size(); ++i) {
      at_address_.emplace(function.code[i].address, i);
    }
  }

  Flow run() {
    flow_.targets.assign(function_.code.size(), kNowhere);
    flow_.reachable.assign(function_.code.size(), false);
    reach();
    find_loops();
    check_loops();
    return std::move(flow_);
  }

 private:
  void report(std::uint32_t at, std::string message, std::string hint = "") {
    const Place place = function_.code[at].place;
    problems_.add({{file_, place.line, place.column}, std::move(message), std::move(hint)});
  }

  void reach() {
    std::vector<std::uint32_t> open{0};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (flow_.reachable[at]) {
        continue;
      }
      flow_.reachable[at] = true;
      const ListedInstruction& one = function_.code[at];
      if (one.instr.kind == isa::OpKind::kBranch) {
        flow_.targets[at] = target_of(at);
        if (flow_.targets[at] != kNowhere) {
          open.push_back(flow_.targets[at]);
        }
      }
      const bool leaves = one.instr.kind == isa::OpKind::kExit || one.instr.kind == isa::OpKind::kBranch;
      if (leaves && !one.instr.guarded && one.operands.size() < 2) {
        continue;
      }
      if (at + 1 == function_.code.size()) {
        report(at, "the code of '" + function_.name + "' can run past its end", "the listing may be cut off");
      } else {
        open.push_back(at + 1);
      }
    }
  }

  std::uint32_t target_of(std::uint32_t at) {
    const ListedInstruction& one = function_.code[at];
    if (one.opcode != "BRA" && !one.opcode.starts_with("BRA.")) {
      report(at, one.opcode + " cannot be written as a program: its target is known at run time, or is a subroutine",
             "compile with calls inlined and without jump tables");
      return kNowhere;
    }
    const std::string written = one.operands.empty() ? "" : one.operands.back();
    std::string name;
    std::copy_if(written.begin(), written.end(), std::back_inserter(name),
                 [](char c) { return c != '`' && c != '(' && c != ')'; });
    if (const auto label = function_.labels.find(name.starts_with('.') ? name.substr(1) : name);
        label != function_.labels.end() && label->second < function_.code.size()) {
      return label->second;
    }
    std::uint64_t address = 0;
    if (name.starts_with("0x")) {
      std::from_chars(name.data() + 2, name.data() + name.size(), address, 16);
      if (const auto found = at_address_.find(address); found != at_address_.end()) {
        return found->second;
      }
    }
    report(at, one.opcode + " goes to '" + written + "', which is no place in '" + function_.name + "'");
    return kNowhere;
  }

  void find_loops() {
    std::map<std::uint32_t, Loop> by_begin;
    for (std::uint32_t at = 0; at < flow_.targets.size(); ++at) {
      const std::uint32_t target = flow_.targets[at];
      if (target == kNowhere) {
        continue;
      }
      if (target > at) {
        flow_.labels.insert(target);
        continue;
      }
      const auto [known, is_new] = by_begin.try_emplace(target, Loop{target, at, false});
      known->second.has_continue = !is_new;
      known->second.end = at;
    }
    for (const auto& [begin, loop] : by_begin) {
      flow_.loops.push_back(loop);
    }
  }

  void check_loops() {
    if (flow_.loops.size() > kMostLoops) {
      report(0, "'" + function_.name + "' has more than " + std::to_string(kMostLoops) + " loops");
      return;
    }
    std::vector<Loop> open;
    for (const Loop& loop : flow_.loops) {
      while (!open.empty() && open.back().end < loop.begin) {
        open.pop_back();
      }
      if (!open.empty() && open.back().end <= loop.end) {
        report(loop.end, "this branch back ends a loop that overlaps another",
               "the other ends in line " + std::to_string(function_.code[open.back().end].place.line));
      }
      open.push_back(loop);
    }
    for (std::uint32_t at = 0; at < flow_.targets.size(); ++at) {
      const std::uint32_t target = flow_.targets[at];
      const bool enters = target != kNowhere && std::any_of(flow_.loops.begin(), flow_.loops.end(), [&](const Loop& l) {
                            return (at < l.begin || at > l.end) && target > l.begin && target <= l.end;
                          });
      if (enters) {
        report(at, function_.code[at].opcode + " enters a loop from outside, other than at its begin",
               "a program's loops are entered at their begin");
      }
    }
  }

  const ListedFunction& function_;
  const std::string& file_;
  ProblemList& problems_;
  std::unordered_map<std::uint64_t, std::uint32_t> at_address_;
  Flow flow_;
};

}  // namespace

Flow flow_of(const ListedFunction& function, const std::string& file, ProblemList& problems) {
  return FlowFinder(function, file, problems).run();
}

}  // namespace gpusim::frontend::sass

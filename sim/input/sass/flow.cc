// SPDX-License-Identifier: MIT
#include "sim/input/sass/flow.h"

#include <algorithm>
#include <map>

namespace gpusim::frontend::sass {
namespace {

constexpr std::size_t kMostLoops = 4096;  // branches are compared with each

class FlowFinder {
 public:
  FlowFinder(const ListedFunction& function, const std::string& file, ProblemList& problems)
      : function_(function), file_(file), problems_(problems) {}

  Flow run() {
    flow_.code = lay_out(function_, file_, problems_);
    if (problems_.empty()) {
      find_loops();
      check_loops();
    }
    return std::move(flow_);
  }

 private:
  [[nodiscard]] const ListedInstruction& listed(std::uint32_t placed) const {
    return function_.code[flow_.code[placed].source];
  }

  void report(std::uint32_t placed, std::string message, std::string hint = "") {
    const Place place = listed(placed).place;
    problems_.add({{file_, place.line, place.column}, std::move(message), std::move(hint)});
  }

  void find_loops() {
    std::map<std::uint32_t, Loop> by_begin;
    for (std::uint32_t at = 0; at < flow_.code.size(); ++at) {
      const std::uint32_t target = flow_.code[at].target;
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
               "the other ends in line " + std::to_string(listed(open.back().end).place.line));
      }
      open.push_back(loop);
    }
    for (std::uint32_t at = 0; at < flow_.code.size(); ++at) {
      const std::uint32_t target = flow_.code[at].target;
      const bool enters = target != kNowhere && std::any_of(flow_.loops.begin(), flow_.loops.end(), [&](const Loop& l) {
                            return (at < l.begin || at > l.end) && target > l.begin && target <= l.end;
                          });
      if (enters) {
        report(at, listed(at).opcode + " enters a loop from outside, other than at its begin",
               "a program's loops are entered at their begin");
      }
    }
  }

  const ListedFunction& function_;
  const std::string& file_;
  ProblemList& problems_;
  Flow flow_;
};

}  // namespace

Flow flow_of(const ListedFunction& function, const std::string& file, ProblemList& problems) {
  return FlowFinder(function, file, problems).run();
}

}  // namespace gpusim::frontend::sass

// SPDX-License-Identifier: MIT
#include "sim/input/sass/conditions.h"

#include <algorithm>
#include <array>

namespace gpusim::frontend::sass {
namespace {

constexpr std::size_t kPredicates = 14;        // P0 to P6, UP0 to UP6
constexpr std::uint32_t kEntry = 0xfffffffeU;  // nothing in the function decides it
constexpr std::uint32_t kSeveral = 0xfffffffdU;
constexpr std::uint32_t kUnseen = kNowhere;
constexpr std::uint32_t kNoLoop = kNowhere;

/// By predicate: the placed instruction that decides it, or one of the words above.
using State = std::array<std::uint32_t, kPredicates>;

/// 0 to 13, or kPredicates for what is not a predicate.
std::size_t number_of(const std::string& guard) {
  const std::size_t at = guard.find_first_not_of("@!");
  const bool uniform = at != std::string::npos && guard[at] == 'U';
  const std::string digit = at == std::string::npos ? "" : guard.substr(at + (uniform ? 2 : 1));
  const bool good = digit.size() == 1 && digit[0] >= '0' && digit[0] <= '6';
  return good ? static_cast<std::size_t>(digit[0] - '0') + (uniform ? kPredicates / 2 : 0) : kPredicates;
}

class ConditionFinder {
 public:
  ConditionFinder(const ListedFunction& function, const Flow& flow) : function_(function), flow_(flow) {}

  Conditions run() {
    before_.assign(flow_.code.size(), filled(kUnseen));
    spread(0, filled(kEntry));
    while (!open_.empty()) {
      const std::uint32_t at = open_.back();
      open_.pop_back();
      const State after = leave(at);
      const Placed& placed = flow_.code[at];
      if (placed.target != kNowhere) {
        spread(placed.target, after);
      }
      if (placed.goes_on && at + 1 < flow_.code.size()) {
        spread(at + 1, after);
      }
    }
    find_loops();
    return collect();
  }

 private:
  static State filled(std::uint32_t value) {
    State state;
    state.fill(value);
    return state;
  }

  static std::uint32_t join(std::uint32_t a, std::uint32_t b) {
    if (a == kUnseen || a == b) {
      return b;
    }
    return b == kUnseen ? a : kSeveral;
  }

  void spread(std::uint32_t to, const State& state) {
    bool changed = false;
    for (std::size_t i = 0; i < kPredicates; ++i) {
      const std::uint32_t joined = join(before_[to][i], state[i]);
      changed = changed || joined != before_[to][i];
      before_[to][i] = joined;
    }
    if (changed) {
      open_.push_back(to);
    }
  }

  [[nodiscard]] State leave(std::uint32_t at) const {
    State state = before_[at];
    const Placed& placed = flow_.code[at];
    for (const isa::Operand& to : function_.code[placed.source].instr.destinations) {
      const bool uniform = to.file == isa::RegFile::kUniformPredicate;
      if ((!uniform && to.file != isa::RegFile::kPredicate) || placed.never) {
        continue;
      }
      for (std::size_t i = to.index; i < std::min<std::size_t>(to.index + to.width, kPredicates / 2); ++i) {
        std::uint32_t& decided = state[i + (uniform ? kPredicates / 2 : 0)];
        decided = placed.guard.empty() ? at : join(decided, at);
      }
    }
    return state;
  }

  /// The innermost loop of each instruction.
  void find_loops() {
    loop_of_.assign(flow_.code.size(), kNoLoop);
    for (std::uint32_t loop = 0; loop < flow_.loops.size(); ++loop) {
      const Loop& one = flow_.loops[loop];
      std::fill(loop_of_.begin() + one.begin, loop_of_.begin() + one.end + 1, loop);
    }
  }

  /// Whether what a program names behind `definition` is known at `use`: names end with their loop.
  [[nodiscard]] bool sees(std::uint32_t use, std::uint32_t definition) const {
    const std::uint32_t loop = loop_of_[definition];
    const bool inside = loop == kNoLoop || (use >= flow_.loops[loop].begin && use <= flow_.loops[loop].end);
    return use > definition && inside;
  }

  [[nodiscard]] bool closes_loop(std::uint32_t at) const {
    return loop_of_[at] != kNoLoop && flow_.loops[loop_of_[at]].end == at;
  }

  Conditions collect() {
    std::map<std::pair<std::uint32_t, std::size_t>, std::vector<std::uint32_t>> uses;
    for (std::uint32_t at = 0; at < flow_.code.size(); ++at) {
      const Placed& placed = flow_.code[at];
      const ListedInstruction& one = function_.code[placed.source];
      const bool has_second = placed.is_branch && one.instr.guarded && one.operands.size() > 1;  // "@P0 BRA P1, target"
      const std::size_t number = placed.never || has_second ? kPredicates : number_of(placed.guard);
      if (number == kPredicates || closes_loop(at)) {
        continue;  // how often a loop turns is its counter's business
      }
      const std::uint32_t definition = before_[at][number];
      if (definition < flow_.code.size() && sees(at, definition)) {
        uses[{definition, number}].push_back(at);
      }
    }
    Conditions conditions;
    for (const auto& [key, guards] : uses) {
      if (guards.size() < 2) {
        continue;
      }
      for (const std::uint32_t at : guards) {
        conditions.of.emplace(at, conditions.all.size());
      }
      const std::size_t half = kPredicates / 2;
      const bool uniform = key.second >= half;
      conditions.all.push_back({key.first, (uniform ? "UP" : "P") + std::to_string(key.second % half)});
    }
    return conditions;
  }

  const ListedFunction& function_;
  const Flow& flow_;
  std::vector<State> before_;
  std::vector<std::uint32_t> open_;
  std::vector<std::uint32_t> loop_of_;
};

}  // namespace

Conditions conditions_of(const ListedFunction& function, const Flow& flow) {
  return flow.code.empty() ? Conditions{} : ConditionFinder(function, flow).run();
}

}  // namespace gpusim::frontend::sass

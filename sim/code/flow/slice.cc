// SPDX-License-Identifier: MIT
#include "sim/code/flow/slice.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "sim/code/flow/edges.h"
#include "sim/code/flow/registers.h"

namespace gpusim::flow {
namespace {

/// When a value is needed: never, always, or in the threads where a predicate is true, or is false. Compilers guard
/// both the calculation of an address and its use, so the condition matters.
using Condition = std::uint8_t;
constexpr Condition kNever = 0;
constexpr Condition kAlways = 1;
constexpr Condition kFirstLiteral = 2;

/// Two a predicate: that it is true, and that it is false.
constexpr Condition literal(std::size_t predicate, bool negated) {
  return static_cast<Condition>(kFirstLiteral + 2 * predicate + (negated ? 1 : 0));
}

constexpr bool is_literal(Condition condition) {
  return condition >= kFirstLiteral;
}

/// Numbers predicates from 0 on; the uniform ones come behind the others.
constexpr std::size_t predicate_of(Condition literal) {
  return (literal - kFirstLiteral) / 2U;
}

constexpr Condition opposite(Condition condition) {
  return is_literal(condition) ? static_cast<Condition>(condition ^ 1U) : kNever;
}
static_assert(opposite(literal(3, false)) == literal(3, true));

constexpr Condition either(Condition a, Condition b) {
  return a == b || b == kNever ? a : a == kNever ? b : kAlways;
}

/// By register: when its value is needed.
using Needs = std::array<Condition, kRegisterPlaces>;

void join(Needs& into, const Needs& other) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    into[i] = either(into[i], other[i]);
  }
}

using Places = std::vector<std::uint16_t>;

Places places_of(const RegisterSet& set) {
  Places places;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set[i]) {
      places.push_back(static_cast<std::uint16_t>(i));
    }
  }
  return places;
}

/// What the analysis knows of an instruction.
struct Node {
  Condition guard = kAlways;
  bool merges = false;    ///< keeps a part of what it writes to
  bool in_slice = false;  ///< in any case
  bool leads_anywhere = false;
  Places guards;
  Places sources;
  Places writes;
  std::vector<std::uint32_t> next;
};

class Analysis {
 public:
  explicit Analysis(std::span<const sass::Instruction> code) : code_(code), needs_(code.size()) {
    std::ranges::transform(code, std::back_inserter(nodes_), node_of);
    for (const Edge& edge : edges_of(code)) {
      if (edge.to != kEnd) {
        nodes_[edge.from].next.push_back(edge.to);
      }
    }
  }

  Slice run() {
    while (sweep()) {
    }
    Slice slice;
    for (std::uint32_t pc = 0; pc < nodes_.size(); ++pc) {
      const bool writes_needed = is_needed(nodes_[pc], needed_behind(nodes_[pc]));
      slice.contains.push_back(writes_needed || nodes_[pc].in_slice);
      if (writes_needed && reads_memory(code_[pc].op) && !slice.decider) {
        slice.decider = pc;
      }
    }
    return slice;
  }

 private:
  static Node node_of(const sass::Instruction& instruction) {
    Node node;
    const sass::Guard& guard = instruction.guard;
    if (!guard.always()) {
      node.guard = literal(guard.index + (guard.uniform ? kPredicates : 0U), guard.negated);
    }
    node.merges = instruction.op == sass::Op::kR2p || instruction.op == sass::Op::kUr2up;
    node.in_slice = role_of(instruction.op) != Role::kValue || reads_indexed_constant(instruction);
    node.leads_anywhere = leads_anywhere(instruction.op);
    node.guards = places_of(guard_of(instruction));
    node.sources = places_of(sources_of(instruction));
    node.writes = places_of(destinations_of(instruction));
    return node;
  }

  /// In the words of before: conditions name predicates as they are before the instruction.
  [[nodiscard]] Needs needed_behind(const Node& node) const {
    Needs needs = node.leads_anywhere ? needed_anywhere_ : Needs{};
    for (const std::uint32_t next : node.next) {
      join(needs, needs_[next]);
    }
    forget_written_predicates(node, needs);
    return needs;
  }

  /// Whether a thread that executes it needs a value that it writes.
  static bool is_needed(const Node& node, const Needs& behind) {
    return std::ranges::any_of(node.writes, [&](std::size_t place) {
      return behind[place] != kNever && behind[place] != opposite(node.guard);
    });
  }

  /// What a predicate is before an instruction that writes it is not known.
  static void forget_written_predicates(const Node& node, Needs& needs) {
    for (const std::size_t place : node.writes) {
      if (place >= kFirstPredicatePlace) {
        const std::size_t predicate = place - kFirstPredicatePlace;
        std::ranges::replace_if(
            needs, [predicate](Condition need) { return is_literal(need) && predicate_of(need) == predicate; },
            kAlways);
      }
    }
  }

  [[nodiscard]] static Needs needed_before(const Node& node, const Needs& behind) {
    Needs needs = behind;
    const bool executes = node.in_slice || is_needed(node, behind);
    for (const std::size_t place : node.writes) {
      const bool is_overwritten = node.guard == kAlways || needs[place] == node.guard;
      needs[place] = is_overwritten && !node.merges ? kNever : needs[place];
    }
    for (const std::size_t place : node.guards) {
      needs[place] = kAlways;
    }
    if (executes) {
      for (const std::size_t place : node.sources) {
        needs[place] = either(needs[place], node.guard);
      }
    }
    return needs;
  }

  /// Returns whether anything changed. Backward, since needs go backward.
  bool sweep() {
    bool changed = false;
    for (std::size_t pc = nodes_.size(); pc-- > 0;) {
      const Needs needs = needed_before(nodes_[pc], needed_behind(nodes_[pc]));
      if (needs != needs_[pc]) {
        needs_[pc] = needs;
        join(needed_anywhere_, needs);
        changed = true;
      }
    }
    return changed;
  }

  std::span<const sass::Instruction> code_;
  std::vector<Node> nodes_;
  std::vector<Needs> needs_;  ///< before each instruction
  Needs needed_anywhere_{};   ///< before some instruction
};

}  // namespace

bool may_read_maps(std::span<const sass::Instruction> code, bool has_map_parameter) {
  using sass::Op;
  return std::ranges::any_of(code, [has_map_parameter](const sass::Instruction& instruction) {
    switch (instruction.op) {
      case Op::kUtmacctl: return true;
      case Op::kUtmaldg:
      case Op::kUtmaldgExtra:
      case Op::kUtmastg:
      case Op::kUtmaredg:
      case Op::kUtmapf: return !has_map_parameter;
      default: return false;
    }
  });
}

Slice slice_of(std::span<const sass::Instruction> code) {
  return Analysis(code).run();
}

}  // namespace gpusim::flow

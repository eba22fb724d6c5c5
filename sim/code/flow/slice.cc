// SPDX-License-Identifier: MIT
#include "sim/code/flow/slice.h"

#include <algorithm>

#include "sim/code/flow/edges.h"
#include "sim/code/flow/registers.h"

namespace gpusim::flow {
namespace {

/// What the analysis knows of an instruction.
struct Node {
  RegisterSet writes;
  RegisterSet kills;          ///< registers whose values before it nobody needs behind it
  RegisterSet always_needed;  ///< its guard; of what belongs to the slice in any case, its sources
  RegisterSet sources;        ///< needed if a value that it writes is
  RegisterSet needed;         ///< before it
  std::vector<std::uint32_t> next;
  bool leads_anywhere = false;
};

class Analysis {
 public:
  explicit Analysis(std::span<const sass::Instruction> code) : code_(code), nodes_(code.size()) {
    for (std::size_t pc = 0; pc < code.size(); ++pc) {
      fill(nodes_[pc], code[pc]);
    }
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
      const bool writes_needed = (nodes_[pc].writes & needed_behind(nodes_[pc])).any();
      slice.contains.push_back(writes_needed || role_of(code_[pc].op) != Role::kValue);
      if (writes_needed && reads_memory(code_[pc].op) && !slice.decider) {
        slice.decider = pc;
      }
    }
    return slice;
  }

 private:
  static void fill(Node& node, const sass::Instruction& instruction) {
    node.writes = destinations_of(instruction);
    node.kills = instruction.guard.always() && instruction.op != sass::Op::kR2p && instruction.op != sass::Op::kUr2up
                     ? node.writes
                     : RegisterSet();
    node.sources = sources_of(instruction);
    node.always_needed = guard_of(instruction);
    if (role_of(instruction.op) != Role::kValue) {
      node.always_needed |= node.sources;
    }
    node.leads_anywhere = leads_anywhere(instruction.op);
  }

  [[nodiscard]] RegisterSet needed_behind(const Node& node) const {
    RegisterSet needed = node.leads_anywhere ? needed_anywhere_ : RegisterSet();
    for (const std::uint32_t next : node.next) {
      needed |= nodes_[next].needed;
    }
    return needed;
  }

  /// Returns whether anything changed. Backward, since needs go backward.
  bool sweep() {
    bool changed = false;
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      Node& node = nodes_[i];
      const RegisterSet behind = needed_behind(node);
      RegisterSet needed = (behind & ~node.kills) | node.always_needed;
      if ((behind & node.writes).any()) {
        needed |= node.sources;
      }
      if (needed != node.needed) {
        node.needed = needed;
        needed_anywhere_ |= needed;
        changed = true;
      }
    }
    return changed;
  }

  std::span<const sass::Instruction> code_;
  std::vector<Node> nodes_;
  RegisterSet needed_anywhere_;  ///< before some instruction
};

}  // namespace

Slice slice_of(std::span<const sass::Instruction> code) {
  return Analysis(code).run();
}

}  // namespace gpusim::flow

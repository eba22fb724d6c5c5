// SPDX-License-Identifier: MIT
// What an assembler knows before it hands out dependence counters: which instruction first needs the result of a
// variable-latency producer, and which first overwrites a source it may not have read yet.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/machine/lower/flow_graph.h"

namespace gpusim::lower {

/// The nearest instruction that has to wait.
struct FirstUse {
  std::uint32_t instr = 0;
  std::uint64_t distance = 0;  ///< instructions on the shortest way there
};

class Lookahead {
 public:
  Lookahead(const trace::Kernel& kernel, const RegisterUse& use, std::span<const Block> blocks);

  /// First instruction that reads or overwrites a destination of `instr`; nothing when none can.
  [[nodiscard]] std::optional<FirstUse> first_consumer(std::uint32_t instr) const;
  /// First instruction that overwrites a source of `instr` on a way on which nothing has waited for its result;
  /// nothing when none can.
  [[nodiscard]] std::optional<FirstUse> first_overwriter(std::uint32_t instr) const;

 private:
  /// Within a stretch of a block: the position searched for, and the one after which it no longer matters; the
  /// stretch's end when there is none.
  struct Hit {
    std::uint32_t target;
    std::uint32_t stop;
  };
  /// Breadth first from behind `instr`; find(begin, end) gives the Hit of a stretch.
  template <typename Find>
  [[nodiscard]] std::optional<FirstUse> search(std::uint32_t instr, const Find& find) const;

  const RegisterUse& use_;
  std::span<const Block> blocks_;
  std::vector<std::uint32_t> block_of_;
  std::vector<std::vector<std::uint32_t>> accesses_;  ///< accesses to each register, ascending
  std::vector<std::vector<std::uint32_t>> writes_;    ///< writes of each register, ascending
};

}  // namespace gpusim::lower

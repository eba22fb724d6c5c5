// SPDX-License-Identifier: MIT
// A kernel as the control-bit pass sees it: basic blocks with their successors, and every register as a small dense
// number, with the places that read and write it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/isa/instr.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::lower {

/// Instructions first .. end - 1 run one after the other.
struct Block {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  std::vector<std::uint32_t> successors;  ///< block numbers, ascending
};

[[nodiscard]] std::vector<Block> build_blocks(const trace::Kernel& kernel);
/// The block of each instruction.
[[nodiscard]] std::vector<std::uint32_t> block_of_instructions(std::span<const Block> blocks);

/// By block: the successors that it enters a loop by, from outside of that loop. None are named in a kernel of so many
/// loops and blocks that looking at all of them would take long.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> loop_entries(std::span<const Block> blocks);

/// Dense numbers for the registers (of all four files) that a kernel touches, and per instruction what it touches.
class RegisterUse {
 public:
  explicit RegisterUse(const trace::Kernel& kernel);

  [[nodiscard]] std::size_t count() const { return count_; }
  /// Whether it is a predicate of the vector datapath.
  [[nodiscard]] bool is_predicate(std::uint16_t register_number) const { return predicates_[register_number]; }
  /// Sources and guard.
  [[nodiscard]] std::span<const std::uint16_t> reads(std::uint32_t instr) const {
    return between(ranges_[instr].sources, ranges_[instr].destinations);
  }
  /// Sources alone: what a variable-latency instruction reads after its issue (a guard is read at issue).
  [[nodiscard]] std::span<const std::uint16_t> late_reads(std::uint32_t instr) const {
    return between(ranges_[instr].sources, ranges_[instr].guard);
  }
  /// The guard alone: no register or one.
  [[nodiscard]] std::span<const std::uint16_t> guard(std::uint32_t instr) const {
    return between(ranges_[instr].guard, ranges_[instr].destinations);
  }
  [[nodiscard]] std::span<const std::uint16_t> writes(std::uint32_t instr) const {
    return between(ranges_[instr].destinations, ranges_[instr].end);
  }

 private:
  static constexpr std::size_t kFileCount = 5;
  static constexpr std::size_t kMostPerFile = 256;
  /// Where an instruction's registers lie in `used_`: sources, then the guard, then the destinations.
  struct Range {
    std::uint32_t sources = 0;
    std::uint32_t guard = 0;
    std::uint32_t destinations = 0;
    std::uint32_t end = 0;
  };

  void add(const isa::Operand& operand);
  [[nodiscard]] std::span<const std::uint16_t> between(std::uint32_t begin, std::uint32_t end) const {
    return {used_.data() + begin, used_.data() + end};
  }

  std::array<std::array<std::uint16_t, kMostPerFile>, kFileCount> number_{};  ///< dense number + 1; 0 unused
  std::size_t count_ = 0;
  std::vector<bool> predicates_;  ///< by dense number: P0 to P6
  std::vector<std::uint16_t> used_;
  std::vector<Range> ranges_;
};

}  // namespace gpusim::lower

// SPDX-License-Identifier: MIT
// Follows one warp of a CTA while it executes, and finds how its registers and addresses change from CTA to CTA: each
// is affine in the CTA's place, or the region shrinks until it does not change.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/code/sass/modifiers.h"
#include "sim/code/sass/op.h"
#include "sim/exec/alike/slope.h"
#include "sim/exec/core/micro_op.h"

namespace gpusim::exec {

struct Image;
class Region;
class Warp;

using LaneSlopes = std::array<Slope, kWarpLanes>;

/// The rows that instructions read and write; of accesses those of addresses and predicates.
struct RowsOfCode {
  explicit RowsOfCode(const Image& image);
  struct Rows {
    std::vector<std::uint32_t> sources;
    std::vector<std::uint32_t> destinations;
  };
  std::vector<Rows> of;  ///< by instruction
};

/// A row's word is, in each lane, a whole number of 0 to 2^32 - 1 that grows by its slope, for all CTAs of the region:
/// wherever a sum would wrap round, or a comparison would turn, the region ends.
class WarpSlopes {
 public:
  /// All must outlive it.
  WarpSlopes(const Image& image, const RowsOfCode& rows, Region& region);

  /// The instruction at `pc` is about to execute for the lanes of `mask`.
  void before(const Warp& warp, std::uint32_t pc, LaneMask mask);
  /// It has.
  void after(const Warp& warp);

  /// Where the addresses of an access come from.
  struct AddressSources {
    Source base;
    Source uniform;
    std::int64_t scale = 1;     ///< factor of the base
    bool base_is_wide = false;  ///< two registers, of which the second is the upper half
    bool uniform_is_wide = false;
    std::int64_t unit = 1;  ///< what an address grows by is a multiple: its low bits mean something else
  };
  /// What the addresses of an instruction that is about to execute grow by: the same in all lanes of the mask.
  [[nodiscard]] Slope address_slope(const AddressSources& from, LaneMask mask);

 private:
  using Follow = void (WarpSlopes::*)(const Warp& warp, std::uint32_t pc);
  static Follow rule_of(sass::Op op);

  // How results grow, by kind of instruction.
  void copy(const Warp& warp, std::uint32_t pc);
  void to_uniform(const Warp& warp, std::uint32_t pc);
  void place_in_grid(const Warp& warp, std::uint32_t pc);
  void add(const Warp& warp, std::uint32_t pc);
  void multiply(const Warp& warp, std::uint32_t pc);
  void multiply_wide(const Warp& warp, std::uint32_t pc);
  void shift_add(const Warp& warp, std::uint32_t pc);
  void shift(const Warp& warp, std::uint32_t pc);
  void logic(const Warp& warp, std::uint32_t pc);
  void select(const Warp& warp, std::uint32_t pc);
  void compare(const Warp& warp, std::uint32_t pc);
  void minimum(const Warp& warp, std::uint32_t pc);
  void minimum_of_sum(const Warp& warp, std::uint32_t pc);
  /// Nothing that it reads may change.
  void fix_sources(const Warp& warp, std::uint32_t pc);

  /// A word, and how it grows.
  struct Growing {
    std::uint32_t word = 0;
    Slope slope;
  };
  void choose_less(const Warp& warp, const MicroOp& op, unsigned lane, const Growing& a, const Growing& b,
                   bool is_signed);
  void shift_right(const Warp& warp, const MicroOp& op, bool is_signed);
  void logic_of_lane(const Warp& warp, const MicroOp& op, unsigned lane);
  void keep_outcome(sass::IntCompare which, std::int64_t difference, const Slope& slope);
  void fix_sources_of_lane(unsigned lane);
  [[nodiscard]] std::pair<Slope, Slope> factors(const MicroOp& op, unsigned lane);
  void forget_destinations();
  [[nodiscard]] const LaneSlopes& slopes_of(const Source& source) const;
  [[nodiscard]] Slope slope(const Source& source, unsigned lane) const;
  /// With the sign that the instruction gives it.
  [[nodiscard]] Slope signed_slope(const Source& source, unsigned lane) const;
  void fix(const Source& source, unsigned lane);
  /// The word stays on its side of 2^31.
  void keep_sign(std::uint32_t word, const Slope& slope);
  /// The word stays within 32 bits.
  void keep_word(std::uint32_t word, const Slope& slope);
  /// The result of a lane grows so, as long as it does not wrap round; too much, and it must not grow.
  void set_result(unsigned lane, const Slope& slope);

  const Image& image_;
  const RowsOfCode& rows_;
  Region& region_;
  std::vector<LaneSlopes> slopes_;   ///< by row
  std::vector<std::uint8_t> moves_;  ///< by row: whether some lane has a slope
  // What executes.
  std::uint32_t pc_ = 0;
  LaneMask mask_ = 0;
  LaneSlopes result_{};      ///< slopes of its first destination row; others do not change
  bool may_change_ = false;  ///< whether result_ has any
};

}  // namespace gpusim::exec

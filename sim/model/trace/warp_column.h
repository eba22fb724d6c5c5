// SPDX-License-Identifier: MIT
// A number for each warp of CTAs that follow one another. As long as one expression says it for all of them,
//   row[warp] + x*ctaid.x + y*ctaid.y + z*ctaid.z
// that is all there is, however many CTAs; else there is one entry per warp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/trace/step.h"

namespace gpusim::trace {

class WarpColumn {
 public:
  /// What the CTA's place counts for, in the order x, y, z; numbers wrap around.
  using Coefficients = std::array<std::uint64_t, 3>;

  /// Where the warps are: CTAs from `first` on, of `warps` each.
  struct Frame {
    std::uint64_t first = 0;  ///< linear
    std::uint32_t warps = 1;
    Dim3 grid;
  };

  enum class Kind : std::uint8_t {
    kAddresses,  ///< may follow the CTA's place
    kIds         ///< an expression is the same for all CTAs
  };

  WarpColumn(const Frame& frame, Kind kind);
  /// The whole of a column that was stored: `row` has one entry per warp of a CTA.
  WarpColumn(const Frame& frame, const Coefficients& coefficients, std::vector<std::uint64_t> row);
  WarpColumn(const Frame& frame, std::vector<std::uint64_t> table);

  /// Warps come in any order, each at most once. What a warp that never came has is not defined.
  void set(std::uint64_t cta, std::uint32_t warp, std::uint64_t value);
  /// `cta` is below the end of the column, if that is a table.
  [[nodiscard]] std::uint64_t at(std::uint64_t cta, std::uint32_t warp) const;
  /// Makes a table so many CTAs long, if it is one.
  void extend(std::uint64_t ctas);

  [[nodiscard]] std::uint32_t warps() const { return frame_.warps; }  ///< warps of a CTA
  [[nodiscard]] bool is_expression() const { return is_expression_; }
  /// For CTAs counted from the first one.
  [[nodiscard]] const Coefficients& coefficients() const { return coefficients_; }
  [[nodiscard]] std::span<const std::uint64_t> row() const { return row_; }
  [[nodiscard]] std::span<const std::uint64_t> table() const { return table_; }
  [[nodiscard]] std::size_t bytes() const { return (row_.size() + table_.size()) * sizeof(std::uint64_t); }

 private:
  using Distance = std::array<std::int64_t, 3>;

  [[nodiscard]] Distance distance_to(std::uint64_t cta) const;
  [[nodiscard]] std::uint64_t expected(const Distance& distance, std::uint32_t warp) const;
  [[nodiscard]] bool agrees(const Distance& distance, std::uint32_t warp, std::uint64_t value);
  [[nodiscard]] bool solve(std::size_t dimension, const Distance& distance, std::uint32_t warp, std::uint64_t value);
  void append_expected(std::uint64_t ctas);

  Frame frame_;
  CtaId origin_;
  bool is_expression_ = true;
  std::array<bool, 3> knows_coefficient_{};
  std::vector<bool> knows_row_;
  std::uint64_t end_ = 0;  ///< behind the last CTA that has a number, from the first
  Coefficients coefficients_{};
  std::vector<std::uint64_t> row_;
  std::vector<std::uint64_t> table_;
};

}  // namespace gpusim::trace

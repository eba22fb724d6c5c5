// SPDX-License-Identifier: MIT
// How many CTAs a cluster has, from where each CTA of a recording says that it is.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sim/base/types.h"

namespace gpusim::frontend::accelsim {

class ClusterShape {
 public:
  using Place = std::array<std::uint32_t, 3>;  ///< x, y, z
  struct Said {
    Place cta{};         ///< in the grid
    Place cluster{};     ///< number of its cluster, by dimension
    Place in_cluster{};  ///< its place there
    std::uint32_t rank = 0;
  };

  /// A CTA says where it is. Returns what is wrong, given those before; "" where nothing is.
  [[nodiscard]] std::string add(const Said& said);
  /// Behind the last CTA: the sides of a cluster of a grid of `grid`; what is wrong goes to `wrong`.
  [[nodiscard]] Dim3 sides(const Dim3& grid, std::string& wrong) const;

 private:
  [[nodiscard]] std::string add_side(std::size_t dimension, const Said& said);

  Place sides_{};                         ///< 0: not known so far
  Place most_{};                          ///< greatest places in a cluster
  std::map<Place, std::uint32_t> ranks_;  ///< by place; few
  bool says_something_ = false;           ///< something but zeros
  std::string doubt_;                     ///< what is wrong unless all say zeros
};

}  // namespace gpusim::frontend::accelsim

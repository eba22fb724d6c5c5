// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/cluster_shape.h"

#include <algorithm>

namespace gpusim::frontend::accelsim {
namespace {

/// CUDA C++ Programming Guide, "Thread Block Clusters": 8, and 16 where a kernel allows it.
constexpr std::size_t kMostCtasOfCluster = 16;

std::string text_of(const ClusterShape::Place& place) {
  return std::to_string(place[0]) + ',' + std::to_string(place[1]) + ',' + std::to_string(place[2]);
}

}  // namespace

std::string ClusterShape::add(const Said& said) {
  says_something_ = says_something_ || said.cluster != Place{} || said.in_cluster != Place{} || said.rank != 0;
  for (std::size_t dimension = 0; dimension < said.cta.size(); ++dimension) {
    if (std::string wrong = add_side(dimension, said); !wrong.empty()) {
      return wrong;
    }
  }
  const auto [known, is_new] = ranks_.emplace(said.in_cluster, said.rank);
  if (ranks_.size() > kMostCtasOfCluster) {
    return "the clusters have more than 16 CTAs";
  }
  if (!is_new && known->second != said.rank) {
    return "the CTA at " + text_of(said.in_cluster) + " of its cluster has rank " + std::to_string(said.rank) +
           ", and in another cluster " + std::to_string(known->second);
  }
  return "";
}

/// In one dimension: the CTA's number is that of its cluster times the side of a cluster, and its place there.
std::string ClusterShape::add_side(std::size_t dimension, const Said& said) {
  const std::uint32_t cta = said.cta[dimension];
  const std::uint32_t cluster = said.cluster[dimension];
  const std::uint32_t place = said.in_cluster[dimension];
  std::uint32_t& side = sides_[dimension];
  most_[dimension] = std::max(most_[dimension], place);
  const std::string wrong = "the CTA cannot be at " + text_of(said.in_cluster) + " of cluster " + text_of(said.cluster);
  if (cluster == 0) {
    doubt_ = doubt_.empty() && cta != place ? wrong : doubt_;
    return says_something_ ? doubt_ : "";
  }
  if (place > cta || (cta - place) % cluster != 0) {
    return wrong;
  }
  const std::uint32_t found = (cta - place) / cluster;
  side = side == 0 ? found : side;
  return side != found || most_[dimension] >= side ? wrong : doubt_;
}

Dim3 ClusterShape::sides(const Dim3& grid, std::string& wrong) const {
  if (!says_something_) {
    return {};
  }
  const auto side_of = [this](std::size_t dimension) {
    return sides_[dimension] == 0 ? most_[dimension] + 1 : sides_[dimension];
  };
  const Dim3 sides{side_of(0), side_of(1), side_of(2)};
  const std::string text = text_of({sides.x, sides.y, sides.z});
  if (sides.volume() > kMostCtasOfCluster) {
    wrong = "the clusters have more than 16 CTAs";
  } else if (grid.x % sides.x != 0 || grid.y % sides.y != 0 || grid.z % sides.z != 0) {
    wrong = "clusters of " + text + " CTAs do not divide the grid of " + text_of({grid.x, grid.y, grid.z});
  }
  for (const auto& [place, rank] : ranks_) {
    if (wrong.empty() && rank != place[0] + sides.x * (place[1] + sides.y * place[2])) {
      wrong = "the CTA at " + text_of(place) + " of its cluster has rank " + std::to_string(rank) +
              ", which does not fit clusters of " + text;
    }
  }
  return wrong.empty() ? sides : Dim3{};
}

}  // namespace gpusim::frontend::accelsim

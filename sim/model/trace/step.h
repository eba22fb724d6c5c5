// SPDX-License-Identifier: MIT
// What one step of a warp's walk says: which instruction, for which lanes, at which addresses.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/types.h"

namespace gpusim::trace {

/// One dynamic warp instruction.
struct Step {
  std::uint32_t pc = 0;  ///< index into Kernel::code
  LaneMask active = 0;   ///< lanes on this path
  LaneMask mask = 0;     ///< those of the lanes whose guard predicate is true; if empty, it issues and does nothing
};

/// Thirty-two lane addresses: base + offsets[lane], in bytes. Only lanes of the step's mask are meaningful.
struct LaneAddresses {
  static constexpr std::uint32_t kNoPattern = 0xffffffffU;
  Address base = 0;
  const std::int64_t* offsets = nullptr;  ///< 32 entries; valid until the thread's next call of a walker
  /// Equal pattern ids of one kernel have equal offsets, so that a consumer may remember what it derived from them
  /// (coalescing, bank conflicts). Below Walker::pattern_count(kernel).
  std::uint32_t pattern = kNoPattern;
  /// No lane accesses anything: a load, say, whose own predicate is false in all of them.
  bool is_nowhere = false;
};

inline constexpr std::array<std::int64_t, kWarpLanes> kNoOffsets{};
inline constexpr LaneAddresses kNowhere{0, kNoOffsets.data(), LaneAddresses::kNoPattern, true};

/// Which of an instruction's accesses: LDGSTS has both, everything else only the primary one.
enum class AccessSlot : std::uint8_t { kPrimary, kSharedDestination };
inline constexpr std::size_t kAccessSlots = 2;

/// What answers run-time predicates: the machine that runs the warp, by resolve(), or, in a walk without one, nothing;
/// then every poll is taken to succeed at once.
enum class PollAnswers : std::uint8_t { kAlwaysYes, kOfMachine };

/// A warp that has walked so many instructions in loops is taken to be in an endless one, unless the user says
/// otherwise: a tenth of a second of GPU time at least, and a minute of simulation.
inline constexpr std::uint64_t kMostWalked = 100'000'000;

/// How the lanes of a warp part and meet: by a reconvergence stack, or by independent thread scheduling, as since
/// Volta.
enum class Simt : std::uint8_t { kStack, kIndependent };

/// A CTA's place in the grid.
struct CtaId {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t z = 0;
  friend constexpr bool operator==(const CtaId&, const CtaId&) = default;
};
[[nodiscard]] constexpr CtaId cta_at(std::uint64_t linear, const Dim3& grid) {
  return {static_cast<std::uint32_t>(linear % grid.x), static_cast<std::uint32_t>(linear / grid.x % grid.y),
          static_cast<std::uint32_t>(linear / (std::uint64_t{grid.x} * grid.y))};
}
[[nodiscard]] constexpr std::uint64_t linear_cta(CtaId cta, const Dim3& grid) {
  return cta.x + std::uint64_t{grid.x} * (cta.y + std::uint64_t{grid.y} * cta.z);
}

/// A CTA's place in a grid of clusters: the number of its cluster, and its rank there; x runs fastest in both.
struct ClusterPlace {
  std::uint64_t cluster = 0;
  std::uint32_t rank = 0;
  friend constexpr bool operator==(const ClusterPlace&, const ClusterPlace&) = default;
};
[[nodiscard]] constexpr Dim3 clusters_of(const Dim3& grid, const Dim3& cluster) {
  return {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z};
}
[[nodiscard]] constexpr ClusterPlace cluster_place(std::uint64_t linear, const Dim3& grid, const Dim3& cluster) {
  const CtaId cta = cta_at(linear, grid);
  const CtaId of{cta.x / cluster.x, cta.y / cluster.y, cta.z / cluster.z};
  const CtaId in{cta.x % cluster.x, cta.y % cluster.y, cta.z % cluster.z};
  return {linear_cta(of, clusters_of(grid, cluster)), static_cast<std::uint32_t>(linear_cta(in, cluster))};
}
/// The CTA at a place.
[[nodiscard]] constexpr std::uint64_t cta_of(const ClusterPlace& place, const Dim3& grid, const Dim3& cluster) {
  const CtaId of = cta_at(place.cluster, clusters_of(grid, cluster));
  const CtaId in = cta_at(place.rank, cluster);
  return linear_cta({of.x * cluster.x + in.x, of.y * cluster.y + in.y, of.z * cluster.z + in.z}, grid);
}
/// The least number of CTAs, in the order of their numbers, after which whole clusters are through.
[[nodiscard]] constexpr std::uint64_t cluster_stride(const Dim3& grid, const Dim3& cluster) {
  if (cluster.z > 1) {
    return std::uint64_t{grid.x} * grid.y * cluster.z;
  }
  return cluster.y > 1 ? std::uint64_t{grid.x} * cluster.y : cluster.x;
}

}  // namespace gpusim::trace

// SPDX-License-Identifier: MIT
// What recorded instructions ask of mbarriers and of the TMA: a row of numbers each, in the place of the addresses of
// lanes, so that warps that ask the same share it and addresses may follow the CTA's place.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/trace/async.h"
#include "sim/model/trace/step.h"

namespace gpusim::trace {

/// The shapes of the boxes that copies move. A box has no place of its own, and lies in its tensor as a whole.
class BoxShapes {
 public:
  [[nodiscard]] std::uint32_t number_of(const TensorMap& box);
  [[nodiscard]] std::vector<TensorMap> take();

 private:
  /// Bytes of an element, and of each dimension the number of elements and the bytes from one to the next.
  using Key = std::array<std::uint64_t, 2 + 2 * kMostTensorRank>;
  static Key key_of(const TensorMap& box);

  std::vector<TensorMap> boxes_;
  std::map<Key, std::uint32_t> numbers_;
};

/// A command as a recording has it; `rank`: of the CTA whose mbarrier it names.
[[nodiscard]] std::array<Address, kWarpLanes> command_row(const AsyncOperands& operands, std::uint32_t rank,
                                                          BoxShapes& shapes);

struct RecordedCommand {
  AsyncOperands operands;
  std::uint32_t rank = 0;
};

/// What a kernel has of what commands may name.
struct CommandLimits {
  std::uint32_t mbarriers = 0;  ///< mbarriers of a CTA
  std::uint32_t ctas = 1;       ///< CTAs of a cluster
};

/// Whose command it is, for messages.
struct CommandPlace {
  std::uint64_t cta = 0;
  std::uint32_t warp = 0;
};

/// Reads a row of command_row() again, for the lanes of `mask`. Throws InputError for one that says what the kernel
/// does not have: a file can say anything.
[[nodiscard]] RecordedCommand command_in(const LaneAddresses& row, LaneMask mask, std::span<const TensorMap> boxes,
                                         const CommandLimits& limits, const CommandPlace& place);

/// Throws InputError where the cluster has no such CTA.
[[nodiscard]] std::uint32_t checked_rank(std::uint64_t rank, const CommandLimits& limits, const CommandPlace& place);

/// Whether all bytes of a box from address `begin` on lie below the end of a GPU's addresses.
[[nodiscard]] bool lies_in_global(const TensorMap& box, Address begin);

}  // namespace gpusim::trace

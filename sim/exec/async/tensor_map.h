// SPDX-License-Identifier: MIT
// A tensor map, as cuTensorMapEncodeTiled makes it for the TMA: a tensor in global memory and the box that one copy
// moves. Drivers keep its 128 bytes secret; these are the simulator's own, and begin with a mark.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sim/base/types.h"
#include "sim/exec/core/async_effect.h"

namespace gpusim::exec {

inline constexpr std::size_t kTensorMapBytes = 128;

struct TensorMap {
  enum class Element : std::uint8_t { kU8, kU16, kU32, kS32, kU64, kS64, kF16, kF32, kF64, kBf16 };

  Address address = 0;
  Element element = Element::kU8;
  std::uint8_t dimensions = 1;
  std::uint8_t swizzle_bytes = 0;                                   ///< 0, 32, 64, 128
  std::array<std::uint64_t, kMostDimensions> sizes{};               ///< in elements, the innermost dimension first
  std::array<std::uint64_t, kMostDimensions> strides{};             ///< bytes from one to the next; [0] is the element
  std::array<std::uint32_t, kMostDimensions> box{};                 ///< elements of a copy
  std::array<std::uint32_t, kMostDimensions> every{1, 1, 1, 1, 1};  ///< element strides within the box

  [[nodiscard]] unsigned element_bytes() const;
  /// Bytes that one copy takes in shared memory.
  [[nodiscard]] std::uint64_t box_bytes() const;
};

using TensorMapBytes = std::array<std::byte, kTensorMapBytes>;

/// Throws InputError for a map that the hardware does not allow: what cuTensorMapEncodeTiled refuses.
[[nodiscard]] TensorMapBytes encoded(const TensorMap& map);
/// Nothing for bytes that encoded() has not made.
[[nodiscard]] std::optional<TensorMap> decoded_tensor_map(std::span<const std::byte, kTensorMapBytes> bytes);

}  // namespace gpusim::exec

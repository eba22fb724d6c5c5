// SPDX-License-Identifier: MIT
#include "sim/exec/async/tensor_map.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "sim/base/problem.h"

namespace gpusim::exec {
namespace {

constexpr std::uint32_t kMark = 0x50414d54;  // "TMAP"

/// How a map lies in its bytes.
struct Layout {
  std::uint32_t mark = kMark;
  TensorMap::Element element{};
  std::uint8_t dimensions = 0;
  std::uint8_t swizzle_bytes = 0;
  std::uint8_t unused = 0;
  Address address = 0;
  std::uint64_t strides[kMostDimensions - 1] = {};
  std::uint32_t last_sizes[kMostDimensions] = {};  ///< sizes less one
  std::uint16_t box[kMostDimensions] = {};
  std::uint8_t every[kMostDimensions] = {};
};
static_assert(sizeof(Layout) <= kTensorMapBytes);

void require(bool holds, const std::string& message, const std::string& allowed) {
  if (!holds) {
    throw InputError(Problem{{}, "tensor map: " + message, allowed});
  }
}

void check_dimension(const TensorMap& map, unsigned i) {
  const std::string which = "dimension " + std::to_string(i) + ": ";
  constexpr std::uint64_t kMostSize = std::uint64_t{1} << 32U;
  constexpr std::uint32_t kMostBox = 256;
  constexpr std::uint32_t kMostEvery = 8;
  constexpr std::uint64_t kStrideUnit = 16;
  constexpr std::uint64_t kMostStride = std::uint64_t{1} << 40U;
  require(map.sizes[i] >= 1 && map.sizes[i] <= kMostSize, which + "its size is " + std::to_string(map.sizes[i]),
          "1 to 2^32");
  require(map.box[i] >= 1 && map.box[i] <= kMostBox, which + "its box has " + std::to_string(map.box[i]), "1 to 256");
  require(map.every[i] >= 1 && map.every[i] <= kMostEvery,
          which + "its element stride is " + std::to_string(map.every[i]), "1 to 8");
  require(i == 0 || (map.strides[i] % kStrideUnit == 0 && map.strides[i] < kMostStride),
          which + "its stride is " + std::to_string(map.strides[i]) + " bytes", "multiples of 16 below 2^40");
}

}  // namespace

unsigned TensorMap::element_bytes() const {
  switch (element) {
    case Element::kU8: return 1;
    case Element::kU16:
    case Element::kF16:
    case Element::kBf16: return 2;
    case Element::kU32:
    case Element::kS32:
    case Element::kF32: return 4;
    default: return 8;
  }
}

std::uint64_t TensorMap::box_bytes() const {
  std::uint64_t bytes = element_bytes();
  for (unsigned i = 0; i < dimensions; ++i) {
    bytes *= (box[i] + every[i] - 1) / every[i];
  }
  return bytes;
}

TensorMapBytes encoded(const TensorMap& map) {
  constexpr std::uint64_t kUnit = 16;
  require(map.dimensions >= 1 && map.dimensions <= kMostDimensions,
          "it has " + std::to_string(map.dimensions) + " dimensions", "1 to 5");
  require(map.address % kUnit == 0, "its address is misaligned", "multiples of 16");
  for (unsigned i = 0; i < map.dimensions; ++i) {
    check_dimension(map, i);
  }
  const std::uint64_t row = std::uint64_t{map.box[0]} * map.element_bytes();
  const std::uint8_t swizzles[] = {0, 32, 64, 128};
  require(std::ranges::count(swizzles, map.swizzle_bytes) == 1, "its swizzle is not known", "0, 32, 64, 128");
  require(row % kUnit == 0, "a row of its box has " + std::to_string(row) + " bytes", "multiples of 16");
  require(map.swizzle_bytes == 0 || row <= map.swizzle_bytes, "a row of its box has " + std::to_string(row) + " bytes",
          "at most those of the swizzle");
  Layout layout;
  layout.element = map.element;
  layout.dimensions = map.dimensions;
  layout.swizzle_bytes = map.swizzle_bytes;
  layout.address = map.address;
  for (unsigned i = 0; i < map.dimensions; ++i) {
    if (i > 0) {
      layout.strides[i - 1] = map.strides[i];
    }
    layout.last_sizes[i] = static_cast<std::uint32_t>(map.sizes[i] - 1);
    layout.box[i] = static_cast<std::uint16_t>(map.box[i]);
    layout.every[i] = static_cast<std::uint8_t>(map.every[i]);
  }
  TensorMapBytes bytes{};
  std::memcpy(bytes.data(), &layout, sizeof layout);
  return bytes;
}

std::optional<TensorMap> decoded_tensor_map(std::span<const std::byte, kTensorMapBytes> bytes) {
  Layout layout;
  std::memcpy(&layout, bytes.data(), sizeof layout);
  if (layout.mark != kMark || layout.dimensions < 1 || layout.dimensions > kMostDimensions ||
      layout.element > TensorMap::Element::kBf16) {
    return std::nullopt;
  }
  TensorMap map;
  map.address = layout.address;
  map.element = layout.element;
  map.dimensions = layout.dimensions;
  map.swizzle_bytes = layout.swizzle_bytes;
  map.strides[0] = map.element_bytes();
  for (unsigned i = 0; i < map.dimensions; ++i) {
    if (i > 0) {
      map.strides[i] = layout.strides[i - 1];
    }
    map.sizes[i] = std::uint64_t{layout.last_sizes[i]} + 1;
    map.box[i] = layout.box[i];
    map.every[i] = layout.every[i];
    if (map.box[i] == 0 || map.every[i] == 0) {
      return std::nullopt;
    }
  }
  return map;
}

}  // namespace gpusim::exec

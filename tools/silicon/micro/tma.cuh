// SPDX-License-Identifier: MIT
// What the experiments of the copy engine share: data as a matrix with rows of 128 bytes, so that a box of r rows is
// 128 r bytes one after another, and the same bytes come as a 2-D tensor copy or as a 1-D bulk copy.
#pragma once

#include <algorithm>
#include <vector>

#include "tools/silicon/device/async.cuh"
#include "tools/silicon/device/session.cuh"
#include "tools/silicon/device/tensor_map.cuh"

namespace gpusim::silicon::tma {

constexpr std::uint32_t kRowBytes = 128;
constexpr std::uint32_t kAlign = 1024;

enum class Kind { Tensor, Bulk };

inline const char* name_of(Kind kind) {
  return kind == Kind::Tensor ? "tensor 2-D" : "bulk 1-D";
}

/// Boxes of `box_bytes` of `bytes` of data; float32, the type that can be added.
inline CUtensorMap map_of(const void* data, std::uint64_t bytes, std::uint32_t box_bytes,
                          CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
  return tensor_map({.data = const_cast<void*>(data),
                     .type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                     .element_bytes = 4,
                     .rows = bytes / kRowBytes,
                     .columns = kRowBytes / 4,
                     .tile_rows = box_bytes / kRowBytes,
                     .tile_columns = kRowBytes / 4,
                     .swizzle = swizzle});
}

/// The first multiple of 1024 in the kernel's dynamic shared memory, which asks for 1024 bytes more.
__device__ __forceinline__ std::uint32_t aligned_shared(char* raw) {
  return (shared_address(raw) + kAlign - 1) / kAlign * kAlign;
}

template <Kind kind>
__device__ __forceinline__ void load_box(std::uint32_t to, const CUtensorMap& map, const char* data,
                                         std::uint32_t bytes, std::uint32_t box, std::uint32_t barrier) {
  if constexpr (kind == Kind::Tensor) {
    tensor_load(to, map, 0, static_cast<std::int32_t>(box * (bytes / kRowBytes)), barrier);
  } else {
    bulk_load(to, data + std::uint64_t{box} * bytes, bytes, barrier);
  }
}

template <Kind kind>
__device__ __forceinline__ void load_box_multicast(std::uint32_t to, const CUtensorMap& map, const char* data,
                                                   std::uint32_t bytes, std::uint32_t box, std::uint32_t barrier,
                                                   std::uint16_t ctas) {
  if constexpr (kind == Kind::Tensor) {
    tensor_load_multicast(to, map, 0, static_cast<std::int32_t>(box * (bytes / kRowBytes)), barrier, ctas);
  } else {
    bulk_load_multicast(to, data + std::uint64_t{box} * bytes, bytes, barrier, ctas);
  }
}

/// The words of one box as they should lie in shared memory.
inline std::vector<double> expected_box(const std::vector<float>& data, std::uint32_t bytes, std::uint32_t box,
                                        bool swizzled) {
  std::vector<double> expected(bytes / 4);
  for (std::uint32_t word = 0; word < bytes / 4; ++word) {
    const std::uint32_t row = word / 32;
    const std::uint32_t place = swizzled ? word ^ (row % 8 * 4) : word;  // 16-byte chunks change places within a row
    expected[place] = data[std::uint64_t{box} * bytes / 4 + word];
  }
  return expected;
}

}  // namespace gpusim::silicon::tma

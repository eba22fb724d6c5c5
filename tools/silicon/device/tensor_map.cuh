// SPDX-License-Identifier: MIT
// Tensor maps for TMA copies of two-dimensional tiles.
#pragma once

#include <cstdint>

#include <cuda.h>

namespace gpusim::silicon {

/// A row-major matrix in global memory and the tile that one copy brings.
struct TiledMatrix {
  void* data = nullptr;
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  std::uint32_t element_bytes = 2;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint32_t tile_rows = 0;
  std::uint32_t tile_columns = 0;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
};

/// Give it to the kernel by value, as `const __grid_constant__ CUtensorMap`. Throws CudaError when the driver refuses.
/// Found through the runtime, so that the program does not need the driver's library to link or to start.
[[nodiscard]] CUtensorMap tensor_map(const TiledMatrix& matrix);

}  // namespace gpusim::silicon

// SPDX-License-Identifier: MIT
#include <array>

#include "tools/silicon/device/check.cuh"
#include "tools/silicon/device/tensor_map.cuh"

namespace gpusim::silicon {

CUtensorMap tensor_map(const TiledMatrix& matrix) {
  constexpr unsigned kSince = 12000;  // the CUDA version whose form of the function this is
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  SILICON_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, kSince, cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess) {
    throw CudaError("the driver has no cuTensorMapEncodeTiled");
  }
  const auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry);
  // The innermost dimension comes first; its stride is the element.
  const std::array<cuuint64_t, 2> size{matrix.columns, matrix.rows};
  const std::array<cuuint64_t, 1> stride_bytes{matrix.columns * matrix.element_bytes};
  const std::array<cuuint32_t, 2> tile{matrix.tile_columns, matrix.tile_rows};
  const std::array<cuuint32_t, 2> every{1, 1};
  CUtensorMap map{};
  const CUresult result = encode(&map, matrix.type, 2, matrix.data, size.data(), stride_bytes.data(), tile.data(),
                                 every.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, matrix.swizzle,
                                 CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    throw CudaError("cuTensorMapEncodeTiled refused the matrix: error " + std::to_string(result));
  }
  return map;
}

}  // namespace gpusim::silicon

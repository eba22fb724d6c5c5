// SPDX-License-Identifier: MIT
#include "hopper.cuh"

/// Tiles of 32 x 32 by the TMA: loaded, doubled, and stored transposed. What lies outside of a matrix is read as 0 and
/// not written.
extern "C" __global__ void tensor_copy(const __grid_constant__ TensorMap from, const __grid_constant__ TensorMap to) {
  __shared__ alignas(128) float tile[32][32];
  __shared__ alignas(128) float result[32][32];
  __shared__ alignas(8) unsigned long long full;
  const int x = blockIdx.x * 32;
  const int y = blockIdx.y * 32;
  const unsigned barrier = shared_address(&full);
  if (threadIdx.x == 0) {
    barrier_init(barrier, 1);
    publish_to_async();
    barrier_arrive_expect(barrier, sizeof(tile));
    tensor_load_2d(shared_address(tile), from, x, y, barrier);
  }
  __syncthreads();
  barrier_wait(barrier, 0);
  for (int row = threadIdx.x / 32; row < 32; row += blockDim.x / 32) {
    result[threadIdx.x % 32][row] = 2 * tile[row][threadIdx.x % 32];
  }
  publish_to_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    tensor_store_2d(to, y, x, shared_address(result));
    bulk_commit();
    bulk_wait();
  }
}

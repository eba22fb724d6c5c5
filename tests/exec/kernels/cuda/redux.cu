// SPDX-License-Identifier: MIT
/// Reductions of a warp in one instruction; 6 results a thread.
extern "C" __global__ void warp_redux(const int* in, int* out) {
  constexpr unsigned kAll = 0xffffffff;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = in[i];
  int* to = out + i * 6;
  to[0] = __reduce_add_sync(kAll, value);
  to[1] = __reduce_min_sync(kAll, value);
  to[2] = static_cast<int>(__reduce_max_sync(kAll, static_cast<unsigned>(value)));
  to[3] = static_cast<int>(__reduce_and_sync(kAll, static_cast<unsigned>(value)));
  to[4] = static_cast<int>(__reduce_or_sync(kAll, static_cast<unsigned>(value)));
  to[5] = static_cast<int>(__reduce_xor_sync(kAll, static_cast<unsigned>(value)));
}

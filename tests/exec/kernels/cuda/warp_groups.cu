// SPDX-License-Identifier: MIT
/// Groups of 8 lanes and halves of them, each with its own number of rounds, exchange values in shared memory and with
/// shuffles. The masks of the lanes that wait for each other are in registers.
extern "C" __global__ void warp_groups(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  const unsigned thread = threadIdx.x;
  const unsigned group = thread % 32 / 8;
  const unsigned mask = 0xffU << (group * 8);
  const unsigned half_mask = 0xfU << (thread % 32 / 4 * 4);
  unsigned value = in[blockIdx.x * 64 + thread];
  values[thread] = value;
  __syncwarp(half_mask);
  value += values[thread ^ 2U];
  __syncwarp(mask);
  for (unsigned round = 0; round <= (group ^ 2U) + blockIdx.x; ++round) {
    values[thread] = value;
    __syncwarp(mask);
    value = value * 3 + values[thread ^ 5U];
    __syncwarp(mask);
    value += __shfl_xor_sync(half_mask, value, 3);
    value ^= __shfl_xor_sync(mask, value, 6) >> 3U;
  }
  out[blockIdx.x * 64 + thread] = value;
}

/// The lanes of masks that are loaded exchange values in shared memory, in half of the warp.
extern "C" __global__ void warp_masks(const unsigned* masks, const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  const unsigned thread = threadIdx.x;
  const unsigned mask = masks[thread];
  unsigned value = in[blockIdx.x * 64 + thread];
  values[thread] = value;
  if (mask > 0xffff) {
    __syncwarp(mask);
    value += values[thread ^ 3U];
  }
  out[blockIdx.x * 64 + thread] = value;
}

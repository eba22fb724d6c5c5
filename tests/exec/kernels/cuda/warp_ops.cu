// SPDX-License-Identifier: MIT
/// Shuffles, votes and matches of a warp; 12 results a thread.
extern "C" __global__ void warp_shuffle_vote(const int* in, unsigned* out) {
  constexpr unsigned kAll = 0xffffffff;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = in[i];
  unsigned* to = out + i * 12;
  to[0] = __shfl_sync(kAll, value, value & 31);
  to[1] = __shfl_up_sync(kAll, value, 5);
  to[2] = __shfl_down_sync(kAll, value, 3, 16);
  to[3] = __shfl_xor_sync(kAll, value, 9);
  to[4] = __shfl_sync(kAll, value, 3, 8);
  to[5] = __ballot_sync(kAll, value % 3 == 0);
  to[6] = __any_sync(kAll, value > 1000);
  to[7] = __all_sync(kAll, value > 2);
  to[8] = __match_any_sync(kAll, value % 7);
  int all_same = 0;
  to[9] = __match_all_sync(kAll, value / 4096, &all_same);
  to[10] = all_same;
  to[11] = 0;
  if (value % 2 == 0) {  // a part of the warp
    to[11] = __ballot_sync(__activemask(), value % 4 == 0);
  }
}

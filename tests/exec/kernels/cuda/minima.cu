// SPDX-License-Identifier: MIT
/// Minima and maxima of three numbers, of sums, and which number it is: of 32 bits and of halves; 24 results a thread.
extern "C" __global__ void minima(const unsigned* in, unsigned* out) {
  constexpr unsigned kThreads = 128;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = in[i];
  const unsigned b = in[kThreads + i];
  const unsigned c = in[2 * kThreads + i];
  unsigned* to = out + i * 24;
  to[0] = __vimin3_s32(a, b, c);
  to[1] = __vimax3_s32(a, b, c);
  to[2] = __vimin3_u32(a, b, c);
  to[3] = __vimax3_u32(a, b, c);
  to[4] = __vimin3_s32_relu(a, b, c);
  to[5] = __vimax3_s32_relu(a, b, c);
  to[6] = __vimin3_s16x2(a, b, c);
  to[7] = __vimax3_s16x2(a, b, c);
  to[8] = __vimin3_u16x2(a, b, c);
  to[9] = __vimax3_u16x2(a, b, c);
  to[10] = __vimin3_s16x2_relu(a, b, c);
  to[11] = __vimax3_s16x2_relu(a, b, c);
  to[12] = __viaddmin_s32(a, b, c);
  to[13] = __viaddmax_u32(a, b, c);
  to[14] = __viaddmax_s32_relu(a, b, c);
  to[15] = __viaddmin_s16x2(a, b, c);
  to[16] = __viaddmax_u16x2(a, b, c);
  to[17] = __viaddmax_s16x2_relu(a, b, c);
  bool of_high = false;
  bool of_low = false;
  to[18] = __vibmax_s16x2(a, b, &of_high, &of_low);
  to[19] = of_high * 2U + of_low;
  to[20] = __vibmin_u16x2(b, c, &of_high, &of_low);
  to[21] = of_high * 2U + of_low;
  to[22] = min(min(static_cast<int>(a), 12345), static_cast<int>(c));  // with a constant
  to[23] = max(max(a >> 8U, blockIdx.x << 23U), c >> 9U);              // with a number that all threads share
}

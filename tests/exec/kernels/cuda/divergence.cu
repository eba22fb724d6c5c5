// SPDX-License-Identifier: MIT
/// Steps of Collatz' sequence: each lane leaves the loop when it is done.
extern "C" __global__ void divergent_loop(const unsigned* in, unsigned* steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = in[i];
  unsigned count = 0;
  while (value != 1) {
    if (value % 2 == 0) {
      value /= 2;
    } else {
      value = 3 * value + 1;
    }
    ++count;
    if (count == 500) {
      break;
    }
  }
  steps[i] = count;
}

/// Loops in branches in loops, with ways out of the middle.
extern "C" __global__ void divergent_nest(const unsigned* in, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned seed = in[i];
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned a = 0; a < seed % 7 + 2; ++a) {
    if ((seed >> a) % 3 == 0) {
#pragma unroll 1
      for (unsigned b = a; b < 9; ++b) {
        if ((seed ^ b) % 11 == 3) {
          break;
        }
        if (b * a > 30) {
          out[i] = sum * 7;
          return;
        }
        sum += b * (seed % 13);
      }
    } else {
      sum ^= seed >> (a & 15);
      if (sum % 5 == 1) {
        continue;
      }
      sum += a;
    }
    sum = sum * 3 + 1;
  }
  out[i] = sum;
}

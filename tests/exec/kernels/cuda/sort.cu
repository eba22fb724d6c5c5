// SPDX-License-Identifier: MIT
/// 512 numbers a CTA of 256 threads, ascending.
extern "C" __global__ void bitonic_sort(const int* in, int* out) {
  __shared__ int values[512];
  const unsigned thread = threadIdx.x;
  in += blockIdx.x * 512;
  out += blockIdx.x * 512;
  values[thread] = in[thread];
  values[thread + 256] = in[thread + 256];
  for (unsigned size = 2; size <= 512; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned low = 2 * thread - (thread & (stride - 1));
      const unsigned high = low + stride;
      const bool ascending = (low & size) == 0;
      if ((values[low] > values[high]) == ascending) {
        const int kept = values[low];
        values[low] = values[high];
        values[high] = kept;
      }
    }
  }
  __syncthreads();
  out[thread] = values[thread];
  out[thread + 256] = values[thread + 256];
}

/// A step of a radix sort: stably by the 4 bits from `shift`, 256 numbers a CTA. Votes rank equal digits in a warp,
/// and counts of warps before.
extern "C" __global__ void radix_step(unsigned shift, const unsigned* in, unsigned* out) {
  __shared__ unsigned counts[16][8];  // digit, warp
  __shared__ unsigned begins[16][8];
  const unsigned value = in[blockIdx.x * 256 + threadIdx.x];
  const unsigned digit = (value >> shift) & 15;
  const unsigned warp = threadIdx.x / 32;
  unsigned before = 0;
  for (unsigned i = 0; i < 16; ++i) {
    const unsigned same = __ballot_sync(0xffffffff, digit == i);
    if (digit == i) {
      before = __popc(same & ((1u << threadIdx.x % 32) - 1));
    }
    if (threadIdx.x % 32 == 0) {
      counts[i][warp] = __popc(same);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 128; ++i) {
      begins[i / 8][i % 8] = sum;
      sum += counts[i / 8][i % 8];
    }
  }
  __syncthreads();
  out[blockIdx.x * 256 + begins[digit][warp] + before] = value;
}

// SPDX-License-Identifier: MIT
// Threads find their element from the place of their CTA in many ways: each stores where it is, so that the place of
// every store shows.

/// A guard at the grid's end, and bits that are joined without a carry.
extern "C" __global__ void places_joined(unsigned n, unsigned* out) {
  const unsigned i = (blockIdx.x << 6) | threadIdx.x;
  if (i < n) {
    out[i] = i;
  }
}

/// From the end to the beginning.
extern "C" __global__ void places_reversed(int n, const int* in, int* out) {
  const int i = n - 1 - static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= 0) {
    out[i] = in[i] + i;
  }
}

/// Rows and columns by division, as Triton's kernels find their tile.
extern "C" __global__ void places_divided(unsigned columns, unsigned rows, unsigned* out) {
  const unsigned row = blockIdx.x / columns;
  const unsigned column = blockIdx.x % columns;
  out[(column * rows + row) * 32 + threadIdx.x] = blockIdx.x * 32 + threadIdx.x;
}

/// Neighbouring CTAs take turns: bits of their number are exchanged.
extern "C" __global__ void places_shuffled(unsigned* out) {
  const unsigned tile = (blockIdx.x >> 3) * 8 + (blockIdx.x & 1) * 4 + (blockIdx.x >> 1 & 3);
  out[tile * 32 + threadIdx.x] = blockIdx.x;
}

/// Reads beyond the edges stop at them.
extern "C" __global__ void places_clamped(int n, const int* in, int* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int left = max(i - 100, 0);
  const int right = min(i + 100, n - 1);
  if (i < n) {
    out[i] = in[left] * 3 + in[right];
  }
}

/// Three dimensions, 64 bits, and a ragged edge in two of them.
extern "C" __global__ void places_cubic(long long width, long long height, long long pitch, int* out) {
  const long long x = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long y = static_cast<long long>(blockIdx.y) * blockDim.y + threadIdx.y;
  const long long z = blockIdx.z;
  if (x < width && y < height) {
    out[(z * height + y) * pitch + x] = static_cast<int>(x + 1000 * y + 100000 * z);
  }
}

/// How often a CTA goes round depends on its place, as with a causal mask; every third one does something else.
extern "C" __global__ void places_triangular(int n, const int* in, int* out) {
  __shared__ int tile[64];
  int sum = 0;
  for (int k = 0; k <= static_cast<int>(blockIdx.x); ++k) {
    tile[threadIdx.x] = in[k * 64 + threadIdx.x];
    __syncthreads();
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  if (blockIdx.x % 3 == 1) {
    sum = -sum;
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

/// Numbers with sign on both sides of zero.
extern "C" __global__ void places_signed(int middle, const int* in, int* out) {
  const int distance = static_cast<int>(blockIdx.x) - middle;
  const int row = distance < 0 ? -distance : distance;
  const int half = distance >> 1;
  out[blockIdx.x * 32 + threadIdx.x] = in[row * 32 + threadIdx.x] + half;
}

/// A long stride between CTAs.
extern "C" __global__ void places_far(long long stride, const int* in, int* out) {
  const int* const row = in + static_cast<long long>(blockIdx.x) * stride;
  out[blockIdx.x * 32 + threadIdx.x] = row[threadIdx.x];
}

/// The upper half of a sum, of which only the carry is calculated.
extern "C" __global__ void places_carried(int* out) {
  const unsigned long long sum = static_cast<unsigned long long>(blockIdx.x << 28) + 0xc0000000U;
  int value = 1;
  if (sum >> 32 != 0) {
    value = 2;
    out[2048 + blockIdx.x * 32 + threadIdx.x] = static_cast<int>(blockIdx.x);
  }
  out[blockIdx.x * 32 + threadIdx.x] = value;
}

/// A comparison of 64 bits, whose lower half is a carry, too.
extern "C" __global__ void places_compared(unsigned long long edge, int* out) {
  const unsigned long long place = static_cast<unsigned long long>(blockIdx.x) * 0x20000000U + threadIdx.x;
  out[blockIdx.x * 32 + threadIdx.x] = place < edge ? 1 : 2;
  if (place >= edge) {
    out[2048 + blockIdx.x * 32 + threadIdx.x] = 3;
  }
}

/// Each thread multiplies by numbers of its own: addresses grow in too many ways for a CTA to stand for others.
extern "C" __global__ void places_scattered(const int* in, int* out) {
  int sum = 0;
  for (unsigned k = 0; k < 16; ++k) {
    sum += in[(blockIdx.x * (threadIdx.x * 16 + k + 1) >> 1) & 1023];
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

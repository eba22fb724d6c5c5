// SPDX-License-Identifier: MIT
// Items of several kinds lie one after the other, kinds in turn: item i is of kind i % kinds. Each kind has coefficients
// of its own, and a path of its own. A CTA works on 32*kinds items, a thread on one.
// All lanes of a warp have items of one kind.

__device__ float path_of_kind_0(float x, float c) {
  for (int t = 0; t < 512; ++t) {
    x = x * c + c;
  }
  return x;
}

__device__ float path_of_kind_1(float x, float c) {
  for (int t = 0; t < 512; ++t) {
    x = c - x * c;
  }
  return x;
}

__device__ float path_of_kind_2(float x, float c) {
  for (int t = 0; t < 512; ++t) {
    x = x * c - c;
  }
  return x;
}

__device__ float path_of_kind_3(float x, float c) {
  for (int t = 0; t < 512; ++t) {
    x = x * c + 0.5f;
  }
  return x;
}

__device__ float path_of_kind_4(float x, float c) {
  for (int t = 0; t < 512; ++t) {
    x = 0.5f - x * c;
  }
  return x;
}

__device__ float path_of_kind_5(float x, float c) {
  for (int t = 0; t < 512; ++t) {
    x = x * c - 0.5f;
  }
  return x;
}

__global__ void kinds(const float* x, const float* coef, float* out, int n, int kinds) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int item = blockIdx.x * 32 * kinds + lane * kinds + warp;
  const int k = item % kinds;
  const float c = coef[k * n + item];
  float v = x[item];
  switch (k) {
    case 0: v = path_of_kind_0(v, c); break;
    case 1: v = path_of_kind_1(v, c); break;
    case 2: v = path_of_kind_2(v, c); break;
    case 3: v = path_of_kind_3(v, c); break;
    case 4: v = path_of_kind_4(v, c); break;
    default: v = path_of_kind_5(v, c); break;
  }
  out[item] = v;
}

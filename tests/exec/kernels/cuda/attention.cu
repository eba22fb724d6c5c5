// SPDX-License-Identifier: MIT
// out = softmax(q k^T / sqrt(d)) v with a head of d = 32 columns.
#include "block_reduce.cuh"

constexpr int kHead = 32;

/// One CTA per query; all scores of the query in dynamic shared memory.
extern "C" __global__ void attention_naive(int keys, float scale, const float* q, const float* k, const float* v,
                                           float* out) {
  extern __shared__ float scores[];
  const float* query = q + blockIdx.x * kHead;
  float most = -INFINITY;
  for (int key = threadIdx.x; key < keys; key += kBlockThreads) {
    float score = 0;
    for (int i = 0; i < kHead; ++i) {
      score = fmaf(query[i], k[key * kHead + i], score);
    }
    scores[key] = score * scale;
    most = fmaxf(most, scores[key]);
  }
  most = max_over_block(most);
  float sum = 0;
  for (int key = threadIdx.x; key < keys; key += kBlockThreads) {
    scores[key] = __expf(scores[key] - most);
    sum += scores[key];
  }
  sum = sum_over_block(sum);  // its barriers publish the scores, too
  if (threadIdx.x < kHead) {
    float value = 0;
    for (int key = 0; key < keys; ++key) {
      value = fmaf(scores[key], v[key * kHead + threadIdx.x], value);
    }
    out[blockIdx.x * kHead + threadIdx.x] = value / sum;
  }
}

constexpr int kTile = 32;

/// One thread per query, keys and values by tiles of 32: the largest score and the sum are corrected tile by tile.
extern "C" __global__ void __launch_bounds__(64)
    attention_flash(int keys, float scale, const float* q, const float* k, const float* v, float* out) {
  __shared__ float tile_k[kTile][kHead];
  __shared__ float tile_v[kTile][kHead];
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float query[kHead];
  float result[kHead] = {};
#pragma unroll
  for (int i = 0; i < kHead; ++i) {
    query[i] = q[row * kHead + i] * scale;
  }
  float most = -INFINITY;
  float sum = 0;
  for (int first = 0; first < keys; first += kTile) {
    for (int i = threadIdx.x; i < kTile * kHead; i += blockDim.x) {
      tile_k[i / kHead][i % kHead] = k[first * kHead + i];
      tile_v[i / kHead][i % kHead] = v[first * kHead + i];
    }
    __syncthreads();
    float scores[kTile];
    float most_here = most;
#pragma unroll
    for (int key = 0; key < kTile; ++key) {
      scores[key] = 0;
#pragma unroll
      for (int i = 0; i < kHead; ++i) {
        scores[key] = fmaf(query[i], tile_k[key][i], scores[key]);
      }
      most_here = fmaxf(most_here, scores[key]);
    }
    const float correction = __expf(most - most_here);
    sum *= correction;
#pragma unroll
    for (int i = 0; i < kHead; ++i) {
      result[i] *= correction;
    }
#pragma unroll
    for (int key = 0; key < kTile; ++key) {
      const float weight = __expf(scores[key] - most_here);
      sum += weight;
#pragma unroll
      for (int i = 0; i < kHead; ++i) {
        result[i] = fmaf(weight, tile_v[key][i], result[i]);
      }
    }
    most = most_here;
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kHead; ++i) {
    out[row * kHead + i] = result[i] / sum;
  }
}

// SPDX-License-Identifier: MIT
// FlashAttention: O = softmax(Q K^T) V in one kernel, without storing the scores. A CTA has 64 queries, a warp 16 of them.
// It walks over K and V in tiles of 64 keys, which it keeps in shared memory. The scores S of a tile, the output O, and
// the maximum m and the sum l of each row stay in registers. Tiles lie as the lanes of a warp need them: 32 times 16 bytes
// of Q, 8 of K and V, 16 of O. A lane has two rows of a tile: lane / 4 (elements 0 and 1 of four) and lane / 4 + 8.

constexpr float kScale = 0.18033688f;  // log2(e) / 8: powers of 2 take the place of those of e

/// sum + a b: a tile of 16 x 8, of 16 x 16 by 16 x 8.
__device__ void multiply(float (&sum)[4], uint4 a, uint2 b) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y));
}

/// Two numbers in BF16.
__device__ unsigned packed(float low, float high) {
  unsigned both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
  return both;
}

__device__ float power_of_2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// The largest value of the four lanes that share a row.
__device__ float max_of_row(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffff, x, 2));
}

__device__ float sum_of_row(float x) {
  x += __shfl_xor_sync(0xffffffff, x, 1);
  return x + __shfl_xor_sync(0xffffffff, x, 2);
}

__global__ void __launch_bounds__(128)
    flash(const uint4* Q, const uint4* K, const uint4* V, float4* O, int seq, int causal) {
  __shared__ uint4 sK[512];
  __shared__ uint4 sV[512];
  const int tid = threadIdx.x;
  const int lane = tid % 32;
  const int warp = tid / 32;
  const int block = seq / 64 - 1 - blockIdx.x;  // of 64 queries: those of this CTA
  const int row = blockIdx.y * seq / 16 + block * 4 + warp;  // tile of 16 queries, of all heads
  const int query = block * 64 + warp * 16 + lane / 4;       // of this lane's first row
  const int first = blockIdx.y * seq * 64 / 8;               // of 16 bytes of K and V that begin this head

  uint4 q[4];
  for (int c = 0; c < 4; ++c) {
    q[c] = Q[(row * 4 + c) * 32 + lane];
  }
  float m[2] = {-INFINITY, -INFINITY};
  float l[2] = {};
  float o[8][4] = {};

#pragma unroll 1
  for (int tile = 0; tile < block + 1; ++tile) {
    __syncthreads();  // nobody needs the tile before any more
    for (int i = 0; i < 4; ++i) {
      sK[tid + 128 * i] = K[first + tile * 512 + tid + 128 * i];
      sV[tid + 128 * i] = V[first + tile * 512 + tid + 128 * i];
    }
    __syncthreads();

    // S = Q K^T: 16 queries, 64 keys.
    float s[8][4] = {};
    for (int c = 0; c < 4; ++c) {    // 16 of the 64 columns
      for (int j = 0; j < 8; ++j) {  // 8 keys
        multiply(s[j], q[c], reinterpret_cast<const uint2*>(sK)[(j * 4 + c) * 32 + lane]);
      }
    }

    // The mask: scores of keys behind the query become -infinity.
    if (tile == block) {
      for (int j = 0; j < 8; ++j) {
        for (int e = 0; e < 4; ++e) {
          const int key = tile * 64 + 8 * j + lane % 4 * 2 + e % 2;
          s[j][e] = key > query + 8 * (e / 2) ? -INFINITY : s[j][e];
        }
      }
    }

    // newer = the greater of m and the scores of the row.
    float newer[2] = {m[0], m[1]};
    for (int j = 0; j < 8; ++j) {
      for (int e = 0; e < 4; ++e) {
        newer[e / 2] = fmaxf(newer[e / 2], s[j][e]);
      }
    }
    float alpha[2];
    for (int h = 0; h < 2; ++h) {
      newer[h] = max_of_row(newer[h]);
      alpha[h] = power_of_2((m[h] - newer[h]) * kScale);
      m[h] = newer[h];
    }

    for (int h = 0; h < 2; ++h) {
      l[h] *= alpha[h];
    }
    for (int j = 0; j < 8; ++j) {
      for (int e = 0; e < 4; ++e) {
        o[j][e] *= alpha[e / 2];
      }
    }

    // P = 2^(S - m), and l + the sum of P.
    for (int j = 0; j < 8; ++j) {
      for (int e = 0; e < 4; ++e) {
        s[j][e] = power_of_2((s[j][e] - m[e / 2]) * kScale);
        l[e / 2] += s[j][e];
      }
    }

    // O + P V. Scores in BF16, two in a register, lie as the product wants them.
    for (int t = 0; t < 4; ++t) {  // 16 keys
      uint4 p;
      p.x = packed(s[2 * t][0], s[2 * t][1]);
      p.y = packed(s[2 * t][2], s[2 * t][3]);
      p.z = packed(s[2 * t + 1][0], s[2 * t + 1][1]);
      p.w = packed(s[2 * t + 1][2], s[2 * t + 1][3]);
      for (int j = 0; j < 8; ++j) {  // 8 columns
        multiply(o[j], p, reinterpret_cast<const uint2*>(sV)[(t * 8 + j) * 32 + lane]);
      }
    }
  }

  // O / l, with the l of four lanes.
  for (int h = 0; h < 2; ++h) {
    l[h] = 1 / sum_of_row(l[h]);
  }
  for (int j = 0; j < 8; ++j) {
    O[(row * 8 + j) * 32 + lane] = make_float4(o[j][0] * l[0], o[j][1] * l[0], o[j][2] * l[1], o[j][3] * l[1]);
  }
}

// SPDX-License-Identifier: MIT
// The kernel of traces/flashattn.trace, tiling and order of work the same: O = softmax(Q K^T / sqrt(d)) V for every
// head, online (FlashAttention-2), bf16, d = 128, not causal. A CTA owns 128 rows of Q, a warp 32, and walks over K and
// V in tiles of 64 rows, one buffer each. Q, K, V, O: [batch][head][row][d].
//
// Fragments of Q and K are those of gemm_mma.h. V is stored with n (the columns of O) along its rows, so LDSM
// transposes: matrix rows lane%16 are k (keys), chunk lane/16 the n8 tile; register i then holds B[2t, 2t+1][g] of k
// low, k high of the first tile and the same of the second. P comes out of the accumulators as A wants it: of the n8
// tiles 2s and 2s+1 of keys, elements 0, 1 (row g) and 2, 3 (row g+8) are registers 0, 1 and 2, 3 of the k16 step s.
//
// Buffers. V of a tile is copied while Q K^T runs, the next K from there on. Barrier before Q K^T: K has arrived for
// all warps, and none reads V of the tile before. Barrier after it: V has arrived, and none reads K.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "tools/silicon/kernels/portable.h"

namespace gpusim::silicon {

constexpr std::uint32_t kFlashThreads = 128;
constexpr std::uint32_t kFlashRows = 128;  // of Q and O a CTA
constexpr std::uint32_t kFlashKeys = 64;   // rows of a tile of K and V
constexpr std::uint32_t kHeadDimension = 128;
constexpr std::uint32_t kFlashRowBytes = kHeadDimension * 2;
constexpr std::uint32_t kFlashK = kFlashRows * kFlashRowBytes;  // in shared memory: Q, K, V
constexpr std::uint32_t kFlashV = kFlashK + kFlashKeys * kFlashRowBytes;
constexpr std::uint32_t kFlashSharedBytes = kFlashV + kFlashKeys * kFlashRowBytes;

struct FlashArguments {
  const Bf16Bits* q;
  const Bf16Bits* k;
  const Bf16Bits* v;
  Bf16Bits* o;
  std::uint32_t heads, seq;
  float scale;  ///< log2(e) / sqrt(d): the exponentials are powers of two
};

/// Rows of a head run fastest: neighbours share K and V in the L2.
constexpr Index3 flash_grid(std::uint32_t batch, std::uint32_t heads, std::uint32_t seq) {
  return {seq / kFlashRows, heads, batch};
}

template <typename Cta>
class FlashThread {
 public:
  SILICON_KERNEL FlashThread(const Cta& cta, const FlashArguments& arguments)
      : cta_(cta), arguments_(arguments), shared_(cta.shared_base()) {
    const std::uint32_t thread = cta.thread();
    const std::uint32_t lane = thread % kLanes;
    keys_ = first_of_head() + thread * 8;
    place_ = shared_ + swizzled<kFlashRowBytes>(thread / 16, thread % 16);  // a copy moves 8 rows: the same row % 8
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 4; ++i) {
      // Fragments 64 columns further lie 128 bytes further: the swizzle changes the lower three bits of a chunk.
      load_v_[i] = shared_ + swizzled<kFlashRowBytes>(lane % 16, 2 * i + lane / 16);
      load_q_[i] = load_v_[i] + thread / kLanes * 32 * kFlashRowBytes;
      load_k_[i] = shared_ + swizzled<kFlashRowBytes>(lane % 8 + lane / 16 * 8, 2 * i + lane / 8 % 2);
      max_[i] = -std::numeric_limits<float>::infinity();
      sum_[i] = 0;
    }
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 128; ++i) {
      o_[i / 64][i / 4 % 16][i % 4] = 0;
    }
  }

  SILICON_KERNEL void run() {
    copy<16>(0, arguments_.q + rows());
    copy<8>(kFlashK, arguments_.k + keys_);
    cta_.copy_async_commit();
    SILICON_NO_UNROLL
    for (std::uint32_t tiles = arguments_.seq / kFlashKeys; tiles > 0; --tiles) {
      cta_.template copy_async_wait<0>();
      cta_.sync();
      multiply_q_k();
      cta_.template copy_async_wait<0>();
      cta_.sync();
      keys_ += kFlashKeys * kHeadDimension;
      if (tiles > 1) {
        copy<8>(kFlashK, arguments_.k + keys_);
        cta_.copy_async_commit();
      }
      softmax();
      multiply_p_v();
    }
    finish();
  }

 private:
  SILICON_KERNEL std::size_t first_of_head() const {
    return std::size_t{cta_.block().z * arguments_.heads + cta_.block().y} * arguments_.seq * kHeadDimension;
  }
  // The first element of Q and O that this thread copies.
  SILICON_KERNEL std::size_t rows() const {
    return first_of_head() + std::size_t{cta_.block().x} * kFlashRows * kHeadDimension + cta_.thread() * 8;
  }

  // kTimes x 8 rows; 128 threads copy 2048 bytes at a time.
  template <std::uint32_t kTimes>
  SILICON_KERNEL void copy(std::uint32_t to, const Bf16Bits* from) const {
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < kTimes; ++i) {
      cta_.copy_async(place_ + to + i * 2048, from + i * 1024);
    }
  }

  SILICON_KERNEL void load_q(std::uint32_t k16, std::uint32_t m16) {
    cta_.load_matrix(q_[k16 % 2][m16], load_q_[k16 % 4] + m16 * 4096 + k16 / 4 * 128);
  }
  // Group g of Q K^T: step g/4 along d, keys 16 (g%4) to +15. Of P V: step g/8 along the keys, columns 16 (g%8) to +15.
  SILICON_KERNEL void load_k(std::uint32_t g) {
    cta_.load_matrix(ring_[g % 4], load_k_[g / 4 % 4] + kFlashK + g % 4 * 4096 + g / 16 * 128);
  }
  SILICON_KERNEL void load_v(std::uint32_t g) {
    cta_.load_matrix_transposed(ring_[g % 4], load_v_[g % 4] + kFlashV + g / 8 * 4096 + g % 8 / 4 * 128);
  }
  SILICON_KERNEL void multiply(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&ring)[4],
                               std::uint32_t n8) const {
    const std::uint32_t b[2] = {ring[2 * n8], ring[2 * n8 + 1]};
    cta_.mma(c, a, b);
  }

  // Fragments are fetched three groups ahead, those of Q a whole step; V sets out in the first half.
  SILICON_KERNEL void multiply_q_k() {
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 64; ++i) {
      s_[i / 32][i / 4 % 8][i % 4] = 0;
    }
    load_q(0, 0);
    load_q(0, 1);
    load_k(0);
    load_k(1);
    load_k(2);
    SILICON_UNROLL
    for (std::uint32_t g = 0; g < 32; ++g) {
      if (g + 3 < 32) {
        load_k(g + 3);
      }
      if (g % 4 < 2 && g / 4 + 1 < 8) {
        load_q(g / 4 + 1, g % 4);
      }
      if (g < 16 && g % 4 >= 2) {
        const std::uint32_t i = g / 4 * 2 + g % 4 - 2;
        copy<1>(kFlashV + i * 2048, arguments_.v + keys_ + i * 1024);
      }
      if (g == 15) {
        cta_.copy_async_commit();
      }
      SILICON_UNROLL
      for (std::uint32_t i = 0; i < 4; ++i) {
        multiply(s_[i % 2][g % 4 * 2 + i / 2], q_[g / 4 % 2][i % 2], ring_[g % 4], i / 2);
      }
    }
  }

  // A lane has four rows: m16 tile r/2, half r%2 of it; of each 16 scores, and the quad has them all.
  SILICON_KERNEL void softmax() {
    float scaled[4], alpha[4];
    SILICON_UNROLL
    for (std::uint32_t r = 0; r < 4; ++r) {
      float highest = max_[r];
      SILICON_UNROLL
      for (std::uint32_t e = 0; e < 16; ++e) {
        highest = fmaxf(highest, s_[r / 2][e / 2][r % 2 * 2 + e % 2]);
      }
      highest = fmaxf(highest, cta_.shuffle_xor(highest, 1));
      highest = fmaxf(highest, cta_.shuffle_xor(highest, 2));
      alpha[r] = cta_.exp2((max_[r] - highest) * arguments_.scale);
      max_[r] = highest;
      scaled[r] = highest * arguments_.scale;
      sum_[r] *= alpha[r];
    }
    SILICON_UNROLL
    for (std::uint32_t e = 0; e < 64; ++e) {  // in the order of the registers
      const std::uint32_t m16 = e / 32;
      const std::uint32_t n8 = e / 4 % 8;
      const std::uint32_t r = m16 * 2 + e % 4 / 2;
      float& score = s_[m16][n8][e % 4];
      score = cta_.exp2(score * arguments_.scale - scaled[r]);
      sum_[r] += score;
      o_[m16][e / 2 % 16][e % 2 * 2] *= alpha[m16 * 2 + e % 2];  // two of O a score
      o_[m16][e / 2 % 16][e % 2 * 2 + 1] *= alpha[m16 * 2 + e % 2];
      if (e % 2 == 1) {
        p_[m16][n8 / 2][n8 % 2 * 2 + e % 4 / 2] = cta_.pack(s_[m16][n8][e % 4 - 1], score);
      }
    }
  }

  SILICON_KERNEL void multiply_p_v() {
    load_v(0);
    load_v(1);
    load_v(2);
    SILICON_UNROLL
    for (std::uint32_t g = 0; g < 32; ++g) {
      if (g + 3 < 32) {
        load_v(g + 3);
      }
      SILICON_UNROLL
      for (std::uint32_t i = 0; i < 4; ++i) {
        multiply(o_[i % 2][g % 8 * 2 + i / 2], p_[i % 2][g / 8], ring_[g % 4], i / 2);
      }
    }
  }

  // O / l, to bf16 and through shared memory, each warp into its own rows of Q: then every store is 16 bytes.
  SILICON_KERNEL void finish() {
    SILICON_UNROLL
    for (std::uint32_t r = 0; r < 4; ++r) {
      sum_[r] += cta_.shuffle_xor(sum_[r], 1);
      sum_[r] += cta_.shuffle_xor(sum_[r], 2);
      sum_[r] = cta_.reciprocal(sum_[r]);
    }
    const std::uint32_t warp = cta_.thread() / kLanes;
    const std::uint32_t lane = cta_.thread() % kLanes;
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 64; ++i) {
      const std::uint32_t m16 = i / 32;
      const std::uint32_t n8 = i / 2 % 16;
      const std::uint32_t half = i % 2;
      const float factor = sum_[m16 * 2 + half];
      const float* o = o_[m16][n8] + 2 * half;
      const std::uint32_t row = warp * 32 + m16 * 16 + half * 8 + lane / 4;
      cta_.store_shared(shared_ + swizzled<kFlashRowBytes>(row, n8) + lane % 4 * 4,
                        cta_.pack(o[0] * factor, o[1] * factor));
    }
    cta_.sync();
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 16; ++i) {
      cta_.store_global(arguments_.o + rows() + i * 1024, cta_.load_shared(place_ + i * 2048));
    }
  }

  const Cta& cta_;
  const FlashArguments& arguments_;
  std::uint32_t shared_, place_;
  std::size_t keys_;  // the first element of K and V that this thread copies in the present tile
  std::uint32_t load_q_[4], load_k_[4], load_v_[4];
  std::uint32_t q_[2][2][4], ring_[4][4], p_[2][4][4];
  float s_[2][8][4], o_[2][16][4], max_[4], sum_[4];
};

template <typename Cta>
SILICON_KERNEL void flash_attention(const Cta& cta, const FlashArguments& arguments) {
  FlashThread<Cta>(cta, arguments).run();
}

}  // namespace gpusim::silicon

// SPDX-License-Identifier: MIT
// The kernel of traces/gemm_bf16.trace, tiling and order of work the same: mma.sync of 16 x 8 x 16, three stages of
// asynchronous copies, eight warps of 64 x 64. The trace says why it is made so; here stands why it is right.
//
// Fragments. mma wants of A, in a lane with g = lane/4 and t = lane%4, rows g (registers 0, 2) and g+8 (1, 3), columns
// 2t, 2t+1 (0, 1) and 8 further (2, 3). LDSM.x4 gives register i from matrix i, whose rows lanes 8i to 8i+7 address, at
// row g, columns 2t, 2t+1. So lanes 0-15 address rows 0-15 of the left eight columns and lanes 16-31 those of the
// right: row lane%16, chunk lane/16. Of B mma wants column g, rows 2t, 2t+1 (register 0) and 8 further (1). B is stored
// n by k, so a row of memory is a column of B, and LDSM.x4 brings two n8 tiles: matrices 0, 1 of columns 0-7 (k low,
// high), 2, 3 of columns 8-15: row lane%8 + 8 (lane/16), chunk (lane/8)%2.
//
// Stages. In step s a warp multiplies quarters 0 to 3 (k16 each) and fetches, one quarter ahead, 1 to 3 of s and 0 of
// s+1. Before the latter: its own copies of s+1 have arrived (all groups but the newest), and the barrier says the same
// of all warps, and that none will read stage s%3 again, as every fragment of s is in registers. So from there on stage
// s%3 is filled with step s+3: group 0 of the copies in that last quarter, groups 1 to 3 in quarters 0 to 2 of s+1,
// where they are step (s+1)+2. A group of copies is committed in every step, also when it is empty.
#pragma once

#include "tools/silicon/kernels/gemm_bf16.h"

namespace gpusim::silicon {

constexpr std::uint32_t kMmaStages = 3;
constexpr std::uint32_t kMmaThreads = 256;
constexpr std::uint32_t kMmaSharedBytes = kMmaStages * kGemmStage;
constexpr std::uint32_t kMmaQuarters = kGemmDepth / 16;

template <typename Cta>
class MmaGemmThread {
 public:
  SILICON_KERNEL MmaGemmThread(const Cta& cta, const GemmArguments& arguments)
      : cta_(cta), arguments_(arguments), steps_(arguments.k / kGemmDepth), shared_(cta.shared_base()) {
    const std::uint32_t thread = cta.thread();
    const std::uint32_t row = thread / 8;
    const std::uint32_t chunk = thread % 8;
    from_a_ = arguments.a + (gemm_first_row(cta.block(), arguments.m, arguments.n) + row) * arguments.k + chunk * 8;
    from_b_ = arguments.b + (gemm_first_column(cta.block()) + row) * arguments.k + chunk * 8;
    to_ = shared_ + swizzled<kGemmRowBytes>(row, chunk);  // 32 rows further is 4096 bytes further: the same row % 8
    const std::uint32_t warp = thread / kLanes;
    const std::uint32_t lane = thread % kLanes;
    SILICON_UNROLL
    for (std::uint32_t quarter = 0; quarter < kMmaQuarters; ++quarter) {
      load_a_[quarter] =
          shared_ + warp % 2 * 64 * kGemmRowBytes + swizzled<kGemmRowBytes>(lane % 16, 2 * quarter + lane / 16);
      load_b_[quarter] = shared_ + kGemmStageA + warp / 2 * 64 * kGemmRowBytes +
                         swizzled<kGemmRowBytes>(lane % 8 + lane / 16 * 8, 2 * quarter + lane / 8 % 2);
    }
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 128; ++i) {
      sums_[i / 32][i / 4 % 8][i % 4] = 0;
    }
  }

  SILICON_KERNEL void run() {
    begin();
    SILICON_NO_UNROLL
    for (std::uint32_t step = 0; step < steps_; ++step) {
      SILICON_UNROLL
      for (std::uint32_t quarter = 0; quarter < kMmaQuarters; ++quarter) {
        const bool last = quarter == kMmaQuarters - 1;
        if (last) {
          cta_.copy_async_commit();
          cta_.template copy_async_wait<1>();
          cta_.sync();
        }
        // The last quarter works for one step on: it reads what comes after this one, and fills this one's stage.
        do_quarter(quarter, last ? next_ : now_, last ? now_ : free_, 2 + last, step + 2 + last < steps_);
      }
      from_a_ += kGemmDepth;
      from_b_ += kGemmDepth;
      const std::uint32_t done = now_;
      now_ = next_;
      next_ = free_;
      free_ = done;
    }
    finish();
  }

 private:
  // Two steps on their way, a group each, and a quarter of the third; then the first fragments.
  SILICON_KERNEL void begin() {
    SILICON_UNROLL
    for (std::uint32_t step = 0; step < kMmaStages; ++step) {
      SILICON_UNROLL
      for (std::uint32_t group = 0; group < (step < 2 ? kMmaQuarters : 1); ++group) {
        if (step < steps_) {
          copy_a(group, step * kGemmStage, step);
          copy_b(2 * group, step * kGemmStage, step);
          copy_b(2 * group + 1, step * kGemmStage, step);
        }
      }
      if (step < 2) {
        cta_.copy_async_commit();
      }
    }
    cta_.template copy_async_wait<1>();
    cta_.sync();
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 8; ++i) {
      load(0, i, 0, 0);
    }
  }

  // A copy brings 32 rows of the step that lies `ahead` steps after the pointers.
  SILICON_KERNEL void copy_a(std::uint32_t i, std::uint32_t stage, std::uint32_t ahead) const {
    cta_.copy_async(to_ + stage + i * 32 * kGemmRowBytes,
                    from_a_ + std::size_t{i * 32} * arguments_.k + ahead * kGemmDepth);
  }
  SILICON_KERNEL void copy_b(std::uint32_t i, std::uint32_t stage, std::uint32_t ahead) const {
    cta_.copy_async(to_ + stage + kGemmStageA + i * 32 * kGemmRowBytes,
                    from_b_ + std::size_t{i * 32} * arguments_.k + ahead * kGemmDepth);
  }

  // Fragment i of a quarter: 0 to 3 of A (m16 tiles), 4 to 7 of B (pairs of n8 tiles).
  SILICON_KERNEL void load(std::uint32_t set, std::uint32_t i, std::uint32_t quarter, std::uint32_t stage) {
    if (i < 4) {
      cta_.load_matrix(a_[set][i], load_a_[quarter] + stage + i * 16 * kGemmRowBytes);
    } else {
      std::uint32_t words[4];
      cta_.load_matrix(words, load_b_[quarter] + stage + (i - 4) * 16 * kGemmRowBytes);
      SILICON_UNROLL
      for (std::uint32_t word = 0; word < 4; ++word) {
        b_[set][2 * (i - 4) + word / 2][word % 2] = words[word];
      }
    }
  }

  SILICON_KERNEL void multiply(std::uint32_t set, std::uint32_t i, std::uint32_t j) {
    cta_.mma(sums_[i][j], a_[set][i], b_[set][j]);
  }

  // Multiplies a quarter, fetches the next one from stage `read`, and starts the copies of a group into stage `fill`.
  SILICON_KERNEL void do_quarter(std::uint32_t quarter, std::uint32_t read, std::uint32_t fill, std::uint32_t ahead,
                                 bool copies) {
    const std::uint32_t next = (quarter + 1) % kMmaQuarters;
    const std::uint32_t set = quarter % 2;
    SILICON_UNROLL
    for (std::uint32_t j = 0; j < 8; ++j) {
      load(1 - set, j, next, read);
      multiply(set, 0, j);
      multiply(set, 1, j);
      if (copies && j == 2) {
        copy_a(next, fill, ahead);
      }
      if (copies && (j == 4 || j == 6)) {
        copy_b(2 * next + j / 6, fill, ahead);
      }
      multiply(set, 2, j);
      multiply(set, 3, j);
    }
  }

  // To bf16 and through shared memory, 8 KiB a warp and swizzled like a stage, so that global memory gets whole lines.
  // Other warps may still read fragments there, for nothing: without the barrier C would be right all the same, but the
  // kernel would not be free of races.
  SILICON_KERNEL void finish() const {
    const std::uint32_t warp = cta_.thread() / kLanes;
    const std::uint32_t lane = cta_.thread() % kLanes;
    const std::uint32_t place = shared_ + warp * 64 * kGemmRowBytes;
    cta_.sync();
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 64; ++i) {
      const std::uint32_t m16 = i / 16;
      const std::uint32_t n8 = i / 2 % 8;
      const std::uint32_t half = i % 2;  // rows g or g + 8
      const float* sums = sums_[m16][n8] + 2 * half;
      cta_.store_shared(place + swizzled<kGemmRowBytes>(m16 * 16 + half * 8 + lane / 4, n8) + lane % 4 * 4,
                        cta_.pack(sums[0], sums[1]));
    }
    cta_.sync_warp();
    const std::size_t first_row = gemm_first_row(cta_.block(), arguments_.m, arguments_.n) + warp % 2 * 64 + lane / 8;
    Bf16Bits* to =
        arguments_.c + first_row * arguments_.n + gemm_first_column(cta_.block()) + warp / 2 * 64 + lane % 8 * 8;
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 16; ++i) {
      cta_.store_global(to + std::size_t{4 * i} * arguments_.n,
                        cta_.load_shared(place + swizzled<kGemmRowBytes>(4 * i + lane / 8, lane % 8)));
    }
  }

  const Cta& cta_;
  const GemmArguments& arguments_;
  std::uint32_t steps_, shared_, to_;
  const Bf16Bits* from_a_;
  const Bf16Bits* from_b_;
  std::uint32_t load_a_[kMmaQuarters], load_b_[kMmaQuarters];
  std::uint32_t now_ = 0, next_ = kGemmStage, free_ = 2 * kGemmStage;  // stages: offsets of what is read, next, filled
  std::uint32_t a_[2][4][4], b_[2][8][2];
  float sums_[4][8][4];
};

template <typename Cta>
SILICON_KERNEL void gemm_mma(const Cta& cta, const GemmArguments& arguments) {
  MmaGemmThread<Cta>(cta, arguments).run();
}

}  // namespace gpusim::silicon

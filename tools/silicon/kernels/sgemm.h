// SPDX-License-Identifier: MIT
// C = alpha A B in fp32, four times, each faster than the one before: one element per thread from global memory; tiles
// in shared memory; 8 x 8 elements a thread in registers; and that with two buffers, which is the kernel of
// traces/sgemm_tiled.trace with the same tiling. A is m x k, B k x n, C m x n, all row by row.
#pragma once

#include <cstddef>

#include "tools/silicon/kernels/portable.h"

namespace gpusim::silicon {

struct SgemmArguments {
  const float* a;
  const float* b;
  float* c;
  std::uint32_t m, n, k;
  float alpha;
};

/// Rows and columns of C that a CTA computes, and its threads. Grid: columns of tiles, rows of tiles.
struct SgemmShape {
  std::uint32_t rows, columns, threads, shared_bytes;
};

// ---- Naive: a warp reads 32 neighbouring elements of a row of B and one of A for every k. ----

constexpr SgemmShape kSgemmNaive{8, 32, 256, 0};

template <typename Cta>
SILICON_KERNEL void sgemm_naive(const Cta& cta, const SgemmArguments& arguments) {
  const std::size_t row = cta.block().y * kSgemmNaive.rows + cta.thread() / kLanes;
  const std::size_t column = cta.block().x * kSgemmNaive.columns + cta.thread() % kLanes;
  float sum = 0;
  for (std::uint32_t i = 0; i < arguments.k; ++i) {
    sum += arguments.a[row * arguments.k + i] * arguments.b[std::size_t{i} * arguments.n + column];
  }
  arguments.c[row * arguments.n + column] = arguments.alpha * sum;
}

// ---- Shared tiles of 32 x 32: an element is read from global memory 32 times less often; still one per thread. ----

constexpr std::uint32_t kSquare = 32;
constexpr SgemmShape kSgemmShared{kSquare, kSquare, kSquare* kSquare, 2 * kSquare* kSquare * 4};

template <typename Cta>
SILICON_KERNEL void sgemm_shared(const Cta& cta, const SgemmArguments& arguments) {
  float* a = cta.template shared<float>(0);
  float* b = cta.template shared<float>(kSquare * kSquare * 4);
  const std::uint32_t y = cta.thread() / kSquare;
  const std::uint32_t x = cta.thread() % kSquare;
  const std::size_t row = cta.block().y * kSquare + y;
  const std::size_t column = cta.block().x * kSquare + x;
  float sum = 0;
  for (std::uint32_t step = 0; step < arguments.k; step += kSquare) {
    a[y * kSquare + x] = arguments.a[row * arguments.k + step + x];
    b[y * kSquare + x] = arguments.b[std::size_t{step + y} * arguments.n + column];
    cta.sync();
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < kSquare; ++i) {
      sum += a[y * kSquare + i] * b[i * kSquare + x];
    }
    cta.sync();
  }
  arguments.c[row * arguments.n + column] = arguments.alpha * sum;
}

// ---- Register tiles: a CTA 128 x 128 in steps of 8 along k, a thread 8 x 8. Places as the trace has them. ----

constexpr std::uint32_t kSgemmDepth = 8;
constexpr std::uint32_t kSgemmRowA = 132;  // floats of a row of A^T; four of padding: stores without conflicts
constexpr std::uint32_t kSgemmRowB = 128;
constexpr std::uint32_t kSgemmB = 4224 / 4;  // B lies behind A^T
constexpr std::uint32_t kSgemmBuffer =
    16384 / 4;  // the second buffer, so that an exclusive or leads from one to the other
constexpr SgemmShape kSgemmRegisters{128, 128, 256, 4224 + 4096};
constexpr SgemmShape kSgemmDouble{128, 128, 256, 16384 + 4224 + 4096};

/// One thread's part of a CTA's tile.
template <typename Cta>
class SgemmThread {
 public:
  SILICON_KERNEL SgemmThread(const Cta& cta, const SgemmArguments& arguments)
      : arguments_(arguments), shared_(cta.template shared<float>(0)) {
    const std::uint32_t thread = cta.thread();
    const std::uint32_t warp = thread / kLanes;
    const std::uint32_t lane = thread % kLanes;
    const std::size_t first_row = cta.block().y * kSgemmRegisters.rows;
    const std::size_t first_column = cta.block().x * kSgemmRegisters.columns;
    // Copies: four elements of row thread/2 of A, which become a column of A^T, and four of row `warp` of B.
    from_a_ = arguments.a + (first_row + thread / 2) * arguments.k + thread % 2 * 4;
    from_b_ = arguments.b + std::size_t{warp} * arguments.n + first_column + lane * 4;
    to_a_ = thread % 2 * 4 * kSgemmRowA + thread / 2;
    to_b_ = kSgemmB + warp * kSgemmRowB + lane * 4;
    // A warp computes 32 x 64, a lane rows 4 (lane/8) and 16 further, columns 4 (lane%8) and 32 further, four of each.
    row_ = warp / 2 * 32 + lane / 8 * 4;
    column_ = warp % 2 * 64 + lane % 8 * 4;
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 64; ++i) {
      sums_[i / 8][i % 8] = 0;
    }
  }

  /// Elements of step `step` from global memory into registers.
  SILICON_KERNEL void fetch(std::uint32_t step) {
    a_ = *reinterpret_cast<const Floats4*>(from_a_ + step * kSgemmDepth);
    b_ = *reinterpret_cast<const Floats4*>(from_b_ + std::size_t{step} * kSgemmDepth * arguments_.n);
  }

  /// And from there into buffer 0 or 1.
  SILICON_KERNEL void store(std::uint32_t buffer) {
    SILICON_UNROLL
    for (std::uint32_t e = 0; e < 4; ++e) {
      shared_[buffer * kSgemmBuffer + to_a_ + e * kSgemmRowA] = a_.v[e];
    }
    *reinterpret_cast<Floats4*>(shared_ + buffer * kSgemmBuffer + to_b_) = b_;
  }

  /// What is multiplied for one k, into one of two sets of registers.
  SILICON_KERNEL void load(std::uint32_t set, std::uint32_t buffer, std::uint32_t k) {
    SILICON_UNROLL
    for (std::uint32_t half = 0; half < 2; ++half) {
      const float* place = shared_ + buffer * kSgemmBuffer;
      left_[set][half] = *reinterpret_cast<const Floats4*>(place + k * kSgemmRowA + row_ + 16 * half);
      right_[set][half] = *reinterpret_cast<const Floats4*>(place + kSgemmB + k * kSgemmRowB + column_ + 32 * half);
    }
  }

  SILICON_KERNEL void multiply(std::uint32_t set) {
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 8; ++i) {
      SILICON_UNROLL
      for (std::uint32_t j = 0; j < 8; ++j) {
        sums_[i][j] += left_[set][i / 4].v[i % 4] * right_[set][j / 4].v[j % 4];
      }
    }
  }

  SILICON_KERNEL void finish(const Cta& cta) const {
    float* to = arguments_.c + std::size_t{cta.block().y * kSgemmRegisters.rows + row_} * arguments_.n +
                cta.block().x * kSgemmRegisters.columns + column_;
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 8; ++i) {
      SILICON_UNROLL
      for (std::uint32_t half = 0; half < 2; ++half) {
        Floats4 result;
        SILICON_UNROLL
        for (std::uint32_t e = 0; e < 4; ++e) {
          result.v[e] = arguments_.alpha * sums_[i][4 * half + e];
        }
        *reinterpret_cast<Floats4*>(to + std::size_t{i + i / 4 * 12} * arguments_.n + 32 * half) = result;
      }
    }
  }

 private:
  const SgemmArguments& arguments_;
  float* shared_;
  const float* from_a_;
  const float* from_b_;
  std::uint32_t to_a_, to_b_, row_, column_;
  Floats4 a_, b_;
  Floats4 left_[2][2], right_[2][2];
  float sums_[8][8];
};

template <typename Cta>
SILICON_KERNEL void sgemm_registers(const Cta& cta, const SgemmArguments& arguments) {
  SgemmThread<Cta> thread(cta, arguments);
  for (std::uint32_t step = 0; step < arguments.k / kSgemmDepth; ++step) {
    thread.fetch(step);
    thread.store(0);
    cta.sync();
    SILICON_UNROLL
    for (std::uint32_t k = 0; k < kSgemmDepth; ++k) {
      thread.load(k % 2, 0, k);
      thread.multiply(k % 2);
    }
    cta.sync();
  }
  thread.finish(cta);
}

// Step s+1 comes from global memory while s is multiplied, and goes into the other buffer before the last k. One
// barrier a step is enough: what the other buffer held was last read before the barrier of the step before. After the
// last step the first fragments of a next one are read for nothing, from inside the buffers: cheaper than a branch.
template <typename Cta>
SILICON_KERNEL void sgemm_double(const Cta& cta, const SgemmArguments& arguments) {
  SgemmThread<Cta> thread(cta, arguments);
  const std::uint32_t steps = arguments.k / kSgemmDepth;
  thread.fetch(0);
  thread.store(0);
  cta.sync();
  thread.load(0, 0, 0);
  SILICON_NO_UNROLL
  for (std::uint32_t step = 0; step < steps; ++step) {
    const bool more = step + 1 < steps;
    if (more) {
      thread.fetch(step + 1);
    }
    SILICON_UNROLL
    for (std::uint32_t k = 0; k < kSgemmDepth; ++k) {
      const bool last = k + 1 == kSgemmDepth;
      if (last) {
        if (more) {
          thread.store((step + 1) % 2);
        }
        cta.sync();
      }
      thread.load((k + 1) % 2, (step + last) % 2, (k + 1) % kSgemmDepth);
      thread.multiply(k % 2);
    }
  }
  thread.finish(cta);
}

}  // namespace gpusim::silicon

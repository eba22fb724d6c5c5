// SPDX-License-Identifier: MIT
// C = A B^T as Hopper wants it: TMA brings tiles into a ring of four stages, wgmma multiplies them straight from shared
// memory. Warp-specialised: of three warpgroups the first one's first warp starts copies (and gives registers away),
// the other two multiply, 64 x 256 of C each.
//
// Step s uses stage s % 4. Its `full` barrier completes a phase when the producer has arrived and both tiles' bytes
// have come; its `empty` barrier when all eight consumer warps have arrived, each when its own wgmmas on the stage are
// done. Phase s / 4 of either belongs to step s, so a consumer waits for full with parity (s/4) % 2. The producer of
// step s waits for the consumers of step s - 4, phase s/4 - 1 of empty: parity (s/4 - 1) % 2 = 1 - (s/4) % 2. For the
// first four steps that is the parity of the phase before the first, which counts as completed.
//
// A wgmma reads k16, 32 bytes of each row, of 64 rows of A and 256 of B. The hardware swizzles addresses, not offsets
// in a tile: a quarter of a stage is the descriptor of the tile 32 bytes on. One step's wgmmas are committed as a
// group; when the next step's are on their way, "all but the newest" are done, and their stage is released.
#pragma once

#include "tools/silicon/kernels/gemm_bf16.h"

namespace gpusim::silicon {

constexpr std::uint32_t kWgmmaStages = 4;
constexpr std::uint32_t kWarpgroup = 128;
constexpr std::uint32_t kWgmmaConsumers = 2;
constexpr std::uint32_t kWgmmaThreads = (1 + kWgmmaConsumers) * kWarpgroup;
constexpr std::uint32_t kWgmmaBarriers = kWgmmaStages * kGemmStage;  // behind the stages: full, then empty ones
constexpr std::uint32_t kWgmmaAlignment = 1024;                      // of swizzled tiles
constexpr std::uint32_t kWgmmaSharedBytes = kWgmmaBarriers + 2 * kWgmmaStages * 8 + kWgmmaAlignment;

/// 3 x 128 threads begin with 168 registers each, 64512; so much the producers leave to the consumers.
constexpr int kProducerRegisters = 40;
constexpr int kConsumerRegisters = 232;
static_assert(kProducerRegisters + 2 * kConsumerRegisters <= 3 * 168);

template <typename Cta>
class WgmmaGemm {
 public:
  SILICON_KERNEL WgmmaGemm(const Cta& cta, const GemmArguments& arguments)
      : cta_(cta),
        arguments_(arguments),
        steps_(arguments.k / kGemmDepth),
        shared_((cta.shared_base() + kWgmmaAlignment - 1) / kWgmmaAlignment * kWgmmaAlignment) {}

  SILICON_KERNEL void run(const typename Cta::TensorMap& map_a, const typename Cta::TensorMap& map_b) {
    if (cta_.thread() == 0) {
      SILICON_UNROLL
      for (std::uint32_t stage = 0; stage < kWgmmaStages; ++stage) {
        cta_.barrier_init(full(stage), 1);
        cta_.barrier_init(empty(stage), kWgmmaConsumers * kWarpgroup / kLanes);
      }
      cta_.publish_barriers();
    }
    cta_.sync();
    if (cta_.thread() < kWarpgroup) {
      cta_.template registers_down_to<kProducerRegisters>();
      if (cta_.thread() == 0) {
        produce(map_a, map_b);
      }
    } else {
      cta_.template registers_up_to<kConsumerRegisters>();
      consume();
    }
  }

 private:
  SILICON_KERNEL std::uint32_t full(std::uint32_t stage) const { return shared_ + kWgmmaBarriers + stage * 8; }
  SILICON_KERNEL std::uint32_t empty(std::uint32_t stage) const { return full(kWgmmaStages + stage); }

  SILICON_KERNEL void produce(const typename Cta::TensorMap& map_a, const typename Cta::TensorMap& map_b) const {
    const auto row = static_cast<std::uint32_t>(gemm_first_row(cta_.block(), arguments_.m, arguments_.n));
    const auto column = static_cast<std::uint32_t>(gemm_first_column(cta_.block()));
    SILICON_NO_UNROLL
    for (std::uint32_t step = 0; step < steps_; ++step) {
      const std::uint32_t stage = step % kWgmmaStages;
      const std::uint32_t place = shared_ + stage * kGemmStage;
      cta_.barrier_wait(empty(stage), 1 - step / kWgmmaStages % 2);
      cta_.barrier_arrive_expect(full(stage), kGemmStage);
      cta_.tensor_load(place, map_a, step * kGemmDepth, row, full(stage));
      cta_.tensor_load(place + kGemmStageA, map_b, step * kGemmDepth, column, full(stage));
    }
  }

  SILICON_KERNEL void consume() const {
    const std::uint32_t thread = cta_.thread() - kWarpgroup;
    const std::uint32_t group = thread / kWarpgroup;
    float sums[128];
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 128; ++i) {
      sums[i] = 0;
    }
    cta_.wgmma_settled(sums);
    SILICON_NO_UNROLL
    for (std::uint32_t step = 0; step < steps_; ++step) {
      const std::uint32_t stage = step % kWgmmaStages;
      const std::uint32_t place = shared_ + stage * kGemmStage;
      cta_.barrier_wait(full(stage), step / kWgmmaStages % 2);
      const std::uint64_t a = cta_.descriptor(place + group * 64 * kGemmRowBytes);
      const std::uint64_t b = cta_.descriptor(place + kGemmStageA);
      cta_.wgmma_fence();
      SILICON_UNROLL
      for (std::uint32_t quarter = 0; quarter < kGemmDepth / 16; ++quarter) {
        cta_.wgmma(sums, a + quarter * 32 / 16, b + quarter * 32 / 16);
      }
      cta_.wgmma_commit();
      cta_.template wgmma_wait<1>();
      if (step > 0 && thread % kLanes == 0) {
        cta_.barrier_arrive(empty((step - 1) % kWgmmaStages));
      }
    }
    cta_.template wgmma_wait<0>();
    cta_.wgmma_settled(sums);
    finish(thread, sums);
  }

  // A warp has 16 rows of 256 columns: in the accumulators of wgmma, register i of a lane with g = lane/4 and t =
  // lane%4 is row g + 8 (i/2 % 2), column 8 (i/4) + 2t + i%2. To bf16 and through shared memory, 8 KiB a warp, in the
  // first stages. Every step's copies have been waited for, and the barrier says that both warpgroups read no more.
  SILICON_KERNEL void finish(std::uint32_t thread, const float (&sums)[128]) const {
    constexpr std::uint32_t kRowBytes = kGemmColumns * 2;
    constexpr std::uint32_t kRowsOfWarp = 16;
    constexpr std::uint32_t kConsumerBarrier = 1;
    const std::uint32_t warp = thread / kLanes;
    const std::uint32_t lane = thread % kLanes;
    const std::uint32_t place = shared_ + warp * kRowsOfWarp * kRowBytes;
    cta_.sync_some(kConsumerBarrier, kWgmmaConsumers * kWarpgroup);
    SILICON_UNROLL
    for (std::uint32_t i = 0; i < 64; ++i) {
      cta_.store_shared(place + swizzled<kRowBytes>(i % 2 * 8 + lane / 4, i / 2) + lane % 4 * 4,
                        cta_.pack(sums[2 * i], sums[2 * i + 1]));
    }
    cta_.sync_warp();
    const std::size_t first_row = gemm_first_row(cta_.block(), arguments_.m, arguments_.n) + warp * kRowsOfWarp;
    Bf16Bits* to = arguments_.c + first_row * arguments_.n + gemm_first_column(cta_.block()) + lane * 8;
    SILICON_UNROLL
    for (std::uint32_t row = 0; row < kRowsOfWarp; ++row) {
      cta_.store_global(to + std::size_t{row} * arguments_.n, cta_.load_shared(place + swizzled<kRowBytes>(row, lane)));
    }
  }

  const Cta& cta_;
  const GemmArguments& arguments_;
  std::uint32_t steps_, shared_;
};

template <typename Cta>
SILICON_KERNEL void gemm_wgmma(const Cta& cta, const GemmArguments& arguments, const typename Cta::TensorMap& map_a,
                               const typename Cta::TensorMap& map_b) {
  WgmmaGemm<Cta>(cta, arguments).run(map_a, map_b);
}

}  // namespace gpusim::silicon

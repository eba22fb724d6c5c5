// SPDX-License-Identifier: MIT
// How soon consecutive addresses reach other L2 slices. All SMs access random places of a small area: reductions
// without a result and loads past the L1, a line for a whole warp or a word for each lane. As long as an area lies in
// few slices, these bound the rate; where consecutive lines lay in different slices, it would double with every line.
#include <cstdint>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"
#include "tools/silicon/device/timer.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kCtasPerSm = 4;
constexpr std::uint32_t kSmallest = 128;
constexpr std::uint32_t kLargest = 1u << 20;
constexpr int kUnrolled = 8;
constexpr std::uint32_t kLaneWords = 32;

enum class Access { Reduction, Load };
enum class Spread { LineOfWarp, WordOfLane };

__device__ std::uint32_t next_random(std::uint32_t x) {
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ (x << 5);
}

template <Access kAccess, Spread kSpread>
__global__ void random_places(std::uint32_t* area, std::uint32_t words, int rounds, std::uint32_t* sums) {
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t random = (kSpread == Spread::LineOfWarp ? thread / 32 : thread) * 2654435761u + 12345u;
  std::uint32_t sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    std::uint32_t loaded[kUnrolled] = {};
#pragma unroll
    for (int i = 0; i < kUnrolled; ++i) {
      random = next_random(random);
      const std::uint32_t place = (random >> 4) & (words - 1);
      std::uint32_t* const at = area + (kSpread == Spread::LineOfWarp ? (place & ~(kLaneWords - 1)) + lane : place);
      if constexpr (kAccess == Access::Reduction) {
        asm volatile("red.global.add.u32 [%0], 1;" ::"l"(at) : "memory");
      } else {
        loaded[i] = __ldcg(at);
      }
    }
#pragma unroll
    for (int i = 0; i < kUnrolled; ++i) {
      sum += loaded[i];
    }
  }
  sums[thread] = sum;
}

template <Access kAccess, Spread kSpread>
class Experiment {
 public:
  explicit Experiment(Session& session)
      : session_(session),
        config_{.grid = session.sms() * kCtasPerSm, .block = kBlock},
        area_(kLargest / 4),
        sums_(std::size_t{config_.grid.x} * kBlock) {
    area_.fill(Input::Zero);
  }

  void measure(std::uint32_t bytes) {
    const int rounds = rounds_that_take(150, {.trial = 4, .least = 2, .most = 1024},
                                        [&](int trial) { return microseconds(bytes, trial); });
    const double requests = static_cast<double>(config_.grid.x) * (kBlock / 32) * rounds * kUnrolled;
    session_.record({.metric = "requests",
                     .unit = "warp requests/us",
                     .sampled = session_.sample([&] { return requests / microseconds(bytes, rounds); },
                                                {.times = 5, .warm_ups = 1}),
                     .launch = launch_facts(kKernel, config_),
                     .params = {{"op", kAccess == Access::Reduction ? "red.add.u32" : "ld.cg.u32"},
                                {"spread", kSpread == Spread::LineOfWarp ? "line_of_warp" : "word_of_lane"},
                                {"bytes", bytes}}});
  }

 private:
  static constexpr auto kKernel = random_places<kAccess, kSpread>;

  [[nodiscard]] double microseconds(std::uint32_t bytes, int rounds) const {
    return timer_.microseconds([&] { launch(kKernel, config_, area_.get(), bytes / 4, rounds, sums_.get()); });
  }

  Session& session_;
  LaunchConfig config_;
  Buffer<std::uint32_t> area_;
  Buffer<std::uint32_t> sums_;
  EventTimer timer_;
};

template <Access kAccess, Spread kSpread>
void sweep(Session& session) {
  Experiment<kAccess, kSpread> experiment(session);
  for (std::uint32_t bytes = kSmallest; bytes <= kLargest; bytes *= 2) {
    experiment.measure(bytes);
  }
}

void run(Session& session) {
  sweep<Access::Reduction, Spread::LineOfWarp>(session);
  sweep<Access::Reduction, Spread::WordOfLane>(session);
  sweep<Access::Load, Spread::LineOfWarp>(session);
  sweep<Access::Load, Spread::WordOfLane>(session);
}

const Registered kSpread{{.name = "micro/l2/spread", .priority = 90, .seconds = 3, .run = run}};

}  // namespace
}  // namespace gpusim::silicon

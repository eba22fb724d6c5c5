// SPDX-License-Identifier: MIT
// What branches cost: a loop's own, a branch all lanes take, one that parts the warp two ways or n ways, loops whose
// lanes leave at different times, calls. Bodies are chains of multiply-adds of known length (4 cycles each), so what is
// more than their sum is the cost of branching: front_end.branch_latency, sm.timing.branch, and BSSY/BSYNC at
// reconvergence.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

constexpr int kFew = 32;
constexpr int kMany = 288;
constexpr int kBody = 32;     // multiply-adds: too many for the compiler to predicate
constexpr int kWayBody = 16;  // of each way of a switch
constexpr std::uint32_t kAll = 0xffffffff;

/// What a step decides by. `lane` differs between lanes, `uniform` does not; a bit of each is used up by every round.
struct Choice {
  std::uint32_t lane;
  std::uint32_t uniform;
};

// Bodies of different tags differ in an immediate, so that the compiler cannot share their code.
template <int kLength, int kTag>
__device__ __forceinline__ void body(float& x, float a) {
#pragma unroll
  for (int i = 0; i < kLength; ++i) {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(0.5f + kTag / 64.0f));
  }
}

struct Straight {
  static __device__ void step(float& x, float a, Choice, int) { body<kBody, 0>(x, a); }
};
struct UniformIf {
  static __device__ void step(float& x, float a, Choice choice, int round) {
    if ((choice.uniform >> (round & 31) & 1) != 0) {
      body<kBody, 0>(x, a);
    }
  }
};
struct LaneIf {
  static __device__ void step(float& x, float a, Choice choice, int round) {
    if ((choice.lane >> (round & 31) & 1) != 0) {
      body<kBody, 0>(x, a);
    }
  }
};
struct LaneIfElse {
  static __device__ void step(float& x, float a, Choice choice, int round) {
    if ((choice.lane >> (round & 31) & 1) != 0) {
      body<kBody, 0>(x, a);
    } else {
      body<kBody, 1>(x, a);
    }
  }
};
struct Nested {
  static __device__ void step(float& x, float a, Choice choice, int round) {
    if ((choice.lane >> (round & 31) & 1) != 0) {
      body<kBody, 0>(x, a);
      if ((threadIdx.x & 1) != 0) {
        body<kBody, 1>(x, a);
      }
      body<kBody, 2>(x, a);
    }
  }
};
// As many trips as `lane` says, of a short body.
struct Trips {
  static __device__ void step(float& x, float a, Choice choice, int) {
#pragma unroll 1
    for (std::uint32_t i = 0; i < choice.lane; ++i) {
      body<8, 0>(x, a);
    }
  }
};
__noinline__ __device__ float called(float x, float a) {
  body<kBody, 0>(x, a);
  return x;
}
struct Call {
  static __device__ void step(float& x, float a, Choice, int) { x = called(x, a); }
};
#define SILICON_WAY(k)       \
  case k:                    \
    body<kWayBody, k>(x, a); \
    break;
#define SILICON_FOUR_WAYS(k) SILICON_WAY(k) SILICON_WAY(k + 1) SILICON_WAY(k + 2) SILICON_WAY(k + 3)
struct Switch {
  static __device__ void step(float& x, float a, Choice choice, int) {
    switch (choice.lane) {
      SILICON_FOUR_WAYS(0)
      SILICON_FOUR_WAYS(4)
      SILICON_FOUR_WAYS(8)
      SILICON_FOUR_WAYS(12)
      SILICON_FOUR_WAYS(16)
      SILICON_FOUR_WAYS(20)
      SILICON_FOUR_WAYS(24)
      SILICON_FOUR_WAYS(28)
      default: break;
    }
  }
};
#undef SILICON_WAY
#undef SILICON_FOUR_WAYS

template <typename Kind>
__global__ void rounds_of(float* values, const std::uint32_t* choices, std::uint32_t uniform, int rounds,
                          std::uint64_t* cycles) {
  float x = values[threadIdx.x];
  const float a = values[32 + threadIdx.x];
  const Choice choice{choices[threadIdx.x], uniform};
  __syncwarp();
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    Kind::step(x, a, choice, round);
  }
  __syncwarp();
  const std::uint64_t end = sm_cycles();
  cycles[threadIdx.x] = end - begin;
  values[threadIdx.x] = x;
}

struct Case {
  const char* op;
  std::uint32_t uniform;
  std::vector<std::uint32_t> lanes;  ///< what each lane chooses by
  Params params;                     ///< and in words
};

template <typename Kind>
double cycles_of(Buffer<float>& values, const Buffer<std::uint32_t>& choices, std::uint32_t uniform, int rounds) {
  Buffer<std::uint64_t> cycles(32);
  launch(rounds_of<Kind>, {}, values.get(), choices.get(), uniform, rounds, cycles.get());
  const std::vector<std::uint64_t> read = cycles.to_host();
  return static_cast<double>(*std::max_element(read.begin(), read.end()));
}

template <typename Kind>
void measure(Session& session, const Case& what) {
  Buffer<float> values(64);
  values.fill(Input::Random);
  const Buffer<std::uint32_t> choices(what.lanes);
  const Sampled cycles = session.sample(
      [&] {
        cycles_of<Kind>(values, choices, what.uniform, 2);  // fetches the code
        return (cycles_of<Kind>(values, choices, what.uniform, kMany) -
                cycles_of<Kind>(values, choices, what.uniform, kFew)) /
               (kMany - kFew);
      },
      {.times = 7, .warm_ups = 1});
  Params params{{"op", what.op}};
  params.insert(params.end(), what.params.begin(), what.params.end());
  session.record({.metric = "time_per_round",
                  .unit = "cycles",
                  .sampled = cycles,
                  .launch = launch_facts(rounds_of<Kind>, {}),
                  .params = params,
                  .input = Input::Random});
}

std::vector<std::uint32_t> by_lane(const std::function<std::uint32_t(std::uint32_t)>& choice) {
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    lanes.push_back(choice(lane));
  }
  return lanes;
}

void measure_branches(Session& session) {
  const std::vector<std::uint32_t> none(32, 0);
  measure<Straight>(session, {"loop", 0, none, {{"body", kBody}}});
  measure<Call>(session, {"call", 0, none, {{"body", kBody}}});
  for (const std::uint32_t taken : {0u, 0x55555555u, kAll}) {
    measure<UniformIf>(session,
                       {"uniform_if", taken, none, {{"body", kBody}, {"rounds_in_32", __builtin_popcount(taken)}}});
  }
  for (const std::uint32_t inside : {0u, 1u, 16u, 31u, 32u}) {
    const auto lanes = by_lane([&](std::uint32_t lane) { return lane < inside ? kAll : 0; });
    const Params params{{"body", kBody}, {"lanes_inside", inside}};
    measure<LaneIf>(session, {"if", 0, lanes, params});
    measure<LaneIfElse>(session, {"if_else", 0, lanes, params});
    measure<Nested>(session, {"nested_if", 0, lanes, params});
  }
}

void measure_ways(Session& session) {
  for (std::uint32_t ways = 1; ways <= 32; ways *= 2) {
    const auto lanes = by_lane([&](std::uint32_t lane) { return lane % ways; });
    measure<Switch>(session, {"switch", 0, lanes, {{"body", kWayBody}, {"ways", ways}}});
  }
  for (const auto& [least, most] :
       {std::pair{1u, 1u}, {4u, 4u}, {1u, 4u}, {16u, 16u}, {8u, 16u}, {1u, 16u}, {64u, 64u}, {32u, 64u}, {1u, 64u}}) {
    const auto lanes = by_lane([&](std::uint32_t lane) { return least + (most - least) * lane / 31; });
    measure<Trips>(session, {"trips", 0, lanes, {{"body", 8}, {"least", least}, {"most", most}}});
  }
}

void run(Session& session) {
  measure_branches(session);
  measure_ways(session);
}

const Registered kDivergence{{.name = "micro/divergence", .priority = 60, .seconds = 0.7, .run = run}};

}  // namespace
}  // namespace gpusim::silicon

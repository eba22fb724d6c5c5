// SPDX-License-Identifier: MIT
// Barriers in shared memory: what an arrival, a look at a completed phase and a wait cost a warp, how long a signal
// takes from one warp to another, and how long from the last byte of a transaction to the thread that waits for it.
// Each kernel does a thing `steps` times; the difference between many and few is free of what surrounds the loop.
#include <string>
#include <vector>

#include "tools/silicon/device/async.cuh"
#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/cluster.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

constexpr int kFew = 32;
constexpr int kMany = 288;
constexpr std::uint32_t kManyArrivals = (1u << 20) - 1;  // so many that no phase completes

struct Run {
  int steps;
  std::uint32_t zero;  // 0, which the compiler does not know
  std::uint64_t* cycles;
};

__device__ void report(const Run& run, std::uint64_t begin) {
  const std::uint64_t end = sm_cycles();
  if (threadIdx.x == 0) {
    *run.cycles = end - begin;
  }
}

// Thread 0 arrives again and again and does not look at the state; the loop is unrolled, arrivals may overlap.
__global__ void arrivals(const Run run) {
  __shared__ std::uint64_t memory;
  const std::uint32_t barrier = shared_address(&memory);
  barrier_init(barrier, kManyArrivals);
  const std::uint64_t begin = sm_cycles();
#pragma unroll 8
  for (int i = 0; i < run.steps; ++i) {
    barrier_arrive(barrier);
  }
  report(run, begin);
}

// The address of each arrival needs the state that the one before returned.
__global__ void dependent_arrivals(const Run run) {
  __shared__ std::uint64_t memory;
  std::uint32_t barrier = shared_address(&memory);
  barrier_init(barrier, kManyArrivals);
  const std::uint64_t begin = sm_cycles();
#pragma unroll 8
  for (int i = 0; i < run.steps; ++i) {
    barrier += static_cast<std::uint32_t>(barrier_arrive(barrier)) & run.zero;
  }
  report(run, begin);
}

// One thread is all that is expected: it arrives, completes the phase and waits for it.
__global__ void arrive_and_wait(const Run run) {
  __shared__ std::uint64_t memory;
  const std::uint32_t barrier = shared_address(&memory);
  barrier_init(barrier, 1);
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (int i = 0; i < run.steps; ++i) {
    barrier_arrive(barrier);
    barrier_wait(barrier, i % 2);
  }
  report(run, begin);
}

// A look at a phase that completed long ago; each look's address needs the one before.
template <bool kTry>
__global__ void looks(const Run run) {
  __shared__ std::uint64_t memory;
  std::uint32_t barrier = shared_address(&memory);
  barrier_init(barrier, 1);
  barrier_arrive(barrier);
  const std::uint64_t begin = sm_cycles();
#pragma unroll 8
  for (int i = 0; i < run.steps; ++i) {
    const bool done = kTry ? barrier_try_wait(barrier, 0) : barrier_test_parity(barrier, 0);
    barrier += done ? run.zero : 8;
  }
  report(run, begin);
}

// All warps, one lane each, arrive and wait: what bar.sync does, with a barrier in memory.
__global__ void all_warps(const Run run) {
  __shared__ std::uint64_t memory;
  const std::uint32_t barrier = shared_address(&memory);
  if (threadIdx.x == 0) {
    barrier_init(barrier, blockDim.x / 32);
  }
  __syncthreads();
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (int i = 0; i < run.steps; ++i) {
    if (threadIdx.x % 32 == 0) {
      barrier_arrive(barrier);
    }
    barrier_wait(barrier, i % 2);
  }
  report(run, begin);
}

// The first and the last warp throw a ball to each other; a step is there and back.
__global__ void ping_pong(const Run run) {
  __shared__ std::uint64_t memory[2];
  const std::uint32_t to_last = shared_address(&memory[0]);
  const std::uint32_t to_first = shared_address(&memory[1]);
  if (threadIdx.x == 0) {
    barrier_init(to_last, 1);
    barrier_init(to_first, 1);
  }
  __syncthreads();
  const std::uint64_t begin = sm_cycles();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int i = 0; i < run.steps; ++i) {
      barrier_arrive(to_last);
      barrier_wait(to_first, i % 2);
    }
    report(run, begin);
  } else if (threadIdx.x == blockDim.x - 32) {
#pragma unroll 1
    for (int i = 0; i < run.steps; ++i) {
      barrier_wait(to_last, i % 2);
      barrier_arrive(to_first);
    }
  }
}

// A transaction of 16 bytes that the thread itself completes.
__global__ void own_transaction(const Run run) {
  __shared__ std::uint64_t memory;
  const std::uint32_t barrier = shared_address(&memory);
  barrier_init(barrier, 1);
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (int i = 0; i < run.steps; ++i) {
    barrier_arrive_expect(barrier, 16);
    barrier_complete(barrier, 16);
    barrier_wait(barrier, i % 2);
  }
  report(run, begin);
}

// The smallest copy there is, from the CTA's shared memory to itself: the engine, the transaction and the wait. The
// copy is one within a cluster: an H200 calls it an illegal instruction without one.
__global__ void own_copy(const Run run) {
  __shared__ std::uint64_t memory;
  __shared__ alignas(16) std::uint32_t from[4];
  __shared__ alignas(16) std::uint32_t to[4];
  const std::uint32_t barrier = shared_address(&memory);
  const std::uint32_t source = shared_address(from);
  const std::uint32_t target = cluster_address(shared_address(to), cluster_rank());
  const std::uint32_t signal = cluster_address(barrier, cluster_rank());
  barrier_init(barrier, 1);
  fence_barrier_init();
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (int i = 0; i < run.steps; ++i) {
    barrier_arrive_expect(barrier, 16);
    bulk_copy_to_cta(target, source, 16, signal);
    barrier_wait(barrier, i % 2);
  }
  report(run, begin);
}

using Kernel = void (*)(Run);

double cycles_a_step(Kernel kernel, const LaunchConfig& config, int few, int many) {
  Buffer<std::uint64_t> cycles(1);
  const auto time = [&](int steps) {
    launch(kernel, config, Run{steps, 0, cycles.get()});
    return static_cast<double>(cycles.to_host()[0]);
  };
  time(few);  // fetches the code
  return (time(many) - time(few)) / (many - few);
}

struct Case {
  Kernel kernel;
  const char* metric;
  const char* what;
  std::uint32_t warps = 1;
  const char* note = "";
  int few = kFew;
  int many = kMany;
  std::uint32_t cluster = 1;
};

void measure(Session& session, const Case& c, std::uint32_t threads) {
  const LaunchConfig config{.grid = c.cluster, .block = threads, .cluster = c.cluster};
  session.record({.metric = c.metric,
                  .unit = "cycles",
                  .sampled = session.sample([&] { return cycles_a_step(c.kernel, config, c.few, c.many); },
                                            {.times = 7, .warm_ups = 1}),
                  .launch = launch_facts(c.kernel, config),
                  .params = {{"what", c.what}, {"warps", c.warps}},
                  .note = c.note});
}

void run(Session& session) {
  constexpr const char* kLookNote = "with SEL and IADD, which make the next address";
  // One thread each.
  for (const Case& c :
       {Case{arrivals, "interval", "arrive"},
        Case{dependent_arrivals, "latency", "arrive", 1, "with LOP3 and IADD, which make the next address"},
        Case{arrive_and_wait, "latency", "arrive and wait"},
        Case{looks<true>, "latency", "try_wait, phase complete", 1, kLookNote},
        Case{looks<false>, "latency", "test_wait, phase complete", 1, kLookNote},
        Case{own_transaction, "latency", "expect_tx, complete_tx and wait"}}) {
    measure(session, c, 1);
  }
  for (std::uint32_t warps = 1; warps <= 32; warps *= 2) {
    measure(session, {all_warps, "latency", "arrive and wait, a lane of each warp", warps}, warps * 32);
  }
  // Warps 0 and 1 are in different sub-cores, 0 and 4 in the same.
  measure(session, {ping_pong, "round_trip", "signal to a warp of another sub-core and back", 2}, 2 * 32);
  measure(session, {ping_pong, "round_trip", "signal to a warp of the same sub-core and back", 5}, 5 * 32);
  measure(session, {own_copy, "latency", "bulk copy of 16 bytes within the CTA", 1, "", kFew, kMany, 2}, 1);
}

const Registered kBarrier{
    {.name = "micro/mbarrier", .priority = 90, .seconds = 1, .needs = {Feature::Sm90}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon

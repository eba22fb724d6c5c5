// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

#include "tools/silicon/device/chase.cuh"
#include "tools/silicon/device/clock.cuh"

namespace gpusim::silicon {
namespace {

constexpr int kUnrolled = 64;  // what the loop may add, a move, is then below 0.1 cycles a step
constexpr std::uint32_t kSweepThreads = 1024;
constexpr std::uint32_t kMostTraced = 2048;

template <Path kPath>
__device__ __forceinline__ std::uint64_t load(std::uint64_t address) {
  std::uint64_t value;
  if constexpr (kPath == Path::L1) {
    asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  } else {
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  }
  return value;
}

__global__ void link_slots(Slots slots, const std::uint32_t* order) {
  const std::uint32_t step = gridDim.x * blockDim.x;
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < slots.count; i += step) {
    const std::uint32_t next = i + 1 == slots.count ? 0 : i + 1;
    *reinterpret_cast<std::uint64_t*>(slots.at(order[i])) = slots.at(order[next]);
  }
}

struct WalkOutput {
  std::uint64_t cycles;
  std::uint64_t last;
  std::uint64_t swept;
  std::uint32_t sm;
};

template <Path kPath>
__device__ std::uint64_t sweep_slots(const Slots& slots) {
  std::uint64_t sum = 0;
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = threadIdx.x; i < slots.count; i += blockDim.x) {
      sum += load<kPath>(slots.at(i));
    }
  }
  return sum;
}

template <Path kPath>
__global__ void walk_ring(Slots slots, bool sweep, std::uint64_t first, std::uint32_t warm_steps, std::uint32_t rounds,
                          WalkOutput* output) {
  if (sweep) {
    const std::uint64_t sum = sweep_slots<kPath>(slots);
    if (threadIdx.x == blockDim.x - 1) {
      output->swept = sum;
    }
    __syncthreads();
  }
  if (threadIdx.x != 0) {
    return;
  }
  std::uint64_t address = first;
#pragma unroll 1
  for (std::uint32_t i = 0; i < warm_steps; ++i) {
    address = load<kPath>(address);
  }
  address = load<kPath>(address);
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (std::uint32_t round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kUnrolled; ++i) {
      address = load<kPath>(address);
    }
  }
  const std::uint64_t end = sm_cycles();
  output->cycles = end - begin;
  output->last = address;
  output->sm = sm_id();
}

// All CTAs of a grid that fits the GPU at once have begun: then each SM has its own, and none comes a second time.
__device__ void wait_for_all(std::uint32_t* arrived) {
  atomicAdd(arrived, 1);
  while (atomicAdd(arrived, 0) < gridDim.x) {
  }
}

struct TraceOutput {
  std::uint64_t last;
  std::uint32_t sm;
  std::uint32_t walked;
};

template <Path kPath>
__global__ void trace_ring(const std::uint64_t* firsts, std::uint32_t warm_steps, std::uint32_t steps,
                           std::int64_t only_sm, std::uint32_t* arrived, TraceOutput* outputs, std::uint32_t* cycles) {
  extern __shared__ std::uint32_t stamps[];
  wait_for_all(arrived);
  const bool walks = only_sm < 0 || only_sm == sm_id();
  outputs[blockIdx.x] = {0, sm_id(), walks};
  if (!walks) {
    return;
  }
  std::uint64_t address = firsts[blockIdx.x];
#pragma unroll 1
  for (std::uint32_t i = 0; i < warm_steps; ++i) {
    address = load<kPath>(address);
  }
#pragma unroll 4
  for (std::uint32_t i = 0; i < steps; ++i) {
    address = load<kPath>(address);
    stamps[i] = static_cast<std::uint32_t>(sm_cycles());
  }
  outputs[blockIdx.x].last = address;  // waits for the last load, and so does the clock after it
  stamps[steps] = static_cast<std::uint32_t>(sm_cycles());
  for (std::uint32_t i = 0; i < steps; ++i) {
    cycles[blockIdx.x * steps + i] = stamps[i + 1] - stamps[i];
  }
}

auto walk_kernel(Path path) {
  return path == Path::L1 ? walk_ring<Path::L1> : walk_ring<Path::L2>;
}

auto trace_kernel(Path path) {
  return path == Path::L1 ? trace_ring<Path::L1> : trace_ring<Path::L2>;
}

LaunchConfig walk_config(const Walk& how) {
  return {.block = how.sweep ? kSweepThreads : 32, .dynamic_smem = how.dynamic_smem};
}

// All shared memory there is, so that no two CTAs share an SM.
LaunchConfig trace_config(const Session& session) {
  return {.grid = session.sms(),
          .block = 1,
          .dynamic_smem = static_cast<std::uint32_t>(session.device().sharedMemPerBlockOptin)};
}

}  // namespace

Ring::Ring(const Slots& slots, Visit visit) : slots_(slots), order_(slots.count) {
  std::iota(order_.begin(), order_.end(), 0u);
  if (visit == Visit::Shuffled) {
    std::mt19937_64 random(1);
    std::shuffle(order_.begin(), order_.end(), random);
  }
  const Buffer<std::uint32_t> order(order_);
  launch(link_slots, {.grid = 1024, .block = 256}, slots_, order.get());
  SILICON_CHECK(cudaDeviceSynchronize());
}

Walked walk(const Ring& ring, const Walk& how) {
  const auto kernel = walk_kernel(how.path);
  // The L1 gets all that the shared memory asked for leaves.
  SILICON_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1));
  const Buffer<WalkOutput> output(1);
  launch(kernel, walk_config(how), ring.slots(), how.sweep, ring.address(0), how.warm_steps, how.steps / kUnrolled,
         output.get());
  const WalkOutput read = output.to_host().front();
  return {static_cast<double>(read.cycles) / how.steps, read.last, read.sm};
}

LaunchFacts walk_facts(const Walk& how) {
  return launch_facts(walk_kernel(how.path), walk_config(how));
}

void measure_walk(Session& session, const Ring& ring, const Walk& how, const Params& params, const Repeat& repeat) {
  const std::uint64_t expected = ring.address(how.warm_steps + 1 + how.steps);
  const Walked first = walk(ring, how);
  const std::vector<double> last{static_cast<double>(first.last)};
  if (session.verify("end of the chase", compare(last, std::vector<double>{static_cast<double>(expected)}, {}),
                     params)) {
    session.record({.metric = "latency",
                    .unit = "cycles",
                    .sampled = session.sample([&] { return walk(ring, how).cycles_per_step; }, repeat),
                    .launch = walk_facts(how),
                    .params = params,
                    .note = "smid " + std::to_string(first.sm)});
  }
}

std::vector<TracedSm> walk_traced(Session& session, const Ring& ring, const TracedWalk& how) {
  if (ring.size() > kMostTraced) {
    throw std::invalid_argument("a traced ring has at most " + std::to_string(kMostTraced) + " slots");
  }
  const std::uint32_t size = ring.size();
  std::vector<std::uint64_t> firsts(session.sms());
  for (std::uint32_t i = 0; i < firsts.size(); ++i) {
    firsts[i] = ring.address(how.only_sm < 0 ? i * size / session.sms() : 0);
  }
  const Buffer<std::uint64_t> first(firsts);
  Buffer<std::uint32_t> arrived(1);
  arrived.fill(Input::Zero);
  const Buffer<TraceOutput> outputs(session.sms());
  const Buffer<std::uint32_t> cycles(std::size_t{session.sms()} * size);
  launch(trace_kernel(how.path), trace_config(session), first.get(), how.warm_rounds * size, size, how.only_sm,
         arrived.get(), outputs.get(), cycles.get());
  const std::vector<TraceOutput> read = outputs.to_host();
  const std::vector<std::uint32_t> times = cycles.to_host();
  std::vector<TracedSm> sms;
  for (std::uint32_t i = 0; i < session.sms(); ++i) {
    if (read[i].walked != 0) {
      TracedSm traced{read[i].sm, read[i].last, firsts[i], std::vector<double>(size)};
      for (std::uint32_t step = 0; step < size; ++step) {
        const std::uint32_t slot = (step + (how.only_sm < 0 ? i * size / session.sms() : 0)) % size;
        traced.latencies[slot] = times[i * size + step];
      }
      sms.push_back(std::move(traced));
    }
  }
  return sms;
}

LaunchFacts traced_facts(Session& session, const TracedWalk& how) {
  return launch_facts(trace_kernel(how.path), trace_config(session));
}

bool verify_traced(Session& session, const std::vector<TracedSm>& sms, const Params& params) {
  std::vector<double> got;
  std::vector<double> expected;
  for (const TracedSm& traced : sms) {
    got.push_back(static_cast<double>(traced.last));
    expected.push_back(static_cast<double>(traced.expected));
  }
  const bool any = !got.empty();
  return session.verify("end of the traced chase", compare(got, any ? expected : std::vector<double>{0}, {}), params);
}

}  // namespace gpusim::silicon

// SPDX-License-Identifier: MIT
// Memory that only the compiler addresses. Local: latency of a fill (LDL that hits) and of a spill with its fill (STL,
// LDL), for one lane and for a warp. Constant: latency and rate of LDC when the lanes of a warp read 1 to 32 distinct
// words (the constant port serves one word at a time), and the same words read as global memory, through the L1.
#include <string>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kSteps = 1024;
constexpr int kUnrolled = 64;

// ---- Local --------------------------------------------------------------------------------------------------------

constexpr std::uint32_t kRing = 16;  // 8-byte slots a thread

__device__ __forceinline__ void fill_step(std::uint64_t& address) {
  asm volatile("ld.local.u64 %0, [%0];" : "+l"(address)::"memory");
}

// Stores a value and loads it back. That `to` and `from` are the same place is not known to the assembler, which would
// leave the load out otherwise.
__device__ __forceinline__ void spill_step(std::uint64_t to, std::uint64_t from, std::uint64_t& value) {
  asm volatile("st.local.u64 [%1], %0; ld.local.u64 %0, [%2];" : "+l"(value) : "l"(to), "l"(from) : "memory");
}

// `shift` of 1 links each slot to the next; the array is as large as it looks because only the launch knows it.
template <bool kSpill>
__global__ void local_chain(std::uint32_t shift, std::uint64_t* cycles, std::uint64_t* travelled) {
  std::uint64_t ring[kRing];
  const std::uint64_t base = __cvta_generic_to_local(ring);
#pragma unroll 1
  for (std::uint32_t i = 0; i < kRing; ++i) {
    const std::uint64_t next = base + (i + shift) % kRing * sizeof(std::uint64_t);
    asm volatile("st.local.u64 [%0], %1;" ::"l"(base + i * sizeof(std::uint64_t)), "l"(next) : "memory");
  }
  const std::uint64_t same = base + (shift - 1);
  std::uint64_t address = base;
#pragma unroll 1
  for (std::uint32_t i = 0; i <= 2 * kRing; ++i) {
    fill_step(address);
  }
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (std::uint32_t i = 0; i < kSteps / kUnrolled; ++i) {
#pragma unroll
    for (int k = 0; k < kUnrolled; ++k) {
      if constexpr (kSpill) {
        spill_step(base, same, address);
      } else {
        fill_step(address);
      }
    }
  }
  const std::uint64_t end = sm_cycles();
  cycles[threadIdx.x] = end - begin;
  travelled[threadIdx.x] = address - base;
}

// Where the chain stands: 2 kRing + 1 steps on, then all the timed ones, or none, as a spill step brings its value
// back.
template <bool kSpill>
double end_of_chain() {
  const std::uint32_t steps = 2 * kRing + 1 + (kSpill ? 0 : kSteps);
  return static_cast<double>(steps % kRing * sizeof(std::uint64_t));
}

template <bool kSpill>
void measure_local(Session& session, std::uint32_t lanes) {
  const LaunchConfig config{.block = lanes};
  const Buffer<std::uint64_t> cycles(lanes);
  const Buffer<std::uint64_t> travelled(lanes);
  const auto once = [&] {
    launch(local_chain<kSpill>, config, 1u, cycles.get(), travelled.get());
    return static_cast<double>(cycles.to_host().front()) / kSteps;
  };
  once();
  const Params params{{"access", kSpill ? "STL+LDL" : "LDL"}, {"width_bits", 64}, {"lanes", lanes}};
  const std::vector<double> expected(lanes, end_of_chain<kSpill>());
  if (session.verify("end of the chain", compare(travelled.to_host(), expected, {}), params)) {
    session.record({.metric = "latency",
                    .unit = "cycles",
                    .sampled = session.sample(once, {.times = 7, .warm_ups = 1}),
                    .launch = launch_facts(local_chain<kSpill>, config),
                    .params = params});
  }
  session.expect_sass(launch_facts(local_chain<kSpill>, config), "LDL", kUnrolled, true);
}

void run_local(Session& session) {
  for (const std::uint32_t lanes : {1u, 32u}) {
    measure_local<false>(session, lanes);
    measure_local<true>(session, lanes);
  }
}

const Registered kLocal{{.name = "micro/local/latency", .priority = 50, .seconds = 1, .run = run_local}};

// ---- Constant -----------------------------------------------------------------------------------------------------

// Two rows of 32 words; word i of one holds the place, in bytes, of word i of the other.
constexpr std::uint32_t kConstants = 64;
__constant__ std::uint32_t constants[kConstants];

struct AsConstant {
  static constexpr const char* kName = "LDC";

  // Behind an asm that could change the place, so that no load can be taken out of its loop.
  static __device__ __forceinline__ std::uint32_t load(std::uint32_t place, const std::uint32_t*) {
    asm volatile("" : "+r"(place));
    return *reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const char*>(constants) + place);
  }
};

struct AsGlobal {
  static constexpr const char* kName = "LDG";

  static __device__ __forceinline__ std::uint32_t load(std::uint32_t place, const std::uint32_t* global) {
    std::uint32_t value;
    asm volatile("ld.global.ca.u32 %0, [%1];"
                 : "=r"(value)
                 : "l"(reinterpret_cast<const char*>(global) + place)
                 : "memory");
    return value;
  }
};

template <typename Access>
__global__ void constant_chain(const std::uint32_t* global, std::uint32_t distinct, std::uint64_t* cycles,
                               std::uint32_t* ends) {
  std::uint32_t place = threadIdx.x % distinct * sizeof(std::uint32_t);
#pragma unroll 1
  for (int i = 0; i < 3; ++i) {
    place = Access::load(place, global);
  }
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (std::uint32_t i = 0; i < kSteps / kUnrolled; ++i) {
#pragma unroll
    for (int k = 0; k < kUnrolled; ++k) {
      place = Access::load(place, global);
    }
  }
  const std::uint64_t end = sm_cycles();
  cycles[threadIdx.x] = end - begin;
  ends[threadIdx.x] = place;
}

template <typename Access>
void measure_constant(Session& session, std::uint32_t distinct) {
  const LaunchConfig config{};
  void* global = nullptr;
  SILICON_CHECK(cudaGetSymbolAddress(&global, constants));
  const Buffer<std::uint64_t> cycles(32);
  const Buffer<std::uint32_t> ends(32);
  const auto once = [&] {
    launch(constant_chain<Access>, config, static_cast<const std::uint32_t*>(global), distinct, cycles.get(),
           ends.get());
    return static_cast<double>(cycles.to_host().front()) / kSteps;
  };
  once();
  std::vector<double> expected;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t odd_row = 32 * ((3 + kSteps) % 2);
    expected.push_back((lane % distinct + odd_row) * sizeof(std::uint32_t));
  }
  const Params params{{"access", Access::kName}, {"distinct_words", distinct}};
  if (session.verify("end of the chain", compare(ends.to_host(), expected, {}), params)) {
    session.record({.metric = "latency",
                    .unit = "cycles",
                    .sampled = session.sample(once, {.times = 7, .warm_ups = 1}),
                    .launch = launch_facts(constant_chain<Access>, config),
                    .params = params,
                    .note = "a chain: each load's address is the one before's value; LDG has an addition in it"});
  }
}

void run_constant(Session& session) {
  std::vector<std::uint32_t> places(kConstants);
  for (std::uint32_t i = 0; i < kConstants; ++i) {
    places[i] = (i + 32) % kConstants * sizeof(std::uint32_t);
  }
  SILICON_CHECK(cudaMemcpyToSymbol(constants, places.data(), kConstants * sizeof(std::uint32_t)));
  for (std::uint32_t distinct = 1; distinct <= 32; distinct *= 2) {
    measure_constant<AsConstant>(session, distinct);
    measure_constant<AsGlobal>(session, distinct);
  }
  session.expect_sass(launch_facts(constant_chain<AsConstant>, {}), "LDC", kUnrolled, true);
}

const Registered kConstant{{.name = "micro/constant/distinct", .priority = 50, .seconds = 1, .run = run_constant}};

}  // namespace
}  // namespace gpusim::silicon

// SPDX-License-Identifier: MIT
// Latency and rate of one kind of access (an `Access`, below) when the lanes of a warp access given places: bank
// conflicts, strides, widths. Memory is kRows rows of kRowBytes; every row repeats the same places, and successive
// accesses go to successive rows.
//
// An Access has
//   Address                    of the memory, an integer
//   kName, kSass, kBits        what it is called, what a step must become, width of a lane's access
//   kSharedBytes               of the CTA
//   base(memory, shared)       where row 0 is, filled from `memory`
//   step(address)              replaces the address by what it loads there: the first 4 or 8 bytes
//   load(address)              the sum of the words that it loads
//   store_link(at, target)     so that step(at) gives target
//   words_of(offsets, lane)    on the host: bytes from the row's begin of each word that a lane gets
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon::pattern {

constexpr std::uint32_t kRows = 8;
constexpr std::uint32_t kRowBytes = 4096;
constexpr std::uint32_t kWords = kRows * kRowBytes / 4;
constexpr std::uint32_t kChainSteps = 1024;
constexpr std::uint32_t kFewRounds = 16;
constexpr std::uint32_t kManyRounds = 80;

/// Bytes from a row's begin, by lane.
struct Offsets {
  std::uint32_t of[32];
};

/// A name for the record, a number that tells it from its siblings, and the places. `link` is where a lane's next
/// address must stand for it to be what the lane loads; the same as `access` except for matrices.
struct Places {
  const char* pattern;
  std::uint32_t n;
  Offsets access;
  Offsets link;
};

/// Lanes `stride` elements apart: 0 is the same element for all.
inline Places strided(std::uint32_t element_bytes, std::uint32_t stride) {
  Places places{"stride", stride, {}, {}};
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    places.access.of[lane] = lane * stride * element_bytes;
  }
  places.link = places.access;
  return places;
}

/// Words of which `ways` lie in each bank that is used.
inline Places in_banks(std::uint32_t ways) {
  constexpr std::uint32_t kBanks = 32;
  Places places{"ways", ways, {}, {}};
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    places.access.of[lane] = (lane % ways * kBanks + lane / ways) * 4;
  }
  places.link = places.access;
  return places;
}

template <typename Access>
__global__ void chain(std::uint32_t* memory, Places places, std::uint32_t lanes, std::uint64_t* cycles,
                      std::uint64_t* travelled) {
  extern __shared__ uint4 shared[];
  using Address = typename Access::Address;
  const Address base = Access::base(memory, shared);
  for (std::uint32_t row = 0; row < kRows; ++row) {
    Access::store_link(base + row * kRowBytes + places.link.of[threadIdx.x],
                       base + (row + 1) % kRows * kRowBytes + places.access.of[threadIdx.x]);
  }
  __syncthreads();
  if (threadIdx.x >= lanes) {
    return;
  }
  Address address = base + places.access.of[threadIdx.x];
#pragma unroll 1
  for (std::uint32_t i = 0; i < 2 * kRows; ++i) {
    Access::step(address);
  }
  Access::step(address);  // under way while the clock is read
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (std::uint32_t round = 0; round < kChainSteps / 64; ++round) {
#pragma unroll
    for (int i = 0; i < 64; ++i) {
      Access::step(address);
    }
  }
  const std::uint64_t end = sm_cycles();
  *cycles = end - begin;
  travelled[threadIdx.x] = address - base;
}

template <typename Access>
__global__ void loads(std::uint32_t* memory, Offsets offsets, std::uint32_t rounds, std::uint32_t advance,
                      std::uint64_t* spans, std::uint32_t* sums) {
  extern __shared__ uint4 shared[];
  typename Access::Address address = Access::base(memory, shared) + offsets.of[threadIdx.x % 32];
  std::uint32_t sum = 0;
  __syncthreads();
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (std::uint32_t round = 0; round < rounds; ++round) {
    std::uint32_t loaded[kRows];
#pragma unroll
    for (std::uint32_t row = 0; row < kRows; ++row) {
      loaded[row] = Access::load(address + row * kRowBytes);
    }
#pragma unroll
    for (std::uint32_t row = 0; row < kRows; ++row) {
      sum += loaded[row];
    }
    address += advance;  // by nothing, which the compiler cannot know: no round is like the one before
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  const std::uint64_t end = sm_cycles();
  if (threadIdx.x % 32 == 0) {
    spans[threadIdx.x / 32 * 2] = begin;
    spans[threadIdx.x / 32 * 2 + 1] = end;
  }
}

/// What `memory` holds.
inline std::vector<std::uint32_t> words() {
  std::vector<std::uint32_t> values(kWords);
  for (std::uint32_t i = 0; i < kWords; ++i) {
    values[i] = i * 0x9e3779b1u + 1;
  }
  return values;
}

/// From the first warp's begin to the last one's end.
inline double span_of(const Buffer<std::uint64_t>& spans) {
  const std::vector<std::uint64_t> read = spans.to_host();
  std::uint64_t first = read[0];
  std::uint64_t last = read[1];
  for (std::size_t i = 0; i < read.size(); i += 2) {
    first = std::min(first, read[i]);
    last = std::max(last, read[i + 1]);
  }
  return static_cast<double>(last - first);
}

template <typename Access>
Params params_of(const Places& places, const char* counted, std::uint32_t count) {
  return {{"access", Access::kName},
          {"width_bits", Access::kBits},
          {"pattern", places.pattern},
          {places.pattern, places.n},
          {counted, count}};
}

/// That a chain is of nothing else.
template <typename Access>
void expect_steps(Session& session) {
  session.expect_sass(launch_facts(chain<Access>, {.dynamic_smem = Access::kSharedBytes}), Access::kSass, 64, true);
}

/// Cycles from one access to the next that needs its result.
template <typename Access>
void measure_latency(Session& session, const Places& places, std::uint32_t lanes = 32) {
  Buffer<std::uint32_t> memory(words());
  const Buffer<std::uint64_t> cycles(1);
  const Buffer<std::uint64_t> travelled(32);
  const LaunchConfig config{.dynamic_smem = Access::kSharedBytes};
  const auto once = [&] {
    launch(chain<Access>, config, memory.get(), places, lanes, cycles.get(), travelled.get());
    return static_cast<double>(cycles.to_host().front()) / kChainSteps;
  };
  once();
  const Params params = params_of<Access>(places, "lanes", lanes);
  std::vector<double> ends;
  std::vector<double> expected;
  const std::vector<std::uint64_t> read = travelled.to_host();
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    ends.push_back(static_cast<double>(read[lane]));
    expected.push_back((2 * kRows + 1 + kChainSteps) % kRows * kRowBytes + places.access.of[lane]);
  }
  if (session.verify("end of the chain", compare(ends, expected, {}), params)) {
    session.record({.metric = "latency",
                    .unit = "cycles",
                    .sampled = session.sample(once, {.times = 7, .warm_ups = 1}),
                    .launch = launch_facts(chain<Access>, config),
                    .params = params});
  }
}

template <typename Access>
std::uint32_t expected_sum(const std::vector<std::uint32_t>& values, const Places& places, std::uint32_t lane) {
  std::uint32_t sum = 0;
  for (const std::uint32_t offset : Access::words_of(places.access, lane)) {
    for (std::uint32_t row = 0; row < kRows; ++row) {
      sum += values[(row * kRowBytes + offset) / 4];
    }
  }
  return sum * kManyRounds;
}

/// Warp instructions a cycle of one SM, many warps at it.
template <typename Access>
void measure_rate(Session& session, const Places& places, std::uint32_t warps) {
  const std::vector<std::uint32_t> values = words();
  const Buffer<std::uint32_t> memory(values);
  const Buffer<std::uint64_t> spans(2 * warps);
  const Buffer<std::uint32_t> sums(32 * warps);
  const LaunchConfig config{.block = 32 * warps, .dynamic_smem = Access::kSharedBytes};
  const auto span = [&](std::uint32_t rounds) {
    launch(loads<Access>, config, memory.get(), places.access, rounds, 0u, spans.get(), sums.get());
    return span_of(spans);
  };
  const Params params = params_of<Access>(places, "warps", warps);
  span(kManyRounds);
  const std::vector<std::uint32_t> got = sums.to_host();
  std::vector<double> expected;
  for (std::uint32_t i = 0; i < got.size(); ++i) {
    expected.push_back(expected_sum<Access>(values, places, i % 32));
  }
  if (session.verify("sums", compare(got, expected, {}), params)) {
    const double instructions = static_cast<double>(warps) * kRows * (kManyRounds - kFewRounds);
    session.record({.metric = "throughput",
                    .unit = "inst/cycle/SM",
                    .sampled = session.sample([&] { return instructions / (span(kManyRounds) - span(kFewRounds)); },
                                              {.times = 5, .warm_ups = 1}),
                    .launch = launch_facts(loads<Access>, config),
                    .params = params});
  }
}

}  // namespace gpusim::silicon::pattern

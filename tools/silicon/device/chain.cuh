// SPDX-License-Identifier: MIT
// Latency and throughput of one SASS operation, from a table with a line for each: SILICON_CHAINS(...) at the end of
// this file. micro/alu_fp32.cu shows it in use.
//
// Latency: one warp runs a chain in which every step needs the step before. Two chains of different length run in the
// same way; the difference of their times over the difference of their lengths is free of what surrounds them (reading
// the clock, entering the loop). Throughput: 1 to 32 warps of one CTA run one or several independent chains each; again
// the difference between few and many rounds counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"
#include "tools/silicon/host/step.h"

namespace gpusim::silicon::chain {

constexpr int kPasses = 8;   // the first ones fetch the code
constexpr int kShort = 64;   // steps
constexpr int kLong = 320;   // 5 KiB of code
constexpr int kRound = 512;  // steps of a warp in one round: the loop's own instructions are below 1 %
constexpr int kFewRounds = 2;
constexpr int kManyRounds = 10;
constexpr std::uint32_t kMostWarps = 32;  // fewer where registers do not allow so many
constexpr int kOperands = 2;              // that every step reads beside its chain's value

/// Each step is `x = op(x, a, b)`.
template <typename Op, int kLength>
__global__ void latency(typename Op::Value* values, std::uint64_t* cycles) {
  using Value = typename Op::Value;
  Value x = values[threadIdx.x];
  const Value a = values[32 + threadIdx.x];
  const Value b = values[64 + threadIdx.x];
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    const std::uint64_t begin = sm_cycles();
#pragma unroll
    for (int i = 0; i < kLength; ++i) {
      Op::step(x, a, b);
    }
    const std::uint64_t end = sm_cycles();
    cycles[pass * 32 + threadIdx.x] = end - begin;
  }
  values[threadIdx.x] = x;
}

/// `kChains` values of each thread take turns. `spans`: begin and end of every warp, by the clock they share.
template <typename Op, int kChains>
__global__ void throughput(typename Op::Value* values, int rounds, std::uint64_t* spans) {
  using Value = typename Op::Value;
  Value x[kChains];
#pragma unroll
  for (int k = 0; k < kChains; ++k) {
    x[k] = values[(k + 2) * blockDim.x + threadIdx.x];
  }
  const Value a = values[threadIdx.x];
  const Value b = values[blockDim.x + threadIdx.x];
  __syncthreads();
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kRound; ++i) {
      Op::step(x[i % kChains], a, b);
    }
  }
  const std::uint64_t end = sm_cycles();
  if (threadIdx.x % 32 == 0) {
    spans[threadIdx.x / 32 * 2] = begin;
    spans[threadIdx.x / 32 * 2 + 1] = end;
  }
#pragma unroll
  for (int k = 0; k < kChains; ++k) {
    values[(k + 2) * blockDim.x + threadIdx.x] = x[k];
  }
}

template <typename Op, int kLength>
double cycles_of_chain(Buffer<typename Op::Value>& values) {
  Buffer<std::uint64_t> cycles(kPasses * 32);
  launch(latency<Op, kLength>, {}, values.get(), cycles.get());
  const std::vector<std::uint64_t> read = cycles.to_host();
  std::vector<double> warm;
  for (int pass = kPasses / 2; pass < kPasses; ++pass) {
    warm.push_back(static_cast<double>(read[pass * 32]));
  }
  return summarize(std::move(warm)).median;
}

/// Returns the number of instructions of a step.
template <typename Op>
std::size_t expect_steps(Session& session, const LaunchFacts& facts, std::uint32_t steps) {
  const std::vector<std::string> parts = instructions_of(Op::kMnemonic);
  for (const std::string& part : parts) {
    session.expect_sass(facts, part, steps, true);
  }
  return parts.size();
}

template <typename Op>
void measure_latency(Session& session) {
  Buffer<typename Op::Value> values((1 + kOperands) * 32);
  values.fill(Input::Random);
  const Sampled cycles = session.sample(
      [&] { return (cycles_of_chain<Op, kLong>(values) - cycles_of_chain<Op, kShort>(values)) / (kLong - kShort); });
  const LaunchFacts facts = launch_facts(latency<Op, kLong>, {});
  const std::size_t instructions = expect_steps<Op>(session, facts, kLong);
  session.record({.metric = "latency",
                  .unit = "cycles",
                  .sampled = cycles,
                  .launch = facts,
                  .params = {{"op", Op::kMnemonic}, {"ptx", Op::kPtx}, {"instructions", instructions}},
                  .input = Input::Random});
}

// From the first warp's begin to the last one's end.
template <typename Op, int kChains>
double span_of(Buffer<typename Op::Value>& values, const LaunchConfig& config, int rounds) {
  Buffer<std::uint64_t> spans(config.block.x / 32 * 2);
  launch(throughput<Op, kChains>, config, values.get(), rounds, spans.get());
  const std::vector<std::uint64_t> read = spans.to_host();
  std::uint64_t first = read[0];
  std::uint64_t last = read[1];
  for (std::size_t i = 0; i < read.size(); i += 2) {
    first = std::min(first, read[i]);
    last = std::max(last, read[i + 1]);
  }
  return static_cast<double>(last - first);
}

template <typename Op, int kChains>
void measure_throughput(Session& session) {
  const std::size_t instructions = expect_steps<Op>(session, launch_facts(throughput<Op, kChains>, {}), kRound);
  const std::uint32_t most_warps = std::min(kMostWarps, most_threads(throughput<Op, kChains>) / 32);
  for (std::uint32_t warps = 1; warps <= most_warps; warps *= 2) {
    const LaunchConfig config{.block = warps * 32};
    Buffer<typename Op::Value> values((kChains + kOperands) * warps * 32);
    values.fill(Input::Random);
    const double issued = static_cast<double>(instructions) * warps * kRound * (kManyRounds - kFewRounds);
    const Sampled rate = session.sample(
        [&] {
          span_of<Op, kChains>(values, config, 1);  // fetches the code
          return issued /
                 (span_of<Op, kChains>(values, config, kManyRounds) - span_of<Op, kChains>(values, config, kFewRounds));
        },
        {.times = 7, .warm_ups = 1});
    session.record({.metric = "throughput",
                    .unit = "inst/cycle/SM",
                    .sampled = rate,
                    .launch = launch_facts(throughput<Op, kChains>, config),
                    .params = {{"op", Op::kMnemonic}, {"ptx", Op::kPtx}, {"warps", warps}, {"chains", kChains}},
                    .input = Input::Random});
  }
}

template <typename Op>
void measure(Session& session) {
  measure_latency<Op>(session);
  measure_throughput<Op, 1>(session);
  measure_throughput<Op, 4>(session);
}

}  // namespace gpusim::silicon::chain

/// Name, SASS mnemonic it must become (alternatives separated by '|'; a step of several instructions names all of them,
/// separated by '+', and its latency is that of the whole), C++ type of the values, constraint letter of
/// that type in inline PTX, PTX with %0 the chain's value and %1, %2 the others.
#define SILICON_CHAIN_OP(Name, mnemonic, Type, letter, ptx)                              \
  struct Name {                                                                          \
    using Value = Type;                                                                  \
    static constexpr const char* kMnemonic = mnemonic;                                   \
    static constexpr const char* kPtx = ptx;                                             \
    static __device__ __forceinline__ void step(Type& x, const Type& a, const Type& b) { \
      asm volatile(ptx : "+" letter(x) : letter(a), letter(b));                          \
    }                                                                                    \
  };
#define SILICON_CHAIN_MEASURE(Name, mnemonic, Type, letter, ptx) ::gpusim::silicon::chain::measure<Name>(session);

/// An experiment of every operation in TABLE, a macro that calls its argument for each line. Anonymous namespaces would
/// make the symbols of different files alike, so operations live in a namespace of the table's name.
#define SILICON_CHAINS(TABLE, experiment, priority_, seconds_, ...)                                                \
  namespace gpusim::silicon::TABLE##_ops {                                                                         \
    TABLE(SILICON_CHAIN_OP)                                                                                        \
    static void run_all(Session& session) {                                                                        \
      TABLE(SILICON_CHAIN_MEASURE)                                                                                 \
    }                                                                                                              \
    static const Registered kRegistered{                                                                           \
        {.name = experiment, .priority = priority_, .seconds = seconds_, .needs = {__VA_ARGS__}, .run = run_all}}; \
  }

// SPDX-License-Identifier: MIT
// What a warp-specialised kernel does once or often besides its work: setmaxnreg down and up (a warpgroup gives
// registers back, another takes them), and elect.sync.
#include <algorithm>
#include <vector>

#include "tools/silicon/device/async.cuh"
#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kWarpgroup = 128;
constexpr std::uint32_t kThreads = 3 * kWarpgroup;  // compiled for 168 registers a thread
constexpr int kElects = 64;                         // of a round
constexpr int kFewRounds = 2;
constexpr int kManyRounds = 10;

// Begin, end of giving and of taking, by warpgroup. The last warpgroup gives 168 - 24 a thread; the two others take 72
// each, which they can once it has given.
__global__ void __launch_bounds__(kThreads, 1) move_registers(std::uint64_t* cycles) {
  __syncthreads();
  const std::uint64_t begin = sm_cycles();
  std::uint64_t end;
  if (threadIdx.x >= 2 * kWarpgroup) {
    registers_down_to<24>();
    end = sm_cycles();
  } else {
    registers_up_to<240>();
    end = sm_cycles();
  }
  if (threadIdx.x % kWarpgroup == 0) {
    cycles[threadIdx.x / kWarpgroup] = end - begin;
  }
}

// A step elects a thread, which then counts: the predicate is used each time. In a loop, so that the clock is not read
// before its end.
__global__ void elect(int rounds, std::uint64_t* cycles, std::uint32_t* elected) {
  std::uint32_t times = 0;
  const std::uint64_t begin = sm_cycles();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < kElects; ++i) {
      times += elect_one() ? 1 : 0;
    }
  }
  const std::uint64_t end = sm_cycles();
  elected[threadIdx.x] = times;
  *cycles = end - begin;
}

double cycles_of_elects(int rounds, const Buffer<std::uint32_t>& elected) {
  Buffer<std::uint64_t> cycles(1);
  launch(elect, {}, rounds, cycles.get(), elected.get());
  return static_cast<double>(cycles.to_host()[0]);
}

bool elect_is_right(Session& session, const Buffer<std::uint32_t>& elected) {
  cycles_of_elects(kFewRounds, elected);
  std::vector<double> sorted;
  for (const std::uint32_t times : elected.to_host()) {
    sorted.push_back(times);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> expected(32, 0);
  expected.back() = kFewRounds * kElects;  // always the same thread, whichever that is
  return session.verify("elect.sync", compare(sorted, expected, {}), {});
}

void measure_elect(Session& session) {
  const Buffer<std::uint32_t> elected(32);
  if (!elect_is_right(session, elected)) {
    return;
  }
  const Sampled cycles = session.sample([&] {
    cycles_of_elects(1, elected);  // fetches the code
    return (cycles_of_elects(kManyRounds, elected) - cycles_of_elects(kFewRounds, elected)) /
           ((kManyRounds - kFewRounds) * kElects);
  });
  const LaunchFacts facts = launch_facts(elect, {});
  session.record({.metric = "interval",
                  .unit = "cycles",
                  .sampled = cycles,
                  .launch = facts,
                  .params = {{"what", "elect.sync and a predicated addition"}}});
  session.expect_sass(facts, "ELECT", kElects, true);
}

void measure_registers(Session& session) {
  const LaunchConfig config{.block = kThreads};
  for (const bool giving : {true, false}) {
    const Sampled cycles = session.sample([&] {
      Buffer<std::uint64_t> read(3);
      launch(move_registers, config, read.get());
      const std::vector<std::uint64_t> values = read.to_host();
      return static_cast<double>(giving ? values[2] : std::max(values[0], values[1]));
    });
    session.record({.metric = "latency",
                    .unit = "cycles",
                    .sampled = cycles,
                    .launch = launch_facts(move_registers, config),
                    .params = {{"what", giving ? "setmaxnreg down" : "setmaxnreg up, waiting for another's down"}}});
  }
  session.expect_sass(launch_facts(move_registers, config), "USETMAXREG", 2, true);
}

void run(Session& session) {
  measure_registers(session);
  measure_elect(session);
}

const Registered kWarpgroups{
    {.name = "micro/warpgroup", .priority = 50, .seconds = 1, .needs = {Feature::Sm90a}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon

// SPDX-License-Identifier: MIT
// One copy at a time: from before the arrival that announces its bytes until a wait of the same thread sees them, by
// size, as a 2-D box and as a 1-D bulk copy, from L2 and from DRAM. Gives the model the engine's latency over a load's
// and its cost by size; the first copy of a launch shows what fetching the tensor map costs.
#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/micro/tma.cuh"

namespace gpusim::silicon {
namespace {

using tma::Kind;

constexpr std::uint32_t kBoxes = 33;
constexpr std::uint32_t kMostBytes = 32 * 1024;
constexpr std::uint32_t kApart =
    16;  // boxes are this many of their sizes apart: neither rows nor pages are shared much

template <Kind kind>
__global__ void one_at_a_time(const __grid_constant__ CUtensorMap map, const char* data, std::uint32_t bytes,
                              std::uint64_t* cycles, std::uint32_t* last_box) {
  extern __shared__ char raw[];
  __shared__ std::uint64_t barrier_memory;
  const std::uint32_t to = tma::aligned_shared(raw);
  const std::uint32_t barrier = shared_address(&barrier_memory);
  if (threadIdx.x == 0) {
    barrier_init(barrier, 1);
    fence_barrier_init();
#pragma unroll 1
    for (std::uint32_t i = 0; i < kBoxes; ++i) {
      const std::uint64_t begin = sm_cycles();
      barrier_arrive_expect(barrier, bytes);
      tma::load_box<kind>(to, map, data, bytes, i * kApart, barrier);
      barrier_wait(barrier, i % 2);
      const std::uint64_t end = sm_cycles();
      cycles[i] = end - begin;
    }
  }
  __syncthreads();
  const char* box = raw + (to - shared_address(raw));
  for (std::uint32_t i = threadIdx.x; i < bytes / 4; i += blockDim.x) {
    last_box[i] = reinterpret_cast<const std::uint32_t*>(box)[i];
  }
}

struct Latencies {
  double first;   // of the launch, with the map fetched
  double median;  // of all later ones
};

template <Kind kind>
struct Problem {
  Buffer<float> data{std::size_t{kBoxes} * kApart * kMostBytes / 4};
  Buffer<std::uint64_t> cycles{kBoxes};
  Buffer<float> last_box{kMostBytes / 4};

  static LaunchConfig config(std::uint32_t bytes) { return {.block = 32, .dynamic_smem = bytes + tma::kAlign}; }
  Latencies run(std::uint32_t bytes, CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) const {
    launch(one_at_a_time<kind>, config(bytes), tma::map_of(data.get(), data.bytes(), bytes, swizzle),
           reinterpret_cast<const char*>(data.get()), bytes, cycles.get(),
           reinterpret_cast<std::uint32_t*>(last_box.get()));
    const std::vector<std::uint64_t> read = cycles.to_host();
    return {static_cast<double>(read[0]), summarize({read.begin() + 1, read.end()}).median};
  }
};

template <Kind kind>
bool is_right(Session& session, Problem<kind>& problem, std::uint32_t bytes, bool swizzled) {
  problem.data.fill(Input::Random);
  problem.last_box.poison();
  problem.run(bytes, swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE);
  std::vector<float> got = problem.last_box.to_host();
  got.resize(bytes / 4);
  const std::vector<double> expected =
      tma::expected_box(problem.data.to_host(), bytes, (kBoxes - 1) * kApart, swizzled);
  return session.verify("TMA load", compare(got, expected, {}),
                        {{"kind", tma::name_of(kind)}, {"bytes", bytes}, {"swizzled", swizzled ? 1 : 0}});
}

template <Kind kind>
void measure(Session& session, const Problem<kind>& problem, std::uint32_t bytes, Cache cache) {
  const Repeat repeat{.times = 7, .warm_ups = 1, .cache = cache};
  std::vector<double> firsts;
  Result result{.metric = "latency",
                .unit = "cycles",
                .sampled = session.sample(
                    [&] {
                      const Latencies latencies = problem.run(bytes);
                      firsts.push_back(latencies.first);
                      return latencies.median;
                    },
                    repeat),
                .launch = launch_facts(one_at_a_time<kind>, problem.config(bytes)),
                .params = {{"kind", tma::name_of(kind)}, {"bytes", bytes}},
                .cache = cache,
                .note = "issue until the issuing thread's wait returns"};
  session.record(result);
  result.metric = "latency_of_first";
  result.sampled.values = {firsts.end() - static_cast<std::ptrdiff_t>(result.sampled.values.size()), firsts.end()};
  session.record(result);
}

template <Kind kind>
void run_kind(Session& session) {
  Problem<kind> problem;
  if (!is_right(session, problem, 4096, false) || (kind == Kind::Tensor && !is_right(session, problem, 8192, true))) {
    return;
  }
  for (const std::uint32_t bytes : {128u, 256u, 1024u, 2048u, 4096u, 8192u, 16384u, 32768u}) {
    measure(session, problem, bytes, Cache::Warm);
    measure(session, problem, bytes, Cache::Cold);
  }
  session.expect_sass(launch_facts(one_at_a_time<kind>, problem.config(128)),
                      kind == Kind::Tensor ? "UTMALDG" : "UBLKCP", 1, true);
}

// `copies` asked for without a wait in between: what each one costs the thread that asks, with the loop over active
// threads that the compiler puts around such an instruction when it cannot know that there is only one.
template <Kind kind>
__global__ void many_at_once(const __grid_constant__ CUtensorMap map, const char* data, std::uint32_t bytes,
                             std::uint32_t copies, std::uint64_t* cycles) {
  extern __shared__ char raw[];
  __shared__ std::uint64_t barrier_memory;
  const std::uint32_t to = tma::aligned_shared(raw);
  const std::uint32_t barrier = shared_address(&barrier_memory);
  barrier_init(barrier, 1);
  fence_barrier_init();
  tensor_prefetch_map(map);
  for (std::uint32_t pass = 0; pass < 2; ++pass) {  // the first fetches code, map and data
    barrier_arrive_expect(barrier, copies * bytes);
    const std::uint64_t begin = sm_cycles();
#pragma unroll 1
    for (std::uint32_t i = 0; i < copies; ++i) {
      tma::load_box<kind>(to, map, data, bytes, i, barrier);
    }
    *cycles = sm_cycles() - begin;
    barrier_wait(barrier, pass);
  }
}

template <Kind kind>
void measure_issue(Session& session, std::uint32_t bytes) {
  constexpr std::uint32_t kFew = 4;
  constexpr std::uint32_t kMany = 20;
  const LaunchConfig config{.block = 1, .dynamic_smem = bytes + tma::kAlign};
  Buffer<float> data(kMany * bytes / 4);
  data.fill(Input::Random);
  const CUtensorMap map = tma::map_of(data.get(), data.bytes(), bytes);
  Buffer<std::uint64_t> cycles(1);
  const auto time = [&](std::uint32_t copies) {
    launch(many_at_once<kind>, config, map, reinterpret_cast<const char*>(data.get()), bytes, copies, cycles.get());
    return static_cast<double>(cycles.to_host()[0]);
  };
  session.record({.metric = "issue_interval",
                  .unit = "cycles",
                  .sampled = session.sample([&] { return (time(kMany) - time(kFew)) / (kMany - kFew); }),
                  .launch = launch_facts(many_at_once<kind>, config),
                  .params = {{"kind", tma::name_of(kind)}, {"bytes", bytes}},
                  .note = "one thread, between the 5th and the 20th copy that it asks for at once"});
}

void run(Session& session) {
  for (const std::uint32_t bytes : {128u, 2048u, 16384u}) {
    measure_issue<Kind::Tensor>(session, bytes);
    measure_issue<Kind::Bulk>(session, bytes);
  }
  run_kind<Kind::Tensor>(session);
  run_kind<Kind::Bulk>(session);
}

const Registered kLatency{
    {.name = "micro/tma/latency", .priority = 90, .seconds = 2, .needs = {Feature::Sm90}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon

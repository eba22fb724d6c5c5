// SPDX-License-Identifier: MIT
// Copies from shared to global memory: stores as 2-D boxes and as 1-D bulk copies, and bulk additions of floats. One at
// a time: until shared memory may be written again, and until the data is written. Then as much as all SMs together can
// write with some copies of each under way.
#include <array>

#include "tools/silicon/device/clock.cuh"
#include "tools/silicon/micro/tma.cuh"

namespace gpusim::silicon {
namespace {

enum class Write { Tensor, Bulk, BulkAdd };

constexpr std::uint32_t kRounds = 32;
constexpr std::uint64_t kOfL2 = 16ull << 20;
constexpr std::uint64_t kOfDram = 512ull << 20;

constexpr const char* name_of(Write write) {
  return write == Write::Tensor ? "tensor 2-D" : write == Write::Bulk ? "bulk 1-D" : "bulk 1-D add f32";
}

template <Write write>
__device__ __forceinline__ void write_box(const CUtensorMap& map, float* data, std::uint32_t bytes, std::uint32_t box,
                                          std::uint32_t from) {
  if constexpr (write == Write::Tensor) {
    tensor_store(map, 0, static_cast<std::int32_t>(box * (bytes / tma::kRowBytes)), from);
  } else if constexpr (write == Write::Bulk) {
    bulk_store(data + std::uint64_t{box} * (bytes / 4), from, bytes);
  } else {
    bulk_add(data + std::uint64_t{box} * (bytes / 4), from, bytes);
  }
  bulk_commit();
}

// Word i of shared memory.
__host__ __device__ constexpr float pattern(std::uint32_t i) {
  return static_cast<float>(i % 8191) + 1;
}

__device__ std::uint32_t fill_shared(char* raw, std::uint32_t bytes) {
  const std::uint32_t from = tma::aligned_shared(raw);
  float* words = reinterpret_cast<float*>(raw + (from - shared_address(raw)));
  for (std::uint32_t i = threadIdx.x; i < bytes / 4; i += blockDim.x) {
    words[i] = pattern(i);
  }
  fence_async_shared();
  __syncthreads();
  return from;
}

template <Write write>
__global__ void one_at_a_time(const __grid_constant__ CUtensorMap map, float* data, std::uint32_t bytes,
                              std::uint64_t* until_read, std::uint64_t* until_written) {
  extern __shared__ char raw[];
  const std::uint32_t from = fill_shared(raw, bytes);
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (std::uint32_t i = 0; i < kRounds; ++i) {
      const std::uint64_t begin = sm_cycles();
      write_box<write>(map, data, bytes, i, from);
      bulk_wait_read<0>();
      const std::uint64_t read = sm_cycles();
      bulk_wait<0>();
      const std::uint64_t written = sm_cycles();
      until_read[i] = read - begin;
      until_written[i] = written - begin;
    }
  }
}

template <Write write, int kDepth>
__global__ void stream(const __grid_constant__ CUtensorMap map, float* data, std::uint32_t bytes, std::uint32_t boxes,
                       std::uint32_t in_all) {
  extern __shared__ char raw[];
  const std::uint32_t from = fill_shared(raw, bytes);
  if (threadIdx.x == 0) {
    std::uint32_t at = blockIdx.x;
#pragma unroll 1
    for (std::uint32_t box = 0; box < boxes; ++box) {
      write_box<write>(map, data, bytes, at, from);
      bulk_wait_read<kDepth - 1>();
      at += gridDim.x;
      at = at >= in_all ? at - in_all : at;
    }
    bulk_wait<0>();
  }
}

LaunchConfig config_of(std::uint32_t ctas, std::uint32_t bytes) {
  return {.grid = ctas, .block = 128, .dynamic_smem = bytes + tma::kAlign};
}

struct Waits {
  Buffer<std::uint64_t> until_read{kRounds};
  Buffer<std::uint64_t> until_written{kRounds};
};

template <Write write>
void run_once(const Buffer<float>& data, std::uint32_t bytes, const Waits& waits) {
  launch(one_at_a_time<write>, config_of(1, bytes), tma::map_of(data.get(), data.bytes(), bytes), data.get(), bytes,
         waits.until_read.get(), waits.until_written.get());
}

// Stored over NaN, added to zeros; the boxes beyond stay as they were.
template <Write write>
bool is_right(Session& session) {
  constexpr std::uint32_t kBytes = 4096;
  Buffer<float> data(kRounds * kBytes / 4);
  if (write == Write::BulkAdd) {
    data.fill(Input::Zero);
  }
  run_once<write>(data, kBytes, Waits{});
  std::vector<double> expected(data.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] = pattern(i % (kBytes / 4));
  }
  return session.verify("TMA store", compare(data.to_host(), expected, {}), {{"kind", name_of(write)}});
}

double median_of(const Buffer<std::uint64_t>& cycles) {
  const std::vector<std::uint64_t> read = cycles.to_host();
  return summarize({read.begin() + 1, read.end()}).median;
}

template <Write write>
void measure_latency(Session& session, const Buffer<float>& data, std::uint32_t bytes) {
  const Waits waits;
  const auto record = [&](const char* metric, const Buffer<std::uint64_t>& cycles, const char* note) {
    const Sampled sampled = session.sample(
        [&] {
          run_once<write>(data, bytes, waits);
          return median_of(cycles);
        },
        {.times = 5, .warm_ups = 1});
    session.record({.metric = metric,
                    .unit = "cycles",
                    .sampled = sampled,
                    .launch = launch_facts(one_at_a_time<write>, config_of(1, bytes)),
                    .params = {{"kind", name_of(write)}, {"bytes", bytes}},
                    .note = note});
  };
  record("latency_read", waits.until_read, "issue until shared memory may be written again");
  record("latency", waits.until_written, "issue until written");
}

template <Write write, int kDepth>
void measure_bandwidth(Session& session, const Buffer<float>& data, std::uint32_t bytes, Cache cache) {
  constexpr std::uint32_t kFewBoxes = 256;
  const std::uint64_t footprint = cache == Cache::Warm ? kOfL2 : kOfDram;
  const auto in_all = static_cast<std::uint32_t>(footprint / bytes);
  const std::uint32_t boxes = cache == Cache::Warm ? kFewBoxes : std::max(kFewBoxes, in_all / session.sms());
  const CUtensorMap map = tma::map_of(data.get(), footprint, bytes);
  const LaunchConfig config = config_of(session.sms(), bytes);
  const Sampled us =
      session.sample_us([&] { launch(stream<write, kDepth>, config, map, data.get(), bytes, boxes, in_all); },
                        {.times = 5, .warm_ups = 1});
  const double written = static_cast<double>(session.sms()) * boxes * bytes;
  session.record({.metric = "bandwidth",
                  .unit = "GB/s",
                  .sampled = us.map([&](double t) { return written / t * 1e-3; }),
                  .launch = launch_facts(stream<write, kDepth>, config),
                  .params = {{"kind", name_of(write)},
                             {"box_bytes", bytes},
                             {"depth", kDepth},
                             {"ctas", session.sms()},
                             {"footprint_mib", footprint >> 20}},
                  .cache = cache});
}

template <Write write>
void run_kind(Session& session) {
  if (!is_right<write>(session)) {
    return;
  }
  Buffer<float> data(kOfDram / 4);
  data.fill(Input::Zero);
  for (const std::uint32_t bytes : {128u, 1024u, 4096u, 16384u, 32768u}) {
    measure_latency<write>(session, data, bytes);
  }
  for (const Cache cache : {Cache::Warm, Cache::Cold}) {
    for (const std::uint32_t bytes : {1024u, 4096u, 16384u}) {
      measure_bandwidth<write, 1>(session, data, bytes, cache);
      measure_bandwidth<write, 4>(session, data, bytes, cache);
    }
  }
}

void run(Session& session) {
  run_kind<Write::Tensor>(session);
  run_kind<Write::Bulk>(session);
  run_kind<Write::BulkAdd>(session);
}

const Registered kStore{
    {.name = "micro/tma/store", .priority = 60, .seconds = 2, .needs = {Feature::Sm90}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon

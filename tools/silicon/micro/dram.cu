// SPDX-License-Identifier: MIT
// DRAM bandwidth of reading, writing, copying and updating in place, by sets of 4 to 64 times the L2; the driver's own
// copy and fill beside them. Bytes count as often as they cross the pins: a copy and an update move each byte twice.
#include "tools/silicon/device/stream.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 512;
constexpr std::uint32_t kCtasPerSm = 4;
constexpr std::uint32_t kLoads = 4;
constexpr std::uint64_t kTileBytes = kLoads * kAccessBytes;

// Whole tiles for every warp in every round: nothing is dealt twice, which an update could not bear.
Stream stream_over(Session& session, Move move, std::uint64_t bytes) {
  Stream stream{
      .move = move, .path = Path::L1, .loads = kLoads, .config = {.grid = session.sms() * kCtasPerSm, .block = kBlock}};
  stream.rounds = static_cast<std::uint32_t>(bytes / kTileBytes / stream.warps());
  stream.tiles = stream.warps() * stream.rounds;
  return stream;
}

void record(Session& session, Result result, const char* move, std::uint64_t bytes) {
  result.metric = "bandwidth";
  result.unit = "GB/s";
  result.params = {{"move", move}, {"set_bytes", bytes}};
  result.input = Input::Random;
  session.record(result);
}

void measure(Session& session, Stream stream) {
  const std::uint64_t bytes = std::uint64_t{stream.tiles} * kTileBytes;
  if (verify_stream(session, stream, {{"move", to_text(stream.move)}, {"set_bytes", bytes}})) {
    const Sampled bandwidth = sample_stream(session, stream, {.times = 9});
    record(session, {.sampled = bandwidth, .launch = stream_facts(stream)}, to_text(stream.move), bytes);
  }
}

void measure_driver(Session& session, void* to, const void* from, std::uint64_t bytes) {
  const auto bandwidth = [&](double times, const std::function<void()>& work) {
    return session.sample_us(work, {.times = 7}).map([&](double us) { return times * bytes / us * 1e-3; });
  };
  const Sampled copy = bandwidth(2, [&] { SILICON_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice)); });
  record(session, {.sampled = copy}, "cudaMemcpyAsync", bytes);
  const Sampled fill = bandwidth(1, [&] { SILICON_CHECK(cudaMemsetAsync(to, 1, bytes)); });
  record(session, {.sampled = fill}, "cudaMemsetAsync", bytes);
}

void run(Session& session) {
  const auto l2 = static_cast<std::uint64_t>(session.device().l2CacheSize);
  constexpr std::uint64_t kMost = 64;
  Buffer<std::uint32_t> memory(kMost * l2 / sizeof(std::uint32_t));
  Buffer<std::uint32_t> source(kMost * l2 / sizeof(std::uint32_t));
  Buffer<std::uint32_t> sums(session.sms() * kCtasPerSm * kBlock / 32);
  for (std::uint64_t times = 4; times <= kMost; times *= 4) {
    memory.fill(Input::Random, 1);
    source.fill(Input::Random, 2);
    for (const Move move : {Move::Read, Move::Update, Move::Copy, Move::Write}) {
      Stream stream = stream_over(session, move, times * l2);
      stream.memory = memory.get();
      stream.source = source.get();
      stream.sums = sums.get();
      measure(session, stream);
    }
    measure_driver(session, memory.get(), source.get(), times * l2);
  }
}

const Registered kDram{{.name = "micro/dram/bandwidth", .priority = 90, .seconds = 2, .run = run}};

}  // namespace
}  // namespace gpusim::silicon

// SPDX-License-Identifier: MIT
// Read bandwidth against occupancy and bytes in flight: 1 to 64 warps an SM, each with 1, 2, 4 or 8 loads of 16 bytes a
// lane issued before it waits; the data in the L2 or in DRAM. By Little's law the slope is the latency under little
// load, the plateau the bandwidth, and the bend between them what queues and trackers allow.
#include <algorithm>

#include "tools/silicon/device/stream.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kMostWarpsOfCta = 32;

struct Level {
  const char* name;
  std::uint64_t bytes;
  double moved;          // by one launch, at high bandwidth
  std::uint32_t rounds;  // at most, when few warps would need long for it
};

struct Area {
  Buffer<std::uint32_t>& memory;
  Buffer<std::uint32_t>& sums;
};

void measure(Session& session, const Area& area, const Level& level, std::uint32_t warps, std::uint32_t loads) {
  const std::uint32_t ctas = (warps + kMostWarpsOfCta - 1) / kMostWarpsOfCta;
  Stream stream{.move = Move::Read,
                .path = Path::L2,
                .loads = loads,
                .config = {.grid = session.sms() * ctas, .block = warps / ctas * 32},
                .memory = area.memory.get(),
                .sums = area.sums.get()};
  if (stream_ctas_per_sm(stream) < ctas) {
    return;  // so many warps do not fit with that many registers
  }
  stream.tiles = static_cast<std::uint32_t>(level.bytes / stream.tile_bytes());
  stream.rounds = std::min(rounds_for(stream, level.moved), level.rounds);
  const Params params{{"level", level.name},
                      {"warps", warps},
                      {"loads", loads},
                      {"bytes_in_flight_per_sm", warps * loads * kAccessBytes},
                      {"footprint_bytes", level.bytes}};
  if (verify_stream(session, stream, params)) {
    session.record({.metric = "bandwidth",
                    .unit = "GB/s",
                    .sampled = sample_stream(session, stream, {.times = 5, .warm_ups = 1}),
                    .launch = stream_facts(stream),
                    .params = params,
                    .input = Input::Random});
  }
}

void run(Session& session) {
  constexpr std::uint32_t kMostWarps = 64;
  const auto l2 = static_cast<std::uint64_t>(session.device().l2CacheSize);
  Buffer<std::uint32_t> memory(16 * l2 / sizeof(std::uint32_t));
  Buffer<std::uint32_t> sums(session.sms() * kMostWarps);
  memory.fill(Input::Random);
  for (const Level& level : {Level{"l2", l2 / 4 / 4096 * 4096, 2e9, 1024}, Level{"dram", memory.bytes(), 8e8, 512}}) {
    for (std::uint32_t warps = 1; warps <= kMostWarps; warps *= 2) {
      for (const std::uint32_t loads : {1u, 2u, 4u, 8u}) {
        measure(session, {memory, sums}, level, warps, loads);
      }
    }
  }
}

const Registered kInFlight{{.name = "micro/memory/in_flight", .priority = 70, .seconds = 2, .run = run}};

}  // namespace
}  // namespace gpusim::silicon

// SPDX-License-Identifier: MIT
// The L2 as a whole: its size by the knee of the bandwidth (reads, and writes, which stay in it while they fit), the
// bandwidth of hits by the number of SMs that ask, and what dirty lines cost those who come after.
#include <set>

#include "tools/silicon/device/stream.cuh"
#include "tools/silicon/device/timer.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint64_t kMiB = 1ull << 20;
constexpr std::uint32_t kBlock = 1024;
constexpr std::uint32_t kCtasPerSm = 2;
constexpr std::uint32_t kLoads = 4;

std::uint64_t l2_of(const Session& session) {
  return static_cast<std::uint64_t>(session.device().l2CacheSize);
}

Stream stream_of(Move move, std::uint32_t ctas, std::uint64_t bytes) {
  Stream stream{.move = move, .path = Path::L2, .loads = kLoads, .config = {.grid = ctas, .block = kBlock}};
  stream.tiles = static_cast<std::uint32_t>(bytes / stream.tile_bytes());
  return stream;
}

// ---- Size ---------------------------------------------------------------------------------------------------------

// Four sizes an octave, and every twelfth of the L2 from a third of it to four thirds.
std::set<std::uint64_t> footprints(std::uint64_t l2) {
  std::set<std::uint64_t> sizes;
  for (std::uint64_t size = 4 * kMiB; size <= 4 * l2; size *= 2) {
    for (const std::uint64_t quarters : {4, 5, 6, 7}) {
      sizes.insert(std::min(size * quarters / 4, 4 * l2));
    }
  }
  for (std::uint64_t twelfth = 4; twelfth <= 16; ++twelfth) {
    sizes.insert(l2 * twelfth / 12 / kMiB * kMiB);
  }
  return sizes;
}

void run_footprint(Session& session) {
  constexpr double kMoved = 2e9;
  Buffer<std::uint32_t> memory(4 * l2_of(session) / sizeof(std::uint32_t));
  Buffer<std::uint32_t> sums(session.sms() * kCtasPerSm * kBlock / 32);
  for (const Move move : {Move::Read, Move::Write}) {
    for (const std::uint64_t bytes : footprints(l2_of(session))) {
      memory.fill(Input::Random);
      Stream stream = stream_of(move, session.sms() * kCtasPerSm, bytes);
      stream.rounds = rounds_for(stream, kMoved);
      stream.memory = memory.get();
      stream.sums = sums.get();
      const Params params{{"move", to_text(move)}, {"footprint_bytes", bytes}};
      if (verify_stream(session, stream, params)) {
        session.record({.metric = "bandwidth",
                        .unit = "GB/s",
                        .sampled = sample_stream(session, stream, {.times = 5}),
                        .launch = stream_facts(stream),
                        .params = params,
                        .input = Input::Random});
      }
    }
  }
}

const Registered kFootprint{{.name = "micro/l2/footprint", .priority = 90, .seconds = 2, .run = run_footprint}};

// ---- Hits by the number of SMs ------------------------------------------------------------------------------------

// One CTA of 32 warps an SM. The scheduler spreads few CTAs over the GPCs; micro/l2/gpc measures SMs of one.
void run_sms(Session& session) {
  const std::uint64_t bytes = l2_of(session) / 4 / kMiB * kMiB;
  Buffer<std::uint32_t> memory(bytes / sizeof(std::uint32_t));
  Buffer<std::uint32_t> sums(session.sms() * kBlock / 32);
  memory.fill(Input::Random);
  std::set<std::uint32_t> counts{session.sms() / 2, session.sms()};
  for (std::uint32_t sms = 1; sms < session.sms(); sms *= 2) {
    counts.insert(sms);
  }
  for (const Move move : {Move::Read, Move::Write}) {
    for (const std::uint32_t sms : counts) {
      Stream stream = stream_of(move, sms, bytes);
      stream.rounds = rounds_for(stream, 2e7 * sms);
      stream.memory = memory.get();
      stream.sums = sums.get();
      const Params params{{"move", to_text(move)}, {"sms", sms}, {"footprint_bytes", bytes}};
      if (verify_stream(session, stream, params)) {
        session.record({.metric = "bandwidth",
                        .unit = "GB/s",
                        .sampled = sample_stream(session, stream, {.times = 7}),
                        .launch = stream_facts(stream),
                        .params = params,
                        .input = Input::Random});
      }
    }
  }
}

const Registered kSms{{.name = "micro/l2/sms", .priority = 70, .seconds = 1, .run = run_sms}};

// ---- Write-back ---------------------------------------------------------------------------------------------------

// A stream that moves all of `memory` once.
Stream once_over(Session& session, Move move, const Buffer<std::uint32_t>& memory, const Buffer<std::uint32_t>& sums) {
  Stream stream = stream_of(move, session.sms() * kCtasPerSm, memory.bytes());
  stream.rounds = rounds_for(stream, static_cast<double>(memory.bytes()));
  stream.memory = memory.get();
  stream.sums = sums.get();
  return stream;
}

// Reads twice the L2 after part of the L2 has been read (clean) or written (dirty): the difference is the time that
// writing the dirty lines back takes from the reads. None means that they had been written early, or cost nothing.
void run_write_back(Session& session) {
  const std::uint64_t l2 = l2_of(session);
  const Buffer<std::uint32_t> sums(session.sms() * kCtasPerSm * kBlock / 32);
  Buffer<std::uint32_t> cleaning(3 * l2 / sizeof(std::uint32_t));
  Buffer<std::uint32_t> memory(2 * l2 / sizeof(std::uint32_t));
  memory.fill(Input::Random);
  const Stream cleaner = once_over(session, Move::Read, cleaning, sums);
  const Stream reader = once_over(session, Move::Read, memory, sums);
  if (!verify_stream(session, reader, {})) {
    return;
  }
  const EventTimer timer;
  for (const std::uint64_t quarters : {1, 2, 4}) {
    const Buffer<std::uint32_t> prepared(quarters * l2 / 4 / sizeof(std::uint32_t));
    for (const Move move : {Move::Read, Move::Write}) {
      const Stream before = once_over(session, move, prepared, sums);
      const Sampled us = session.sample([&] {
        launch_stream(cleaner);  // nothing dirty is left in the L2
        launch_stream(before);
        return timer.microseconds([&] { launch_stream(reader); });
      });
      session.record({.metric = "time",
                      .unit = "us",
                      .sampled = us,
                      .launch = stream_facts(reader),
                      .params = {{"read_bytes", memory.bytes()},
                                 {"l2_before", move == Move::Read ? "clean" : "dirty"},
                                 {"before_bytes", prepared.bytes()}},
                      .input = Input::Random,
                      .cache = Cache::Cold});
    }
  }
}

const Registered kWriteBack{{.name = "micro/l2/write_back", .priority = 50, .seconds = 1, .run = run_write_back}};

}  // namespace
}  // namespace gpusim::silicon

// SPDX-License-Identifier: MIT
// Load latency against working set: one thread follows a shuffled cycle of slots, after the whole CTA has read them
// all. The plateaus are L1, L2 (near, and far as it mixes in), DRAM; the knees between them are the capacities. A
// stride of 64 bytes fills both halves of every 128-byte line, one of 128 only a sector of each.
#include <algorithm>
#include <set>

#include "tools/silicon/device/chase.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMostL1Bytes = 272 * kKiB;  // beyond the whole memory of an SM

// Around each knee, in percent of where it should be by the device's own word.
constexpr int kAround[] = {80, 88, 94, 97, 100, 103, 106, 112, 120};

void add_around(std::set<std::uint64_t>& sizes, std::uint64_t knee) {
  for (const int percent : kAround) {
    sizes.insert(knee * percent / 100 / (4 * kKiB) * (4 * kKiB));
  }
}

// 16 KiB to four times the L2, two sizes an octave.
std::set<std::uint64_t> working_sets(std::uint64_t l1, std::uint64_t l2) {
  std::set<std::uint64_t> sizes;
  for (std::uint64_t size = 16 * kKiB; size <= 4 * l2; size *= 2) {
    sizes.insert(size);
    sizes.insert(std::min(size * 3 / 2, 4 * l2));
  }
  add_around(sizes, l1);
  add_around(sizes, l2 / 2);
  add_around(sizes, l2);
  return sizes;
}

void measure(Session& session, std::uint64_t base, std::uint64_t bytes, std::uint64_t stride, Path path) {
  const Ring ring({base, stride, 0, static_cast<std::uint32_t>(bytes / stride)}, Visit::Shuffled);
  const Walk how{.path = path, .sweep = true, .warm_steps = std::min(ring.size(), 4096u)};
  measure_walk(session, ring, how,
               {{"working_set_bytes", bytes},
                {"stride_bytes", stride},
                {"path", path == Path::L1 ? "ld.global.ca" : "ld.global.cg"}},
               {.times = 3, .warm_ups = 1});
}

void run(Session& session) {
  constexpr std::uint64_t kBeyondShared = 28 * kKiB;  // an SM's memory exceeds its largest shared memory by so much
  const std::uint64_t l1 = session.device().sharedMemPerMultiprocessor + kBeyondShared;
  const auto l2 = static_cast<std::uint64_t>(session.device().l2CacheSize);
  const Buffer<std::uint64_t> memory(5 * l2 / sizeof(std::uint64_t));
  const auto base = reinterpret_cast<std::uint64_t>(memory.get());
  for (const std::uint64_t bytes : working_sets(l1, l2)) {
    measure(session, base, bytes, 128, Path::L1);
    measure(session, base, bytes, 64, Path::L1);
  }
  session.expect_sass(walk_facts({.path = Path::L1, .sweep = true}), "LDG", 64, true);
}

const Registered kLatency{{.name = "micro/memory/latency", .priority = 90, .seconds = 6, .run = run}};

// ---- The L1's share of an SM's memory -----------------------------------------------------------------------------

// Latency knees for every size of shared memory an SM can be set to: what is left is L1.
void run_carve_out(Session& session) {
  constexpr std::uint32_t kReserved = 1;  // KiB of each CTA's shared memory that the system keeps
  constexpr std::uint64_t kStep = 16 * kKiB;
  constexpr std::uint64_t kStride = 128;
  const Buffer<std::uint64_t> memory(kMostL1Bytes / sizeof(std::uint64_t));
  for (std::uint64_t bytes = kStep; bytes <= kMostL1Bytes; bytes += kStep) {
    const Ring ring(
        {reinterpret_cast<std::uint64_t>(memory.get()), kStride, 0, static_cast<std::uint32_t>(bytes / kStride)},
        Visit::Shuffled);
    for (const std::uint32_t kib : {0u, 8u, 16u, 32u, 64u, 100u, 132u, 164u, 196u, 228u}) {
      const std::uint32_t dynamic = kib == 0 ? 0 : (kib - kReserved) * 1024;
      if (dynamic > session.device().sharedMemPerBlockOptin) {
        continue;
      }
      const Walk how{
          .path = Path::L1, .sweep = true, .warm_steps = ring.size(), .steps = 4096, .dynamic_smem = dynamic};
      measure_walk(session, ring, how, {{"working_set_bytes", bytes}, {"stride_bytes", kStride}, {"shared_kib", kib}},
                   {.times = 3, .warm_ups = 0});
    }
  }
}

const Registered kCarveOut{{.name = "micro/l1/carve_out", .priority = 70, .seconds = 2, .run = run_carve_out}};

// ---- How much a miss brings ---------------------------------------------------------------------------------------

// First touches in order of address, 32 bytes apart, of 2048 sectors: whether the other sectors of a line come along.
// From the L2 into the L1 (the data lies in the L2), and from DRAM into the L2 (flushed before).
void measure_fill(Session& session, const Ring& ring, const TracedWalk& how, Cache cache) {
  constexpr std::uint32_t kSectors = 4;
  const Params params{{"miss_of", how.path == Path::L1 ? "l1" : "l2"}};
  if (cache == Cache::Warm) {
    (void)walk_traced(session, ring, {.path = Path::L2, .only_sm = how.only_sm});
  } else {
    session.flush_l2();
  }
  const std::vector<TracedSm> traced = walk_traced(session, ring, how);
  if (!verify_traced(session, traced, params)) {
    return;
  }
  for (std::uint32_t sector = 0; sector < kSectors; ++sector) {
    Sampled of_sector{.values = {}, .clock = {session.read_mhz(), 0}};
    for (std::uint32_t i = sector; i < ring.size(); i += kSectors) {
      of_sector.values.push_back(traced.front().latencies[i]);
    }
    session.record({.metric = "latency",
                    .unit = "cycles",
                    .sampled = of_sector,
                    .launch = traced_facts(session, how),
                    .params = {params.front(), {"sector_of_line", sector}},
                    .cache = cache,
                    .note = "sectors of 32 bytes touched in order of address; values are single loads"});
  }
}

void run_fill(Session& session) {
  const Buffer<std::uint64_t> memory(2048 * 32 / sizeof(std::uint64_t));
  const Ring ring({reinterpret_cast<std::uint64_t>(memory.get()), 32, 0, 2048}, Visit::InOrder);
  measure_fill(session, ring, {.path = Path::L1, .only_sm = 0}, Cache::Warm);
  measure_fill(session, ring, {.path = Path::L2, .only_sm = 0}, Cache::Cold);
}

const Registered kFill{{.name = "micro/memory/fill", .priority = 70, .seconds = 1, .run = run_fill}};

}  // namespace
}  // namespace gpusim::silicon

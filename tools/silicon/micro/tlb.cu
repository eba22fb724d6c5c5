// SPDX-License-Identifier: MIT
// Knees of the TLBs: one thread follows a shuffled cycle with one line in each step of 2 MiB (the page of a large
// allocation), or of 64 KiB and 32 MiB to tell what an entry covers, over growing footprints. The lines themselves fit
// into the L2, which the first round fills, so that what grows is the time of translation.
#include <algorithm>

#include "tools/silicon/device/chase.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint64_t kMiB = 1ull << 20;
constexpr std::uint64_t kGiB = 1ull << 30;
constexpr std::uint64_t kMostFootprint = 64 * kGiB;
constexpr std::uint64_t kLeftFree = 2 * kGiB;
constexpr std::uint64_t kLineOffset = 128 * 33;  // from page to page, so that lines spread over slices and sets
constexpr std::uint32_t kMostSlots = 32768;      // 4 MiB of lines
constexpr std::uint32_t kFewestSteps = 2048;

void measure(Session& session, std::uint64_t base, std::uint64_t footprint, std::uint64_t stride) {
  const Ring ring({base, stride, kLineOffset, static_cast<std::uint32_t>(footprint / stride)}, Visit::Shuffled);
  const Walk how{.path = Path::L2, .warm_steps = ring.size(), .steps = std::max(ring.size() / 64 * 64, kFewestSteps)};
  measure_walk(session, ring, how, {{"footprint_bytes", footprint}, {"stride_bytes", stride}},
               {.times = 3, .warm_ups = 0});
}

struct Sweep {
  std::uint64_t stride;
  std::uint32_t first;     // slots
  std::uint32_t quarters;  // next size over this one, in quarters: 5 is 25 % more
};

void run(Session& session) {
  std::size_t free = 0;
  std::size_t total = 0;
  SILICON_CHECK(cudaMemGetInfo(&free, &total));
  const std::uint64_t most = free > 2 * kLeftFree ? std::min(kMostFootprint, free - kLeftFree) : free / 2;
  const Buffer<std::uint64_t> memory(most / sizeof(std::uint64_t));
  const auto base = reinterpret_cast<std::uint64_t>(memory.get());
  for (const Sweep& sweep : {Sweep{2 * kMiB, 4, 5}, Sweep{64 * 1024, 64, 8}, Sweep{32 * kMiB, 4, 6}}) {
    for (std::uint64_t slots = sweep.first; slots <= kMostSlots; slots = slots * sweep.quarters / 4) {
      if (slots * sweep.stride <= most) {
        measure(session, base, slots * sweep.stride, sweep.stride);
      }
    }
  }
}

const Registered kTlb{{.name = "micro/memory/tlb", .priority = 90, .seconds = 4, .run = run}};

}  // namespace
}  // namespace gpusim::silicon

// SPDX-License-Identifier: MIT
// Stores of a part of a sector that hit the L2: the lanes of a warp write 4 to 16 bytes, `stride` bytes apart, and
// successive warps write the bytes beside them, as the store of a plain transpose does. Each byte is written once a
// pass.
#include <cstdint>

#include "tools/silicon/device/session.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kCtasPerSm = 8;
constexpr std::uint64_t kBytes = 16ull << 20;

// Item `index` goes to row index % rows, column index / rows: a warp covers 32 rows, the next warps the next rows.
template <typename Item>
__global__ void store_columns(Item* area, std::uint64_t items, std::uint64_t rows, std::uint64_t columns, Item value) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < items; i += step) {
    area[i % rows * columns + i / rows] = value;
  }
}

// As a CTA of 8 warps of a tiled grid does it: its warps write neighbours in the same rows.
template <typename Item>
__global__ void store_tiles(Item* area, std::uint64_t items, std::uint64_t rows, std::uint64_t columns, Item value) {
  const std::uint64_t warps = kBlock / 32;
  const std::uint64_t tiles_of_column = rows / 32;
  for (std::uint64_t tile = blockIdx.x; tile < items / kBlock; tile += gridDim.x) {
    const std::uint64_t row = tile % tiles_of_column * 32 + threadIdx.x % 32;
    const std::uint64_t column = tile / tiles_of_column * warps + threadIdx.x / 32;
    area[row * columns + column] = value;
  }
}

template <typename Item, typename Kernel>
void measure(Session& session, Kernel kernel, const char* order, Item* area, std::uint64_t stride) {
  const LaunchConfig config{.grid = session.sms() * kCtasPerSm, .block = kBlock};
  const std::uint64_t columns = stride / sizeof(Item);
  const std::uint64_t rows = kBytes / stride;
  session.record(
      {.metric = "bandwidth",
       .unit = "GB/s",
       .sampled = session
                      .sample_us([&] { launch(kernel, config, area, kBytes / sizeof(Item), rows, columns, Item{}); },
                                 {.times = 5, .warm_ups = 2})
                      .map([](double us) { return static_cast<double>(kBytes) / us * 1e-3; }),
       .launch = launch_facts(kernel, config),
       .params = {{"order", order}, {"store_bytes", sizeof(Item)}, {"stride", stride}}});
}

template <typename Item>
void measure_all(Session& session, Buffer<uint4>& buffer) {
  Item* const area = reinterpret_cast<Item*>(buffer.get());
  for (const std::uint64_t stride : {64ull, 128ull, 1024ull, 4096ull, 16384ull}) {
    measure(session, store_columns<Item>, "columns", area, stride);
    if (stride >= 8 * sizeof(Item)) {
      measure(session, store_tiles<Item>, "tiles", area, stride);
    }
  }
}

void run(Session& session) {
  Buffer<uint4> buffer(kBytes / sizeof(uint4));
  measure_all<std::uint32_t>(session, buffer);
  measure_all<uint2>(session, buffer);
  measure_all<uint4>(session, buffer);
}

const Registered kNarrow{{.name = "micro/l2/narrow_store", .priority = 90, .seconds = 3, .run = run}};

}  // namespace
}  // namespace gpusim::silicon

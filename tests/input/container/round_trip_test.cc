// SPDX-License-Identifier: MIT
// What goes into a container comes out of it.
#include <random>

#include <catch2/catch.hpp>

#include "sim/model/trace/walker.h"

#include "tests/input/container/support.h"

using namespace gpusim;
using namespace gpusim::testing;

namespace {

/// A kernel of one warp per CTA whose loads go anywhere below 2^48: nothing in it is like anything else.
trace::Kernel wild_kernel(std::uint32_t ctas, std::uint32_t loads, std::uint64_t seed) {
  trace::Kernel kernel = load_text(GPUSIM_SOURCE_DIR "/traces/pointer_chase.trace").kernels[0];
  kernel.grid = {ctas, 1, 1};
  kernel.block = {32, 1, 1};
  std::uint32_t load = 0;
  while (!kernel.code[load].is_memory()) {
    ++load;
  }
  trace::RecordingBuilder builder(kernel.code, kernel.grid, 1);
  std::mt19937_64 random(seed);
  for (std::uint32_t cta = 0; cta < ctas; ++cta) {
    builder.begin_warp(cta, 0);
    for (std::uint32_t i = 0; i < loads; ++i) {
      const auto mask = static_cast<LaneMask>(random() | 1U);
      std::array<Address, kWarpLanes> addresses{};
      for (Address& address : addresses) {
        address = random() >> (16 + random() % 48);
      }
      builder.step(load, mask, mask);
      builder.access(trace::AccessSlot::kPrimary, addresses, mask);
    }
    builder.end_warp();
  }
  kernel.behaviour = std::make_shared<const trace::Behaviour>(builder.finish());
  return kernel;
}

}  // namespace

TEST_CASE("a container has the code and the behaviour of every shipped trace") {
  const Folder folder;
  const std::filesystem::path file = folder.path() / "x.trace";
  for (const std::filesystem::path& shipped : shipped_traces()) {
    INFO(shipped.filename().string());
    const trace::Trace original = load_text(shipped);
    container::write(original, file);
    const trace::Trace stored = container::load(file);
    CHECK(stored.title == original.title);
    CHECK(stored.origin == original.origin);
    CHECK(stored.warnings == original.warnings);
    REQUIRE(stored.kernels.size() == original.kernels.size());
    for (std::size_t i = 0; i < stored.kernels.size(); ++i) {
      CHECK(difference(original.kernels[i], stored.kernels[i]) == "");
      CHECK(behaviour_difference(original.kernels[i], stored.kernels[i]) == "");
    }
  }
}

TEST_CASE("a container has the WGMMA operations: where A is, which closes a group, and how many are waited for") {
  const Folder folder;
  const trace::Trace original = frontend::load_trace_text(
      "gpusim trace 1\nkernel k\ngrid (1)\nblock (128)\ncode\n"
      "WARPGROUP.ARRIVE\nHGMMA.64x64x16.F32 R24, gdesc[UR4], RZ, !UPT\n"
      "HGMMA.64x64x16.F32 R24, R4, gdesc[UR8], R24, gsb0\nWARPGROUP.DEPBAR.LE gsb0, 0x1\nEXIT\nend\n",
      "inline.trace", {});
  container::write(original, folder.path() / "x.trace");
  const trace::Trace stored = container::load(folder.path() / "x.trace");
  CHECK(difference(original.kernels[0], stored.kernels[0]) == "");
  CHECK(stored.kernels[0].code[2].wgmma == isa::WgmmaForm{64, 16, false, true, true});
  CHECK(stored.kernels[0].code[3].depbar_limit == 1);
}

TEST_CASE("behaviour that never repeats is stored whole, beyond what the kernel's vocabulary may grow to") {
  const Folder folder;
  trace::Trace original;
  original.kernels = {wild_kernel(80, 1000, 1), wild_kernel(3, 5, 2)};
  container::write(original, folder.path() / "wild.trace");
  const trace::Trace stored = container::load(folder.path() / "wild.trace");
  REQUIRE(stored.kernels.size() == 2);
  CHECK(behaviour_difference(original.kernels[0], stored.kernels[0]) == "");
  CHECK(behaviour_difference(original.kernels[1], stored.kernels[1]) == "");
  CHECK(stored.kernels[0].behaviour->recording()->source->around(0)->shared->patterns.size() < 80'000);
}

TEST_CASE("what one warp does alone is not in the kernel's vocabulary when it would fill that") {
  trace::Kernel kernel = wild_kernel(1, 1, 4);
  trace::RecordingBuilder builder(kernel.code, kernel.grid, 1, 1 << 20);
  std::uint32_t load = 0;
  while (!kernel.code[load].is_memory()) {
    ++load;
  }
  builder.begin_warp(0, 0);
  for (Address i = 0; i < 100'000; ++i) {
    std::array<Address, kWarpLanes> addresses{};
    addresses.fill(i * i * 64);
    builder.step(load, kAllLanes, kAllLanes);
    builder.access(trace::AccessSlot::kPrimary, addresses, kAllLanes);
  }
  CHECK(builder.pending_bytes() > 100'000 * sizeof(trace::Vocabulary::AddressRun) / 2);
  builder.end_warp();
  const trace::Recording recording = builder.finish();
  const auto ctas = recording.source->around(0);
  CHECK(ctas->shared->bytes() < 1 << 20);
  CHECK(ctas->own.runs.size() > 10'000);
}

TEST_CASE("copies, streams and launches of one kernel come back") {
  const Folder folder;
  const std::filesystem::path file = folder.path() / "x.trace";
  trace::Trace about;
  about.copies = {{0x7f00'0000'0000, 4096, 0}, {0x7f00'0001'0000, 1ULL << 40, 1}};
  trace::Kernel kernel = load_text(GPUSIM_SOURCE_DIR "/traces/saxpy.trace").kernels[0];
  kernel.stream = 7;
  kernel.binary_version = 90;
  container::Writer writer(file);
  static_cast<void>(writer.begin_kernel(kernel));
  writer.launch_again(writer.end_kernel());
  writer.finish(about);
  const trace::Trace stored = container::load(file);
  CHECK(stored.copies == about.copies);
  REQUIRE(stored.kernels.size() == 2);
  CHECK(difference(stored.kernels[0], kernel) == "");
  CHECK(stored.kernels[1].behaviour == stored.kernels[0].behaviour);
}

TEST_CASE("a CTA that no reader could hold is refused while it is written, by its number") {
  const Folder folder;
  trace::Trace original;
  original.kernels = {wild_kernel(1, 240'000, 3)};
  CHECK_THROWS_WITH(container::write(original, folder.path() / "wild.trace"),
                    Catch::Contains("CTA 0 of kernel 'pointer_chase' takes more than the 51 MiB"));
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("nothing is left of a container that was not finished") {
  const Folder folder;
  const trace::Kernel kernel = load_text(GPUSIM_SOURCE_DIR "/traces/saxpy.trace").kernels[0];
  {
    container::Writer writer(folder.path() / "x.trace");
    static_cast<void>(writer.begin_kernel(kernel));
  }
  CHECK(std::filesystem::is_empty(folder.path()));
}

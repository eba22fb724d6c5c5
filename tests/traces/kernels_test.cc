// SPDX-License-Identifier: MIT
// The small shipped kernels, one property each, and what holds for all traces.
#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/input/text/source_text.h"
#include "sim/model/trace/summary.h"
#include "sim/model/trace/walker.h"

#include "tests/traces/tally.h"

namespace gpusim::testing {
namespace {

/// The names of the files in traces/, in the order of the alphabet.
std::vector<std::string> all_shipped() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(GPUSIM_SOURCE_DIR "/traces")) {
    if (entry.path().extension() == ".trace") {
      names.insert(entry.path().stem());
    }
  }
  REQUIRE(names.size() > 10);
  return {names.begin(), names.end()};
}

using Bytes = std::map<std::string, std::uint64_t>;

/// The sectors where lanes begin at the last instruction of the code with that name.
std::set<Address> sectors_of_last(const trace::Kernel& kernel, std::string_view opcode) {
  std::size_t last = 0;
  for (std::size_t pc = 0; pc < kernel.code.size(); ++pc) {
    last = kernel.texts[pc].opcode.starts_with(opcode) ? pc : last;
  }
  std::set<Address> sectors;
  for (std::uint32_t warp = 0; warp < kernel.grid.x * kernel.block.x / kWarpLanes; ++warp) {
    const std::uint32_t warps = kernel.block.x / kWarpLanes;
    trace::Walker walker(kernel, {warp / warps, 0, 0}, warp % warps);
    for (trace::Step step; walker.next(step);) {
      if (step.pc == last) {
        const trace::LaneAddresses at = walker.addresses(trace::AccessSlot::kPrimary);
        for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
          sectors.insert((at.base + static_cast<Address>(at.offsets[lane])) / kSectorBytes);
        }
      }
    }
  }
  return sectors;
}

}  // namespace

TEST_CASE("Every shipped trace walks at its test set, quickly and without an unknown opcode") {
  constexpr std::uint64_t kMostWarpInstructions = 200'000;
  constexpr std::size_t kMostCode = 2000;  // after unrolling: what bounds the time to load
  std::uint64_t all = 0;
  for (const std::string& name : all_shipped()) {
    INFO(name);
    const trace::Trace trace = shipped(name);
    CHECK(trace.warnings.empty());
    CHECK_FALSE(trace.title.empty());
    const trace::CheckResult walked = trace::check(trace);
    CHECK(walked.problems.empty());
    CHECK(std::all_of(walked.walked.begin(), walked.walked.end(), [](const auto& w) { return w.complete(); }));
    for (const trace::Kernel& kernel : trace.kernels) {
      const Tally counts = tally(kernel);
      CHECK(counts.instructions > 0);
      CHECK(kernel.code.size() < kMostCode);
      CHECK(registers_used(kernel) <= kernel.registers_per_thread);
      all += counts.instructions;
    }
  }
  CHECK(all < kMostWarpInstructions);
}

TEST_CASE("The page of the traces says what each shipped trace shows") {
  const std::string page = frontend::read_text(GPUSIM_SOURCE_DIR "/traces/README.md");
  for (const std::string& name : all_shipped()) {
    CHECK_THAT(page, Catch::Contains("\n| `" + name + ".trace` | "));
  }
}

TEST_CASE("Every shipped trace walks at its defaults, in samples that include its last CTA") {
  for (const std::string& name : all_shipped()) {
    INFO(name);
    CHECK(trace::check(shipped_at_defaults(name), {4, 2'000'000}).problems.empty());
  }
}

TEST_CASE("The traces' counts here are those of trace::summarize") {
  for (const std::string& name : all_shipped()) {
    INFO(name);
    for (const trace::Kernel& kernel : shipped(name).kernels) {
      const Tally counts = tally(kernel);
      const trace::KernelSummary summary = trace::summarize(kernel);
      CHECK(counts.instructions == summary.total.issues);
      CHECK(counts.flops == std::accumulate(summary.flops.begin(), summary.flops.end(), std::uint64_t{0}));
      const auto sum = [](const Bytes& bytes) {
        return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0},
                               [](std::uint64_t total, const auto& entry) { return total + entry.second; });
      };
      CHECK(sum(counts.bytes_read) == summary.of(isa::MemSpace::kGlobal).read);
      CHECK(sum(counts.bytes_written) == summary.of(isa::MemSpace::kGlobal).written);
    }
  }
}

TEST_CASE("saxpy touches every element once, with fourteen instructions a warp") {
  for (const std::int64_t n : {10000, 1, 32, 256, 257}) {
    const Tally counts = tally(shipped("saxpy", {{"n", n}}).kernels[0]);
    const auto elements = static_cast<std::uint64_t>(n);
    CHECK(counts.bytes_read == Bytes{{"x", 4 * elements}, {"y", 4 * elements}});
    CHECK(counts.bytes_written == Bytes{{"y", 4 * elements}});
    CHECK(counts.flops == 2 * elements);
    const std::uint64_t warps = (elements + 255) / 256 * 8;
    const std::uint64_t working = (elements + 31) / 32;
    CHECK(counts.instructions == 14 * working + 6 * (warps - working));
  }
}

TEST_CASE("gemv reads each weight once and x for every row, two FLOPs a weight, and sums over the warp") {
  for (const auto& [m, k] : {std::pair<std::int64_t, std::int64_t>{16, 2048}, {4, 1024}, {12, 5120}}) {
    const Tally counts = tally(shipped("gemv", {{"m", m}, {"k", k}}).kernels[0]);
    const auto rows = static_cast<std::uint64_t>(m);
    const auto columns = static_cast<std::uint64_t>(k);
    CHECK(counts.bytes_read == Bytes{{"a", 2 * rows * columns}, {"x", 2 * rows * columns}});
    CHECK(counts.bytes_written == Bytes{{"y", 2 * rows}});
    // Six FADDs a lane add up what 32 lanes hold in two registers each.
    CHECK(counts.flops == rows * (2 * columns + 6 * 32));
    // 13 before the loop, 8 loads, 6 steps, 16 x 6 for pairs and a branch in it, 17 behind it.
    CHECK(counts.instructions == rows * (13 + columns / 1024 * 111 + 17));
  }
}

TEST_CASE("transpose reads and writes every element once") {
  for (const std::int64_t n : {256, 32, 96}) {
    const trace::Trace trace = shipped("transpose", {{"n", n}});
    const Tally counts = tally(trace.kernels[0]);
    const auto bytes = static_cast<std::uint64_t>(4 * n * n);
    CHECK(counts.bytes_read == Bytes{{"in", bytes}});
    CHECK(counts.bytes_written == Bytes{{"out", bytes}});
    CHECK(counts.instructions == trace.kernels[0].code.size() * static_cast<std::uint64_t>(n * n / 128));
  }
}

TEST_CASE("shipped traces do the same work in a wider type, and a transpose need not be square") {
  const Tally axpy = tally(shipped("saxpy", {{"n", 1000}, {"type", 1}}).kernels[0]);
  CHECK(axpy.bytes_read == Bytes{{"x", 8000}, {"y", 8000}});
  CHECK(axpy.bytes_written == Bytes{{"y", 8000}});
  CHECK(axpy.flops == 2000);
  const Tally halves = tally(shipped("gemv", {{"m", 8}, {"k", 2048}, {"type", 1}}).kernels[0]);
  CHECK(halves.bytes_read == Bytes{{"a", 2 * 8 * 2048}, {"x", 2 * 8 * 2048}});
  CHECK(halves.flops == 8 * (2 * 2048 + 6 * 32));
  const Tally product = tally(shipped("gemv", {{"m", 8}, {"k", 2048}, {"type", 2}}).kernels[0]);
  CHECK(product.bytes_read == Bytes{{"a", 4 * 8 * 2048}, {"x", 4 * 8 * 2048}});
  CHECK(product.bytes_written == Bytes{{"y", 4 * 8}});
  CHECK(product.flops == 8 * (2 * 2048 + 6 * 32));
  const trace::Trace trace = shipped("transpose", {{"n", 64}, {"m", 96}, {"type", 1}});
  CHECK(trace::check(trace).problems.empty());
  const Tally moved = tally(trace.kernels[0]);
  CHECK(moved.bytes_read == Bytes{{"in", 8 * 64 * 96}});
  CHECK(moved.bytes_written == Bytes{{"out", 8 * 64 * 96}});
}

TEST_CASE("stream_read reads its buffer once, 16 bytes a load, and writes nothing") {
  for (const std::int64_t trips : {1, 2, 5}) {
    const std::int64_t bytes = trips * 8 * 16384;
    const Tally counts = tally(shipped("stream_read", {{"ctas", 8}, {"bytes", bytes}}).kernels[0]);
    CHECK(counts.bytes_read == Bytes{{"data", static_cast<std::uint64_t>(bytes)}});
    CHECK(counts.bytes_written.empty());
    CHECK(counts.count("LDG.E.128") * 512 == static_cast<std::uint64_t>(bytes));
  }
}

TEST_CASE("gather and scatter touch every element once, whatever its type and how far apart they lie") {
  const auto touched = [](std::int64_t direction, std::int64_t type, std::int64_t apart) {
    return tally(
        shipped("gather", {{"n", 1024}, {"direction", direction}, {"type", type}, {"apart", apart}}).kernels[0]);
  };
  for (const std::int64_t direction : {0, 1}) {
    for (const auto& [type, bytes] : {std::pair<std::int64_t, std::uint64_t>{0, 4}, {1, 2}, {2, 2}, {3, 8}}) {
      for (const std::int64_t apart : {8, 32, 136}) {
        const Tally counts = touched(direction, type, apart);
        CHECK(counts.bytes_read == Bytes{{"index", 4 * 1024}, {"x", bytes * 1024}});
        CHECK(counts.bytes_written == Bytes{{"y", bytes * 1024}});
        CHECK(counts.instructions == 14 * 32);
      }
    }
  }
}

TEST_CASE("every lane of gather and of scatter has a sector of its own, and every sector a lane") {
  for (const auto& [direction, opcode] : {std::pair<std::int64_t, const char*>{0, "LDG"}, {1, "STG"}}) {
    const trace::Trace trace = shipped("gather", {{"n", 4096}, {"direction", direction}});
    const std::set<Address> sectors = sectors_of_last(trace.kernels[0], opcode);
    CHECK(sectors.size() == 4096);
    CHECK(*sectors.rbegin() - *sectors.begin() == 4095);
  }
}

TEST_CASE("pointer_chase warms every element, then visits each once a round, one lane at a time") {
  const trace::Trace trace = shipped("pointer_chase", {{"bytes", 8192}, {"stride", 128}, {"steps", 128}, {"warm", 2}});
  const trace::Kernel& kernel = trace.kernels[0];
  trace::Walker walker(kernel, {}, 0);
  trace::Step step;
  std::map<Address, int> warmed;
  std::map<Address, int> visited;
  while (walker.next(step)) {
    if (kernel.texts[step.pc].opcode != "LDG.E.64") {
      continue;
    }
    const trace::LaneAddresses at = walker.addresses(trace::AccessSlot::kPrimary);
    CHECK((step.mask == kAllLanes || step.mask == 1));
    for (unsigned lane = 0; lane < (step.mask == 1 ? 1 : kWarpLanes); ++lane) {
      ++(step.mask == 1 ? visited : warmed)[at.base + static_cast<Address>(at.offsets[lane])];
    }
  }
  CHECK(warmed.size() == 64);
  CHECK(visited == warmed);  // 128 steps over 64 elements, two passes of warming: twice each
}

TEST_CASE("pointer_chase's walk is fifteen sixteenths loads and more") {
  const Tally counts = tally(shipped("pointer_chase", {{"steps", 4096}, {"warm", 0}}).kernels[0]);
  CHECK(counts.count("LDG.E.64") == 4096);
  CHECK(counts.instructions < 4096 * 19 / 16 + 32);
}

TEST_CASE("page_chase's loads are each in the page after the last one's, and none is in a line twice") {
  constexpr std::uint64_t kPage = 65536;
  const trace::Trace trace = shipped("page_chase", {{"bytes", 8 * kPage}, {"page", kPage}, {"steps", 4096}});
  const trace::Kernel& kernel = trace.kernels[0];
  trace::Walker walker(kernel, {}, 0);
  std::set<Address> lines;
  std::uint64_t loads = 0;
  for (trace::Step step; walker.next(step);) {
    if (kernel.texts[step.pc].opcode == "LDG.E.64") {
      const trace::LaneAddresses at = walker.addresses(trace::AccessSlot::kPrimary);
      const Address address = at.base + static_cast<Address>(at.offsets[0]);
      CHECK((address - kernel.buffers[0].base) / kPage == loads++ % 8);
      lines.insert(address / 128);
    }
  }
  CHECK(loads == 4096);
  CHECK(lines.size() == 4096);
}

TEST_CASE("ffma_peak spends 98 % of its instructions on FFMA, without two register reads of a bank") {
  const trace::Trace trace = shipped("ffma_peak", {{"ctas", 1}, {"loops", 16}});
  const Tally counts = tally(trace.kernels[0]);
  CHECK(counts.count("FFMA") == 32 * 16 * 256);
  CHECK(counts.count("FFMA") * 100 >= counts.instructions * 97);
  const auto& code = trace.kernels[0].code;
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    if (trace.kernels[0].texts[pc].opcode == "FFMA") {
      CHECK(code[pc].sources[0].reuse);
      CHECK(code[pc].sources[1].reuse);
    }
  }
}

TEST_CASE("The branch tree runs one path together, or eight paths one after the other") {
  const auto tree = [](std::int64_t levels) {
    return tally(shipped("divergence", {{"levels", levels}, {"n", 1024}, {"work", 16}}).kernels.at(0));
  };
  const Tally together = tree(0);
  CHECK(together.active_lanes == kWarpLanes * together.instructions);
  CHECK(together.count("FFMA") == 32 * 16);
  const Tally apart = tree(3);
  CHECK(apart.flops == together.flops);
  // 32 random lanes miss one of eight paths in 11 % of warps: almost all warps run all eight.
  CHECK(apart.count("FFMA") > 7 * together.count("FFMA"));
  CHECK(apart.count("FFMA") <= 8 * together.count("FFMA"));
  CHECK(tree(1).count("FFMA") == 2 * together.count("FFMA"));
}

TEST_CASE("The ragged loop keeps a warp as long as its slowest lane") {
  const auto loop = [](std::int64_t trips) {
    return tally(shipped("divergence", {{"trips", trips}, {"n", 4096}}).kernels.at(1));
  };
  const Tally even = loop(1);
  CHECK(even.count("FFMA") == 128);
  CHECK(even.active_lanes == kWarpLanes * even.instructions);
  const Tally ragged = loop(32);
  const double lanes = static_cast<double>(ragged.flops) / 2 / static_cast<double>(ragged.count("FFMA"));
  CHECK(lanes > 15);  // 16.5 trips of about 31
  CHECK(lanes < 19);
}

TEST_CASE("Parameters that do not fit are refused in words") {
  struct Case {
    const char* trace;
    Overrides overrides;
    const char* message;
  };
  const Case cases[] = {
      {"flashattn", {{"seq", 1000}}, "seq must be a multiple of 128"},
      {"flashattn", {{"seq", 64}}, "seq"},
      {"flashattn", {{"batch", 0}}, "batch"},
      {"gemm_bf16", {{"m", 200}}, "m must be a multiple of 128"},
      {"gemm_bf16", {{"n", 384}}, "n must be a multiple of 256"},
      {"gemm_bf16", {{"k", 200}}, "k must be a multiple of 64"},
      {"gemm_bf16", {{"k", 0}}, "k"},
      {"sgemm_tiled", {{"m", 200}}, "m must be a multiple of 128"},
      {"sgemm_tiled", {{"n", 200}}, "n must be a multiple of 128"},
      {"sgemm_tiled", {{"k", 12}}, "k must be a multiple of 8"},
      {"saxpy", {{"n", 0}}, "n"},
      {"gemv", {{"m", 10}}, "m must be a multiple of 4"},
      {"gemv", {{"k", 1536}}, "k must be a multiple of 1024"},
      {"transpose", {{"n", 100}}, "m and n must be multiples of 32"},
      {"stream_read", {{"bytes", 20000}, {"ctas", 1}}, "bytes must be a multiple of ctas * 16384"},
      {"gather", {{"n", 1000}}, "n must be a multiple of threads"},
      {"gather", {{"threads", 40}}, "threads must be a multiple of 32"},
      {"gather", {{"apart", 30}}, "apart must be a multiple of the size of an element"},
      {"pointer_chase", {{"stride", 12}}, "stride must be a multiple of 8"},
      {"pointer_chase", {{"bytes", 5000}}, "bytes must be a multiple of 32 strides"},
      {"page_chase", {{"page", 12288}}, "page must be a power of two"},
      {"page_chase", {{"bytes", 100000}, {"page", 65536}}, "bytes must be a multiple of page"},
      {"pointer_chase", {{"steps", 100}}, "steps must be a multiple of 16"},
      {"pointer_chase", {{"bytes", 8589934592}, {"stride", 64}}, "at most 67108864 elements"},
      {"divergence", {{"n", 1000}}, "n"},
      {"divergence", {{"n", 1100}}, "n must be a multiple of 256"},
      {"divergence", {{"levels", 4}}, "levels"},
      {"ffma_peak", {{"ctas", 0}}, "ctas"},
  };
  for (const Case& bad : cases) {
    INFO(bad.trace << " " << bad.overrides[0].first << "=" << bad.overrides[0].second);
    CHECK_THROWS_AS(shipped(bad.trace, bad.overrides), InputError);
    CHECK_THROWS_WITH(shipped(bad.trace, bad.overrides), Catch::Matchers::Contains(bad.message));
  }
}

}  // namespace gpusim::testing

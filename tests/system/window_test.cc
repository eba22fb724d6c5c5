// SPDX-License-Identifier: MIT
// Access policy windows on a whole machine: what they change, what reports say, what is refused.
#include <catch2/catch.hpp>

#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"

#include "tests/system/support.h"

namespace window_test {

using namespace gpusim;
using Catch::Contains;

namespace {

/// A warp reads a table of 256 KiB, then a stream of 4 MiB, then the table again; L2 has 1.25 MiB.
const std::string kHead = "grid (1)\nblock (32)\nbuffer table u32[65536]\nbuffer rest u32[1048576]\n";
const std::string kBody =
    "loop i = 0..2048\n  LDG.E R4, [R2.64] @ table[i*32 + lane]\nend\n"
    "loop i = 0..32768\n  LDG.E R4, [R2.64] @ rest[i*32 + lane]\nend\n"
    "loop i = 0..2048\n  LDG.E.STRONG.GPU R4, [R2.64] @ table[i*32 + lane]\nend\nEXIT";

arch::Arch small_l2() {
  arch::Arch arch = test::shipped("a100");
  arch.l2.halves = 1;
  arch.l2.ways = 16;
  arch.l2.slices = 10;
  arch.l2.bytes = 10 * 16 * 64 * 128;
  return arch;
}

stats::KernelResult run(const std::string& window) {
  gpu::SimulateOptions options;
  options.cache = CacheState::kCold;
  return gpu::simulate(small_l2(), test::program(kHead + window, kBody), options).kernels.at(0);
}

std::string refusal(const char* arch, const std::string& window) {
  try {
    (void)gpu::simulate(test::shipped(arch), test::program(kHead + window, "EXIT"), {});
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a table that persists is still in L2 after a stream, as far as is set aside") {
  constexpr std::uint64_t kTableSectors = 2048 * 4;
  const std::uint64_t without = run("").l2.read_hits;
  const std::uint64_t all = run("window table persisting\n").l2.read_hits;
  const std::uint64_t half = run("window table persisting for 50\n").l2.read_hits;
  CHECK(without < kTableSectors / 20);
  CHECK(all > kTableSectors * 99 / 100);
  CHECK(half > kTableSectors * 45 / 100);
  CHECK(half < kTableSectors * 60 / 100);
}

TEST_CASE("the report and the result say what a window asks of L2") {
  const stats::KernelResult kernel = run("window table persisting for 60 else streaming set_aside 524288\n");
  CHECK(kernel.l2_window == "60 % of the lines of 'table' persist, in 512 KiB set aside, the others stream");
  CHECK(run("").l2_window.empty());
}

TEST_CASE("windows that a GPU cannot do are refused before any kernel runs") {
  CHECK_THAT(refusal("v100", "window table persisting\n"),
             Contains("inline.trace:2") && Contains("has an access policy window: V100") && Contains("has none"));
  CHECK_THAT(refusal("a100", "window table persisting set_aside 31*1048576\n"),
             Contains("sets 31 MiB of L2 aside on A100 SXM4 80GB (at most 30 MiB, l2.persisting_bytes)"));
  CHECK_THAT(refusal("a100", "window table persisting set_aside 1048576\n"),
             Contains("less than a way of a set (a way of all sets of A100 SXM4 80GB is 2.50 MiB)"));
  CHECK(refusal("a100", "window table streaming set_aside 1048576\n").empty());
  CHECK(refusal("a100", "window table persisting\n").empty());
}

}  // namespace window_test

// SPDX-License-Identifier: MIT
// The what-ifs of a machine: each removes one cost and leaves the work as it is; switched off, nothing changes.
#include <algorithm>
#include <array>
#include <string>

#include <catch2/catch.hpp>

#include "sim/input/text/load.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/machine/sm/memory/ideal_access.h"
#include "sim/model/arch/loader.h"

#include "tests/support/one_sm.h"

namespace ideal_models_test {

using namespace gpusim;

namespace {

using Parameters = std::vector<std::pair<std::string, std::int64_t>>;

stats::KernelResult run(const std::string& trace, const Parameters& parameters, const arch::Arch& arch,
                        CacheState cache = CacheState::kWarm) {
  gpu::SimulateOptions options;
  options.cache = cache;
  const std::string path = std::string(GPUSIM_SOURCE_DIR) + "/traces/" + trace + ".trace";
  return gpu::simulate(arch, frontend::load_trace_text(path, {parameters, true}), options).kernels.at(0);
}

arch::Arch h100(const std::string& key = "", const std::string& value = "") {
  std::vector<arch::Override> overrides;
  if (!key.empty()) {
    overrides.push_back({key, value});
  }
  return arch::load_arch(std::string(GPUSIM_SOURCE_DIR) + "/configs/h100.yaml", overrides);
}

/// An access of a warp whose lanes lie `stride` bytes apart, made ideal.
sm::CoalescedAccess ideal(Address base, std::int64_t stride, LaneMask mask = kAllLanes) {
  std::array<std::int64_t, kWarpLanes> offsets;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    offsets[lane] = stride * lane;
  }
  trace::LaneAddresses addresses;
  addresses.base = base;
  addresses.offsets = offsets.data();
  addresses.pattern = trace::LaneAddresses::kNoPattern;
  sm::CoalescedAccess access;
  sm::coalesce(addresses, mask, {4, 0}, {}, access);
  sm::coalesce_ideally(addresses, mask, {4, 0}, {}, access);
  return access;
}

}  // namespace

TEST_CASE("without bank conflicts a transpose takes only the passes that its bytes need, for the same work") {
  const Parameters unpadded{{"m", 256}, {"n", 256}, {"padding", 0}};
  const stats::KernelResult usual = run("library/transpose-padded", unpadded, h100());
  const stats::KernelResult other = run("library/transpose-padded", unpadded, h100("sm.shared.model", "ideal"));
  CHECK(usual.sm.shared_wavefronts > 4 * usual.sm.shared_ideal_wavefronts);
  CHECK(other.sm.shared_wavefronts == other.sm.shared_ideal_wavefronts);
  CHECK(other.sm.shared_ideal_wavefronts == usual.sm.shared_ideal_wavefronts);
  CHECK(other.sm.warp_instructions == usual.sm.warp_instructions);
  CHECK(other.l1.global_load_sectors == usual.l1.global_load_sectors);
  CHECK(other.cycles < usual.cycles);
}

TEST_CASE("with ideal coalescing the naive transpose touches no sector more than its bytes need") {
  const stats::KernelResult usual = run("transpose", {{"n", 256}, {"m", 256}}, h100());
  const stats::KernelResult other = run("transpose", {{"n", 256}, {"m", 256}}, h100("sm.lsu.coalescing", "ideal"));
  CHECK(usual.l1.global_store_sectors == 32 * usual.l1.global_store_requests);
  CHECK(other.l1.global_store_sectors == 4 * other.l1.global_store_requests);
  CHECK(other.l1.global_load_sectors == usual.l1.global_load_sectors);
  CHECK(other.sm.warp_instructions == usual.sm.warp_instructions);
  CHECK(other.cycles < usual.cycles);
}

TEST_CASE("where every access hits L2, DRAM reads nothing") {
  const Parameters small{{"n", 65536}};
  CHECK(run("saxpy", small, h100(), CacheState::kCold).dram.read_bytes > 0);
  const stats::KernelResult other = run("saxpy", small, h100("l2.model", "ideal"), CacheState::kCold);
  CHECK(other.dram.read_bytes == 0);
  CHECK(other.l2.read_hits == other.l2.read_sectors);
}

TEST_CASE("with ideal fetch no warp waits for an instruction") {
  const stats::KernelResult other = run("sgemm_tiled", {}, h100("sm.front_end.model", "ideal"), CacheState::kCold);
  CHECK(other.stalls[static_cast<std::size_t>(stats::Stall::kNoInstruction)] == 0);
}

TEST_CASE("an SM holds the extra CTAs, as far as it has warps for them") {
  const auto ctas = [](const std::string& extra) {
    const arch::Arch arch = extra.empty() ? h100() : h100("sm.limits.extra_ctas", extra);
    return run("gemm_bf16", {}, arch).occupancy;
  };
  const stats::Occupancy usual = ctas("");
  REQUIRE(usual.ctas_per_sm < usual.limit[static_cast<std::size_t>(stats::Limiter::kWarps)]);
  CHECK(ctas("1").ctas_per_sm == usual.ctas_per_sm + 1);
  CHECK(ctas("32").ctas_per_sm <= usual.limit[static_cast<std::size_t>(stats::Limiter::kWarps)]);
}

TEST_CASE("switched off by name, the what-ifs change nothing") {
  const Parameters small{{"n", 128}, {"m", 128}};
  const stats::KernelResult usual = run("transpose", small, h100());
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"sm.shared.model", "banked"}, {"sm.lsu.coalescing", "lanes"}, {"sm.limits.extra_ctas", "0"}}) {
    INFO(key);
    const stats::KernelResult off = run("transpose", small, h100(key, value));
    CHECK(off.cycles == usual.cycles);
    CHECK(off.stalls == usual.stalls);
  }
}

TEST_CASE("an ideal access has as many sectors as its bytes fill, in as few lines as hold them") {
  for (const std::int64_t stride : {8, 16, 64, 128, 4096}) {
    INFO(stride);
    const sm::CoalescedAccess access = ideal(0x10000, stride);
    CHECK(access.sectors == 4);
    REQUIRE(access.line_count == 1);
    CHECK(access.lines[0].sectors == 0xf);
    CHECK(access.lines[0].full == 0xf);
  }
  const sm::CoalescedAccess few = ideal(0x10000, 4096, 0x7);
  CHECK(few.sectors == 1);
  CHECK(few.line_count == 1);
  CHECK(few.lines[0].full == 0);
}

TEST_CASE("a dense access, and one of lanes that share a word, stay as they are") {
  CHECK(ideal(0x10000, 4).lines[0].line == 0x10000);
  CHECK(ideal(0x10000, 4).sectors == 4);
  CHECK(ideal(0x10040, 0).sectors == 1);
  CHECK(ideal(0x10040, 0).lines[0].sectors == 0x4);
}

TEST_CASE("accesses that share lines take all of those lines together") {
  std::vector<Address> taken;
  for (Address column = 0; column < 32; ++column) {
    taken.push_back(static_cast<Address>(ideal(0x100000 + 4 * column, 4096).lines[0].line));
  }
  std::ranges::sort(taken);
  for (std::size_t row = 0; row < taken.size(); ++row) {
    CHECK(taken[row] == 0x100000 + 4096 * row);
  }
}

}  // namespace ideal_models_test

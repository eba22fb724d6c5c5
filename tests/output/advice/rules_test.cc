// SPDX-License-Identifier: MIT
// Each rule fires on a kernel just beyond its threshold, and not on one just below.
#include "sim/output/advice/rules.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>

#include "sim/model/stats/result.h"
#include "sim/output/view/finding.h"
#include "sim/output/view/view.h"

#include "tests/support/golden.h"

using namespace gpusim;
using Catch::Matchers::Contains;
using stats::Stall;

namespace {

/// Ten SMs, 1 GHz, 10,000 cycles; 80 CTAs of 8 warps, all of which fit at once, with nothing to find.
class Made {
 public:
  Made() {
    result_.sm_clock_mhz = 1000;
    result_.machine = {.sms = 10,
                       .sub_cores_per_sm = 4,
                       .l2_slices = 8,
                       .dram_channels = 8,
                       .noc_ports = stats::NocPorts{10, 0, 2, 8, 8, 2, 0, 10, 0},
                       .dram_bytes_per_second = 1e12,
                       .dram_activates_per_second = 1e9,
                       .l2_bytes_per_cycle = 512,
                       .l1_bytes_per_cycle = 128,
                       .shared_bytes_per_cycle = 128};
    kernel.grid = {80, 1, 1};
    kernel.block = {256, 1, 1};
    kernel.simulated_ctas = 80;
    kernel.cycles = 10'000;
    kernel.launch_us = 2;
    kernel.occupancy.ctas_per_sm = 8;
    kernel.occupancy.warps_per_cta = 8;
    kernel.occupancy.max_warps_per_sm = 64;
    kernel.occupancy.limiters = {stats::Limiter::kRegisters};
    kernel.sm = {.active_cycles = 100'000, .warp_cycles = 6'400'000};
    kernel.sm_active_cycles.assign(10, 10'000);
    add("FFMA R1, R1, R1", 250'000);
  }

  /// An instruction that so many warps execute with all lanes.
  stats::PcResult& add(const std::string& opcode, std::uint64_t executed) {
    stats::PcResult pc;
    pc.opcode = opcode;
    pc.line = static_cast<std::uint32_t>(10 + kernel.pcs.size());
    pc.warp_instructions = executed;
    pc.active_lanes = pc.thread_instructions = kWarpLanes * executed;
    pc.stalls[static_cast<std::size_t>(Stall::kSelected)] = executed;
    return kernel.pcs.emplace_back(pc);
  }
  /// Shares of the warps' time, in percent; the rest waits for its turn.
  void wait(Stall state, double pct) {
    kernel.pcs[0].stalls[static_cast<std::size_t>(state)] = static_cast<std::uint64_t>(pct / 100 * 6'400'000);
  }
  [[nodiscard]] std::vector<report::Finding> findings() {
    finish();
    result_.kernels = {kernel};
    view_.emplace(report::make_view(result_));
    return advice::findings(view_->kernels[0]);
  }
  /// What the rule found, whether it would gain anything or not.
  [[nodiscard]] std::optional<report::Finding> find(std::string_view id) {
    (void)findings();
    return in(advice::all_findings(view_->kernels[0]), id);
  }
  /// Only what reports list.
  [[nodiscard]] bool lists(std::string_view id) { return in(findings(), id).has_value(); }

  stats::KernelResult kernel;

 private:
  static std::optional<report::Finding> in(const std::vector<report::Finding>& all, std::string_view id) {
    const auto found = std::ranges::find(all, id, &report::Finding::id);
    return found == all.end() ? std::nullopt : std::optional(*found);
  }
  /// Sums of what was added; all warp-cycles are in some state.
  void finish() {
    kernel.stalls = {};
    kernel.sm.warp_instructions = kernel.sm.active_lanes = kernel.sm.thread_instructions = 0;
    for (const stats::PcResult& pc : kernel.pcs) {
      stats::add(kernel.stalls, pc.stalls);
      kernel.sm.warp_instructions += pc.warp_instructions;
      kernel.sm.active_lanes += pc.active_lanes;
      kernel.sm.thread_instructions += pc.thread_instructions;
    }
    kernel.sm.issue_cycles = kernel.sm.warp_instructions;
    kernel.stalls[static_cast<std::size_t>(Stall::kNotSelected)] += 6'400'000 - stats::total(kernel.stalls);
  }

  stats::Result result_;
  std::optional<report::View> view_;
};

std::uint64_t& busy(stats::KernelResult& kernel, isa::Pipe pipe) {
  return kernel.pipe_busy_cycles[static_cast<std::size_t>(pipe)];
}

/// A load of four bytes a lane with so many sectors a request.
stats::PcResult& add_load(Made& made, std::uint64_t sectors_each) {
  stats::PcResult& load = made.add("LDG.E", 1000);
  load.memory_requests = 1000;
  load.memory_sectors = 1000 * sectors_each;
  load.memory_ideal_sectors = 4000;
  return load;
}

}  // namespace

TEST_CASE("nothing is found in a kernel that does everything well") {
  Made made;
  for (const report::Finding& finding : made.findings()) {
    CHECK(finding.id == "");
  }
}

TEST_CASE("nothing is found in a kernel without an instruction") {
  Made made;
  made.kernel.pcs.clear();
  made.kernel.occupancy.ctas_per_sm = 1;
  CHECK(made.findings().empty());
}

TEST_CASE("uncoalesced: a tenth of the sectors of global accesses is not needed") {
  Made made;
  made.wait(Stall::kLongScoreboard, 20);
  add_load(made, 4);
  CHECK_FALSE(made.find("uncoalesced"));
  made.kernel.pcs.back().memory_sectors = 4440;
  CHECK_FALSE(made.find("uncoalesced"));
  made.kernel.pcs.back().memory_sectors = 4450;
  CHECK(made.find("uncoalesced"));
  made.kernel.pcs.back().memory_sectors = 32'000;
  const auto found = made.find("uncoalesced");
  REQUIRE(found);
  CHECK(found->line == 11);
  CHECK(*found->index == 1);
  CHECK_THAT(found->evidence, Contains("LDG.E at line 11 touches 32.0 sectors a request where its bytes fill 4.0"));
  CHECK_THAT(found->lesson, Contains("8.0 x"));
  CHECK(found->gain_pct == Approx(0.875 * 20));
}

TEST_CASE("uncoalesced: a result that did not count what the bytes need has no finding") {
  Made made;
  add_load(made, 32).memory_ideal_sectors = 0;
  CHECK_FALSE(made.find("uncoalesced"));
}

TEST_CASE("uncoalesced: local memory and atomics have rules of their own") {
  Made made;
  for (const char* const opcode : {"LDL", "STL", "RED.E.ADD", "ATOMG.E.ADD"}) {
    stats::PcResult& pc = made.add(opcode, 1000);
    pc.memory_requests = 1000;
    pc.memory_sectors = 32'000;
    pc.memory_ideal_sectors = 4000;
  }
  CHECK_FALSE(made.find("uncoalesced"));
}

TEST_CASE("bank_conflicts: a tenth of the wavefronts is more than the bytes need") {
  Made made;
  made.kernel.sm.shared_ideal_wavefronts = 901;
  made.kernel.sm.shared_wavefronts = 1000;
  CHECK_FALSE(made.find("bank_conflicts"));
  made.kernel.sm.shared_ideal_wavefronts = 900;
  REQUIRE(made.find("bank_conflicts"));
  CHECK(made.find("bank_conflicts")->lesson.empty());
}

TEST_CASE("bank_conflicts: the access with most conflicts is named, in the verdict when they are many") {
  Made made;
  for (const std::uint64_t wavefronts : {1000U, 1900U, 1100U}) {
    stats::PcResult& load = made.add("LDS", 1000);
    load.shared_wavefronts = wavefronts;
    load.shared_ideal_wavefronts = 1000;
  }
  made.kernel.sm.shared_ideal_wavefronts = 3000;
  made.kernel.sm.shared_wavefronts = 4000;
  REQUIRE(made.find("bank_conflicts"));
  CHECK(made.find("bank_conflicts")->index == 2U);
  CHECK(made.find("bank_conflicts")->lesson.empty());
  made.kernel.pcs[2].shared_wavefronts = 32'000;
  CHECK_THAT(made.find("bank_conflicts")->lesson, Contains("LDS at line 12 takes 32.0 x the passes"));
}

TEST_CASE("spills: a tenth of the warps' time goes into local memory") {
  Made made;
  stats::PcResult& load = made.add("LDL", 1000);
  load.stalls[static_cast<std::size_t>(Stall::kLgThrottle)] = 638'000;
  CHECK_FALSE(made.find("spills"));
  made.kernel.pcs.back().stalls[static_cast<std::size_t>(Stall::kLgThrottle)] = 639'500;
  REQUIRE(made.find("spills"));
  CHECK(made.find("spills")->line == 11);
}

TEST_CASE("l2_misses: half of the reads miss while DRAM is busy") {
  Made made;
  made.kernel.l2.read_sectors = 1000;
  made.kernel.l2.read_hits = 499;
  made.kernel.dram.read_bytes = 5'990'000;  // 59.9 % of 1 TB/s in 10 us
  CHECK_FALSE(made.find("l2_misses"));
  made.kernel.dram.read_bytes = 6'000'000;
  CHECK(made.find("l2_misses"));
  made.kernel.l2.read_hits = 500;
  CHECK_FALSE(made.find("l2_misses"));
}

TEST_CASE("row_misses: rows are opened nearly as fast as they can be") {
  Made made;
  made.kernel.dram.read_bytes = 1'000'000;
  made.kernel.dram.activates = 5990;  // out of 10,000 in 10 us
  CHECK_FALSE(made.find("row_misses"));
  made.kernel.dram.activates = 6000;
  CHECK(made.find("row_misses"));
  made.kernel.dram.read_bytes = 7'000'000;
  CHECK_FALSE(made.find("row_misses"));
}

TEST_CASE("network: ports are busy for most of the time") {
  Made made;
  made.kernel.noc.gpc_reply_busy_cycles = 11'980;  // cycles of two ports
  CHECK_FALSE(made.find("network"));
  made.kernel.noc.gpc_reply_busy_cycles = 12'000;
  REQUIRE(made.find("network"));
  CHECK_THAT(made.find("network")->evidence, Contains("reply ports of GPCs are busy 60 %"));
}

TEST_CASE("atomics: they go on when the warps are gone") {
  Made made;
  made.kernel.l1.atomic_sectors = 1000;
  made.kernel.sm_active_cycles.assign(10, 9010);
  CHECK_FALSE(made.find("atomics"));
  made.kernel.sm_active_cycles.assign(10, 9000);
  CHECK(made.find("atomics"));
}

TEST_CASE("translations: a tenth of the requests misses the TLB") {
  Made made;
  made.kernel.tlb.l1_lookups = 1000;
  made.kernel.tlb.l1_misses = 99;
  CHECK_FALSE(made.find("translations"));
  made.kernel.tlb.l1_misses = 100;
  CHECK(made.find("translations"));
}

TEST_CASE("divergence: fewer than 24 lanes are active, or have their guard true") {
  Made made;
  made.kernel.pcs[0].active_lanes = 24 * 250'000;
  made.kernel.pcs[0].thread_instructions = 24 * 250'000;
  CHECK_FALSE(made.find("divergence"));
  made.kernel.pcs[0].thread_instructions -= 1;
  CHECK(made.find("divergence"));
  CHECK(made.find("divergence")->line == 10);
  CHECK(made.find("divergence")->lesson.empty());
  made.kernel.pcs[0].thread_instructions = 4 * 250'000;
  CHECK_THAT(made.find("divergence")->lesson, Contains("of a warp's 32 lanes"));
}

TEST_CASE("stalls: warps wait in one state, and few instructions issue") {
  Made made;
  made.kernel.pcs[0].warp_instructions = 200'000;
  made.wait(Stall::kBarrier, 29.9);
  CHECK_FALSE(made.find("stalls"));
  made.wait(Stall::kBarrier, 30.1);
  REQUIRE(made.find("stalls"));
  CHECK_THAT(made.find("stalls")->evidence, Contains("sibling warps at a barrier (barrier)"));
  made.kernel.pcs[0].warp_instructions = 240'000;  // out of 400,000 slots
  made.kernel.pcs[0].stalls[static_cast<std::size_t>(Stall::kSelected)] = 240'000;
  CHECK_FALSE(made.find("stalls"));
}

TEST_CASE("busy_pipe: a pipe for arithmetic works nearly always") {
  Made made;
  busy(made.kernel, isa::Pipe::kXu) = 319'000;  // out of 400,000
  CHECK_FALSE(made.find("busy_pipe"));
  busy(made.kernel, isa::Pipe::kXu) = 320'000;
  REQUIRE(made.find("busy_pipe"));
  CHECK_THAT(made.find("busy_pipe")->change, Contains("special functions"));
}

TEST_CASE("fp64: its pipe works, that of FP32 has room") {
  Made made;
  busy(made.kernel, isa::Pipe::kFp64) = 59'000;
  CHECK_FALSE(made.find("fp64"));
  busy(made.kernel, isa::Pipe::kFp64) = 60'000;
  CHECK(made.find("fp64"));
  busy(made.kernel, isa::Pipe::kFma) = 240'000;
  CHECK_FALSE(made.find("fp64"));
}

TEST_CASE("unfused: fusing saves more than a tenth") {
  Made made;
  made.add("FADD", 40'000);
  CHECK_FALSE(made.find("unfused"));  // nothing to fuse with
  made.add("FMUL", 40'000);
  REQUIRE(made.find("unfused"));
  CHECK(made.find("unfused")->line == 11);
  made.kernel.pcs.back().warp_instructions = 1000;
  CHECK_FALSE(made.find("unfused"));
}

TEST_CASE("an addition in FP64 is not fused with a multiplication in FP32") {
  Made made;
  made.add("DADD", 100'000);
  made.add("FMUL", 100'000);
  CHECK_FALSE(made.find("unfused"));
}

TEST_CASE("fetch: a tenth of the time is spent waiting for instructions") {
  Made made;
  made.wait(Stall::kNoInstruction, 9.9);
  CHECK_FALSE(made.find("fetch"));
  made.wait(Stall::kNoInstruction, 10.1);
  CHECK(made.find("fetch"));
}

TEST_CASE("launch: launching takes as long as running") {
  Made made;
  made.kernel.launch_us = 9.9;
  CHECK_FALSE(made.find("launch"));
  made.kernel.launch_us = 10;
  REQUIRE(made.find("launch"));
  CHECK(made.find("launch")->gain_pct == Approx(50));
}

TEST_CASE("small_grid: SMs get no CTA") {
  Made made;
  made.kernel.simulated_ctas = 9;  // what --ctas has chosen of a larger grid says nothing of the kernel
  made.kernel.grid = {10, 1, 1};
  CHECK_FALSE(made.find("small_grid"));
  made.kernel.grid = {9, 1, 1};
  REQUIRE(made.find("small_grid"));
  CHECK(made.find("small_grid")->gain_pct == Approx(10));
}

TEST_CASE("tail: the last wave leaves a fifth of all places empty") {
  Made made;
  made.kernel.simulated_ctas = 129;  // 1.61 waves
  CHECK_FALSE(made.find("tail"));
  made.kernel.simulated_ctas = 127;
  CHECK(made.find("tail"));
  made.kernel.simulated_ctas = 64;  // not one wave: that is the grid's size
  CHECK_FALSE(made.find("tail"));
}

TEST_CASE("partial_warps: a CTA is not a multiple of 32 threads") {
  Made made;
  CHECK_FALSE(made.find("partial_warps"));
  made.kernel.block = {250, 1, 1};
  CHECK(made.find("partial_warps"));
}

TEST_CASE("occupancy: few warps fit while CTAs wait") {
  Made made;
  made.kernel.simulated_ctas = 640;
  made.wait(Stall::kLongScoreboard, 30);
  made.kernel.occupancy.max_warps_per_sm = 80;  // 80 %
  CHECK_FALSE(made.find("occupancy"));
  made.kernel.occupancy.max_warps_per_sm = 81;
  REQUIRE(made.find("occupancy"));
  CHECK_THAT(made.find("occupancy")->evidence, Contains("the limit: registers"));
  CHECK_THAT(made.find("occupancy")->change, Contains("registers a thread"));
  made.kernel.simulated_ctas = 80;
  CHECK_FALSE(made.find("occupancy"));
}

TEST_CASE("occupancy: more warps do not help where a pipe or a queue has no room") {
  Made made;
  made.kernel.simulated_ctas = 640;
  made.kernel.occupancy.max_warps_per_sm = 128;
  made.wait(Stall::kMathPipeThrottle, 30);
  made.wait(Stall::kMioThrottle, 30);
  REQUIRE(made.find("occupancy"));
  CHECK(made.find("occupancy")->gain_pct == Approx(0).margin(1e-9));
}

TEST_CASE("busy tensor pipes leave no room, whatever share of their peak they reach") {
  Made made;
  made.wait(Stall::kNoInstruction, 50);
  busy(made.kernel, isa::Pipe::kTensor) = 360'000;  // out of 400,000
  REQUIRE(made.find("fetch"));
  CHECK(made.find("fetch")->gain_pct == Approx(10));
}

TEST_CASE("unreached_occupancy: the gap is more than ten points") {
  Made made;
  made.wait(Stall::kBarrier, 20);
  made.kernel.sm.warp_cycles = 5'760'000;  // 90 % of 64 warps
  CHECK_FALSE(made.find("unreached_occupancy"));
  made.kernel.sm.warp_cycles = 5'759'000;
  CHECK(made.find("unreached_occupancy"));
}

TEST_CASE("imbalance: SMs end early") {
  Made made;
  std::fill(made.kernel.sm_active_cycles.begin() + 5, made.kernel.sm_active_cycles.end(), 9010U);
  CHECK_FALSE(made.find("imbalance"));
  std::fill(made.kernel.sm_active_cycles.begin() + 5, made.kernel.sm_active_cycles.end(), 9000U);
  CHECK(made.find("imbalance"));
}

TEST_CASE("what stands out is the line with the largest sum, and there the copy with most") {
  Made made;
  stats::PcResult& alone = made.add("LDS.U alone", 1000);
  alone.line = 50;
  alone.stalls[static_cast<std::size_t>(Stall::kShortScoreboard)] = 1'500'000;
  for (const std::uint64_t cycles : {900'000U, 1'000'000U, 950'000U}) {
    stats::PcResult& copy = made.add("LDS.U copy", 1000);
    copy.line = 60;
    copy.stalls[static_cast<std::size_t>(Stall::kShortScoreboard)] = cycles;
  }
  made.kernel.pcs[0].warp_instructions = 100'000;
  const auto found = made.find("stalls");
  REQUIRE(found);
  CHECK(found->line == 60);
  CHECK(found->index == 3);
}

TEST_CASE("a finding that would gain nothing is not listed, unless it was simulated or teaches something") {
  Made made;
  made.add("FADD R1, R1, R1", 40);
  made.add("FMUL R1, R1, R1", 40);
  made.kernel.pcs[0].opcode = "IADD3 R1, R1, R1";
  busy(made.kernel, isa::Pipe::kFma) = 1000;  // out of 400,000
  CHECK_FALSE(made.lists("unfused"));
  CHECK(made.find("unfused"));
  made.kernel.advice = {{"fused", 10, 10, {"unfused"}}};
  CHECK(made.lists("unfused"));
  made.kernel.advice.clear();
  busy(made.kernel, isa::Pipe::kFma) = 40'000;
  CHECK(made.lists("unfused"));
}

TEST_CASE("what to change against a wait depends on the instruction that waits") {
  Made made;
  made.kernel.pcs[0].opcode = "HMMA.16816.F32";
  made.kernel.pcs[0].warp_instructions = 100'000;
  made.wait(Stall::kMathPipeThrottle, 80);
  CHECK_THAT(made.find("stalls").value().change, Contains("larger matrix instructions"));
  made.kernel.pcs[0].opcode = "FFMA";
  CHECK_THAT(made.find("stalls").value().change, Contains("mix other operations in"));
  made.wait(Stall::kMathPipeThrottle, 0);
  made.wait(Stall::kMioThrottle, 80);
  made.kernel.pcs[0].opcode = "LDS.128";
  CHECK_THAT(made.find("stalls").value().change, Contains("as wide as they can be"));
}

TEST_CASE("loads that are coalesced, of an SM that is full, are not to be coalesced, nor are warps to be added") {
  Made made;
  made.kernel.pcs[0].warp_instructions = 100'000;
  made.wait(Stall::kLongScoreboard, 80);
  add_load(made, 4);
  CHECK_THAT(made.find("stalls").value().change, !Contains("coalesce") && !Contains("warps"));
  made.kernel.occupancy.ctas_per_sm = 4;
  CHECK_THAT(made.find("stalls").value().change, Contains("add warps"));
}

TEST_CASE("fetch: warps that wait although the cache has their instructions wait for branches") {
  Made made;
  made.wait(Stall::kNoInstruction, 50);
  made.kernel.fetch.l0_lookups = 1000;
  made.kernel.fetch.l0_misses = 5;
  CHECK_THAT(made.find("fetch").value().change, Contains("take fewer branches"));
  made.kernel.fetch.l0_misses = 500;
  CHECK_THAT(made.find("fetch").value().change, Contains("unroll less"));
}

TEST_CASE("the largest gain comes first") {
  Made made;
  made.kernel.launch_us = 90;
  made.wait(Stall::kNoInstruction, 20);
  made.kernel.grid = {8, 1, 1};
  const auto found = made.findings();
  REQUIRE(found.size() >= 3);
  CHECK(found[0].id == "launch");
  CHECK(std::ranges::is_sorted(found, std::ranges::greater(), &report::Finding::gain_pct));
}

TEST_CASE("a what-if that was simulated takes the estimate's place") {
  Made made;
  made.wait(Stall::kNoInstruction, 50);
  made.kernel.advice = {{"perfect_fetch", 10, 9.5, {"fetch"}}, {"other", 10, 1, {"spills"}}};
  const auto found = made.find("fetch");
  REQUIRE(found);
  CHECK(found->simulated);
  CHECK(found->gain_pct == Approx(5));
  CHECK(found->estimate_pct > 30);
}

TEST_CASE("findings that were simulated come before estimates, however large these are") {
  Made made;
  made.wait(Stall::kNoInstruction, 50);
  made.kernel.launch_us = 20;
  made.kernel.advice = {{"ideal_fetch", 10, 9.9, {"fetch"}}};
  const std::vector<report::Finding> found = made.findings();
  REQUIRE(found.size() >= 2);
  CHECK(found[0].id == "fetch");
  CHECK(found[1].gain_pct > found[0].gain_pct);
}

TEST_CASE("a hostile opcode is clipped and printed in plain letters") {
  Made made;
  add_load(made, 32).opcode = "LDG.<b>\n\x1b[31m" + std::string(5000, 'x');
  const auto found = made.find("uncoalesced");
  REQUIRE(found);
  CHECK(found->evidence.size() < 300);
  CHECK(found->evidence.find('\n') == std::string::npos);
  CHECK(found->evidence.find('\x1b') == std::string::npos);
}

TEST_CASE("gains are shares of the time, and rules have names of their own") {
  std::set<std::string_view> ids;
  for (const advice::Rule& rule : advice::rules()) {
    INFO(rule.id);
    CHECK(ids.insert(rule.id).second);
    CHECK_THAT(std::string(rule.fires), Contains("{}"));
    CHECK_FALSE(rule.gain.empty());
  }
  Made made;
  made.kernel.launch_us = 1e6;
  made.wait(Stall::kLongScoreboard, 90);
  add_load(made, 32);
  busy(made.kernel, isa::Pipe::kFp64) = 4'000'000;
  for (const report::Finding& finding : made.findings()) {
    INFO(finding.id);
    CHECK(finding.gain_pct >= 0);
    CHECK(finding.gain_pct <= 100);
    CHECK(std::isfinite(finding.gain_pct));
  }
}

TEST_CASE("docs/advice.md holds the table of rules") {
  const std::string begin = "<!-- generated from the table of rules: GPUSIM_REGENERATE=1 test_output_advice -->\n\n";
  const std::string end = "\n<!-- end of generated part -->";
  const std::string file = "docs/advice.md";
  std::ifstream in(std::filesystem::path(GPUSIM_SOURCE_DIR) / file);
  std::stringstream content;
  content << in.rdbuf();
  const std::string text = content.str();
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(to > from);
  const std::string expected = text.substr(0, from) + begin + advice::rules_markdown() + text.substr(to);
  CHECK(expected == golden(file, expected));
}

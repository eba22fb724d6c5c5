// SPDX-License-Identifier: MIT
// Which what-ifs run for which findings, and what is noted of them.
#include "sim/commands/run/advise.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>

#include "sim/commands/run/what_ifs.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/schema.h"
#include "sim/output/advice/rules.h"

#include "tests/support/golden.h"

using namespace gpusim;
using commands::AdviseScope;

namespace {

/// A kernel of 10 us that waits for instructions half of the time; the second one of 20 us has nothing to find.
stats::Result fetch_bound() {
  stats::Result result;
  result.sm_clock_mhz = 1000;
  result.machine.sms = 1;
  result.machine.sub_cores_per_sm = 4;
  stats::KernelResult kernel;
  kernel.grid = kernel.block = {32, 1, 1};
  kernel.simulated_ctas = 32;
  kernel.cycles = 10'000;
  kernel.launch_us = 2;
  kernel.occupancy.ctas_per_sm = kernel.occupancy.max_warps_per_sm = 32;
  kernel.occupancy.warps_per_cta = 1;
  kernel.sm.active_cycles = 10'000;
  kernel.sm.warp_cycles = 320'000;
  kernel.sm.warp_instructions = 30'000;
  kernel.sm.active_lanes = kernel.sm.thread_instructions = 32 * 30'000;
  kernel.stalls[static_cast<std::size_t>(stats::Stall::kNoInstruction)] = 160'000;
  kernel.stalls[static_cast<std::size_t>(stats::Stall::kNotSelected)] = 160'000;
  kernel.pcs.resize(1);
  result.kernels = {kernel, kernel};
  result.kernels[1].cycles = 20'000;
  result.kernels[1].stalls[static_cast<std::size_t>(stats::Stall::kNoInstruction)] = 0;
  return result;
}

/// Names of the what-ifs that run.
std::vector<std::string> names_run(AdviseScope scope, stats::Result& result, double factor = 0.5) {
  std::vector<std::string> names;
  const commands::SimulateAgain again = [&](const arch::Arch&, std::string_view name) {
    names.emplace_back(name);
    stats::Result other = fetch_bound();
    for (stats::KernelResult& kernel : other.kernels) {
      kernel.cycles = static_cast<Cycle>(static_cast<double>(kernel.cycles) * factor);
    }
    return other;
  };
  CHECK(commands::advise({}, scope, again, result));
  return names;
}

}  // namespace

TEST_CASE("only the what-ifs that a finding asks for run, and only its kernel notes them") {
  stats::Result result = fetch_bound();
  CHECK(names_run(AdviseScope::kFound, result) == std::vector<std::string>{"ideal_fetch"});
  REQUIRE(result.kernels[0].advice.size() == 1);
  CHECK(result.kernels[0].advice[0].gain_pct() == Approx(50));
  CHECK(result.kernels[0].advice[0].findings == std::vector<std::string>{"fetch"});
  CHECK(result.kernels[1].advice.empty());
}

TEST_CASE("all what-ifs run when all are asked for; where an SM holds no more CTAs, that one tests no finding") {
  stats::Result result = fetch_bound();
  CHECK(names_run(AdviseScope::kAll, result).size() == commands::what_ifs().size());
  REQUIRE(result.kernels[1].advice.size() == commands::what_ifs().size());
  for (const stats::WhatIf& what_if : result.kernels[1].advice) {
    CHECK(what_if.findings.empty() == (what_if.name == "one_more_cta"));
  }
}

TEST_CASE("the launch counts in the what-if about it, and in no other") {
  stats::Result result = fetch_bound();
  (void)names_run(AdviseScope::kAll, result);
  for (const stats::WhatIf& what_if : result.kernels[0].advice) {
    CHECK(what_if.before_us == Approx(what_if.name == "no_launch" ? 12 : 10));
  }
}

TEST_CASE("an interrupted what-if is left out, and ends the rest") {
  stats::Result result = fetch_bound();
  int runs = 0;
  const commands::SimulateAgain again = [&](const arch::Arch&, std::string_view) {
    ++runs;
    stats::Result partial = fetch_bound();
    partial.complete = false;
    return partial;
  };
  CHECK_FALSE(commands::advise({}, AdviseScope::kAll, again, result));
  CHECK(runs == 1);
  CHECK(result.kernels[0].advice.empty());
}

TEST_CASE("every what-if changes the machine as its overrides do, and asks after a rule that there is") {
  const std::string path = std::string(GPUSIM_SOURCE_DIR) + "/configs/h100.yaml";
  std::set<std::string_view> names;
  for (const commands::WhatIf& what_if : commands::what_ifs()) {
    INFO(what_if.name);
    CHECK(names.insert(what_if.name).second);
    const bool is_rule =
        std::ranges::any_of(advice::rules(), [&](const auto& rule) { return rule.id == what_if.finding; });
    CHECK(is_rule);
    std::vector<std::string> words;
    std::istringstream text{what_if.overrides};
    for (std::string word; text >> word;) {
      words.push_back(word);
    }
    arch::Arch applied = arch::load_arch(path, {});
    what_if.apply(applied);
    arch::Arch overridden = arch::load_arch(path, arch::parse_overrides(words));
    overridden.guesses = applied.guesses;
    CHECK(applied == overridden);
  }
}

TEST_CASE("the what-if about the launch changes every key of a launch") {
  const auto launch = std::ranges::find(commands::what_ifs(), "no_launch", &commands::WhatIf::name);
  for (const std::string_view key : arch::children_of("launch")) {
    CHECK_THAT(launch->overrides, Catch::Contains("launch." + std::string(key) + "="));
  }
}

TEST_CASE("docs/advice.md holds the table of what-ifs") {
  const std::string begin = "<!-- generated from the table of what-ifs: GPUSIM_REGENERATE=1 test_commands_run -->\n\n";
  const std::string file = "docs/advice.md";
  std::ifstream in(std::filesystem::path(GPUSIM_SOURCE_DIR) / file);
  std::stringstream content;
  content << in.rdbuf();
  const std::string text = content.str();
  const std::size_t from = text.find(begin);
  REQUIRE(from != std::string::npos);
  const std::size_t to = text.find("\n<!-- end of generated part -->", from);
  REQUIRE(to != std::string::npos);
  const std::string expected = text.substr(0, from) + begin + commands::what_ifs_markdown() + text.substr(to);
  CHECK(expected == golden(file, expected));
}

// SPDX-License-Identifier: MIT
#include "sim/output/compare/writers.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/output/report/columns.h"

#include "tests/output/compare/results.h"

using namespace gpusim;
using namespace gpusim::compare;
using Catch::Matchers::Contains;
using nlohmann::json;
using stats::Stall;

namespace {

/// The longest line, in bytes: without colour and Unicode a column each.
std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    width = std::max(width, line.size());
  }
  return width;
}

/// Everything has a value, and names are long and hostile.
stats::Result hostile_result(std::uint64_t scale) {
  const std::string name = "<b>\"kernel\"</b>\n\x1b[31m" + std::string(5000, 'n');
  std::vector<stats::PcResult> code{
      instruction(4'000'000'000U, "HMMA.16816.F32.BF16.LONG.NAME", 7 * scale, Stall::kMathPipeThrottle, 912 * scale),
      instruction(0, "\xff\xfe", scale, Stall::kLongScoreboard, 3 * scale)};
  stats::KernelResult kernel = kernel_of(name, 9 * scale, code);
  kernel.flops.fill(77 * scale);
  kernel.dram.read_bytes = 13 * scale;
  kernel.l1.global_load_requests = 1;
  kernel.l1.global_load_sectors = scale;
  stats::Result result = result_of({kernel, kernel_of("lone" + std::to_string(scale) + name, scale, code)});
  result.arch_name = result.trace_title = result.trace_path = name;
  result.parameters = {{name, stats::ParameterValue(-5)}};
  return result;
}

Comparison hostile_comparison() {
  static const stats::Result first = hostile_result(1'000'000);
  static const stats::Result second = hostile_result(1'234'567'890'123);
  Comparison comparison = compare_two(first, second);
  comparison.outcomes = check({parse_condition("cycles > 1.02x")}, comparison);
  return comparison;
}

}  // namespace

TEST_CASE("the text fits 80 columns, whatever names and numbers are") {
  const Comparison comparison = hostile_comparison();
  CHECK(width_of(to_text(comparison, {{}, true})) <= 80);
  CHECK(width_of(to_text(comparison, {{}, false})) <= 80);
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const stats::Result first = random_result(100 * seed);
    const stats::Result second = random_result(100 * seed + 50);
    INFO("seed " << seed);
    CHECK(width_of(to_text(compare_two(first, second), {{}, true})) <= 80);
  }
}

TEST_CASE("the text holds no control characters of names") {
  const std::string text = to_text(hostile_comparison(), {{}, true});
  CHECK(std::ranges::none_of(text, [](char c) { return (c < ' ' && c != '\n') || c > '~'; }));
}

TEST_CASE("numbers at the ends of their range are written") {
  stats::Result first = hostile_result(1);
  stats::Result second = hostile_result(1);
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  second.kernels[0].cycles = kMost;
  second.kernels[0].stalls.fill(kMost);
  second.kernels[0].launch_us = 1e300;
  second.kernels[0].pcs[0].stalls.fill(kMost);
  second.machine.dram_bytes_per_second = 1e300;
  second.sm_clock_mhz = 1e-300;
  for (const Comparison& comparison : {compare_two(first, second), compare_two(second, first)}) {
    CHECK_FALSE(to_text(comparison, {{}, true}).empty());
    CHECK(json::accept(to_json(comparison)));
  }
}

TEST_CASE("differences of zero say 'no change'") {
  const std::vector code{instruction(1, "FFMA", 10, Stall::kWait, 300), instruction(2, "EXIT", 1, Stall::kDrain, 7)};
  const stats::Result first = result_of({kernel_of("axpy", 5000, code)});
  stats::Result second = first;
  second.kernels[0].dram.read_bytes = 64;
  const std::string same = to_text(compare_two(first, first), {});
  CHECK_THAT(same, Contains("No change: every total of B is that of A."));
  CHECK_THAT(same, Contains("wait") && Contains("no change"));
  CHECK(same.find("+0") == std::string::npos);
  CHECK_THAT(same, Contains("Lines of axpy  warp-cycles\n  no change"));
  const std::string other = to_text(compare_two(first, second), {});
  CHECK_THAT(other, Contains("B takes as long as A: 5.00 us."));
  CHECK_THAT(other, Contains("bytes of DRAM") && Contains("new"));
}

TEST_CASE("the text says what fails") {
  CHECK_THAT(to_text(hostile_comparison(), {}), Contains("cycles > 1.02x") && Contains("FAILED"));
}

TEST_CASE("without --details ten rows of a table are shown, and how many more there are") {
  std::vector<stats::KernelResult> kernels;
  for (int i = 0; i < 25; ++i) {
    kernels.push_back(kernel_of("kernel_" + std::to_string(i), 1000, {}));
  }
  const stats::Result first = result_of(kernels);
  const stats::Result second = result_of({});
  const std::string text = to_text(compare_two(first, second), {});
  CHECK_THAT(text, Contains("kernel_9 ") && Contains("and 15 more names (--details)"));
  CHECK(text.find("kernel_10") == std::string::npos);
  CHECK_THAT(to_text(compare_two(first, second), {{}, true}), Contains("kernel_24"));
}

TEST_CASE("the JSON has every metric of both results, and of the change what differs") {
  const stats::Result first = result_of({kernel_of("axpy", 5000, {instruction(1, "FFMA", 10, Stall::kWait, 300)})});
  stats::Result second = result_of({kernel_of("axpy", 2500, {instruction(1, "FFMA", 10, Stall::kWait, 100)})});
  Comparison comparison = compare_two(first, second);
  comparison.outcomes = check({parse_condition("time_us < 0.9x")}, comparison);
  const json root = json::parse(to_json(comparison));
  CHECK(root.at("schema") == "gpusim.compare/1");
  REQUIRE(root.at("runs").size() == 2);
  CHECK(root["runs"][0].at("totals").size() == metrics().size());
  CHECK(root["runs"][1]["name"] == "B");
  CHECK(root["runs"][1]["source"] == "second.json");
  CHECK(root["runs"][1]["totals"]["time_us"] == 2.5);
  const json& change = root.at("changes").at(0);
  CHECK(change.at("first") == "A");
  CHECK(change.at("time_ratio") == 0.5);
  CHECK(change["states"]["wait"]["difference"] == -200);
  CHECK_FALSE(change["states"].contains("barrier"));
  CHECK(change["warp_cycles"]["difference"] == -200);
  CHECK(change["kernels"][0]["lines"][0]["state"] == "wait");
  CHECK(change["kernels"][0]["lines"][0]["cycles"]["first"] == 310);
  std::vector<std::string> keys;
  for (const json& metric : change["metrics"]) {
    keys.push_back(metric.at("key"));
  }
  CHECK(std::ranges::find(keys, "time_us") != keys.end());
  CHECK(std::ranges::find(keys, "warp_instructions") == keys.end());
  CHECK(root["fail_if"][0]["failed"] == true);
  CHECK(root["fail_if"][0]["run"] == "B");
}

TEST_CASE("a page's JSON has the lines of those kernels whose time changed most, and null for the others") {
  const auto code = [](std::uint64_t waited) {
    return std::vector{instruction(1, "FFMA", 10, Stall::kWait, waited), instruction(2, "EXIT", 1, Stall::kDrain, 7)};
  };
  const stats::Result first = result_of({kernel_of("little", 5000, code(300)), kernel_of("much", 5000, code(300))});
  const stats::Result second = result_of({kernel_of("little", 4900, code(290)), kernel_of("much", 2500, code(100))});
  const Comparison comparison = compare_two(first, second);
  const auto lines = [&comparison](std::size_t most) {
    std::vector<std::string> out;
    const json page = json::parse(to_page_json(comparison, most));
    for (const json& kernel : page["changes"][0]["kernels"]) {
      const json& held = kernel.at("lines");
      out.push_back(kernel.at("name").get<std::string>() + " " +
                    (held.is_null() ? "null" : std::to_string(held.size())));
    }
    return out;
  };
  CHECK(lines(4) == std::vector<std::string>{"much 2", "little 2"});
  CHECK(lines(3) == std::vector<std::string>{"much 2", "little null"});
  CHECK(lines(0) == std::vector<std::string>{"much 2", "little null"});
  CHECK(json::parse(to_page_json(comparison, 4)) == json::parse(to_json(comparison)));
}

TEST_CASE("the JSON of hostile names is valid, and of the same comparison the same") {
  const std::string text = to_json(hostile_comparison());
  CHECK(json::accept(text));
  CHECK(text == to_json(hostile_comparison()));
  CHECK(json::parse(text)["changes"][0]["kernels"][0]["name"].get<std::string>().size() > 5000);
}

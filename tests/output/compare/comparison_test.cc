// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include <catch2/catch.hpp>

#include "sim/output/compare/writers.h"

#include "tests/output/compare/results.h"

using namespace gpusim;
using namespace gpusim::compare;
using stats::Stall;

namespace {

std::int64_t sum_of(const StateChanges& states) {
  return std::accumulate(states.begin(), states.end(), std::int64_t{0},
                         [](std::int64_t sum, const CycleChange& state) { return sum + state.difference(); });
}

const Cause* cause_called(const Change& change, std::string_view key) {
  const auto found = std::ranges::find(change.causes, key, &Cause::key);
  return found == change.causes.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("differences of states sum exactly to the difference in warp-cycles, in all and in each kernel") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    const stats::Result first = random_result(1000 * seed);
    const stats::Result second = random_result(1000 * seed + 500);
    const Comparison comparison = compare_two(first, second);
    const Change& change = comparison.changes.front();
    const auto warp_cycles = [](const stats::Result& result) {
      std::int64_t sum = 0;
      for (const stats::KernelResult& kernel : result.kernels) {
        sum += static_cast<std::int64_t>(kernel.sm.warp_cycles);
      }
      return sum;
    };
    CHECK(sum_of(change.states) == change.warp_cycles.difference());
    CHECK(change.warp_cycles.difference() == warp_cycles(second) - warp_cycles(first));
    for (const KernelChange& kernel : change.kernels) {
      CHECK(sum_of(kernel.states) == kernel.warp_cycles.difference());
      std::int64_t lines = 0;
      for (const LineChange& line : kernel.lines) {
        lines += line.cycles.difference();
      }
      CHECK(lines == kernel.warp_cycles.difference());
    }
  }
}

TEST_CASE("every launch is in exactly one row: of kernels in both, or of those in one") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    const stats::Result first = random_result(1000 * seed);
    const stats::Result second = random_result(1000 * seed + 500);
    const Comparison comparison = compare_two(first, second);
    const Change& change = comparison.changes.front();
    std::size_t of_first = 0;
    std::size_t of_second = 0;
    for (const KernelChange& kernel : change.kernels) {
      of_first += kernel.first.launches;
      of_second += kernel.second.launches;
    }
    for (const LoneKernel& kernel : change.only_first) {
      of_first += kernel.launches;
    }
    for (const LoneKernel& kernel : change.only_second) {
      of_second += kernel.launches;
    }
    CHECK(of_first == first.kernels.size());
    CHECK(of_second == second.kernels.size());
  }
}

TEST_CASE("totals are by their formulas from sums over all kernels") {
  const stats::Result first = result_of({kernel_of("a", 1000, {instruction(1, "FFMA", 100, Stall::kWait, 300)}),
                                         kernel_of("b", 3000, {instruction(1, "FFMA", 500, Stall::kWait, 100)})});
  const Comparison comparison = compare_two(first, first);
  const Run& run = comparison.runs.front();
  CHECK(run.time_us == 4);
  CHECK(run.launch_us == 4);
  CHECK(total_of(run, "cycles") == 4000);
  CHECK(total_of(run, "time_us") == 4);
  CHECK(total_of(run, "warp_instructions") == 600);
  CHECK(total_of(run, "stalls.wait") == 400);
  CHECK(total_of(run, "ipc_active") == Approx(600.0 / 4000));
  CHECK(total_of(run, "throughput.issue_pct") == Approx(100 * 600.0 / (4000 * 16)));
  CHECK_FALSE(total_of(run, "no_such_key").has_value());
}

TEST_CASE("what a launch has and a sum has not is known where all kernels agree") {
  stats::Result first = result_of({kernel_of("a", 1000, {}), kernel_of("b", 1000, {})});
  stats::Result second = first;
  second.kernels[1].registers_per_thread = 64;
  const Comparison comparison = compare_two(first, second);
  CHECK(total_of(comparison.runs[0], "registers_per_thread") == 32);
  CHECK_FALSE(total_of(comparison.runs[1], "registers_per_thread").has_value());
  CHECK(total_of(comparison.runs[0], "counters.local.load_sectors") == 0);
}

TEST_CASE("ports of the network that a result did not count are unknown, not zero") {
  stats::Result first = result_of({kernel_of("a", 1000, {})});
  stats::Result earlier = first;
  earlier.machine.noc_ports.reset();
  const Comparison comparison = compare_two(first, earlier);
  CHECK(total_of(comparison.runs[0], "counters.noc.sm_request_bytes") == 0);
  CHECK_FALSE(total_of(comparison.runs[1], "counters.noc.sm_request_bytes").has_value());
  CHECK_FALSE(total_of(comparison.runs[1], "throughput.noc_pct").has_value());
}

TEST_CASE("launches of one name are one kernel, and lines are matched within it") {
  const auto loop = [](std::uint64_t waits) {
    return std::vector{instruction(10, "LDG.E", 100, Stall::kLgThrottle, waits),
                       instruction(10, "LDG.E", 100, Stall::kLgThrottle, waits),
                       instruction(11, "FFMA", 100, Stall::kLongScoreboard, 5000)};
  };
  const stats::Result first = result_of({kernel_of("loop", 4000, loop(9000)), kernel_of("loop", 4000, loop(9000))});
  const stats::Result second = result_of({kernel_of("loop", 1000, loop(1000))});
  const Comparison comparison = compare_two(first, second);
  const Change& change = comparison.changes.front();
  REQUIRE(change.kernels.size() == 1);
  const KernelChange& kernel = change.kernels.front();
  CHECK(kernel.first.launches == 2);
  CHECK(kernel.second.launches == 1);
  CHECK(kernel.first.time_us == 8);
  CHECK(kernel.second.time_us == 1);
  REQUIRE(kernel.lines.size() == 2);
  CHECK(kernel.lines[0].first->line == 10);
  CHECK(kernel.lines[0].cycles.first == 36'400);
  CHECK(kernel.lines[0].cycles.second == 2200);
  CHECK(kernel.lines[0].state == Stall::kLgThrottle);
  CHECK(kernel.lines[1].state == Stall::kLongScoreboard);
}

TEST_CASE("kernels and lines that only one result has are listed as such") {
  const stats::Result first =
      result_of({kernel_of("old", 2000, {}), kernel_of("same", 1000, {instruction(1, "A", 1, Stall::kWait, 5)})});
  const stats::Result second = result_of({kernel_of("same", 1000, {instruction(2, "B", 1, Stall::kWait, 5)}),
                                          kernel_of("new", 500, {}), kernel_of("newer", 700, {})});
  const Comparison comparison = compare_two(first, second);
  const Change& change = comparison.changes.front();
  REQUIRE(change.only_first.size() == 1);
  CHECK(change.only_first[0].name == "old");
  CHECK(change.only_first[0].share_pct == Approx(100 * 2.0 / 3));
  REQUIRE(change.only_second.size() == 2);
  CHECK(change.only_second[0].name == "newer");
  REQUIRE(change.kernels.size() == 1);
  REQUIRE(change.kernels[0].lines.size() == 2);
  CHECK_FALSE(change.kernels[0].lines[0].second.has_value());
  CHECK_FALSE(change.kernels[0].lines[1].first.has_value());
}

TEST_CASE("a cause weighs as much as its unit is busy in the slower result, and says for which result it speaks") {
  constexpr const char* kSectors = "sum of hotspots[].memory_sectors / sum of hotspots[].memory_ideal_sectors";
  stats::Result slow = result_of({kernel_of("a", 10'000, {instruction(1, "STG", 1000, Stall::kLgThrottle, 5000)})});
  slow.kernels[0].pcs[0].memory_sectors = 3200;
  slow.kernels[0].pcs[0].memory_ideal_sectors = 400;
  slow.kernels[0].l2.write_sectors = 64'000;  // 2 of 2.56 MB that fit into the time
  slow.kernels[0].dram.write_bytes = 100'000;
  stats::Result fast = slow;
  fast.kernels[0].cycles = 4000;
  fast.kernels[0].pcs[0].memory_sectors = 400;
  fast.kernels[0].dram.write_bytes = 200'000;
  const Comparison forwards = compare_two(slow, fast);
  const Cause* const stores = cause_called(forwards.changes[0], kSectors);
  REQUIRE(stores != nullptr);
  CHECK(stores->first == 8);
  CHECK(stores->second == 1);
  CHECK(stores->speeds_up);
  CHECK(stores->served_by == "L2");
  CHECK(stores->served_pct == Approx(80));
  CHECK(forwards.changes[0].causes.front().key == stores->key);
  const Cause* const bytes = cause_called(forwards.changes[0], "memory.dram.read_bytes + memory.dram.write_bytes");
  REQUIRE(bytes != nullptr);
  CHECK_FALSE(bytes->speeds_up);
  CHECK(bytes->weight < stores->weight);
  const Comparison backwards = compare_two(fast, slow);
  const Cause* const again = cause_called(backwards.changes[0], kSectors);
  REQUIRE(again != nullptr);
  CHECK_FALSE(again->speeds_up);
  CHECK(again->weight == stores->weight);
}

TEST_CASE("wide accesses that touch no sector too many are not a cause") {
  stats::Result narrow = result_of({kernel_of("a", 1000, {instruction(1, "STG.E", 1000, Stall::kLgThrottle, 500)})});
  narrow.kernels[0].pcs[0].memory_sectors = 4000;
  narrow.kernels[0].pcs[0].memory_ideal_sectors = 4000;
  stats::Result wide = result_of({kernel_of("a", 500, {instruction(1, "STG.E.128", 250, Stall::kLgThrottle, 90)})});
  wide.kernels[0].pcs[0].memory_sectors = 4000;
  wide.kernels[0].pcs[0].memory_ideal_sectors = 4000;
  const Comparison comparison = compare_two(narrow, wide);
  for (const Cause& cause : comparison.changes[0].causes) {
    CHECK_FALSE(cause.key.starts_with("sum of hotspots"));
  }
}

TEST_CASE("shared memory is a cause against a result that uses none only where it has conflicts") {
  const stats::Result without = result_of({kernel_of("a", 1000, {})});
  stats::Result with = without;
  with.kernels[0].sm.shared_wavefronts = 100;
  with.kernels[0].sm.shared_ideal_wavefronts = 100;
  const Comparison comparison = compare_two(without, with);
  constexpr const char* kConflicts = "counters.sm.shared_wavefronts / counters.sm.shared_ideal_wavefronts";
  CHECK(cause_called(comparison.changes[0], kConflicts) == nullptr);
  with.kernels[0].sm.shared_wavefronts = 1600;
  const Comparison conflicts = compare_two(without, with);
  const Cause* const cause = cause_called(conflicts.changes[0], kConflicts);
  REQUIRE(cause != nullptr);
  CHECK(cause->first == 1);
  CHECK(cause->second == 16);
}

TEST_CASE("a different number of CTAs is a setting, and the summary says it") {
  stats::Result whole = result_of({kernel_of("a", 1000, {})});
  whole.kernels[0].grid = {100, 1, 1};
  whole.kernels[0].simulated_ctas = 100;
  stats::Result part = whole;
  part.kernels[0].simulated_ctas = 10;
  const Change change = compare_two(whole, part).changes[0];
  REQUIRE(change.settings.size() == 1);
  CHECK(change.settings[0].what == "CTAs simulated");
  CHECK(change.settings[0].first == "all");
  CHECK(change.settings[0].second == "10 of 100");
  CHECK(std::ranges::count(change.summary, "B simulated 10 of 100 CTAs; its numbers are those of these.") == 1);
}

TEST_CASE("the roofline is that of the level whose roof is lowest") {
  stats::Result warm = result_of({kernel_of("a", 1000, {})});
  warm.kernels[0].flops[1] = 1'000'000;
  warm.kernels[0].l2.read_sectors = 1000;
  const Comparison comparison = compare_two(warm, warm);
  REQUIRE(comparison.runs[0].roofs.size() == 1);
  const report::RoofRow& row = comparison.runs[0].roofs[0];
  const report::RoofLevel& l2 = row.levels[1];
  CHECK(roof_of(row) == Approx(std::min(row.peak_flops_per_second, *l2.intensity * l2.peak_bytes_per_second)));
  CHECK_THAT(to_text(comparison, {}), Catch::Contains("L2"));
}

TEST_CASE("work that moves to the tensor cores speaks for the result that has it there") {
  stats::Result first = result_of({kernel_of("a", 10'000, {})});
  first.kernels[0].flops[1] = 1'000'000;
  stats::Result second = result_of({kernel_of("a", 2000, {})});
  second.kernels[0].pipe_busy_cycles[static_cast<std::size_t>(isa::Pipe::kTensor)] = 5000;
  for (std::size_t c = 1; c < isa::kFlopClasses; ++c) {
    if (isa::is_tensor(static_cast<isa::FlopClass>(c))) {
      second.kernels[0].flops[c] = 1'000'000;
      break;
    }
  }
  const Comparison comparison = compare_two(first, second);
  CHECK(cause_called(comparison.changes[0], "pipes.tensor.busy_cycles") == nullptr);
  const Cause* const flops = cause_called(comparison.changes[0], "sum of flops but those of tensor types");
  REQUIRE(flops != nullptr);
  CHECK(flops->speeds_up);
}

TEST_CASE("the line that is named changed in the direction of the sum") {
  const auto code = [](std::uint64_t store, std::uint64_t load, std::uint64_t out) {
    return std::vector{instruction(1, "STS", 10, Stall::kLongScoreboard, store),
                       instruction(2, "LDS", 10, Stall::kMioThrottle, load),
                       instruction(3, "STG", 10, Stall::kLgThrottle, out)};
  };
  const stats::Result first = result_of({kernel_of("tile", 9000, code(1000, 31'000, 30'000))});
  const stats::Result second = result_of({kernel_of("tile", 5000, code(41'000, 1000, 1000))});
  const Comparison comparison = compare_two(first, second);
  CHECK(comparison.changes[0].kernels[0].lines[0].first->line == 1);
  const std::vector<std::string>& summary = comparison.changes[0].summary;
  const std::string said = "Most of it at one line: line 2 (LDS) of tile has 30.0 k fewer warp-cycles in B.";
  CHECK(std::ranges::count(summary, said) == 1);
}

TEST_CASE("of many kernels that which changed most is named, though another has the line that did") {
  const auto code = [](std::uint64_t first, std::uint64_t second, std::uint64_t third) {
    return std::vector{instruction(1, "LDG", 10, Stall::kLongScoreboard, first),
                       instruction(2, "LDS", 10, Stall::kMioThrottle, second),
                       instruction(3, "STG", 10, Stall::kLgThrottle, third)};
  };
  const stats::Result first = result_of(
      {kernel_of("one", 9000, code(50'000, 10'000, 1000)), kernel_of("all", 9000, code(40'000, 30'000, 31'000))});
  const stats::Result second = result_of(
      {kernel_of("one", 8000, code(10'000, 10'000, 1000)), kernel_of("all", 5000, code(10'000, 5000, 11'000))});
  const std::vector<std::string> summary = compare_two(first, second).changes[0].summary;
  CHECK(std::ranges::count(summary,
                           "The kernel that changes most is all: 75.0 k fewer warp-cycles in B; its line 1 "
                           "(LDG) has 30.0 k fewer.") == 1);
}

TEST_CASE("a parameter that one result lacks is not set to nothing") {
  stats::Result first = result_of({kernel_of("a", 1000, {})});
  stats::Result second = first;
  second.parameters = {{"n", stats::ParameterValue(64)}, {"tile", stats::ParameterValue(32)}};
  CHECK(compare_two(first, second).changes[0].settings.back().first == "default");
  first.trace_path = "another";
  CHECK(compare_two(first, second).changes[0].settings.back().first == "none of these");
  first.parameters = {{"n", stats::ParameterValue(64)}};
  const Setting setting = compare_two(first, second).changes[0].settings.back();
  CHECK(setting.first == "none of these");
  CHECK(setting.second == "tile=32");
}

TEST_CASE("a result compared with itself has no change at all") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    const stats::Result result = random_result(77 * seed);
    const Comparison comparison = compare_two(result, result);
    const Change& change = comparison.changes.front();
    CHECK(change.summary == std::vector<std::string>{"No change: every total of B is that of A."});
    CHECK(change.causes.empty());
    CHECK(change.settings.empty());
    CHECK(change.only_first.empty());
    CHECK(change.only_second.empty());
    CHECK(change.warp_cycles.difference() == 0);
  }
}

TEST_CASE("what was set differently is named, and each later result is compared with the first") {
  stats::Result first = result_of({kernel_of("a", 1000, {})});
  stats::Result second = first;
  second.machine.sms = 2;
  second.parameters = {{"n", stats::ParameterValue(64)}};
  stats::Result third = first;
  third.cache_state = CacheState::kCold;
  third.kernels[0].cycles = 500;
  const std::vector<Input> inputs{{"a", &first}, {"b", &second}, {"c", &third}};
  const Comparison comparison = compare::compare(inputs);
  REQUIRE(comparison.changes.size() == 2);
  const Change& one = comparison.changes[0];
  REQUIRE(one.settings.size() == 2);
  CHECK(one.settings[0].what == "SMs");
  CHECK(one.settings[1].second == "n=64");
  CHECK(comparison.changes[1].settings.front().second == "cold");
  CHECK(comparison.runs[2].name == "C");
  CHECK(comparison.changes[1].second == 2);
  CHECK(comparison.changes[1].summary.front() == "C takes 0.50 us, A takes 1.00 us: C is 2.00 times as fast.");
}

TEST_CASE("a kernel of many is matched by its name, wherever it stands") {
  std::vector<stats::KernelResult> kernels;
  for (int i = 0; i < 200; ++i) {
    kernels.push_back(kernel_of("kernel_" + std::to_string(i), 1000, {instruction(1, "FFMA", 1, Stall::kWait, 9)}));
  }
  const stats::Result first = result_of(kernels);
  std::ranges::reverse(kernels);
  kernels[100].cycles = 3000;
  const stats::Result second = result_of(kernels);
  const Comparison comparison = compare_two(first, second);
  const Change& change = comparison.changes.front();
  REQUIRE(change.kernels.size() == 200);
  CHECK(change.kernels.front().name == "kernel_99");
  CHECK(change.kernels.front().second.time_us == 3);
  CHECK(change.only_first.empty());
}

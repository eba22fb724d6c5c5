// SPDX-License-Identifier: MIT
// Compiled kernels in the timing model: instructions take effect when they issue.
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/model/stats/result.h"
#include "sim/model/trace/summary.h"
#include "sim/model/trace/walker.h"
#include "sim/output/report/report.h"

#include "tests/exec/trace/launched.h"
#include "tests/support/golden.h"

using namespace gpusim;
using Catch::Matchers::Contains;
using test::Launched;

namespace {

trace::Trace saxpy(unsigned n, unsigned block) {
  std::vector<float> x(n);
  std::vector<float> y(n);
  for (unsigned i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i) * 0.5F;
    y[i] = static_cast<float>(n - i);
  }
  return Launched("saxpy").value(n).value(2.0F).buffer("x", x).buffer("y", y).trace({(n + block - 1) / block, 1, 1},
                                                                                    {block, 1, 1});
}

constexpr unsigned kChain = 120;  // more than SMs

trace::Trace chain() {
  return Launched("chain")
      .buffer<std::uint32_t>("tickets", {0})
      .buffer("flags", std::vector<std::uint32_t>(kChain))
      .buffer("sums", std::vector<std::uint32_t>(kChain))
      .buffer("order", std::vector<std::uint32_t>(kChain))
      .trace({kChain, 1, 1}, {64, 1, 1});
}

constexpr unsigned kValues = 20'000;
constexpr unsigned kBins = 16;

trace::Trace histogram() {
  std::vector<std::uint32_t> values(kValues);
  for (unsigned i = 0; i < kValues; ++i) {
    values[i] = i * i / 7 % 1000;
  }
  return Launched("histogram")
      .buffer("values", values)
      .value(kValues)
      .buffer("bins", std::vector<std::uint32_t>(kBins))
      .buffer<std::uint32_t>("done", {0})
      .buffer<std::uint32_t>("total", {0})
      .trace({40, 1, 1}, {128, 1, 1});
}

/// The result as bytes, and those of memory behind it.
std::string all_of(const trace::Trace& trace, const gpu::SimulateOptions& options) {
  test::Simulated simulated = test::simulate(test::a100(), trace, options);
  simulated.result.host = {};
  std::string all = report::to_json(simulated.result);
  for (const auto& [name, bytes] : simulated.buffers) {
    all += name + bytes;
  }
  return all;
}

/// What warp 0 of SM 0 does, from its first cycle to its last.
std::vector<stats::WatchInterval> first_warp(const stats::Result& result) {
  std::vector<stats::WatchInterval> intervals;
  for (const stats::WatchInterval& interval : result.watch) {
    if (interval.warp_slot == 0) {
      intervals.push_back(interval);
    }
  }
  return intervals;
}

stats::Result watched_saxpy() {
  gpu::SimulateOptions options;
  options.watch.push_back({0, 0U});
  return test::simulate(test::a100(), saxpy(64, 64), options).result;
}

void check_exactness(const trace::Trace& trace) {
  gpu::SimulateOptions options;
  const std::string once = all_of(trace, options);
  for (const unsigned threads : {2U, 3U}) {
    options.threads = threads;
    CHECK(all_of(trace, options) == once);
  }
  gpu::SimulateOptions reversed;
  reversed.reverse_domain_order = true;
  CHECK(all_of(trace, reversed) == once);
  gpu::SimulateOptions stepped;  // a cycle at a time
  stepped.window_divisor = 1000;
  CHECK(all_of(trace, stepped) == once);
}

}  // namespace

TEST_CASE("a simulated saxpy leaves what a CPU calculates") {
  constexpr unsigned kN = 1000;
  const test::Simulated simulated = test::simulate(test::a100(), saxpy(kN, 128));
  const auto y = simulated.values<float>("y");
  for (unsigned i = 0; i < kN; ++i) {
    CHECK(y[i] == 2.0F * (static_cast<float>(i) * 0.5F) + static_cast<float>(kN - i));
  }
  CHECK(simulated.result.kernels[0].divergence == stats::Divergence::kExecuted);
  CHECK(simulated.result.kernels[0].dependences_recorded);
}

TEST_CASE("what is simulated of a compiled kernel names lines of its source") {
  const trace::Trace trace = saxpy(64, 64);
  const trace::Kernel& kernel = trace.kernels[0];
  CHECK_THAT(kernel.where.file, Contains("walked.cu"));
  std::vector<std::uint32_t> lines;
  for (std::size_t pc = 0; pc < kernel.code.size(); ++pc) {
    if (kernel.texts[pc].opcode == "STG.E") {
      lines.push_back(kernel.texts[pc].line);
    }
  }
  CHECK(lines == std::vector<std::uint32_t>{7});
}

TEST_CASE("the timeline of a small saxpy is as it was") {
  const stats::Result result = watched_saxpy();
  std::string timeline;
  for (const stats::WatchInterval& interval : first_warp(result)) {
    timeline += std::to_string(interval.begin) + ".." + std::to_string(interval.end) + " " +
                std::string(stats::info_of(interval.state).key) + "  " + result.kernels[0].pcs[interval.pc].text + "\n";
  }
  CHECK(timeline == golden("tests/exec/trace/data/saxpy_timeline.txt", timeline));
}

TEST_CASE("an instruction issues no sooner than the compiler's stall count of the one before allows") {
  const trace::Trace trace = saxpy(64, 64);
  const stats::Result result = watched_saxpy();
  Cycle earliest = 0;
  for (const stats::WatchInterval& interval : first_warp(result)) {
    if (interval.state == stats::Stall::kSelected) {
      CHECK(interval.begin >= earliest);
      earliest = interval.begin + trace.kernels[0].code[interval.pc].control.stall;
    }
  }
  CHECK(earliest > 0);
}

TEST_CASE("a second simulation of the same trace finds memory as the first did") {
  const trace::Trace trace = saxpy(500, 64);
  CHECK(all_of(trace, {}) == all_of(trace, {}));
}

TEST_CASE("the untimed pass leaves memory alone") {
  gpu::SimulateOptions warm;
  warm.cache = CacheState::kWarm;
  gpu::SimulateOptions cold;
  cold.cache = CacheState::kCold;
  const trace::Trace trace = histogram();
  CHECK(test::simulate(test::a100(), trace, warm).values<std::uint32_t>("bins") ==
        test::simulate(test::a100(), trace, cold).values<std::uint32_t>("bins"));
}

TEST_CASE("CTAs that wait for one another by tickets and flags finish in the order of their tickets") {
  const test::Simulated simulated = test::simulate(test::a100(), chain());
  const auto order = simulated.values<std::uint32_t>("order");
  const auto sums = simulated.values<std::uint32_t>("sums");
  std::uint32_t before = 0;
  for (unsigned ticket = 0; ticket < kChain; ++ticket) {
    before += order[ticket] + 1;
    CHECK(sums[ticket] == before);
  }
  CHECK(before == kChain * (kChain + 1) / 2);
}

TEST_CASE("tickets and spinning give the same bytes for any threads, order of SMs and window") {
  check_exactness(chain());
}

TEST_CASE("atomics give the same bytes for any threads, order of SMs and window") {
  check_exactness(histogram());
}

TEST_CASE("atomics of all SMs add up, and the last CTA sees all of them") {
  const test::Simulated simulated = test::simulate(test::a100(), histogram());
  const auto values = simulated.values<std::uint32_t>("values");
  std::vector<std::uint32_t> expected(kBins);
  for (const std::uint32_t value : values) {
    ++expected[value % kBins];
  }
  CHECK(simulated.values<std::uint32_t>("bins") == expected);
  CHECK(simulated.values<std::uint32_t>("total") == std::vector<std::uint32_t>{kValues});
}

TEST_CASE("warps of a CTA meet at barriers with what the others have stored") {
  std::vector<float> in(128 * 6);
  std::iota(in.begin(), in.end(), 1.0F);
  const test::Simulated simulated = test::simulate(
      test::a100(),
      Launched("reverse_sums").buffer("in", in).buffer("out", std::vector<float>(6)).trace({6, 1, 1}, {128, 1, 1}));
  std::vector<float> expected(6);
  for (unsigned cta = 0; cta < 6; ++cta) {
    expected[5 - cta] = std::accumulate(in.begin() + 128 * cta, in.begin() + 128 * (cta + 1), 0.0F);
  }
  CHECK(simulated.values<float>("out") == expected);
}

TEST_CASE("a thread reads back at once what it has stored and added") {
  constexpr unsigned kThreads = 256;
  const test::Simulated simulated =
      test::simulate(test::a100(), Launched("own_stores")
                                       .buffer("words", std::vector<std::uint32_t>(kThreads))
                                       .buffer("seen", std::vector<std::uint32_t>(kThreads))
                                       .trace({2, 1, 1}, {128, 1, 1}));
  const auto seen = simulated.values<std::uint32_t>("seen");
  for (unsigned i = 0; i < kThreads; ++i) {
    CHECK(seen[i] == i + 1 + 1000 * (i + 6));
  }
}

TEST_CASE("a store beyond its buffer ends the simulation with the line, the lane and the buffer") {
  std::vector<float> x(64);
  const trace::Trace trace =
      Launched("saxpy").value(128U).value(2.0F).buffer("x", x).buffer("y", x).trace({1, 1, 1}, {128, 1, 1});
  gpu::SimulateOptions cold;
  cold.cache = CacheState::kCold;
  CHECK_THROWS_WITH(test::simulate(test::a100(), trace, cold), Contains("walked.cu:7") && Contains("lane 0 of warp 2"));
}

TEST_CASE("a kernel that spins forever ends with the limit of cycles, warm or cold") {
  const trace::Trace trace = Launched("wait_forever").buffer<std::uint32_t>("flag", {0}).trace({2, 1, 1}, {32, 1, 1});
  for (const CacheState cache : {CacheState::kWarm, CacheState::kCold}) {
    gpu::SimulateOptions options;
    options.cache = cache;
    options.max_cycles = 100'000;
    CHECK_THROWS_AS(test::simulate(test::a100(), trace, options), CannotFinishError);
  }
}

TEST_CASE("a walk without a machine sees what an untimed run does") {
  const trace::Trace trace = saxpy(1000, 128);
  const trace::KernelSummary summary = trace::summarize(trace.kernels[0]);
  CHECK(summary.walked.complete());
  const trace::RequestedBytes& global = summary.of(isa::MemSpace::kGlobal);
  CHECK(global.read == 2 * 4 * 1000);
  CHECK(global.written == 4 * 1000);
}

TEST_CASE("a simulation issues the instructions that an untimed run executes") {
  const trace::Trace trace = saxpy(1000, 128);
  const test::Simulated simulated = test::simulate(test::a100(), trace);
  CHECK(simulated.result.kernels[0].sm.warp_instructions == trace::summarize(trace.kernels[0]).total.issues);
}

TEST_CASE("where no value depends on time, executing takes the cycles that replaying a recording of it takes") {
  const trace::Trace executed = saxpy(20'000, 128);
  trace::Kernel recorded = executed.kernels[0];
  const trace::Recording& recording = recorded.behaviour->executable()->recording();
  recorded.behaviour = std::make_shared<const trace::Behaviour>(trace::Recording(recording));
  trace::Trace replayed;
  replayed.kernels.push_back(std::move(recorded));
  gpu::SimulateOptions cold;
  cold.cache = CacheState::kCold;
  const stats::KernelResult one = test::simulate(test::a100(), executed, cold).result.kernels[0];
  const stats::KernelResult other = test::simulate(test::a100(), replayed, cold).result.kernels[0];
  CHECK(one.cycles == other.cycles);
  CHECK(one.stalls == other.stalls);
  CHECK(one.l1.load_sectors == other.l1.load_sectors);
  CHECK(one.sm.thread_instructions == other.sm.thread_instructions);
}

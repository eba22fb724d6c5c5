// SPDX-License-Identifier: MIT
// What a run records over time adds up to what it counts, and changes nothing.
#include <map>
#include <numeric>

#include <catch2/catch.hpp>

#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"

#include "tests/system/support.h"

namespace record_test {

using namespace gpusim;

namespace {

stats::Result recorded(const arch::Arch& arch, const trace::Trace& trace, unsigned threads = 1,
                       CacheState cache = gpu::SimulateOptions().cache) {
  gpu::SimulateOptions options;
  options.threads = threads;
  options.cache = cache;
  options.record_series = true;
  return gpu::simulate(arch, trace, options);
}

std::filesystem::path shipped_trace(const std::string& name) {
  return std::string(GPUSIM_SOURCE_DIR) + "/traces/" + name + ".trace";
}

void check_sums(const stats::KernelResult& kernel) {
  REQUIRE(kernel.record);
  const stats::TimeSeries& series = kernel.record->series;
  stats::StallCycles states{};
  stats::TrafficCounters traffic;
  for (std::size_t i = 0; i < series.states.size(); ++i) {
    stats::add(states, series.states[i]);
    stats::add(traffic, series.traffic[i]);
  }
  CHECK(states == kernel.stalls);
  stats::add(traffic, series.traffic_after);
  CHECK(traffic.l1_lookups == kernel.l1.load_sectors);
  CHECK(traffic.l1_hits == kernel.l1.load_hits);
  CHECK(traffic.l1_wavefronts == kernel.l1.wavefronts);
  CHECK(traffic.shared_wavefronts == kernel.sm.shared_wavefronts);
  CHECK(traffic.l2_sectors == kernel.l2.read_sectors + kernel.l2.write_sectors + kernel.l2.atomic_sectors);
  CHECK(traffic.l2_lookups == kernel.l2.read_sectors);
  CHECK(traffic.l2_hits == kernel.l2.read_hits);
  CHECK(traffic.dram_read_bytes == kernel.dram.read_bytes);
  CHECK(traffic.dram_write_bytes == kernel.dram.write_bytes);
  CHECK((series.states.size() - 1) * series.interval_cycles < kernel.cycles);
  CHECK(series.states.size() * series.interval_cycles >= kernel.cycles);
}

/// No unit moves more in an interval than it can: not by how its work is counted, for one.
void check_peaks(const stats::KernelResult& kernel, const arch::Arch& arch) {
  REQUIRE(kernel.record);
  const stats::TimeSeries& series = kernel.record->series;
  const std::uint64_t sm_cycles = std::uint64_t{series.interval_cycles} * arch.sm.count;
  const std::uint64_t l2_bytes = series.interval_cycles * arch.l2.slices * arch.l2.slice_bytes_per_cycle;
  // Where an interval cuts a burst, its bytes are rounded.
  const double dram_bytes = arch.dram.peak_bytes_per_second() * static_cast<double>(series.interval_cycles) /
                                static_cast<double>(arch.clocks.sm) +
                            arch.dram.channels;
  for (const stats::TrafficCounters& row : series.traffic) {
    CHECK(row.shared_wavefronts <= sm_cycles);
    CHECK(row.l1_wavefronts <= sm_cycles);
    CHECK(row.l1_sectors * kSectorBytes <= sm_cycles * arch.sm.l1.data_bytes_per_cycle);
    CHECK(row.l2_sectors * kSectorBytes <= l2_bytes);
    CHECK(static_cast<double>(row.dram_read_bytes + row.dram_write_bytes) <= dram_bytes);
  }
}

}  // namespace

TEST_CASE("in no interval does a level of the memory hierarchy move more than its peak") {
  const auto* part = GENERATE("h100", "a100");
  const arch::Arch arch = test::shipped(part);
  for (const auto* name : {"flashattn", "gemm_bf16", "gemv", "transpose", "saxpy", "stream_read", "gather"}) {
    INFO(part << ": " << name);
    for (const stats::KernelResult& kernel : recorded(arch, test::small(shipped_trace(name))).kernels) {
      check_peaks(kernel, arch);
    }
  }
}

TEST_CASE("in no interval do ideal DRAM and ideal L2 move more than their peak, and all that they move is recorded") {
  arch::Arch arch = test::shipped("h100");
  arch.dram.model = arch::DramModel::kIdeal;
  arch.l2.model = GENERATE(arch::L2Model::kIdeal, arch::L2Model::kSectored);
  for (const auto* name : {"saxpy", "gather"}) {
    INFO(name);
    const stats::Result result = recorded(arch, test::small(shipped_trace(name)));
    check_peaks(result.kernels[0], arch);
    check_sums(result.kernels[0]);
  }
}

TEST_CASE("a stream from DRAM shows it near its peak over time") {
  const arch::Arch arch = test::shipped("h100");
  trace::ParameterChoice large;
  large.overrides = {{"n", 1 << 20}};
  const stats::Result result =
      recorded(arch, frontend::load_trace_text(shipped_trace("saxpy"), large), 1, CacheState::kCold);
  check_peaks(result.kernels[0], arch);
  check_sums(result.kernels[0]);
  const stats::TimeSeries& series = result.kernels[0].record->series;
  double most = 0;
  for (const stats::TrafficCounters& row : series.traffic) {
    most = std::max(most, static_cast<double>(row.dram_read_bytes + row.dram_write_bytes));
  }
  const double peak = arch.dram.peak_bytes_per_second() * static_cast<double>(series.interval_cycles) /
                      static_cast<double>(arch.clocks.sm);
  INFO("busiest interval, in percent: " << 100 * most / peak);
  CHECK(most > 0.8 * peak);
}

TEST_CASE("a kernel that keeps shared memory busy shows it near its peak, and never above it") {
  const arch::Arch arch = test::shipped("h100");
  trace::ParameterChoice shape;
  shape.overrides = {{"heads", 2}, {"seq", 256}, {"d", 128}};
  shape.words = {{"type", "bf16"}};
  const std::string file = std::string(GPUSIM_SOURCE_DIR) + "/traces/library/attention-naive.trace";
  const stats::Result result = recorded(arch, frontend::load_trace_text(file, shape));
  std::uint64_t most = 0;
  for (const stats::KernelResult& kernel : result.kernels) {
    check_peaks(kernel, arch);
    const stats::TimeSeries& series = kernel.record->series;
    for (const stats::TrafficCounters& row : series.traffic) {
      most = std::max(most, 100 * row.shared_wavefronts / (series.interval_cycles * arch.sm.count));
    }
  }
  INFO("busiest interval, in percent: " << most);
  CHECK(most > 80);
}

TEST_CASE("states and traffic over time sum to the counters of every shipped trace") {
  const arch::Arch arch = test::shipped("h100");
  for (const std::filesystem::path& path : test::shipped_traces()) {
    INFO(path);
    for (const stats::KernelResult& kernel : recorded(arch, test::small(path)).kernels) {
      check_sums(kernel);
    }
  }
}

TEST_CASE("what is recorded does not depend on the number of threads") {
  const arch::Arch arch = test::shipped("a100");
  for (const auto* name : {"saxpy", "flashattn", "divergence"}) {
    const trace::Trace trace = test::small(shipped_trace(name));
    CHECK(report::to_json(recorded(arch, trace, 1)) == report::to_json(recorded(arch, trace, 3)));
  }
}

TEST_CASE("recording changes no other number") {
  const arch::Arch arch = test::shipped("v100");
  const trace::Trace trace = test::small(shipped_trace("gather"));
  stats::Result with = recorded(arch, trace);
  for (stats::KernelResult& kernel : with.kernels) {
    kernel.record.reset();
  }
  CHECK(report::to_json(with) == report::to_json(gpu::simulate(arch, trace, {})));
}

TEST_CASE("every CTA is recorded with its SM, and SMs with what they did") {
  const arch::Arch arch = test::shipped("h100");
  const stats::Result result = recorded(arch, test::small(shipped_trace("saxpy")));
  const stats::KernelResult& kernel = result.kernels[0];
  const stats::KernelRecord& record = *kernel.record;
  REQUIRE(record.ctas.size() == kernel.simulated_ctas);
  std::vector<std::uint64_t> by_sm(arch.sm.count);
  for (std::size_t i = 0; i < record.ctas.size(); ++i) {
    CHECK(record.ctas[i].cta == i);
    CHECK(record.ctas[i].begin < record.ctas[i].end);
    CHECK(record.ctas[i].end <= kernel.cycles);
    CHECK(record.ctas[i].slot < kernel.occupancy.ctas_per_sm);
    ++by_sm.at(record.ctas[i].sm);
  }
  CHECK(record.sm_ctas == by_sm);
  CHECK(std::accumulate(record.sm_warp_instructions.begin(), record.sm_warp_instructions.end(), std::uint64_t{0}) ==
        kernel.sm.warp_instructions);
}

TEST_CASE("occupancy curves go through the launch's own occupancy") {
  const stats::Result result = recorded(test::shipped("h100"), test::small(shipped_trace("flashattn")));
  const stats::KernelResult& kernel = result.kernels[0];
  REQUIRE(kernel.record->occupancy_curves.size() == 3);
  for (const stats::OccupancyCurve& curve : kernel.record->occupancy_curves) {
    INFO(stats::kKnobNames[static_cast<std::size_t>(curve.of)]);
    const auto own = std::ranges::find(curve.values, curve.at);
    REQUIRE(own != curve.values.end());
    CHECK(curve.warps[static_cast<std::size_t>(own - curve.values.begin())] ==
          kernel.occupancy.ctas_per_sm * kernel.occupancy.warps_per_cta);
  }
}

TEST_CASE("of CTAs that share an SM's slot one ends before the next begins") {
  const stats::Result result = recorded(test::shipped("t4"), test::small(shipped_trace("gemv")));
  std::map<std::pair<std::uint32_t, std::uint32_t>, Cycle> end_of_last;
  for (const stats::CtaSpan& span : result.kernels[0].record->ctas) {
    Cycle& end = end_of_last[{span.sm, span.slot}];
    CHECK(span.begin >= end);
    end = span.end;
  }
}

}  // namespace record_test

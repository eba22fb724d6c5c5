// SPDX-License-Identifier: MIT
// What bounds kernels that DRAM holds up, on a whole machine: the rows that it must open, or the bytes that it moves.
#include <catch2/catch.hpp>

#include "sim/base/cache_state.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/metrics.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"
#include "sim/output/report/text_options.h"

#include "tests/system/support.h"

namespace dram_rows_test {

using namespace gpusim;
using Catch::Contains;
using stats::Bound;

namespace {

using Parameters = std::vector<std::pair<std::string, std::int64_t>>;

/// A shipped trace of a size that does not fit L2, from caches that are empty.
stats::Result run(const arch::Arch& arch, const std::string& name, const Parameters& parameters) {
  gpu::SimulateOptions options;
  options.cache = CacheState::kCold;
  options.threads = 2;
  const std::string path = std::string(GPUSIM_SOURCE_DIR) + "/traces/" + name + ".trace";
  return gpu::simulate(arch, frontend::load_trace_text(path, {parameters}), options);
}

Bound bound_of(const stats::Result& result) {
  return stats::bound(result, result.kernels.at(0));
}

}  // namespace

TEST_CASE("a gather of one sector per lane is bound by the rows that DRAM opens, and the report says so") {
  const stats::Result result =
      run(test::shipped("h100", {{"l2.fill_bytes", "32 B"}}), "gather", {{"n", 262144}, {"apart", 128}});
  CHECK(bound_of(result) == Bound::kDramRows);
  const stats::Throughput t = stats::throughput(result, result.kernels.at(0));
  CHECK(t.dram_rows_pct > 70);
  CHECK(t.dram_rows_pct < 100);
  CHECK(t.dram_pct < 50);
  CHECK_THAT(report::to_text(result, {}), Contains("  dram_rows-bound: DRAM opens") && Contains("  DRAM rows  "));
}

TEST_CASE("a stream is bound by the bandwidth of DRAM, a product of matrices by neither") {
  CHECK(bound_of(run(test::shipped("v100"), "saxpy", {{"n", 2097152}})) == Bound::kDram);
  const stats::Result product = run(test::shipped("h100"), "sgemm_tiled", {{"m", 256}, {"n", 256}, {"k", 256}});
  CHECK(bound_of(product) != Bound::kDramRows);
  CHECK(bound_of(product) != Bound::kDram);
}

TEST_CASE("without rows to open the same gather moves more, and none are counted") {
  const arch::Arch ideal = test::shipped("h100", {{"dram.model", "ideal"}});
  const Parameters parameters{{"n", 262144}, {"apart", 128}};
  const stats::Result without = run(ideal, "gather", parameters);
  CHECK(bound_of(without) != Bound::kDramRows);
  CHECK(stats::throughput(without, without.kernels.at(0)).dram_rows_pct == 0);
  CHECK(without.kernels.at(0).dram.activates == 0);
  CHECK(without.kernels.at(0).cycles < run(test::shipped("h100"), "gather", parameters).kernels.at(0).cycles);
}

}  // namespace dram_rows_test

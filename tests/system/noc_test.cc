// SPDX-License-Identifier: MIT
// The network between SMs and L2 on a whole machine: which ports bound a kernel, and that the report says so.
#include <catch2/catch.hpp>

#include "sim/base/cache_state.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/stats/metrics.h"
#include "sim/model/stats/noc_counters.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"
#include "sim/output/report/text_options.h"

#include "tests/system/support.h"

namespace noc_test {

using namespace gpusim;
using Catch::Contains;
using stats::Bound;

namespace {

using Parameters = std::vector<std::pair<std::string, std::int64_t>>;

/// A shipped trace from L2, with other ports than the GPU has.
stats::Result run(const std::vector<arch::Override>& overrides, const std::string& name = "saxpy",
                  const Parameters& parameters = {{"n", 524288}}) {
  gpu::SimulateOptions options;
  options.threads = 2;
  const std::string path = std::string(GPUSIM_SOURCE_DIR) + "/traces/" + name + ".trace";
  return gpu::simulate(test::shipped("h100", overrides), frontend::load_trace_text(path, {parameters}), options);
}

std::string_view busiest(const stats::Result& result) {
  return stats::busiest_noc_level(result, result.kernels.at(0)).key;
}

}  // namespace

TEST_CASE("with narrow ports of GPCs or L2 slices the network is the bound, and the verdict names them") {
  struct Case {
    std::string key;
    std::string level;
    std::string name;
  };
  for (const Case& one : {Case{"noc.gpc_reply_bytes_per_cycle", "gpc_reply", "reply ports of GPCs"},
                          Case{"noc.gpc_request_bytes_per_cycle", "gpc_request", "request ports of GPCs"},
                          Case{"noc.slice_reply_bytes_per_cycle", "slice_reply", "reply ports of L2 slices"}}) {
    CAPTURE(one.key);
    const bool of_slice = one.level.starts_with("slice");
    const stats::Result result = run({{one.key, of_slice ? "8 B/cycle" : "32 B/cycle"}});
    CHECK(stats::bound(result, result.kernels.at(0)) == Bound::kNoc);
    CHECK(busiest(result) == one.level);
    CHECK(stats::throughput(result, result.kernels.at(0)).noc_pct <= 100);
    CHECK_THAT(report::to_text(result, {}), Contains("noc-bound: the " + one.name));
  }
}

TEST_CASE("requests that ports hold up wait for credits: of the GPC at the SM, of slices at the GPC") {
  const auto ports_of = [](const std::string& key, const std::string& width) {
    // Slices that take writes as fast as their ports do, so that only ports hold up.
    return run({{key, width}, {"l2.write_request_cycles", "0"}}, "transpose", {{"n", 256}, {"m", 256}})
        .kernels.at(0)
        .noc;
  };
  const stats::NocCounters usual = ports_of("noc.gpc_request_bytes_per_cycle", "320 B/cycle");
  const stats::NocCounters narrow_gpc = ports_of("noc.gpc_request_bytes_per_cycle", "32 B/cycle");
  CHECK(narrow_gpc.sm_request_stall_cycles > usual.sm_request_stall_cycles + 100000);
  CHECK(narrow_gpc.sm_request_full_cycles > 2 * usual.sm_request_full_cycles);
  CHECK(narrow_gpc.gpc_request_stall_cycles == usual.gpc_request_stall_cycles);
  const stats::NocCounters narrow_slice = ports_of("noc.slice_request_bytes_per_cycle", "4 B/cycle");
  CHECK(narrow_slice.gpc_request_stall_cycles > usual.gpc_request_stall_cycles + 100000);
  CHECK(narrow_slice.gpc_request_full_cycles > usual.gpc_request_full_cycles + 10000);
  CHECK(narrow_slice.slice_request_full_cycles > 2 * usual.slice_request_full_cycles);
  CHECK(narrow_slice.sm_request_bytes == usual.sm_request_bytes);
}

TEST_CASE("replies that a port holds up wait there") {
  const stats::NocCounters usual = run({}).kernels.at(0).noc;
  const stats::NocCounters narrow = run({{"noc.gpc_reply_bytes_per_cycle", "64 B/cycle"}}).kernels.at(0).noc;
  CHECK(narrow.gpc_reply_wait_cycles > 10 * usual.gpc_reply_wait_cycles);
  CHECK(narrow.gpc_reply_bytes == usual.gpc_reply_bytes);
}

TEST_CASE("a stream from DRAM is held up by narrow links between the halves of L2, and wider ones make it faster") {
  const auto cold = [](const std::string& width) {
    gpu::SimulateOptions options;
    options.threads = 2;
    options.cache = CacheState::kCold;
    const std::string path = std::string(GPUSIM_SOURCE_DIR) + "/traces/saxpy.trace";
    return gpu::simulate(test::shipped("h100", {{"noc.partition_link_bytes_per_cycle", width}}),
                         frontend::load_trace_text(path, {Parameters{{"n", 524288}}}), options);
  };
  const stats::Result narrow = cold("64 B/cycle");
  const stats::Result wide = cold("512 B/cycle");
  CHECK(stats::bound(narrow, narrow.kernels.at(0)) == Bound::kNoc);
  CHECK(busiest(narrow) == "link");
  CHECK(stats::bound(wide, wide.kernels.at(0)) != Bound::kNoc);
  CHECK(wide.kernels.at(0).cycles < narrow.kernels.at(0).cycles);
}

TEST_CASE("without ports the network counts nothing and bounds nothing") {
  const stats::Result result = run({{"noc.model", "ideal"}});
  CHECK(result.kernels.at(0).noc.gpc_reply_bytes == 0);
  CHECK(stats::throughput(result, result.kernels.at(0)).noc_pct == 0);
  CHECK_THAT(report::to_text(result, {}), Contains("simulated without ports"));
}

}  // namespace noc_test

// SPDX-License-Identifier: MIT
// What a kernel's time has beside its cycles: the way to its first CTA, and its end, during which stores drain.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/metrics.h"
#include "sim/model/stats/result.h"

#include "tests/system/support.h"

namespace kernel_time_test {

using namespace gpusim;

namespace {

struct Timed {
  stats::KernelResult kernel;
  double us = 0;
  double cycles_us = 0;
};

Timed run(const std::string& code, const std::vector<arch::Override>& set) {
  const stats::Result result =
      gpu::simulate(test::shipped("h100", set), test::program("grid (1)\nblock (32)\nbuffer x f32[32]\n", code), {});
  const stats::KernelResult& kernel = result.kernels.at(0);
  return {kernel, stats::time_us(result, kernel), static_cast<double>(kernel.cycles) / result.sm_clock_mhz};
}

}  // namespace

TEST_CASE("a kernel's time is its cycles, its begin, and its end where nothing drains") {
  const Timed timed = run("EXIT", {{"launch.begin_ns", "400 ns"}, {"launch.flush_ns", "300 ns"}});
  CHECK(timed.kernel.begin_end_us == Approx(0.7));
  CHECK(timed.us == Approx(timed.cycles_us + 0.7));
}

TEST_CASE("stores drain while the kernel ends, and what is left of the end comes after them") {
  const std::string store = "STG.E [R2.64], R4 @ x[tid]\nEXIT";
  const auto with_flush = [&store](const std::string& flush) {
    return run(store, {{"launch.begin_ns", "0 ns"}, {"launch.flush_ns", flush}});
  };
  const Timed short_end = with_flush("10 ns");
  const Timed long_end = with_flush("1000 ns");
  CHECK(short_end.kernel.begin_end_us == 0);
  CHECK(long_end.kernel.begin_end_us > 0);
  CHECK(long_end.kernel.begin_end_us < 1);
  CHECK(short_end.kernel.cycles == long_end.kernel.cycles);
}

TEST_CASE("a kernel without begin and end takes its cycles") {
  const Timed timed = run("EXIT", {{"launch.begin_ns", "0 ns"}, {"launch.flush_ns", "0 ns"}});
  CHECK(timed.us == timed.cycles_us);
}

}  // namespace kernel_time_test

// SPDX-License-Identifier: MIT
// What-ifs of a step: which file a key is of, and what they do to its time.
#include "sim/commands/app/step/what_if.h"

#include <filesystem>
#include <span>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/commands/app/step/step.h"
#include "sim/model/arch/schema.h"
#include "sim/system/application/loader.h"
#include "sim/system/config/loader.h"

namespace what_if_test {

using namespace gpusim;
using namespace gpusim::app;
using Catch::Contains;

namespace {

constexpr const char* kStep = R"(repeats: 2
kernels:
  product: {flops: 1000000000000, bytes: 1 MiB, peak: bf16_tensor}
  saxpy: {trace: saxpy, params: {n: 65536}}
threads:
  main: [launch: KERNEL, synchronize: device]
)";

/// Microseconds of a step that launches the kernel, with changes.
double step_us(const std::string& kernel, const std::vector<arch::Override>& changes) {
  const std::filesystem::path configs = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs";
  const WhatIf what_if = sort_changes(changes);
  std::string text = kStep;
  text.replace(text.find("KERNEL"), 6, kernel);
  const application::Application application =
      application::parse_application(text, "step.yaml", what_if.of_application);
  const system::System system =
      system::load_system(configs / "systems" / "dgx-h100.yaml", std::span(&configs, 1), what_if.of_system);
  return run_step(application, system, {}).timeline.step_ns() / 1e3;
}

std::string problem_of(const std::vector<arch::Override>& changes) {
  try {
    static_cast<void>(sort_changes(changes));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("changes are sorted by the file that has their keys") {
  const WhatIf what_if = sort_changes(std::vector<arch::Override>{
      {"calls.launch", "2 us"}, {"gpu.sm.count", "66"}, {"repeats", "3"}, {"kernels.product.bytes", "1 GiB"}});
  CHECK(what_if.of_system.keys.size() == 1);
  CHECK(what_if.of_system.of_gpus.front().key == "sm.count");
  CHECK(what_if.of_application.size() == 2);
  CHECK(what_if.text() == "with calls.launch=2 us, gpu.sm.count=66, repeats=3, kernels.product.bytes=1 GiB");
}

TEST_CASE("a key that no file has is refused, with the nearest") {
  CHECK(problem_of({{"sm.count", "66"}}) == "--set sm.count: unknown key 'sm.count' (did you mean 'gpu.sm.count'?)");
  CHECK_THAT(problem_of({{"call.launch", "2 us"}}), Contains("did you mean 'calls.launch'?"));
  CHECK_THAT(problem_of({{"nothing", "1"}}), Contains("such as gpu.sm.count, calls.launch"));
  CHECK(problem_of({{"kernels.product", "4"}}) ==
        "--set kernels.product: names no key (such as kernels.product.trace)");
  CHECK_THAT(problem_of({{"repeats", "1"}, {"repeats", "2"}}), Contains("--set repeats: is given twice"));
}

TEST_CASE("half the SMs double the time of a kernel that the roofline gives, and a launch's cost is added") {
  const double base = step_us("product", {});
  const double half = step_us("product", {{"gpu.sm.count", "66"}});
  CHECK(half / base == Approx(2).epsilon(0.03));
  CHECK(step_us("product", {{"calls.launch", "104100 ns"}}) - base == Approx(100).epsilon(0.01));
}

TEST_CASE("a kernel's cycles are shared by the SMs, and its time besides is added") {
  const double base = step_us("product", {});
  CHECK(step_us("product", {{"kernels.product.besides", "100 us"}}) - base == Approx(100).epsilon(0.01));
  // 3 ms on 132 SMs at 1.83 GHz.
  const arch::Override cycles{"kernels.product.sm_cycles", "724680000 cycles"};
  CHECK(step_us("product", {cycles}) == Approx(3000).epsilon(0.02));
  CHECK(step_us("product", {cycles, {"gpu.sm.count", "66"}}) == Approx(6000).epsilon(0.02));
}

TEST_CASE("a simulated kernel is simulated anew on a changed GPU") {
  const double base = step_us("saxpy", {});
  CHECK(step_us("saxpy", {{"gpu.sm.count", "2"}}) > base + 1);
  CHECK(step_us("saxpy", {{"kernels.saxpy.params.n", "16777216"}}) > 2 * base);
}

TEST_CASE("keys of each file have rows with their units") {
  CHECK(find_what_if_key("gpu.dram.bandwidth")->unit == arch::Unit::kBytesPerSecond);
  CHECK(find_what_if_key("gpu.sm.count")->path == "gpu.sm.count");
  CHECK(find_what_if_key("kernels.relu.bytes")->unit == arch::Unit::kBytes);
  CHECK(find_what_if_key("repeats")->max == 10'000);
  CHECK_FALSE(find_what_if_key("sm.count").has_value());
  CHECK_FALSE(find_what_if_key("kernels").has_value());
}

}  // namespace what_if_test

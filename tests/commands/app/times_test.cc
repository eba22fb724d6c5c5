// SPDX-License-Identifier: MIT
// What kernels take of a GPU, and how fewer SMs slow them: kernels of a T4, whose bandwidth a few of its 40 SMs use.
#include "sim/commands/app/times/times.h"

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include <catch2/catch.hpp>

#include "sim/system/application/loader.h"
#include "sim/system/config/loader.h"

namespace app_times_test {

using namespace gpusim;
using namespace gpusim::app;

namespace {

constexpr const char* kKernels = R"(kernels:
  triad: {trace: saxpy, params: {n: 1048576}}
  sums: {trace: ffma_peak, params: {ctas: 320, loops: 4}}
  few: {trace: ffma_peak, params: {ctas: 10, loops: 4}}
  roof of memory: {bytes: 64 MiB}
  roof of compute: {flops: 1000000000, bytes: 1 KiB, peak: fp32}
  recorded: {time: 10 us}
streams: {other: {waits_for_default: no}}
threads: {main: [launch: triad, CALL]}
)";

/// By kernel; with this call beside the first kernel's launch.
std::map<std::string, run::KernelCost> costs_with(const std::string& call, unsigned threads = 1) {
  const std::filesystem::path configs = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs";
  std::string text = kKernels;
  text.replace(text.find("CALL"), 4, call);
  const application::Application application = application::parse_application(text, "step.yaml");
  const system::System system = system::load_system(configs / "systems" / "t4-server.yaml", std::span(&configs, 1));
  const system::Fabric fabric(system);
  TimesOptions options;
  options.threads = threads;
  const Times times = find_times(run::Binding(application, system, fabric), options);
  std::map<std::string, run::KernelCost> costs;
  for (std::size_t i = 0; i < application.kernels.size(); ++i) {
    costs[application.kernels[i].name] = times.costs.front()[i];
  }
  return costs;
}

const std::string kOnOtherStream = "launch: {kernel: sums, stream: other}";

}  // namespace

TEST_CASE("half the SMs slow a kernel little that DRAM bounds, and one that its instructions bound by half") {
  auto costs = costs_with(kOnOtherStream);
  CHECK(costs["triad"].slowdown_on_half() < 1.2);
  CHECK(costs["triad"].slowdown_on_half() >= 1);
  CHECK(costs["sums"].slowdown_on_half() > 1.9);
  CHECK(costs["roof of memory"].slowdown_on_half() == Approx(1));
  CHECK(costs["roof of compute"].slowdown_on_half() > 1.95);
}

TEST_CASE("it is known where the slowdown on fewer SMs comes from") {
  auto costs = costs_with(kOnOtherStream);
  CHECK(run::how_slowdown_is_known(costs["triad"]) == "simulated");
  CHECK(run::how_slowdown_is_known(costs["roof of memory"]) == "roofline");
  for (const char* const name : {"recorded", "few"}) {
    CHECK(run::how_slowdown_is_known(costs[name]) == "assumed");
    CHECK(costs[name].slowdown_on_half() == Approx(2));
  }
}

TEST_CASE("kernels of one stream, which run alone, are not simulated on fewer SMs") {
  auto costs = costs_with("launch: sums");
  CHECK(run::how_slowdown_is_known(costs["triad"]) == "assumed");
}

TEST_CASE("the slowdown on fewer SMs is the same for any number of threads, and leaves the time alone as it is") {
  auto costs = costs_with(kOnOtherStream);
  auto others = costs_with(kOnOtherStream, 3);
  auto alone = costs_with("launch: sums");
  for (const auto& [name, cost] : costs) {
    CHECK(cost.of_sms == others[name].of_sms);
    CHECK(cost.ns == others[name].ns);
    CHECK(cost.ns == alone[name].ns);
  }
}

}  // namespace app_times_test

// SPDX-License-Identifier: MIT
// What kernels take of a GPU, and how fewer SMs slow them: kernels of a T4, whose bandwidth a few of its 40 SMs use.
#include "sim/commands/app/times/times.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "sim/system/application/loader.h"
#include "sim/system/config/loader.h"

namespace app_times_test {

using namespace gpusim;
using namespace gpusim::app;

namespace {

constexpr const char* kKernels = R"(kernels:
  triad: {trace: saxpy, params: {n: 1048576}}
  sums: {trace: ffma_peak, params: {ctas: 320, loops: 1}}
  few: {trace: ffma_peak, params: {ctas: 10, loops: 1}}
  roof of memory: {bytes: 64 MiB}
  roof of compute: {flops: 1000000000, bytes: 1 KiB, peak: fp32}
  recorded: {time: 10 us}
streams: {other: {waits_for_default: no}}
threads: {main: [launch: triad, CALL]}
)";

/// By kernel of the application with this text.
std::map<std::string, run::KernelCost> costs_on(const char* system_file, const std::string& text, unsigned threads) {
  const std::filesystem::path configs = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs";
  const application::Application application = application::parse_application(text, "step.yaml");
  const system::System system = system::load_system(configs / "systems" / system_file, std::span(&configs, 1));
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

/// By kernel; with this call beside the first kernel's launch.
std::map<std::string, run::KernelCost> costs_with(const std::string& call, unsigned threads = 1) {
  std::string text = kKernels;
  text.replace(text.find("CALL"), 4, call);
  return costs_on("t4-server.yaml", text, threads);
}

/// A trace that goes with the test: each SM of an H100 holds one of its CTAs, each GPC one of its clusters.
class LargeClusters {
 public:
  LargeClusters()
      : path_(std::filesystem::temp_directory_path() / ("gpusim-clusters-" + std::to_string(::getpid()) + ".trace")) {
    std::ofstream(path_) << "gpusim trace 1\nkernel large\n  grid (128)\n  cluster (16)\n  block (1024)\n"
                            "  registers 64\ncode\n  EXIT\nend\n";
  }
  LargeClusters(const LargeClusters&) = delete;
  LargeClusters& operator=(const LargeClusters&) = delete;
  ~LargeClusters() { std::filesystem::remove(path_); }
  [[nodiscard]] std::string file() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

constexpr const char* kOnOtherStream = "launch: {kernel: sums, stream: other}";

/// Costs of kernels that may share SMs.
const std::map<std::string, run::KernelCost>& shared_costs() {
  static const std::map<std::string, run::KernelCost> costs = costs_with(kOnOtherStream);
  return costs;
}

}  // namespace

TEST_CASE("half the SMs hardly slow a kernel that DRAM bounds, and double the time of one that instructions bound") {
  const auto& costs = shared_costs();
  CHECK(costs.at("triad").slowdown_on_half() < 1.2);
  CHECK(costs.at("triad").slowdown_on_half() >= 1);
  CHECK(costs.at("sums").slowdown_on_half() > 1.9);
  CHECK(costs.at("roof of memory").slowdown_on_half() == Approx(1));
  CHECK(costs.at("roof of compute").slowdown_on_half() > 1.95);
}

TEST_CASE("a kernel takes longer when L2 has nothing of what it reads, and is another one then") {
  const std::map<std::string, run::KernelCost> costs = costs_on(
      "t4-server.yaml",
      "kernels:\n  warm: {trace: copy, params: {n: 131072}}\n  cold: {trace: copy, params: {n: 131072}, cache: cold}\n"
      "threads: {main: [launch: warm, launch: cold]}\n",
      1);
  CHECK(costs.at("cold").ns > 1.2 * costs.at("warm").ns);
  CHECK(costs.at("cold").dram > costs.at("warm").dram);
}

TEST_CASE("it is known where the slowdown on fewer SMs comes from") {
  const auto& costs = shared_costs();
  CHECK(run::how_slowdown_is_known(costs.at("triad")) == "simulated");
  CHECK(run::how_slowdown_is_known(costs.at("roof of memory")) == "roofline");
  for (const char* const name : {"recorded", "few"}) {
    CHECK(run::how_slowdown_is_known(costs.at(name)) == "assumed");
    CHECK(costs.at(name).slowdown_on_half() == Approx(2));
  }
}

TEST_CASE("a kernel whose clusters have no room on half of the SMs runs, and its slowdown there is assumed") {
  const LargeClusters trace;
  const auto costs = costs_on("dgx-h100.yaml",
                              "kernels: {large: {trace: " + trace.file() +
                                  "}, recorded: {time: 10 us}}\nstreams: {other: {waits_for_default: no}}\n"
                                  "threads: {main: [launch: large, launch: {kernel: recorded, stream: other}]}\n",
                              1);
  CHECK(costs.at("large").ns > 0);
  CHECK(costs.at("large").sms == 128);
  CHECK(run::how_slowdown_is_known(costs.at("large")) == "assumed");
}

TEST_CASE("kernels of one stream, which run alone, are not simulated on fewer SMs") {
  const auto costs = costs_with("launch: sums");
  CHECK(run::how_slowdown_is_known(costs.at("triad")) == "assumed");
}

TEST_CASE("the slowdown on fewer SMs is the same for any number of threads, and leaves the time alone as it is") {
  const auto& costs = shared_costs();
  const auto others = costs_with(kOnOtherStream, 3);
  const auto alone = costs_with("launch: sums");
  for (const auto& [name, cost] : costs) {
    CHECK(cost.of_sms == others.at(name).of_sms);
    CHECK(cost.ns == others.at(name).ns);
    CHECK(cost.ns == alone.at(name).ns);
  }
}

}  // namespace app_times_test

// SPDX-License-Identifier: MIT
// Application files: what is accepted is written and read again, and runs on a system to its end, or to a reason.
#include <string>
#include <variant>

#include "sim/system/application/loader.h"
#include "sim/system/application/writer.h"
#include "sim/system/config/loader.h"
#include "sim/system/run/breakdown.h"
#include "sim/system/run/critical_path.h"
#include "sim/system/run/run.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

namespace {

const system::System& shipped() {
  static const std::filesystem::path configs = GPUSIM_SOURCE_DIR "/configs";
  static const system::System system =
      system::load_system(configs / "systems" / "a6000-x2.yaml", std::span(&configs, 1));
  return system;
}

run::Costs costs_of(const application::Application& application) {
  constexpr double kShort = 1000;
  constexpr double kSms = 84;
  run::Costs costs(1);
  for (const application::Kernel& kernel : application.kernels) {
    run::KernelCost cost;
    const auto* const recorded = std::get_if<application::Recorded>(&kernel.how);
    cost.ns = recorded == nullptr ? kShort : recorded->ns;
    run::spread_ctas(cost, kernel.ctas == 0 ? kSms : static_cast<double>(kernel.ctas), kernel.ctas_per_sm, kSms);
    cost.tail_ns = cost.ns * cost.tail_share;
    costs.front().push_back(cost);
  }
  return costs;
}

void run_it(const application::Application& application) {
  const system::Fabric fabric(shipped());
  const run::Binding binding(application, shipped(), fabric);
  const std::vector<run::GpuFacts> gpus(binding.gpus().size(), {84, 1000, 768, 0, {std::uint64_t{48} << 30U, 0, 0}});
  const run::Costs costs = costs_of(application);
  int looks = 0;
  const run::Timeline timeline = run::run(binding, gpus, costs, [&looks] { return ++looks < 4; });
  fuzz::require(timeline.end >= timeline.begin, "time goes on");
  for (const double ns : run::break_down(timeline, 0, costs.front())) {
    fuzz::require(ns >= 0, "no cause takes less than nothing");
  }
  (void)run::critical_path(timeline);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  application::Application application;
  const std::string text(fuzz::text_of(data, size));
  if (!fuzz::is_accepted([&] { application = application::parse_application(text, "x.yaml"); })) {
    return 0;
  }
  const std::string written = application::to_yaml(application);
  const application::Application again = application::parse_application(written, "written.yaml");
  fuzz::require(application::to_yaml(again) == written, "an application is read as it was written");
  (void)fuzz::is_accepted([&] { run_it(application); });
  return 0;
}

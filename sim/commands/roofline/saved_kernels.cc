// SPDX-License-Identifier: MIT
#include "sim/commands/roofline/saved_kernels.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/commands/cli/saved_result.h"
#include "sim/commands/roofline/report.h"
#include "sim/commands/roofline/roofline.h"
#include "sim/model/stats/result.h"
#include "sim/output/view/view.h"

namespace gpusim::commands {
namespace {

/// The memory levels of a result's machine, at the clock it was simulated at.
std::vector<roofline::Ceiling> levels_of(const stats::Result& result) {
  const double hertz = result.sm_clock_mhz * 1e6;
  const stats::MachineLimits& machine = result.machine;
  return {{"dram", machine.dram_bytes_per_second, "memory", result.memory_clock_mhz * 1e6, arch::PeakUnit::kBytes},
          {"l2", machine.l2_bytes_per_cycle * hertz, "sm", hertz, arch::PeakUnit::kBytes},
          {"l1", machine.l1_bytes_per_cycle * machine.sms * hertz, "sm", hertz, arch::PeakUnit::kBytes},
          {"shared", machine.shared_bytes_per_cycle * machine.sms * hertz, "sm", hertz, arch::PeakUnit::kBytes}};
}

/// Bytes that a kernel moved to and from a level.
double bytes_at(const report::KernelView& kernel, std::string_view level) {
  const std::string_view row = level == "dram" ? "DRAM" : level == "l2" ? "L2" : level == "l1" ? "L1" : "Shared memory";
  const auto found = std::ranges::find(kernel.levels, row, &report::LevelRow::name);
  return found != kernel.levels.end() ? static_cast<double>(found->bytes) : 0;
}

/// The class whose FLOPs alone take longest at their peak; null when there are none.
const report::RoofRow* main_class(const report::KernelView& kernel) {
  const auto share = [](const report::RoofRow& row) {
    return row.peak_flops_per_second > 0 ? row.flops_per_second / row.peak_flops_per_second : 0;
  };
  const auto largest = std::ranges::max_element(kernel.roofs, {}, share);
  return largest != kernel.roofs.end() && share(*largest) > 0 ? &*largest : nullptr;
}

/// "bf16_tensor" for "tensor_bf16": as peaks are called.
std::string peak_name(isa::FlopClass flop_class) {
  const std::string_view name = isa::kFlopClassNames[static_cast<std::size_t>(flop_class)];
  constexpr std::string_view kTensor = "tensor_";
  return name.starts_with(kTensor) ? std::string(name.substr(kTensor.size())) + "_tensor" : std::string(name);
}

/// What shows kernels that have no bytes at a level.
std::string other_way(const report::View& view, std::string_view level) {
  const bool fits_l2 = std::ranges::any_of(view.kernels, [](const report::KernelView& kernel) {
    return main_class(kernel) != nullptr && bytes_at(kernel, "l2") > 0;
  });
  return level == "dram" && fits_l2 ? "their data was in L2: --level l2, or a run with --cache cold" : "";
}

/// Launches of one kernel are one point.
class KernelPoints {
 public:
  KernelPoints(roofline::Report& report, double hertz) : report_(report), hertz_(hertz) {}

  void add(const report::KernelView& kernel) {
    const report::RoofRow* const row = main_class(kernel);
    const double bytes = bytes_at(kernel, report_.roofs.levels[report_.roofs.level].name);
    if (row == nullptr || bytes == 0) {
      ++left_out_;
      return;
    }
    const std::size_t ceiling = ceiling_of(*row);
    const auto [at, is_new] = index_.try_emplace({kernel.counts.name, ceiling}, report_.points.size());
    if (is_new) {
      report_.points.push_back({kernel.counts.name, 0, 0, ceiling, 0});
    }
    roofline::Work& work = report_.points[at->second];
    work.seconds += kernel.time_us * 1e-6;
    work.flops += row->flops_per_second * kernel.time_us * 1e-6;
    work.bytes += bytes;
  }

  [[nodiscard]] std::size_t left_out() const { return left_out_; }

 private:
  std::size_t ceiling_of(const report::RoofRow& row) {
    std::vector<roofline::Ceiling>& all = report_.roofs.compute;
    const std::string name = peak_name(row.flop_class);
    const auto found = std::ranges::find(all, name, &roofline::Ceiling::name);
    if (found != all.end()) {
      return static_cast<std::size_t>(found - all.begin());
    }
    all.push_back({name, row.peak_flops_per_second, "sm", hertz_,
                   isa::is_integer(row.flop_class) ? arch::PeakUnit::kOps : arch::PeakUnit::kFlops});
    return all.size() - 1;
  }

  roofline::Report& report_;
  double hertz_;
  std::map<std::pair<std::string, std::size_t>, std::size_t> index_;
  std::size_t left_out_ = 0;
};

}  // namespace

roofline::Report roofline_of_result(const std::string& file, const std::string& level_name) {
  const stats::Result result = cli::load_result(file);
  roofline::Report report;
  report.roofs.machine = result.arch_name;
  report.roofs.levels = levels_of(result);
  const auto level = std::ranges::find(report.roofs.levels, level_name, &roofline::Ceiling::name);
  report.roofs.level = static_cast<std::size_t>(level - report.roofs.levels.begin());
  if (!(report.roofs.bandwidth() > 0)) {
    throw InputError({{file, 0, 0}, "says no bandwidth of '" + level_name + "'", ""});
  }
  KernelPoints points(report, result.sm_clock_mhz * 1e6);
  const report::View view = report::make_view(result);
  std::ranges::for_each(view.kernels, [&](const report::KernelView& kernel) { points.add(kernel); });
  if (report.points.empty()) {
    throw InputError(
        {{file, 0, 0}, "no kernel has FLOPs and bytes of '" + level_name + "'", other_way(view, level_name)});
  }
  if (points.left_out() > 0) {
    report.remarks.push_back(
        fmt::format("{} kernels without FLOPs or without bytes of {} are left out", points.left_out(), level_name));
  }
  report.remarks.push_back("What the simulation rests on: gpusim report " + file);
  return report;
}

}  // namespace gpusim::commands

// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/simulate.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/machine/engine/engine.h"
#include "sim/machine/gpu/collect.h"
#include "sim/machine/gpu/conservation.h"
#include "sim/machine/gpu/deadlock_detector.h"
#include "sim/machine/gpu/device_memories.h"
#include "sim/machine/gpu/dispatcher.h"
#include "sim/machine/gpu/exchanges.h"
#include "sim/machine/gpu/expected_work.h"
#include "sim/machine/gpu/floorplan.h"
#include "sim/machine/gpu/guesses.h"
#include "sim/machine/gpu/l2_window.h"
#include "sim/machine/gpu/machine.h"
#include "sim/machine/gpu/memory_side.h"
#include "sim/machine/gpu/recorder.h"
#include "sim/machine/gpu/warm_up.h"
#include "sim/machine/gpu/watching.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/mem/l2/access_window.h"
#include "sim/machine/sm/per_worker.h"
#include "sim/machine/sm/sm.h"
#include "sim/model/arch/arch.h"
#include "sim/model/occupancy/launch_shape.h"
#include "sim/model/occupancy/residency.h"
#include "sim/model/occupancy/what_if.h"
#include "sim/model/stats/result.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/trace.h"

namespace gpusim::gpu {
namespace {

/// What the untimed pass takes of a kernel's simulation: a guess from a few kernels, for the progress bar alone.
constexpr double kWarmingShare = 0.1;

/// Adds the reasons why not even one CTA of the kernel fits an SM.
void check_fit(const arch::Arch& arch, const trace::Kernel& kernel, ProblemList& problems) {
  for (const occupancy::Excess& excess : occupancy::excesses(arch.sm, occupancy::launch_shape(kernel))) {
    problems.add(
        {kernel.where, "kernel '" + kernel.name + "' does not fit " + arch.name + ": " + excess.what, excess.limit});
  }
}

/// Adds the reasons why the GPU cannot place the kernel's clusters.
void check_clusters(const arch::Arch& arch, const trace::Kernel& kernel, ProblemList& problems) {
  const std::uint32_t most = arch.sm.limits.ctas_per_cluster;
  const std::uint32_t wanted = kernel.ctas_per_cluster();
  const std::string who = "kernel '" + kernel.name + "'";
  if (wanted == 1) {
    return;
  }
  if (most == 0) {
    problems.add({kernel.where, who + " is launched in clusters: " + arch.name + " has no clusters",
                  "sm.limits.ctas_per_cluster is 0"});
  } else if (wanted > most) {
    problems.add({kernel.where, who + ": a cluster of " + std::to_string(wanted) + " CTAs does not fit " + arch.name,
                  "at most " + std::to_string(most) + " CTAs a cluster"});
  } else if (const occupancy::LaunchShape shape = occupancy::launch_shape(kernel);
             occupancy::excesses(arch.sm, shape).empty() &&
             occupancy::resident_clusters(arch.sm, arch.noc, shape) == 0) {
    problems.add(
        {kernel.where,
         who + ": no GPC of " + arch.name + " has room for the " + std::to_string(wanted) + " CTAs of a cluster",
         "its CTAs run together on the SMs of one GPC; see 'gpusim occupancy --cluster'"});
  }
}

/// With clusters only whole ones can run.
void check_range_of_clusters(const CtaRange& range, const trace::Kernel& kernel, ProblemList& problems) {
  const std::uint64_t stride = trace::cluster_stride(kernel.grid, kernel.cluster);
  if (range.first % stride != 0 || (range.last + 1) % stride != 0) {
    problems.add(
        {{"--ctas " + std::to_string(range.first) + ".." + std::to_string(range.last), 0, 0},
         "kernel '" + kernel.name + "' runs in clusters, of which the range cuts some",
         "a range must begin with a multiple of " + std::to_string(stride) + " and have a multiple of as many CTAs"});
  }
}

/// A range that reaches beyond a grid is a slip, and would be a smaller run than was asked for.
void check_range(const CtaRange& range, const trace::Kernel& kernel, ProblemList& problems) {
  if (range.first > range.last || range.last >= kernel.ctas()) {
    problems.add({{"--ctas " + std::to_string(range.first) + ".." + std::to_string(range.last), 0, 0},
                  "kernel '" + kernel.name + "' has CTAs 0.." + std::to_string(kernel.ctas() - 1),
                  "the range must lie within the grid of every kernel that runs; --kernel chooses kernels"});
  }
}

std::vector<stats::OccupancyCurve> occupancy_curves(const arch::SmConfig& sm, const trace::Kernel& kernel) {
  const occupancy::LaunchShape shape = occupancy::launch_shape(kernel);
  std::vector<stats::OccupancyCurve> curves;
  for (const stats::Knob knob : occupancy::kCurves) {
    stats::OccupancyCurve& curve = curves.emplace_back();
    curve.of = knob;
    curve.at = occupancy::value_of(shape, knob);
    for (const occupancy::Point& point : occupancy::curve(sm, shape, knob)) {
      curve.values.push_back(point.value);
      curve.warps.push_back(point.warps_per_sm);
    }
  }
  return curves;
}

/// Where a kernel stands in its run.
struct PlaceInRun {
  std::uint32_t index = 0;
  std::size_t recorded = 0;  ///< intervals of kernels before it
  double instructions = 0;   ///< warp instructions that are expected; 0 where nobody asks how far the run is
  double share_before = 0;   ///< share of the run's work before the kernel
  double share = 1;
};

/// What all kernels together are walked for, to tell how long each will take: some hundredths of a second.
constexpr std::uint64_t kEstimateSteps = 1'000'000;

/// Each kernel's share of the work: that of the warp instructions.
std::vector<PlaceInRun> places_in_run(const trace::Trace& trace, const SimulateOptions& options) {
  std::vector<PlaceInRun> places;
  double total = 0;
  for (const trace::Kernel& kernel : trace.kernels) {
    const std::uint64_t first = options.ctas ? options.ctas->first : 0;
    const std::uint64_t end = options.ctas ? options.ctas->last + 1 : kernel.ctas();
    const double work =
        !options.on_progress ? 0 : expected_instructions(kernel, first, end, kEstimateSteps / trace.kernels.size() + 1);
    places.push_back({static_cast<std::uint32_t>(places.size()), 0, work, total, work});
    total += work;
  }
  for (PlaceInRun& place : places) {
    place.share_before /= std::max(1.0, total);
    place.share /= std::max(1.0, total);
  }
  return places;
}

/// One kernel on the machine, from the untimed pass to its KernelResult.
class KernelRun {
 public:
  KernelRun(const arch::Arch& arch, const trace::Trace& trace, const PlaceInRun& place, const SimulateOptions& options)
      : arch_(arch),
        kernel_(trace.kernels[place.index]),
        options_(options),
        place_(place),
        image_(lower::make_image(kernel_, arch)),
        occupancy_(occupancy::residency(arch.sm, occupancy::launch_shape(kernel_)).occupancy),
        watching_(options, place.index, place.recorded) {
    image_.most_walked = options.most_walked;
    const std::uint64_t first = options_.ctas ? options_.ctas->first : 0;
    const std::uint64_t end = options_.ctas ? options_.ctas->last + 1 : kernel_.ctas();
    progress_ = {kernel_.name, place.index, static_cast<std::uint32_t>(trace.kernels.size()), 0, place.share_before};
    workers_.resize(std::max(1U, options_.threads));
    for (sm::PerWorker& worker : workers_) {
      worker.profile.resize(kernel_.code.size());
      worker.series = options_.record_series ? std::make_unique<sm::StateSeries>() : nullptr;
    }
    job_ = {
        {&image_, occupancy_.ctas_per_sm, occupancy_.l1_bytes, &workers_, nullptr}, watching_.watches(), first, end};
    job_.sm.cta_log_end = options_.record_series ? first + stats::kMostCtaSpans : 0;
    job_.sm.warm_code = options_.cache == CacheState::kWarm;
  }

  /// The run ends with it, and is not complete, when the caller stops it or what was to be watched has been.
  /// `device_memory`: of a kernel that is executed, else null.
  void run(MemorySide& memory, trace::DeviceMemory* device_memory, stats::Result& result) {
    memory.set_window(access_window(arch_, kernel_));
    bool complete = warm(memory, device_memory);
    std::unique_ptr<trace::Execution> execution;
    if (device_memory != nullptr) {
      execution = kernel_.behaviour->executable()->begin(*device_memory, arch_.sm.count, options_.most_walked);
      job_.sm.execution = execution.get();
    }
    memory.begin_kernel();
    memory.record_traffic(options_.record_series);
    Machine machine(arch_, memory, job_);
    std::optional<Recorder> recorder;
    if (options_.record_series) {
      recorder.emplace(machine, memory);
    }
    const Cycle window = std::max<Cycle>(1, lookahead(arch_, image_.uses_clusters));
    engine::Sampler* sampler = recorder ? &*recorder : nullptr;
    std::optional<Exchanges> exchanges;
    if (execution != nullptr) {
      sampler = &exchanges.emplace(*execution, window, sampler);
    }
    bool watched = false;
    if (complete) {
      engine::Engine engine(machine.domains(),
                            {std::max<Cycle>(1, window / options_.window_divisor), std::max(1U, options_.threads),
                             options_.reverse_domain_order, options_.observer,
                             options_.stop_after_watch ? 1U : engine::kWindowsPerStopCheck, sampler});
      complete = finish(machine, engine.run(options_.max_cycles, [&](Cycle cycle) {
        const bool stop = !report(share_done(machine), cycle);
        watched = !stop && options_.stop_after_watch && watching_.has_seen_all(machine, cycle);
        return stop || watched;
      }));
    }
    if (execution != nullptr) {
      execution->exchange();
    }
    stats::KernelResult kernel = describe_kernel(arch_, kernel_, occupancy_);
    kernel.simulated_ctas = job_.end_cta - job_.first_cta;
    collect(arch_, machine, memory, image_, workers_, complete ? 0 : progress_.cycle, kernel);
    if (recorder) {
      kernel.record = recorder->finish(workers_, kernel.cycles);
      kernel.record->occupancy_curves = occupancy_curves(arch_.sm, kernel_);
    }
    if (complete) {
      require_conservation(machine, kernel);
    }
    result.kernels.push_back(std::move(kernel));
    watching_.add_to(image_, result);
    // What follows the kernel that was watched is not wanted either.
    const bool is_last = progress_.kernel_index + 1 == progress_.kernel_count;
    watched = watched || (complete && !is_last && options_.stop_after_watch && !watching_.watches().empty());
    result.complete = complete && !watched;
    result.stopped_after_watch = watched;
    result.stopped_at_limit = met_limit_;
  }

 private:
  bool warm(MemorySide& memory, trace::DeviceMemory* device_memory) {
    if (options_.cache == CacheState::kFlushBetween) {
      memory.invalidate_all();
    }
    if (options_.cache == CacheState::kDirty && progress_.kernel_index == 0) {
      memory.fill_with_modified_lines();
    }
    if (options_.cache != CacheState::kWarm) {
      return true;
    }
    const WarmUpLimits limits{[this](double share) { return report(share * kWarmingShare, 0); }, options_.max_cycles,
                              options_.most_walked};
    const WarmUpCtas ctas{job_.first_cta, job_.end_cta, job_.sm.ctas_per_sm};
    const WarmUpEnd end = device_memory != nullptr
                              ? warm_up_by_executing(arch_, kernel_, *device_memory, memory, ctas, limits)
                              : warm_up(arch_, kernel_, memory, ctas, limits, std::max(1U, options_.threads));
    if (end == WarmUpEnd::kLimit) {
      meet_limit("kernel '" + kernel_.name + "' cannot finish within " + with_thousands(options_.max_cycles) +
                 " cycles (" + std::string(options_.limit_name) + "): a warp has more instructions than that");
    }
    return end == WarmUpEnd::kDone;
  }

  /// The share of the kernel's work that is done. Warming the caches is a part of the work.
  [[nodiscard]] double share_done(const Machine& machine) const {
    if (!options_.on_progress) {
      return 0;
    }
    const double warming = options_.cache == CacheState::kWarm ? kWarmingShare : 0;
    const auto ctas = static_cast<double>(job_.end_cta - job_.first_cta);
    double issued = 0;
    for (const auto& sm : machine.sms()) {
      issued += static_cast<double>(sm->warp_instructions());
    }
    // The instructions are an estimate, of which CTAs that have ended, and those that have begun, are the limits.
    const double done =
        std::clamp(issued / std::max(1.0, place_.instructions), static_cast<double>(machine.dispatcher().done()) / ctas,
                   static_cast<double>(machine.dispatcher().launched()) / ctas);
    return warming + (1 - warming) * done;
  }

  bool report(double share_of_kernel, Cycle cycle) {
    progress_.share = place_.share_before + place_.share * share_of_kernel;
    progress_.cycle = cycle;
    return !options_.on_progress || options_.on_progress(progress_);
  }

  /// Throws, or notes it for the result, as the caller chose.
  void meet_limit(const std::string& what) {
    if (!options_.keep_at_limit) {
      throw CannotFinishError(what);
    }
    met_limit_ = what;
  }

  /// Throws when the kernel cannot finish; returns false when it was stopped.
  bool finish(const Machine& machine, engine::Outcome outcome) {
    if (outcome == engine::Outcome::kLimit) {
      meet_limit("kernel '" + kernel_.name + "' has not finished after " + with_thousands(options_.max_cycles) +
                 " cycles (" + std::string(options_.limit_name) + "); " + with_thousands(machine.dispatcher().done()) +
                 " of " + with_thousands(job_.end_cta - job_.first_cta) + " CTAs are done");
      progress_.cycle = options_.max_cycles;
    }
    if (outcome == engine::Outcome::kIdle && !machine.dispatcher().finished()) {
      std::vector<SmWaits> waits;
      Cycle last = 0;
      for (std::uint32_t i = 0; i < machine.sms().size(); ++i) {
        if (auto warps = machine.sms()[i]->waiting_warps(); !warps.empty()) {
          waits.push_back({i, std::move(warps)});
        }
        last = std::max(last, machine.sms()[i]->now());
      }
      throw CannotFinishError(explain_deadlock(kernel_, waits, last));
    }
    return outcome == engine::Outcome::kIdle;
  }

  void require_conservation(const Machine& machine, const stats::KernelResult& kernel) const {
    std::string problem = machine.drain_problem();
    if (problem.empty()) {
      problem = conservation_problem(kernel, arch_);
    }
    if (!problem.empty()) {
      throw std::logic_error("kernel '" + kernel.name + "': " + problem);
    }
  }

  const arch::Arch& arch_;
  const trace::Kernel& kernel_;
  const SimulateOptions& options_;
  PlaceInRun place_;
  lower::KernelImage image_;
  stats::Occupancy occupancy_;
  sm::Workers workers_;
  Watching watching_;
  MachineJob job_;
  Progress progress_;
  std::string met_limit_;  ///< empty: it was not met
};

}  // namespace

void require_runnable(const arch::Arch& arch, const trace::Trace& trace, const SimulateOptions& options) {
  ProblemList problems;
  for (const trace::Kernel& kernel : trace.kernels) {
    check_fit(arch, kernel, problems);
    check_clusters(arch, kernel, problems);
    check_window(arch, kernel, problems);
    if (options.ctas) {
      check_range(*options.ctas, kernel, problems);
      check_range_of_clusters(*options.ctas, kernel, problems);
    }
  }
  problems.throw_if_any();
}

stats::Result simulate(const arch::Arch& arch, const trace::Trace& trace, const SimulateOptions& options) {
  require_runnable(arch, trace, options);
  stats::Result result = describe_run(arch, trace);
  result.cache_state = options.cache;
  MemorySide memory(arch);
  DeviceMemories device_memories;
  for (PlaceInRun& place : places_in_run(trace, options)) {
    if (result.complete) {
      place.recorded = result.watch.size();
      trace::DeviceMemory* const device_memory = device_memories.of(trace.kernels[place.index]);
      KernelRun(arch, trace, place, options).run(memory, device_memory, result);
    }
  }
  device_memories.hand_over(options.take_memory);
  sort_by_weight(result);
  return result;
}

}  // namespace gpusim::gpu

// SPDX-License-Identifier: MIT
// The main job: simulate, then explain.
#include "sim/commands/run/command.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/cache_state.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/outcome.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/simulate_shown.h"
#include "sim/commands/cli/simulation_inputs.h"
#include "sim/commands/cli/timelines.h"
#include "sim/commands/cli/trace_values.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/run/advise.h"
#include "sim/commands/run/compiled.h"
#include "sim/commands/run/record.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/power/sustained.h"
#include "sim/model/trace/device_memory.h"
#include "sim/model/trace/executed.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/trace.h"
#include "sim/output/report/text_options.h"
#include "sim/output/timeline/recording.h"
#include "sim/output/timeline/why.h"

namespace gpusim::commands {
namespace {

/// Everything the simulation needs.
struct Inputs {
  arch::Arch arch;
  trace::Trace trace;
  std::unique_ptr<cli::KernelJob> job;  ///< for compiled kernels; else null
};

/// The launches of compiled kernels; where their architecture is wrong, that comes first.
void load_compiled(const RunOptions& options, cli::OpenJob open_job, const std::vector<cli::OutputPath>& outputs,
                   Inputs& inputs) {
  inputs.job =
      compiled_job(options, inputs.arch, outputs, open_job, [](const std::string& text) { cli::log_info(text); });
  inputs.trace = inputs.job->trace();
}

Inputs load_inputs(const RunOptions& options, cli::OpenJob open_job) {
  const std::vector<cli::OutputPath> outputs = cli::outputs_of(options.files);
  Inputs inputs;
  const bool is_compiled = is_compiled_run(options);
  cli::Attempts attempts;
  attempts.attempt([&] { inputs.arch = cli::read_arch(options.arch, options.set, outputs); });
  if (!is_compiled) {
    attempts.attempt([&] {
      inputs.trace = cli::read_trace(options.trace, options.param, options.test_params, outputs);
      cli::keep_kernels(inputs.trace, options.kernel);
    });
  }
  attempts.throw_if_any();
  if (is_compiled) {
    load_compiled(options, open_job, outputs, inputs);
  }
  // Results name files as the user did, so that they are the same bytes on every machine.
  inputs.arch.path = options.arch;
  inputs.trace.path = is_compiled ? compiled_name(options) : options.trace;
  return inputs;
}

/// The question of --why, and from which cycle on a run for it records: long enough before for what led there.
timeline::Moment moment_of(const RunOptions& options) {
  constexpr Cycle kBefore = 4096;
  timeline::Moment moment = cli::parse_moment(options.why);
  moment.recorded_from = moment.cycle - std::min(moment.cycle, kBefore);
  return moment;
}

/// What a run for --why records: all warps around the cycle.
gpu::WatchRequest watch_for(const timeline::Moment& moment) {
  return {.sm = moment.sm,
          .begin = *moment.recorded_from,
          .kernel = moment.kernel,
          .clip = false,
          .question = gpu::WatchQuestion{moment.warp_slot, moment.cycle}};
}

/// --record, --watch and --why.
void set_watch(const RunOptions& options, gpu::SimulateOptions& out) {
  parse_record(options.record, out);
  const std::string& why = options.why;
  const std::string stops = !options.watch.empty() ? "--watch" : "--why";
  if (options.watch.empty() && why.empty()) {
    if (!options.files.konata.empty() && out.watch.size() != 1) {
      throw UsageError("--konata needs the warps of one SM: --record warps=SM[:A..B]");
    }
    return;
  }
  cli::require_timeline(options.watch, why, options.format);
  if (!out.watch.empty()) {
    throw UsageError("--record warps does not go with " + stops + ", which stops when its cycles have passed");
  }
  out.watch = {why.empty() ? cli::parse_watch(options.watch) : watch_for(moment_of(options))};
  out.stop_after_watch = true;
}

gpu::SimulateOptions simulate_options(const RunOptions& options) {
  gpu::SimulateOptions out;
  out.cache = cache_state_of(options.cache);
  out.threads = cli::host_threads(options.threads);
  if (!options.ctas.empty()) {
    out.ctas = cli::parse_ctas(options.ctas);
  }
  if (!options.max_cycles.empty()) {
    out.max_cycles = cli::parse_count("--max-cycles", options.max_cycles, 1, kNever - 1);
    out.keep_at_limit = true;
  }
  if (!options.max_warp_instructions.empty()) {
    out.most_walked = cli::parse_count("--max-warp-instructions", options.max_warp_instructions, 1, kNever - 1);
  }
  set_watch(options, out);
  out.record_series = out.record_series || !options.files.html.empty() || !options.files.timeline.empty();
  return out;
}

/// Only SMs, warps and kernels that are there can be watched.
void require_watchable(const RunOptions& options, const gpu::SimulateOptions& how, const Inputs& inputs) {
  const std::string option = !options.watch.empty() ? "--watch" : !options.why.empty() ? "--why" : "--record warps";
  ProblemList problems;
  const auto require = [&](const char* key, std::uint64_t value, std::uint64_t count, const char* what) {
    if (value >= count) {
      problems.add({{option, 0, 0},
                    std::string(key) + "=" + std::to_string(value) + ": " + what + " 0 to " + std::to_string(count - 1),
                    ""});
    }
  };
  for (const gpu::WatchRequest& watch : how.watch) {
    require("sm", watch.sm, inputs.arch.sm.count, "the architecture has SMs");
    require("kernel", watch.kernel.value_or(0), inputs.trace.kernels.size(), "the trace has kernels");
    const std::uint32_t warp =
        options.why.empty() ? watch.warp_slot.value_or(0) : cli::parse_moment(options.why).warp_slot;
    require("warp", warp, inputs.arch.sm.limits.warps_per_sm, "an SM of the architecture has warps");
  }
  problems.throw_if_any();
}

/// Refuses what --advise does not go with.
std::optional<AdviseScope> advise_scope(const RunOptions& options) {
  if (options.advise.empty()) {
    return std::nullopt;
  }
  if (options.advise != "found" && options.advise != "all") {
    throw UsageError("--advise: '" + options.advise + "' is neither 'found' nor 'all'");
  }
  if (!options.watch.empty() || !options.why.empty()) {
    throw UsageError("--advise does not go with " + std::string(options.watch.empty() ? "--why" : "--watch") +
                     ", which simulates a part of the run");
  }
  if (options.format.ends_with("csv")) {
    throw UsageError("--advise does not go with --format " + options.format +
                     ", which has no place for what-ifs; use text or json");
  }
  return options.advise == "all" ? AdviseScope::kAll : AdviseScope::kFound;
}

/// What goes to standard output.
std::string shown(const RunOptions& options, const gpu::SimulateOptions& how, const cli::Common& common,
                  const stats::Result& result) {
  if (!options.why.empty()) {
    return cli::answer(result, moment_of(options), options.format, common);
  }
  return options.watch.empty() ? cli::render(result, options.format, cli::text_options(common, options.details))
                               : cli::timeline_of(result, how.watch.front(), options.format, common, options.details);
}

/// A kernel that ended before the cycles to watch began has none of them.
void require_watched_cycles(const gpu::SimulateOptions& how, const stats::Result& result) {
  for (const gpu::WatchRequest& watch : how.watch) {
    timeline::require_cycle(result, "--watch", watch.kernel.value_or(0), watch.begin);
  }
}

/// The run leaves what memory holds in the end with the job, when there is one and it asks for results.
void keep_results(cli::KernelJob* job, gpu::SimulateOptions& how) {
  if (job != nullptr && job->has_results()) {
    how.take_memory = [job](std::unique_ptr<trace::DeviceMemory> memory) { job->take_result(std::move(memory)); };
  }
}

/// Writes and compares what the kernels calculated; false when an expectation is not met.
bool deliver(const cli::KernelJob* job, bool is_complete, const std::string& format) {
  if (job == nullptr || !job->has_results()) {
    return true;
  }
  if (!is_complete) {
    cli::log_warning("the kernels have not finished: what they calculate is neither written nor compared");
    return true;
  }
  const cli::Delivery delivery = job->deliver();
  return cli::print_outcome(delivery.told, delivery.mismatches,
                            format == "text" ? cli::TellOn::kOutput : cli::TellOn::kLog);
}

/// The architecture gets the clock that its power limit leaves for the kernels. Throws InputError where nothing is
/// known of its power.
void use_sustained_clock(gpu::SimulateOptions how, bool show_progress, Inputs& inputs) {
  if (inputs.arch.power.limit == 0) {
    throw InputError({{"--sustained-clock", 0, 0},
                      "nothing is known of what " + inputs.arch.name + " draws",
                      "give power.limit and the other keys of power, or a clock with --set clocks.sm=..."});
  }
  how.watch.clear();
  how.stop_after_watch = false;
  how.record_series = false;
  how.take_memory = {};
  const stats::Result result = power::simulate_sustained(inputs.arch, [&](const arch::Arch& arch) {
    return cli::simulate_shown(arch, inputs.trace, how, show_progress, "at the sustained clock");
  });
  constexpr double kHertzPerMegahertz = 1e6;
  const auto clock = static_cast<std::uint64_t>(std::llround(result.sm_clock_mhz * kHertzPerMegahertz));
  if (clock != inputs.arch.clocks.sm) {
    inputs.arch = power::at_clock(inputs.arch, clock);
  }
}

/// Returns false when it was interrupted.
bool add_advice(const Inputs& inputs, AdviseScope scope, gpu::SimulateOptions how, bool show_progress,
                stats::Result& result) {
  how.watch.clear();
  how.record_series = false;
  how.keep_at_limit = false;
  how.take_memory = {};
  const SimulateAgain again = [&](const arch::Arch& arch, std::string_view name) {
    return cli::simulate_shown(arch, inputs.trace, how, show_progress, name);
  };
  return advise(inputs.arch, scope, again, result);
}

}  // namespace

int run_command(const RunOptions& options, cli::OpenJob open_job, const cli::Common& common) {
  gpu::SimulateOptions how = simulate_options(options);
  const std::optional<AdviseScope> scope = advise_scope(options);
  // From here on an interrupt may not leave a temporary file behind.
  cli::catch_interrupt();
  cli::ResultFiles files(options.files);
  Inputs inputs = load_inputs(options, open_job);
  require_watchable(options, how, inputs);
  keep_results(inputs.job.get(), how);
  const bool show_progress = !common.quiet && cli::can_show_progress();
  if (options.sustained_clock) {
    use_sustained_clock(how, show_progress, inputs);
  }
  stats::Result result = cli::simulate_shown(inputs.arch, inputs.trace, how, show_progress);
  const bool advised = !scope || !result.complete || add_advice(inputs, *scope, how, show_progress, result);
  const bool met_limit = !result.stopped_at_limit.empty();
  const bool is_interrupted = !result.complete && !result.stopped_after_watch && !met_limit;
  if (is_interrupted && !options.why.empty()) {
    return cli::interrupt_code();  // nobody knows why
  }
  if (met_limit && !options.why.empty()) {
    throw CannotFinishError(result.stopped_at_limit);
  }
  if (result.stopped_after_watch || (result.complete && !options.watch.empty())) {
    require_watched_cycles(how, result);
  }
  files.commit(result);
  cli::print(shown(options, how, common, result));
  const bool is_as_expected = deliver(inputs.job.get(), result.complete, options.format);
  if (met_limit) {
    cli::log_error(result.stopped_at_limit + "; the result is partial");
    return cli::Exit::kCannotFinish;
  }
  if (scope && std::ranges::all_of(result.kernels, &std::vector<stats::WhatIf>::empty, &stats::KernelResult::advice)) {
    cli::log_info("--advise: no what-if tests what was found here; --advise=all simulates all that there are");
  }
  if (is_interrupted) {
    cli::log_warning("interrupted: the result is partial");
    return cli::interrupt_code();
  }
  if (!advised) {
    cli::log_warning("interrupted: some what-ifs are missing");
    return cli::interrupt_code();
  }
  return is_as_expected ? cli::Exit::kDone : cli::Exit::kMissed;
}

}  // namespace gpusim::commands

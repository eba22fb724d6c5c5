// SPDX-License-Identifier: MIT
// The main job: simulate, then explain.
#include "sim/commands/run/command.h"

#include <algorithm>
#include <memory>
#include <thread>

#include "sim/base/cache_state.h"
#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/clock.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/host_memory.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/cli/progress.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/trace_values.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/run/record.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/model/arch/loader.h"

namespace gpusim::commands {
namespace {

constexpr unsigned kMostThreads = 1024;

/// Everything the simulation needs.
struct Inputs {
  arch::Arch arch;
  trace::Trace trace;
};

arch::Arch load_architecture(const RunOptions& options) {
  const std::vector<arch::Override> overrides = arch::parse_overrides(options.set);
  const std::filesystem::path path = cli::find_file(options.arch, cli::architecture_files());
  refuse_to_replace(options.json, path);
  return arch::load_arch(path, overrides, cli::search_folders(cli::architecture_files()));
}

trace::Trace load_kernels(const RunOptions& options) {
  const trace::ParameterChoice choice = cli::parse_parameters(options.param, options.test_params);
  const cli::FoundTrace found = cli::find_trace(options.trace);
  refuse_to_replace(options.json, found.file);
  trace::Trace trace = cli::load_trace(found, choice);
  cli::keep_kernels(trace, options.kernel);
  return trace;
}

/// Reads both files; when both are wrong, the user hears of both.
Inputs load_inputs(const RunOptions& options) {
  Inputs inputs;
  std::vector<Problem> problems;
  const auto collect = [&problems](auto load) {
    try {
      load();
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  };
  collect([&] { inputs.arch = load_architecture(options); });
  collect([&] { inputs.trace = load_kernels(options); });
  if (!problems.empty()) {
    throw InputError(std::move(problems));
  }
  // Results name files as the user did, so that they are the same bytes on every machine.
  inputs.arch.path = options.arch;
  inputs.trace.path = options.trace;
  return inputs;
}

gpu::SimulateOptions simulate_options(const RunOptions& options) {
  gpu::SimulateOptions out;
  out.cache = cache_state_of(options.cache);
  out.threads = options.threads.empty()
                    ? std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads)
                    : static_cast<unsigned>(cli::parse_count("--threads", options.threads, 1, kMostThreads));
  if (!options.ctas.empty()) {
    out.ctas = cli::parse_ctas(options.ctas);
  }
  if (!options.max_cycles.empty()) {
    out.max_cycles = cli::parse_count("--max-cycles", options.max_cycles, 1, kNever - 1);
  }
  parse_record(options.record, out);
  if (!options.watch.empty()) {
    if (options.format == "csv") {
      throw UsageError("--watch: a timeline has no CSV form; use --format text or json");
    }
    if (!out.watch.empty()) {
      throw UsageError("--record warps does not go with --watch, which stops when its cycles have passed");
    }
    out.watch = {cli::parse_watch(options.watch)};
    out.stop_after_watch = true;
  }
  return out;
}

/// Only SMs, warps and kernels that are there can be watched.
void require_watchable(const RunOptions& options, const gpu::SimulateOptions& how, const Inputs& inputs) {
  const SourceLocation where{options.watch.empty() ? "--record warps" : "--watch", 0, 0};
  const arch::SmConfig& sm = inputs.arch.sm;
  ProblemList problems;
  for (const gpu::WatchRequest& watch : how.watch) {
    if (watch.sm >= sm.count) {
      problems.add(
          {where, "sm=" + std::to_string(watch.sm) + ": the architecture has SMs 0 to " + std::to_string(sm.count - 1),
           ""});
    }
    if (watch.warp_slot && *watch.warp_slot >= sm.limits.warps_per_sm) {
      problems.add({where,
                    "warp=" + std::to_string(*watch.warp_slot) + ": an SM of the architecture has warps 0 to " +
                        std::to_string(sm.limits.warps_per_sm - 1),
                    ""});
    }
    if (const std::size_t kernels = inputs.trace.kernels.size(); watch.kernel && *watch.kernel >= kernels) {
      problems.add(
          {where,
           "kernel=" + std::to_string(*watch.kernel) + ": the trace has kernels 0 to " + std::to_string(kernels - 1),
           ""});
    }
  }
  problems.throw_if_any();
}

stats::Result simulate(const Inputs& inputs, gpu::SimulateOptions options, bool show_progress) {
  cli::ProgressLine line(show_progress);
  options.on_progress = [&line](const gpu::Progress& progress) {
    line.update(progress);
    return !cli::interrupted();
  };
  const double started = cli::host_seconds();
  stats::Result result = gpu::simulate(inputs.arch, inputs.trace, options);
  result.host.seconds = cli::host_seconds() - started;
  result.host.threads = options.threads;
  result.host.peak_rss_bytes = cli::peak_rss_bytes();
  return result;
}

}  // namespace

int run_command(const RunOptions& options, const cli::Common& common) {
  gpu::SimulateOptions how = simulate_options(options);
  if (options.json == "-") {
    throw UsageError("--json: '-' is no file; use --format json for JSON on standard output");
  }
  // From here on an interrupt may not leave a temporary file behind.
  cli::catch_interrupt();
  const auto file = options.json.empty() ? nullptr : std::make_unique<OutputFile>(options.json);
  const Inputs inputs = load_inputs(options);
  require_watchable(options, how, inputs);
  const stats::Result result = simulate(inputs, std::move(how), !common.quiet && cli::can_show_progress());
  if (file) {
    file->commit(report::to_json(result));
  }
  const report::TextOptions look = cli::text_options(common, options.details);
  cli::print(options.watch.empty() || options.format == "json" ? cli::render(result, options.format, look)
                                                               : report::to_timeline(result, look));
  if (!result.complete && !result.stopped_after_watch) {
    cli::log_warning("interrupted: the result is partial");
    return cli::interrupt_code();
  }
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands

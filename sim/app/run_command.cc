// SPDX-License-Identifier: MIT
// The main job: simulate, then explain.
#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "sim/app/commands.h"
#include "sim/app/console.h"
#include "sim/app/find_file.h"
#include "sim/app/host_memory.h"
#include "sim/app/interrupt.h"
#include "sim/app/library.h"
#include "sim/app/program.h"
#include "sim/app/progress.h"
#include "sim/app/render.h"
#include "sim/app/values.h"
#include "sim/base/cache_state.h"
#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/model/arch/loader.h"

namespace gpusim::app {
namespace {

constexpr unsigned kMostThreads = 1024;

/// Everything the simulation needs.
struct Inputs {
  arch::Arch arch;
  trace::Trace trace;
};

arch::Arch load_architecture(const RunOptions& options) {
  std::vector<arch::Override> overrides;
  for (const std::string& text : options.set) {
    overrides.push_back(arch::parse_override(text));
  }
  const std::filesystem::path path = find_file(options.arch, architecture_files());
  refuse_to_replace(options.json, path);
  return arch::load_arch(path, overrides, search_folders(architecture_files()));
}

trace::Trace load_kernels(const RunOptions& options) {
  const trace::ParameterChoice choice = parse_parameters(options.param, options.test_params);
  const FoundTrace found = find_trace(options.trace);
  refuse_to_replace(options.json, found.file);
  trace::Trace trace = load_trace(found, choice);
  keep_kernels(trace, options.kernel);
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
                    : static_cast<unsigned>(parse_count("--threads", options.threads, 1, kMostThreads));
  if (!options.ctas.empty()) {
    out.ctas = parse_ctas(options.ctas);
  }
  if (!options.max_cycles.empty()) {
    out.max_cycles = parse_count("--max-cycles", options.max_cycles, 1, kNever - 1);
  }
  if (!options.watch.empty()) {
    if (options.format != "text") {
      throw UsageError("--watch: a timeline is text; leave --format " + options.format + " out");
    }
    out.watch = parse_watch(options.watch);
  }
  return out;
}

void require_watchable(const gpu::SimulateOptions& options, const arch::Arch& arch) {
  if (!options.watch) {
    return;
  }
  std::vector<Problem> problems;
  const gpu::WatchRequest& watch = *options.watch;
  if (watch.sm >= arch.sm.count) {
    problems.push_back(
        {{"--watch", 0, 0},
         "sm=" + std::to_string(watch.sm) + ": the architecture has SMs 0 to " + std::to_string(arch.sm.count - 1),
         ""});
  }
  if (watch.warp_slot && *watch.warp_slot >= arch.sm.limits.warps_per_sm) {
    problems.push_back({{"--watch", 0, 0},
                        "warp=" + std::to_string(*watch.warp_slot) + ": an SM of the architecture has warps 0 to " +
                            std::to_string(arch.sm.limits.warps_per_sm - 1),
                        ""});
  }
  if (!problems.empty()) {
    throw InputError(std::move(problems));
  }
}

stats::Result simulate(const Inputs& inputs, gpu::SimulateOptions options, bool show_progress) {
  ProgressLine line(show_progress);
  options.on_progress = [&line](const gpu::Progress& progress) {
    line.update(progress);
    return !interrupted();
  };
  const auto started = std::chrono::steady_clock::now();
  stats::Result result = gpu::simulate(inputs.arch, inputs.trace, options);
  result.host.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  result.host.threads = options.threads;
  result.host.peak_rss_bytes = peak_rss_bytes();
  return result;
}

}  // namespace

int run_command(const RunOptions& options, const Common& common) {
  gpu::SimulateOptions how = simulate_options(options);
  if (options.json == "-") {
    throw UsageError("--json: '-' is no file; use --format json for JSON on standard output");
  }
  // From here on an interrupt may not leave a temporary file behind.
  catch_interrupt();
  const auto file = options.json.empty() ? nullptr : std::make_unique<OutputFile>(options.json);
  const Inputs inputs = load_inputs(options);
  require_watchable(how, inputs.arch);
  const stats::Result result = simulate(inputs, std::move(how), !common.quiet && can_show_progress());
  if (file) {
    file->commit(report::to_json(result));
  }
  print(render(result, options.format, text_options(common, options.details)));
  if (!options.watch.empty()) {
    print(report::to_timeline(result, text_options(common, options.details)));
  }
  if (!result.complete) {
    log_warning("interrupted: the result is partial");
    return interrupt_code();
  }
  return Exit::kDone;
}

}  // namespace gpusim::app

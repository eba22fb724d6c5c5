// SPDX-License-Identifier: MIT
#include "sim/commands/run/compiled.h"

#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/launch_options.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/cli/load_trace.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/run/command.h"

namespace gpusim::commands {
namespace {

namespace fs = std::filesystem;

/// The file with the kernels as the command line says it; "" where the launch file does.
const std::string& named_file(const RunOptions& options) {
  return options.kernel_file.empty() ? options.trace : options.kernel_file;
}

bool is_trace(const std::string& name) {
  return cli::look_for_file(name, cli::trace_files()) || cli::find_kernel(name);
}

/// A folder with a recording stays one, whatever else is in it.
bool is_compiled_file(const fs::path& path) {
  std::error_code error;
  return cli::is_compiled(path) && !fs::exists(path / "kernelslist.g", error);
}

/// Simulating a part of a run leaves results of which nobody knows what they are.
void refuse_partial_results(const RunOptions& options) {
  const cli::LaunchOptions& launch = options.launch;
  if (launch.outputs.empty() && launch.expectations.empty()) {
    return;
  }
  const std::string given = launch.outputs.empty() ? "--expect" : "--out";
  const std::string part = !options.ctas.empty()    ? "--ctas"
                           : !options.watch.empty() ? "--watch"
                           : !options.why.empty()   ? "--why"
                                                    : "";
  if (!part.empty()) {
    throw UsageError(given + " does not go with " + part + ", which simulates a part of the run");
  }
}

/// --json y.npy --out y=./y.npy
void refuse_one_file(std::span<const cli::OutputPath> outputs, const cli::KernelJob& job) {
  for (const fs::path& buffer : job.outputs()) {
    for (const cli::OutputPath& output : outputs) {
      if (!output.path.empty() && fs::path(output.path).lexically_normal() == buffer.lexically_normal()) {
        throw UsageError("--out and " + std::string(output.option) + " name the same file, " +
                         cli::in_quotes(output.path));
      }
    }
  }
}

cli::KernelName name_of(const RunOptions& options) {
  const std::string& file = named_file(options);
  cli::KernelName name = file.empty() ? cli::KernelName{} : cli::kernel_name(file);
  if (!options.kernel.empty()) {
    if (!name.kernel.empty()) {
      throw UsageError("--kernel and " + cli::in_quotes(file) + " both name the kernel");
    }
    name.kernel = options.kernel;
  }
  return name;
}

}  // namespace

bool is_compiled_run(const RunOptions& options) {
  if (!options.kernel_file.empty()) {
    if (!options.trace.empty()) {
      throw UsageError("--kernel-file does not go with --trace: both name what is simulated");
    }
    return true;
  }
  if (options.trace.empty()) {
    return !options.launch.file.empty();
  }
  const cli::KernelName name = cli::kernel_name(options.trace);
  if (is_compiled_file(name.file)) {
    return true;
  }
  if (cli::is_listing(name.file)) {  // as a trace it is refused, with what can be made of it
    return options.launch.any() || !name.kernel.empty() || !options.kernel.empty();
  }
  if (options.launch.any() && is_trace(options.trace)) {
    throw UsageError("--launch, --grid, --arg and the like are for compiled kernels, and " +
                     cli::in_quotes(options.trace) + " is a trace, which has its launch in it");
  }
  return options.launch.any();
}

std::unique_ptr<cli::KernelJob> compiled_job(const RunOptions& options, const arch::Arch& arch,
                                             std::span<const cli::OutputPath> outputs, cli::OpenJob open_job,
                                             const cli::Announce& tell) {
  if (options.test_params) {
    throw UsageError("--test-params does not go with compiled kernels, which have no small set of parameters");
  }
  refuse_partial_results(options);
  auto job = open_job(options.launch, options.param, name_of(options), arch, tell);
  for (const fs::path& input : job->inputs()) {
    cli::refuse_to_replace(outputs, input);
  }
  refuse_one_file(outputs, *job);
  return job;
}

std::string compiled_name(const RunOptions& options) {
  return named_file(options).empty() ? options.launch.file : named_file(options);
}

}  // namespace gpusim::commands

// SPDX-License-Identifier: MIT
#include "sim/commands/launch/job.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/code/flow/slice.h"
#include "sim/commands/cli/launch_options.h"
#include "sim/commands/cli/simulation_inputs.h"
#include "sim/commands/launch/open_job.h"
#include "sim/commands/launch/request.h"
#include "sim/exec/run/make_image.h"
#include "sim/exec/trace/executable.h"
#include "sim/model/arch/arch.h"

namespace gpusim::commands {
namespace {

launch::Request read_request(const cli::LaunchOptions& options, const std::vector<std::string>& params,
                             const cli::KernelName& name) {
  launch::Request request = request_of(options, params, name);
  if (!request.file) {
    throw InputError({{options.file, 0, 0},
                      "does not say which file has the kernel",
                      "add  file: saxpy.cubin, or give the file on the command line"});
  }
  return request;
}

std::vector<std::filesystem::path> inputs_of(const cli::LaunchOptions& options, const launch::Request& request,
                                             const launch::Plan& plan) {
  std::vector<std::filesystem::path> inputs{request.file->text};
  if (!options.file.empty()) {
    inputs.emplace_back(options.file);
  }
  for (const launch::Buffer& buffer : plan.buffers) {
    if (!buffer.fill.file.empty()) {
      inputs.emplace_back(buffer.fill.file);
    }
  }
  for (const launch::Expectation& expectation : plan.expectations) {
    if (!expectation.fill.file.empty()) {
      inputs.emplace_back(expectation.fill.file);
    }
  }
  return inputs;
}

/// Buffers take time and memory: what cannot be written is known before they are filled.
const launch::Plan& writable(const launch::Plan& plan, const std::vector<std::filesystem::path>& inputs) {
  require_writable(plan, inputs);
  return plan;
}

}  // namespace

TargetGpu gpu_of(const arch::Arch& arch) {
  return {arch.name, arch.compute_capability};
}

std::optional<TargetGpu> gpu_called(const std::string& arch) {
  return arch.empty() ? std::nullopt : std::optional(gpu_of(cli::read_arch(arch, {}, {})));
}

Job::Job(const cli::LaunchOptions& options, const std::vector<std::string>& params, const cli::KernelName& name,
         std::optional<TargetGpu> gpu, const cli::Announce& tell)
    : Job(options, read_request(options, params, name), std::move(gpu), tell) {}

Job::Job(launch::Request request, std::optional<TargetGpu> gpu)
    : Job(cli::LaunchOptions(), std::move(request), std::move(gpu), [](const std::string&) {}) {}

Job::Job(const cli::LaunchOptions& options, launch::Request request, std::optional<TargetGpu> gpu,
         const cli::Announce& tell)
    : request_(std::move(request)),
      file_(request_.file->text, std::move(gpu), options.compiler_flags, tell),
      plan_(launch::make_plan(request_, [this](const std::string& kernel) { return file_.find(kernel).signature; })),
      inputs_(inputs_of(options, request_, plan_)),
      device_(writable(plan_, inputs_)) {
  std::ranges::for_each(plan_.notes, tell);
}

exec::Image Job::image_of(const launch::Launch& launch) {
  device_.fill();
  return bare_image_of(launch);
}

exec::Image Job::bare_image_of(const launch::Launch& launch) {
  const FoundKernel& kernel = kernel_of(launch);
  return exec::make_image(device_.load(kernel), *kernel.function, device_.launch_of(launch));
}

/// A kernel that comes before one whose branches, lanes or addresses depend on memory has to leave there what it
/// should.
void Job::leave_out_values(std::vector<exec::Image>& images) {
  std::map<const cubin::Function*, flow::Slice> slices;
  for (std::size_t left = images.size(); left > 0; --left) {
    const launch::Launch& launch = plan_.launches[left - 1];
    exec::Image& image = images[left - 1];
    const auto [found, is_new] = slices.try_emplace(kernel_of(launch).function);
    flow::Slice& slice = found->second;
    if (is_new) {
      slice = flow::slice_of(image.instructions);
    }
    const bool has_map = std::ranges::any_of(launch.arguments,
                                             [](const launch::Argument& argument) { return argument.map.has_value(); });
    if (slice.decider || flow::may_read_maps(image.instructions, has_map)) {
      device_.fill();
      return;
    }
    exec::leave_out_values(image, slice);
  }
}

trace::Trace Job::trace(Values values) {
  // All variables of all modules are there before the first kernel is made.
  std::vector<exec::Image> images;
  for (const launch::Launch& launch : plan_.launches) {
    images.push_back(bare_image_of(launch));
  }
  if (values == Values::kAll) {
    device_.fill();
  } else {
    leave_out_values(images);
  }
  trace::Trace trace;
  trace.path = request_.file->text;
  trace.origin = TraceOrigin::kCompiled;
  for (const launch::NamedNumber& parameter : plan_.parameters) {
    trace.parameters.push_back({parameter.name, parameter.value, parameter.value, {}, {}, {}, ""});
  }
  for (std::size_t i = 0; i < images.size(); ++i) {
    const launch::Launch& launch = plan_.launches[i];
    const FoundKernel& found = kernel_of(launch);
    const auto kernel = std::make_shared<const trace::Kernel>(exec::make_kernel(
        std::make_shared<const exec::Image>(std::move(images[i])), *found.module, *found.function, device_.held()));
    for (std::uint32_t again = 0; again < launch.repeat; ++again) {
      trace.kernels.push_back(kernel);
    }
  }
  return trace;
}

std::vector<std::filesystem::path> Job::outputs() const {
  std::vector<std::filesystem::path> files;
  for (const launch::Output& output : plan_.outputs) {
    files.emplace_back(output.file);
  }
  return files;
}

cli::Delivery Job::deliver() const {
  cli::Delivery delivery;
  device_.write_outputs();
  for (const launch::Output& output : plan_.outputs) {
    delivery.told.push_back(plan_.buffers[output.buffer].name + " is in " + without_controls(output.file));
  }
  for (const Checked& checked : device_.check()) {
    const std::string text = checked.buffer + ": " + array::to_text(checked.comparison, checked.tolerance);
    (checked.comparison.mismatches == 0 ? delivery.told : delivery.mismatches).push_back(text);
  }
  return delivery;
}

std::unique_ptr<cli::KernelJob> open_job(const cli::LaunchOptions& options, const std::vector<std::string>& params,
                                         const cli::KernelName& name, const arch::Arch& gpu,
                                         const cli::Announce& tell) {
  return std::make_unique<Job>(options, params, name, gpu_of(gpu), tell);
}

}  // namespace gpusim::commands

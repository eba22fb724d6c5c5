// SPDX-License-Identifier: MIT
#include "sim/commands/exec/command.h"

#include <filesystem>
#include <optional>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/code/launch/plan.h"
#include "sim/commands/cli/clock.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/simulation_inputs.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/launch/device.h"
#include "sim/commands/launch/kernel_file.h"
#include "sim/exec/run/make_image.h"
#include "sim/exec/run/run_grid.h"

namespace gpusim::commands {
namespace {

std::optional<GpuPart> part_of(const std::string& name) {
  if (name.empty()) {
    return std::nullopt;
  }
  const arch::Arch arch = cli::read_arch(name, {}, {});
  return GpuPart{arch.name, arch.compute_capability};
}

std::string size_text(const Dim3& size) {
  std::string text = std::to_string(size.x);
  if (size.y != 1 || size.z != 1) {
    text += "x" + std::to_string(size.y) + "x" + std::to_string(size.z);
  }
  return text;
}

/// Runs the launches one after another.
class Executor {
 public:
  Executor(KernelFile& file, Device& device, const exec::RunLimits& limits)
      : file_(file), device_(device), limits_(limits) {}

  void run(const launch::Launch& launch) {
    const FoundKernel& kernel = file_.find(launch.kernel);
    const exec::Image image = exec::make_image(device_.load(kernel), *kernel.function, device_.launch_of(launch));
    exec::DirectPort port(device_.memory());
    exec::RunCounts counts;
    const double begin = cli::host_seconds();
    for (std::uint32_t i = 0; i < launch.repeat; ++i) {
      const exec::RunCounts one = exec::run_grid(image, port, limits_);
      counts.warp_instructions += one.warp_instructions;
      counts.thread_instructions += one.thread_instructions;
    }
    seconds_ += cli::host_seconds() - begin;
    warp_instructions_ += counts.warp_instructions;
    cli::print(printable(kernel.signature.kernel) + "  grid " + size_text(launch.grid) + ", block " +
               size_text(launch.block) + (launch.repeat > 1 ? ", " + counted(launch.repeat, "time") : "") + ": " +
               counted(counts.warp_instructions, "warp instruction") + ", " +
               counted(counts.thread_instructions, "thread instruction") + "\n");
  }

  [[nodiscard]] std::string speed_text() const {
    const double rate = seconds_ > 0 ? static_cast<double>(warp_instructions_) / seconds_ : 0;
    return "executed " + counted(warp_instructions_, "warp instruction") + " in " + with_si_prefix(seconds_, "s") +
           " (" + with_si_prefix(rate, "") + " a second)";
  }

 private:
  KernelFile& file_;
  Device& device_;
  const exec::RunLimits& limits_;
  double seconds_ = 0;
  std::uint64_t warp_instructions_ = 0;
};

/// Prints what came of the expectations; false when one is not met.
bool report(const Device& device) {
  bool is_met = true;
  for (const Checked& checked : device.check()) {
    const std::string text = checked.buffer + ": " + array::to_text(checked.comparison, checked.tolerance);
    if (checked.comparison.mismatches == 0) {
      cli::print(text + "\n");
    } else {
      cli::log_error(text);
      is_met = false;
    }
  }
  return is_met;
}

std::vector<std::filesystem::path> inputs_of(const ExecOptions& options, const launch::Request& request,
                                             const launch::Plan& plan) {
  std::vector<std::filesystem::path> inputs{request.file->text};
  if (!options.launch.file.empty()) {
    inputs.emplace_back(options.launch.file);
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

}  // namespace

int exec_command(const ExecOptions& options, const cli::Common& /*common*/) {
  exec::RunLimits limits;
  if (!options.max_instructions.empty()) {
    limits.warp_instructions = cli::parse_count("--max-instructions", options.max_instructions, 1, kNever - 1);
  }
  const KernelName name = options.kernel.empty() ? KernelName{} : kernel_name(options.kernel);
  const launch::Request request = request_of(options.launch, options.param, name);
  if (!request.file) {
    throw InputError({{options.launch.file, 0, 0},
                      "does not say which file has the kernel",
                      "add  file: saxpy.cubin, or give the file on the command line"});
  }
  KernelFile file(request.file->text, part_of(options.arch), options.launch.compiler_flags,
                  [](const std::string& command) { cli::log_info(command); });
  const launch::Plan plan =
      launch::make_plan(request, [&file](const std::string& kernel) { return file.find(kernel).signature; });
  for (const std::string& note : plan.notes) {
    cli::log_info(note);
  }
  require_writable(plan, inputs_of(options, request, plan));
  Device device(plan);
  Executor executor(file, device, limits);
  for (const launch::Launch& launch : plan.launches) {
    executor.run(launch);
  }
  cli::log_info(executor.speed_text());
  if (plan.outputs.empty() && plan.expectations.empty()) {
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
      cli::print("  " + device.buffer_text(i) + "\n");
    }
  }
  device.write_outputs();
  for (const launch::Output& output : plan.outputs) {
    cli::print(plan.buffers[output.buffer].name + " is in " + without_controls(output.file) + "\n");
  }
  return report(device) ? cli::Exit::kDone : cli::Exit::kMissed;
}

}  // namespace gpusim::commands

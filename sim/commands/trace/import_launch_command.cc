// SPDX-License-Identifier: MIT
// gpusim trace import FILE:KERNEL with a launch: compiled kernels are executed once without time, and what their warps
// do becomes a container.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/output_file.h"
#include "sim/base/text.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/outcome.h"
#include "sim/commands/cli/progress.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/launch/job.h"
#include "sim/commands/trace/command.h"
#include "sim/input/container/writer.h"
#include "sim/model/trace/behaviour.h"
#include "sim/model/trace/record_run.h"

namespace gpusim::commands {
namespace {

std::uint64_t most_walked(const std::string& text) {
  return cli::count_or("--max-warp-instructions", text, trace::kMostWalked, 1, kNever - 1);
}

/// Every launch by itself: the next one finds what it has left in memory.
void record(const trace::Trace& trace, std::uint64_t most, trace::DeviceMemory& memory, container::Writer& writer,
            bool show_progress) {
  cli::ProgressLine line(show_progress);
  std::size_t number = 0;
  for (const trace::Kernel& executed : trace.kernels) {
    cli::throw_if_interrupted();
    ++number;
    const auto tell = [&](std::uint64_t instructions) {
      cli::throw_if_interrupted();
      line.update([&](double /*seconds*/) {
        return fmt::format("importing: kernel {} of {}, {} executed", number, trace.kernels.size(),
                           counted(instructions, "warp instruction"));
      });
    };
    const trace::Executable& executable = *executed.behaviour->executable();
    const trace::Kernel kernel = trace::with_known_spaces(executable, executed, memory, most, tell);
    trace::record_run(executable, kernel, memory, most, writer.begin_kernel(kernel), tell);
    static_cast<void>(writer.end_kernel());
  }
  writer.finish(trace);
}

}  // namespace

int import_launch_command(const TraceImportOptions& options, const cli::Common& common) {
  const std::uint64_t most = most_walked(options.max_warp_instructions);
  const cli::KernelName name = options.name.empty() ? cli::KernelName{} : cli::kernel_name(options.name);
  Job job(options.launch, options.param, name, gpu_called(options.arch),
          [](const std::string& text) { cli::log_info(text); });
  for (const std::filesystem::path& input : job.inputs()) {
    refuse_to_replace(options.output, input);
  }
  cli::catch_interrupt();
  const trace::Trace trace = job.trace();
  container::Writer writer(options.output);
  std::unique_ptr<trace::DeviceMemory> memory = job.device().held()->clone();
  record(trace, most, *memory, writer, cli::can_show_progress() && !common.quiet);
  job.device().take_result(std::move(memory));
  cli::print(options.output + ": " + counted(trace.kernels.size(), "kernel") + ", " +
             with_thousands(std::filesystem::file_size(options.output)) + " bytes\n");
  const cli::Delivery delivery = job.deliver();
  return cli::print_outcome(delivery.told, delivery.mismatches, cli::TellOn::kOutput) ? cli::Exit::kDone
                                                                                      : cli::Exit::kMissed;
}

}  // namespace gpusim::commands

// SPDX-License-Identifier: MIT
#include "sim/commands/exec/command.h"

#include <algorithm>
#include <iterator>

#include "sim/base/text.h"
#include "sim/code/launch/plan.h"
#include "sim/commands/cli/clock.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/outcome.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/launch/job.h"
#include "sim/exec/check/checker.h"
#include "sim/exec/memory/global_port.h"
#include "sim/exec/run/run_grid.h"
#include "sim/model/trace/step.h"

namespace gpusim::commands {
namespace {

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
  Executor(Job& job, const exec::RunLimits& limits, bool checks) : job_(job), limits_(limits), checks_(checks) {}

  void run(const launch::Launch& launch) {
    const exec::Image image = job_.image_of(launch);
    exec::DirectPort port(job_.device().memory());
    exec::RunCounts counts;
    const double begin = cli::host_seconds();
    for (std::uint32_t i = 0; i < launch.repeat; ++i) {
      const exec::RunCounts one = checks_ ? run_checked(image, port) : exec::run_grid(image, port, limits_);
      counts.warp_instructions += one.warp_instructions;
      counts.thread_instructions += one.thread_instructions;
    }
    seconds_ += cli::host_seconds() - begin;
    warp_instructions_ += counts.warp_instructions;
    cli::print(printable(job_.kernel_of(launch).signature.kernel) + "  grid " + size_text(launch.grid) + ", block " +
               size_text(launch.block) + (launch.repeat > 1 ? ", " + counted(launch.repeat, "time") : "") + ": " +
               counted(counts.warp_instructions, "warp instruction") + ", " +
               counted(counts.thread_instructions, "thread instruction") + "\n");
  }

  /// What was found in all runs, in words.
  [[nodiscard]] const std::vector<std::string>& found() const { return found_; }

  [[nodiscard]] std::string speed_text() const {
    const double rate = seconds_ > 0 ? static_cast<double>(warp_instructions_) / seconds_ : 0;
    return "executed " + counted(warp_instructions_, "warp instruction") + " in " + with_si_prefix(seconds_, "s") +
           " (" + with_si_prefix(rate, "") + " a second)";
  }

 private:
  /// What has been found is told before an error that ends the run.
  exec::RunCounts run_checked(const exec::Image& image, exec::GlobalPort& port) {
    exec::Checker checker(image);
    const auto keep = [&] {
      std::ranges::transform(checker.findings(), std::back_inserter(found_),
                             [&image](const exec::Finding& finding) { return to_text(finding, image); });
    };
    try {
      const exec::RunCounts counts = run_watched(image, port, limits_, checker);
      keep();
      return counts;
    } catch (const std::exception&) {
      keep();
      cli::print_outcome({}, found_, cli::TellOn::kOutput);
      throw;
    }
  }

  Job& job_;
  const exec::RunLimits& limits_;
  bool checks_;
  std::vector<std::string> found_;
  double seconds_ = 0;
  std::uint64_t warp_instructions_ = 0;
};

}  // namespace

int exec_command(const ExecOptions& options, const cli::Common& /*common*/) {
  exec::RunLimits limits;
  limits.warp_instructions =
      cli::count_or("--max-instructions", options.max_instructions, limits.warp_instructions, 1, kNever - 1);
  limits.instructions_of_warp =
      cli::count_or("--max-warp-instructions", options.max_warp_instructions, trace::kMostWalked, 1, kNever - 1);
  const cli::KernelName name = options.kernel.empty() ? cli::KernelName{} : cli::kernel_name(options.kernel);
  Job job(options.launch, options.param, name, gpu_called(options.arch),
          [](const std::string& text) { cli::log_info(text); });
  Executor executor(job, limits, options.check);
  for (const launch::Launch& launch : job.plan().launches) {
    executor.run(launch);
  }
  cli::log_info(executor.speed_text());
  if (!job.has_results()) {
    for (std::size_t i = 0; i < job.plan().buffers.size(); ++i) {
      cli::print("  " + job.device().buffer_text(i) + "\n");
    }
  }
  cli::Delivery delivery = job.deliver();
  if (options.check) {
    if (executor.found().empty()) {
      delivery.told.emplace_back("check: nothing found");
    }
    delivery.mismatches.insert(delivery.mismatches.begin(), executor.found().begin(), executor.found().end());
  }
  return cli::print_outcome(delivery.told, delivery.mismatches, cli::TellOn::kOutput) ? cli::Exit::kDone
                                                                                      : cli::Exit::kMissed;
}

}  // namespace gpusim::commands

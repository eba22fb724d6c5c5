// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/commands/app/command.h"
#include "sim/commands/app/import.h"
#include "sim/commands/app/make.h"
#include "sim/commands/cli/command_set.h"

namespace gpusim::commands {
namespace {

constexpr const char* kAppExamples = R"(gpusim app overlap-demo --system dgx-h100
gpusim app step.yaml --system rtx4090-workstation --html step.html
gpusim app step.yaml --system dgx-a100 --set link_types.nvlink3.bandwidth=50GB/s)";

}  // namespace

void add_app_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<AppOptions>();
  CLI::App& command = commands.add(
      commands.root(), "app", "Run a whole application on a system: threads, streams, copies, several GPUs",
      [options](const CLI::App& app) {
        cli::require(app, options->file, "an application, for example gpusim app overlap-demo --system dgx-h100");
        return cli::run_with(app_command, *options);
      });
  cli::add_text(command, "APPLICATION", options->file, "FILE", "An application's file, or the name of a shipped one");
  cli::start_group(command, "System");
  cli::add_text(command, "--system", options->system, "SYSTEM",
                "A system's name such as dgx-h100, or a system file (default: the one that the application names)");
  cli::add_repeated(command, "-s,--set", options->set, "KEY=VALUE",
                    "Change a key of the system's file, of the application's, or of its GPUs, such as "
                    "calls.launch=2us, repeats=10 or gpu.sm.count=66 (repeatable)");
  cli::start_group(command, "Kernel times");
  cli::add_text(command, "--kernel-times", options->database, "FILE",
                "Database of kernel times that were simulated before, or none (default: in the user's cache folder)");
  cli::add_flag(command, "--whole", options->whole, "Simulate large kernels whole, not a part of them");
  cli::add_text(command, "--threads", options->threads, "N|all", "Kernels simulated at a time (default: all cores)");
  cli::start_group(command, "Output");
  cli::add_choice(command, "-f,--format", options->format, {"text", "json", "nsys", "pytorch"},
                  "Output format: a report (the default), JSON, the tables of nsys stats or of PyTorch's profiler");
  cli::add_text(command, "--timeline", options->timeline, "FILE",
                "Write the timeline as a trace that Perfetto and chrome://tracing open");
  cli::add_text(command, "--html", options->html, "FILE", "Write the report as one interactive page");
  cli::add_text(command, "--chakra", options->chakra, "FOLDER",
                "Write Chakra execution traces there, one for each GPU: NAME.0.et, NAME.1.et");
  cli::set_examples(command, kAppExamples);
  add_make_app_command(commands, command);
  add_import_app_command(commands, command);
}

}  // namespace gpusim::commands

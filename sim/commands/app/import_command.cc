// SPDX-License-Identifier: MIT
#include <array>
#include <memory>

#include "sim/base/output_file.h"
#include "sim/base/text.h"
#include "sim/commands/app/import.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/exit_codes.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/system/application/writer.h"
#include "sim/system/kineto/import.h"

namespace gpusim::commands {
namespace {

constexpr const char* kImportAppExamples = R"(gpusim app import trace.json -o step.yaml
gpusim app import trace.json.gz > step.yaml
gpusim app step.yaml --system dgx-h100)";

}  // namespace

int import_app_command(const ImportAppOptions& options, const cli::Common&) {
  const std::array<cli::OutputPath, 1> outputs{{{"--output", options.output}}};
  cli::refuse_to_replace(outputs, options.trace);
  const kineto::Imported imported = kineto::import_trace(options.trace);
  cli::log_info(
      counted(imported.kernels, "kernel") + " launched by " + counted(imported.application.threads.size(), "thread") +
      (imported.collectives > 0 ? ", " + counted(imported.collectives, "collective") + " timed anew, not as recorded"
                                : ""));
  if (imported.orphans > 0) {
    cli::log_warning(counted(imported.orphans, "piece") +
                     " of GPU work left out: the trace does not have the calls that issued it");
  }
  auto files = cli::open_outputs(outputs);
  const std::string text = application::to_yaml(imported.application);
  if (files.front()) {
    files.front()->commit(text);
  } else {
    cli::print_plain(text);
  }
  return cli::Exit::kDone;
}

void add_import_app_command(cli::CommandSet& commands, CLI::App& app) {
  const auto options = std::make_shared<ImportAppOptions>();
  CLI::App& command = commands.add(app, "import", "Turn a trace of PyTorch's profiler into an application",
                                   [options](const CLI::App& given) {
                                     cli::require(given, options->trace, "a trace, for example trace.json");
                                     return cli::run_with(import_app_command, *options);
                                   });
  cli::add_text(command, "TRACE", options->trace, "FILE",
                "What export_chrome_trace() of torch.profiler wrote, packed by gzip or not");
  cli::add_text(command, "-o,--output", options->output, "FILE", "Write to a file (default: print)");
  cli::set_examples(command, kImportAppExamples);
}

}  // namespace gpusim::commands

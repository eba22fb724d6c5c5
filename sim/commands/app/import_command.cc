// SPDX-License-Identifier: MIT
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/app/import.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/exit_codes.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/values.h"
#include "sim/system/application/writer.h"
#include "sim/system/chakra/import.h"
#include "sim/system/config/names.h"
#include "sim/system/kineto/import.h"
#include "sim/system/nsys/report.h"

namespace gpusim::commands {
namespace {

constexpr const char* kImportAppExamples = R"(gpusim app import trace.json -o step.yaml
gpusim app import trace.json.gz > step.yaml
gpusim app import report.sqlite -o step.yaml
gpusim app import step.0.et -o step.yaml
gpusim app step.yaml --system dgx-h100)";

/// What was found, and what was not taken as it was recorded.
struct Account {
  std::uint64_t kernels = 0;
  std::optional<bool> has_shapes;  ///< whether the trace has shapes of operators; nothing of a format without them
  std::uint64_t with_operation = 0;
  std::uint64_t collectives = 0;
  std::uint64_t recorded_collectives = 0;
  std::uint64_t orphans = 0;
  std::uint64_t receives = 0;
};

/// What is known of kernels by the shapes of operators.
std::string shapes_text(const Account& account) {
  if (!*account.has_shapes) {
    return "the trace has no shapes of operators (profile with record_shapes=True): on another GPU kernels go with "
           "peaks";
  }
  if (account.with_operation == 0) {
    return "the trace has shapes of operators, but the operation of no kernel is known: on another GPU kernels go with "
           "peaks";
  }
  return "the operation of " + counted(account.with_operation, "kernel") + " is known; on another GPU " +
         (account.with_operation == 1 ? "it is simulated" : "the main ones are simulated");
}

void tell(const application::Application& made, const Account& account) {
  cli::log_info(counted(account.kernels, "kernel") + " launched by " + counted(made.threads.size(), "thread") +
                (account.collectives > 0
                     ? ", " + counted(account.collectives, "collective") + " timed anew, not as recorded"
                     : ""));
  if (account.has_shapes) {
    cli::log_info(shapes_text(account));
  }
  if (account.orphans > 0) {
    cli::log_warning(counted(account.orphans, "piece") +
                     " of GPU work left out: the trace does not have the calls that issued it");
  }
  if (account.recorded_collectives > 0) {
    cli::log_warning(counted(account.recorded_collectives, "kernel") +
                     " of NCCL lasts as recorded, with its waits for other ranks: its size is not in the trace");
  }
  if (account.receives > 0) {
    cli::log_warning(counted(account.receives, "receive") + " left out: the copy of the sender brings the data");
  }
}

application::Application told(kineto::Imported imported, bool may_have_shapes) {
  if (imported.gpu.empty()) {
    cli::log_warning("recorded times are of an unknown GPU, which the trace does not name: they stay on any other");
  } else if (imported.arch.empty()) {
    cli::log_warning("recorded times are of " + imported.gpu +
                     ", which no architecture file is of: they stay as they are on any other GPU");
  }
  if (imported.negative > 0) {
    cli::log_warning(counted(imported.negative, "event") + " with a negative duration, such as '" +
                     printable(imported.first_negative) +
                     (imported.negative == 1 ? "': it counts as lasting 0" : "': they count as lasting 0"));
  }
  tell(imported.application,
       {imported.kernels, may_have_shapes ? std::optional(imported.has_shapes) : std::nullopt, imported.with_shapes,
        imported.collectives, imported.recorded_collectives, imported.orphans, 0});
  return std::move(imported.application);
}

application::Application import_chakra(const ImportAppOptions& options) {
  const std::uint64_t ranks = cli::count_or("--ranks", options.ranks, 0, 1, system::kMostOfRange);
  chakra::Imported imported = chakra::import_ranks(chakra::files_of_ranks(options.trace), ranks);
  tell(imported.application, {imported.kernels, std::nullopt, 0, imported.collectives, 0, 0, imported.receives});
  return std::move(imported.application);
}

application::Application import_any(const ImportAppOptions& options) {
  if (chakra::is_trace(options.trace)) {
    return import_chakra(options);
  }
  if (!options.ranks.empty()) {
    throw UsageError("--ranks is of a Chakra trace, NAME.et");
  }
  return nsys::is_database(options.trace) ? told(nsys::import_report(options.trace), false)
                                          : told(kineto::import_trace(options.trace), true);
}

}  // namespace

int import_app_command(const ImportAppOptions& options, const cli::Common&) {
  const std::array<cli::OutputPath, 1> outputs{{{"--output", options.output}}};
  cli::refuse_to_replace(outputs, options.trace);
  const application::Application made = import_any(options);
  auto files = cli::open_outputs(outputs);
  const std::string text = application::to_yaml(made);
  if (files.front()) {
    cli::commit_told(*files.front(), text, "simulate it: gpusim app " + options.output);
  } else {
    cli::print_plain(text);
  }
  return cli::Exit::kDone;
}

void add_import_app_command(cli::CommandSet& commands, CLI::App& app) {
  const auto options = std::make_shared<ImportAppOptions>();
  CLI::App& command =
      commands.add(app, "import", "Turn a trace of a profiler into an application", [options](const CLI::App& given) {
        cli::require(given, options->trace, "a trace, for example trace.json");
        return cli::run_with(import_app_command, *options);
      });
  cli::add_text(
      command, "TRACE", options->trace, "FILE",
      "What export_chrome_trace() of torch.profiler wrote, packed by gzip or not (with record_shapes=True main "
      "kernels are simulated on other GPUs); a report of nsys export "
      "--type sqlite; a Chakra execution trace such as step.0.et, with those of other ranks beside it");
  cli::add_text(command, "--ranks", options->ranks, "N", "Ranks that do what one Chakra trace does (default: 1)");
  cli::add_text(command, "-o,--output", options->output, "FILE", "Write to a file (default: print)");
  cli::set_examples(command, kImportAppExamples);
}

}  // namespace gpusim::commands

// SPDX-License-Identifier: MIT
#include "sim/commands/app/command.h"

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/gzip.h"
#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/app/report.h"
#include "sim/commands/app/step/step.h"
#include "sim/commands/app/step/what_if.h"
#include "sim/commands/app/times/database.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/exit_codes.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/simulate_shown.h"
#include "sim/commands/system/find_system.h"
#include "sim/system/application/loader.h"

namespace gpusim::commands {
namespace {

std::string system_name(const AppOptions& options, const application::Application& application) {
  if (!options.system.empty()) {
    return options.system;
  }
  if (application.system.empty()) {
    throw UsageError("say which system, for example --system dgx-h100: the application names none");
  }
  return application.system;
}

std::string text_in(const std::string& format, const app::Report& report, const cli::Common& common) {
  return format == "json"      ? app::to_json(report)
         : format == "nsys"    ? app::to_nsys(report)
         : format == "pytorch" ? app::to_pytorch(report)
                               : app::to_text(report, cli::look_of(common));
}

app::TimesOptions times_options(const AppOptions& options, const cli::Common& common) {
  app::TimesOptions times;
  times.database = app::database_named(options.database);
  times.threads = cli::host_threads(options.threads);
  times.whole = options.whole;
  times.show_progress = !common.quiet && cli::can_show_progress();
  return times;
}

/// Makes the folder, so that one that cannot be written is known before the run.
void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder, error)) {
    throw InputError({{folder, 0, 0}, "cannot be made as a folder", "--chakra takes a folder"});
  }
}

/// Says once that times may be those of another GPU. An application that names its system is taken to have its times.
void warn_of_unknown(const app::Times& times, const AppOptions& options, const application::Application& application) {
  if (times.of_unknown > 0 && (options.system.empty() ? !options.set.empty() : options.system != application.system)) {
    cli::log_warning("recorded times of " + counted(times.of_unknown, "kernel") +
                     " are of an unknown GPU, and stay as they are on any (of: h100 beside a time says which)");
  }
}

void write_chakra(const app::Report& report, const std::filesystem::path& folder, const std::string& name) {
  const std::vector<std::string> traces = app::to_chakra(report);
  for (std::size_t rank = 0; rank < traces.size(); ++rank) {
    OutputFile(folder / (name + "." + std::to_string(rank) + ".et")).commit(traces[rank]);
  }
  cli::log_info("wrote " + counted(traces.size(), "file") + " to " + folder.string());
}

}  // namespace

int app_command(const AppOptions& options, const cli::Common& common) {
  const std::filesystem::path file = cli::find_file(options.file, cli::application_files());
  const std::array<cli::OutputPath, 2> outputs{{{"--timeline", options.timeline}, {"--html", options.html}}};
  cli::refuse_to_replace(outputs, file);
  const app::WhatIf what_if = app::sort_changes(arch::parse_overrides(options.set));
  application::Application application = application::load_application(file, what_if.of_application);
  cli::refuse_to_replace(outputs, cli::find_file(system_name(options, application), cli::system_files()));
  for (const cli::OutputPath& output : outputs) {
    if (!output.path.empty() && output.path == options.database) {
      throw UsageError(std::string(output.option) + " and --kernel-times name one file");
    }
  }
  const system::System system = cli::find_system(system_name(options, application), what_if.of_system);
  auto files = cli::open_outputs(outputs);
  if (!options.chakra.empty()) {
    make_folder(options.chakra);
  }
  app::Step step = app::run_step(application, system, times_options(options, common));
  if (!step.times.database_problem.empty()) {
    cli::log_warning("times of kernels are not kept: " + step.times.database_problem);
  }
  warn_of_unknown(step.times, options, application);
  if (step.timeline.step_ns() <= 0) {
    throw InputError({{file.string(), 0, 0}, "does nothing that takes time", "write calls such as launch: KERNEL"});
  }
  const app::Report report =
      app::make_report(std::move(application), system.name + (options.set.empty() ? "" : " " + what_if.text()),
                       std::move(step.times), std::move(step.timeline));
  if (files.front()) {
    const std::string trace = app::to_chrome(report);
    const bool is_packed = std::filesystem::path(options.timeline).extension() == ".gz";
    cli::commit_told(*files.front(), is_packed ? gzip(trace) : trace);
  }
  if (files.back()) {
    cli::commit_told(*files.back(), app::to_page(report));
  }
  if (!options.chakra.empty()) {
    write_chakra(report, options.chakra, file.stem().string());
  }
  cli::print(text_in(options.format, report, common));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands

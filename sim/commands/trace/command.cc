// SPDX-License-Identifier: MIT
// gpusim trace info | check | dump | make.
#include "sim/commands/trace/command.h"

#include <cstdint>
#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/pager.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/trace_values.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/trace/list.h"
#include "sim/commands/trace/make.h"
#include "sim/commands/trace/summary.h"
#include "sim/machine/lower/hazards.h"
#include "sim/model/trace/dump.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/summary.h"

namespace gpusim::commands {
namespace {

constexpr std::uint64_t kStepsShown = 1000;

/// The size of the file and of the files that it lists.
std::uint64_t bytes_on_disk(const std::filesystem::path& path, const trace::Trace& trace) {
  std::set<std::filesystem::path> files{path};
  for (const trace::Kernel& kernel : trace.kernels) {
    files.insert(kernel.where.file);
  }
  std::uint64_t bytes = 0;
  for (const std::filesystem::path& file : files) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    bytes += error ? 0 : static_cast<std::uint64_t>(size);
  }
  return bytes;
}

std::string info_of(const trace::Trace& trace, const std::filesystem::path& path, const TraceOptions& options,
                    const layout::Look& look) {
  trace_summary::TraceInfo info{&trace, bytes_on_disk(path, trace), {}};
  for (const trace::Kernel& kernel : trace.kernels) {
    info.kernels.push_back(trace_summary::summarize_kernel(kernel));
  }
  return options.format == "json" ? trace_summary::info_json(info) : trace_summary::info_text(info, look);
}

std::string check_text(const trace::Kernel& kernel, const trace::Coverage& walked) {
  return fmt::format("kernel {}: no problems{}; walked {} of {} CTAs, {} warp instructions\n", printable(kernel.name),
                     walked.complete() ? "" : " so far", with_thousands(walked.ctas), with_thousands(walked.of_ctas),
                     with_thousands(walked.steps));
}

/// A check of a part has not succeeded.
void require_complete(const trace::Trace& trace, const trace::CheckResult& result) {
  for (std::size_t i = 0; i < trace.kernels.size(); ++i) {
    if (const trace::Coverage& walked = result.walked[i]; !walked.complete()) {
      throw CannotFinishError("kernel '" + trace.kernels[i].name + "' is checked in part: the limit of " +
                              with_thousands(walked.steps) + " warp instructions came after " +
                              with_thousands(walked.ctas) + " of " + counted(walked.of_ctas, "CTA") +
                              "; raise --max-instructions");
    }
  }
}

void print_check(const trace::Trace& trace, const TraceOptions& options) {
  trace::WalkLimit limit = trace::kCheckLimit;
  limit.steps = cli::count_or("--max-instructions", options.max_instructions, limit.steps, 1, kNever - 1);
  const trace::CheckResult result = trace::check(trace, limit);
  if (!result.problems.empty()) {
    throw InputError(result.problems);
  }
  for (std::size_t i = 0; i < trace.kernels.size(); ++i) {
    for (const std::string& warning : lower::hazards_of(trace.kernels[i])) {
      cli::log_warning(warning);
    }
    cli::print(check_text(trace.kernels[i], result.walked[i]));
  }
  require_complete(trace, result);
}

std::string dump_text(const trace::Kernel& kernel, const TraceOptions& options) {
  if (options.cta.empty() && options.warp.empty()) {
    return trace::dump_program(kernel);
  }
  const std::uint64_t cta = cli::count_or("--cta", options.cta, 0, 0, kernel.ctas() - 1);
  const std::uint64_t warp = cli::count_or("--warp", options.warp, 0, 0, kernel.warps_per_cta() - 1);
  return trace::dump_warp(kernel, trace::cta_at(cta, kernel.grid), static_cast<std::uint32_t>(warp),
                          cli::count_or("--most", options.most, kStepsShown, 0, kNever));
}

void print_dump(const trace::Trace& trace, const TraceOptions& options) {
  for (const trace::Kernel& kernel : trace.kernels) {
    cli::print_plain(dump_text(kernel, options));
  }
}

std::string list_of_library(const TraceOptions& options, const layout::Look& look) {
  if (!options.param.empty()) {
    throw UsageError("--list shows the parameters with their defaults: it does not go with --param");
  }
  std::vector<frontend::LibraryKernel> library = cli::read_library();
  if (!options.name.empty()) {
    library = kernels_about(options.name, std::move(library));
  }
  frontend::sort_library(library);
  return options.format == "json" ? trace_summary::library_json(library) : trace_summary::library_text(library, look);
}

void make(const TraceOptions& options, const trace::ParameterChoice& choice, const cli::Common& common) {
  if (!options.list && options.format != "text") {
    throw UsageError("--format needs --list");
  }
  const std::string text =
      options.list ? list_of_library(options, cli::look_of(common)) : make_trace(options.name, choice);
  if (options.list && options.output.empty() && options.format == "text") {
    cli::print_list(text, common);
  } else if (options.output.empty() || options.output == "-") {
    cli::print(text);
  } else {
    OutputFile file(options.output);
    cli::commit_told(file, text, options.list ? "" : "simulate it: gpusim --arch h100 --trace " + options.output);
  }
}

}  // namespace

int trace_command(const TraceOptions& options, const cli::Common& common) {
  const trace::ParameterChoice choice = cli::parse_parameters(options.param, options.test_params);
  if (options.action == TraceAction::kMake) {
    make(options, choice, common);
    return cli::Exit::kDone;
  }
  const cli::FoundTrace found = cli::find_trace(options.name);
  trace::Trace trace = cli::load_trace(found, choice);
  cli::keep_kernels(trace, options.kernel);
  for (const std::string& warning : trace.warnings) {
    // A check has them among its errors.
    if (options.action != TraceAction::kCheck || warning.find("unknown opcode") == std::string::npos) {
      cli::log_warning(warning);
    }
  }
  switch (options.action) {
    case TraceAction::kInfo: cli::print(info_of(trace, found.file, options, cli::look_of(common))); break;
    case TraceAction::kCheck: print_check(trace, options); break;
    default: print_dump(trace, options);
  }
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands

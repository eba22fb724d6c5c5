// SPDX-License-Identifier: MIT
#include "sim/commands/cli/result_files.h"

#include <array>
#include <string_view>

#include "sim/base/gzip.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/output/html/page.h"
#include "sim/output/report/report.h"
#include "sim/output/timeline/timeline.h"

namespace gpusim::cli {
namespace {

struct Written {
  std::string bytes;
  std::string left_out;  ///< in words; empty: nothing
};

Written json(const stats::Result& result, const std::filesystem::path& /*path*/) {
  return {report::to_json(result), ""};
}

Written page(const stats::Result& result, const std::filesystem::path& /*path*/) {
  return {html::run_page(result), ""};
}

Written trace_events(const stats::Result& result, const std::filesystem::path& path) {
  timeline::TraceEvents events = timeline::to_trace_events(result);
  return {path.extension() == ".gz" ? gzip(events.json) : std::move(events.json), std::move(events.left_out)};
}

Written konata(const stats::Result& result, const std::filesystem::path& /*path*/) {
  return {timeline::to_konata(result), ""};
}

struct Form {
  const char* option;
  const char* shown;
  const char* what;  ///< for the help
  std::string ResultPaths::*path;
  Written (*write)(const stats::Result& result, const std::filesystem::path& path);
};

constexpr std::array kForms{
    Form{"--json", "FILE", "Also write the result as JSON", &ResultPaths::json, json},
    Form{"--html", "FILE", "Also write the result as one interactive page", &ResultPaths::html, page},
    Form{"--timeline", "FILE.json[.gz]", "Also write kernels, counters and recorded warps as a trace for Perfetto",
         &ResultPaths::timeline, trace_events},
    Form{"--konata", "FILE", "Also write the instructions of the recorded SM for Konata", &ResultPaths::konata, konata},
};

}  // namespace

void add_result_paths(CLI::App& app, ResultPaths& paths) {
  for (const Form& form : kForms) {
    if (form.path != &ResultPaths::json) {
      add_text(app, form.option, paths.*form.path, form.shown, form.what);
    }
  }
}

std::vector<OutputPath> outputs_of(const ResultPaths& paths) {
  std::vector<OutputPath> outputs;
  for (const Form& form : kForms) {
    outputs.push_back({form.option, paths.*form.path});
  }
  return outputs;
}

ResultFiles::ResultFiles(const ResultPaths& paths) : files_(open_outputs(outputs_of(paths))) {}

void ResultFiles::commit(const stats::Result& result) {
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    if (!files_[i]) {
      continue;
    }
    const Written written = kForms[i].write(result, files_[i]->path());
    commit_told(*files_[i], written.bytes);
    if (!written.left_out.empty()) {
      log_warning(files_[i]->path().string() + ": left out " + written.left_out);
    }
  }
}

}  // namespace gpusim::cli

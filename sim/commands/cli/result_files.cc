// SPDX-License-Identifier: MIT
#include "sim/commands/cli/result_files.h"

#include <array>
#include <string_view>

#include "sim/base/gzip.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/console.h"
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
    Form{"--json", "FILE", "Write the result as JSON, too", &ResultPaths::json, json},
    Form{"--html", "FILE", "Write the result as one page to look at, too", &ResultPaths::html, page},
    Form{"--timeline", "FILE.json[.gz]", "Write kernels, counters and recorded warps for Perfetto and chrome://tracing",
         &ResultPaths::timeline, trace_events},
    Form{"--konata", "FILE", "Write the instructions of the recorded SM for Konata", &ResultPaths::konata, konata},
};

}  // namespace

void add_result_paths(CLI::App& app, ResultPaths& paths) {
  for (const Form& form : kForms) {
    if (form.path != &ResultPaths::json) {
      add_text(app, form.option, paths.*form.path, form.shown, form.what);
    }
  }
}

void refuse_to_replace(const ResultPaths& paths, const std::filesystem::path& input) {
  for (const Form& form : kForms) {
    gpusim::refuse_to_replace(paths.*form.path, input);
  }
}

ResultFiles::ResultFiles(const ResultPaths& paths) {
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    const std::string& path = paths.*kForms[i].path;
    if (path == "-") {
      throw UsageError(std::string(kForms[i].option) + ": '-' is no file; --format writes to standard output");
    }
    for (std::size_t other = 0; other < i && !path.empty(); ++other) {
      if (paths.*kForms[other].path == path) {
        throw UsageError(std::string(kForms[other].option) + " and " + kForms[i].option + " name the same file, '" +
                         path + "'");
      }
    }
  }
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    if (const std::string& path = paths.*kForms[i].path; !path.empty()) {
      wanted_.push_back({i, OutputFile(path)});
    }
  }
}

void ResultFiles::commit(const stats::Result& result) {
  for (Wanted& wanted : wanted_) {
    const Written written = kForms[wanted.form].write(result, wanted.file.path());
    wanted.file.commit(written.bytes);
    if (!written.left_out.empty()) {
      log_warning(wanted.file.path().string() + ": left out " + written.left_out);
    }
  }
}

}  // namespace gpusim::cli

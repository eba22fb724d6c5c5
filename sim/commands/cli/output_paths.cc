// SPDX-License-Identifier: MIT
#include "sim/commands/cli/output_paths.h"

#include <algorithm>
#include <system_error>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/console.h"

namespace gpusim::cli {
namespace {

void refuse_standard_output(const OutputPath& output) {
  if (output.path == "-") {
    throw UsageError(std::string(output.option) + ": '-' is not a file; use --format json for JSON on standard output");
  }
}

/// "x" and "./x" are one file, too.
bool name_one_file(const OutputPath& a, const OutputPath& b) {
  const auto plain = [](const OutputPath& output) { return std::filesystem::path(output.path).lexically_normal(); };
  return !a.path.empty() && plain(a) == plain(b);
}

}  // namespace

void refuse_to_replace(std::span<const OutputPath> outputs, const std::filesystem::path& input) {
  for (const OutputPath& output : outputs) {
    gpusim::refuse_to_replace(output.path, input);
  }
}

std::vector<std::optional<OutputFile>> open_outputs(std::span<const OutputPath> outputs) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    refuse_standard_output(*output);
    const auto other =
        std::find_if(outputs.begin(), output, [&](const OutputPath& each) { return name_one_file(each, *output); });
    if (other != output) {
      throw UsageError(std::string(other->option) + " and " + std::string(output->option) + " name the same file, '" +
                       output->path + "'");
    }
  }
  std::vector<std::optional<OutputFile>> files(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].path.empty()) {
      files[i].emplace(outputs[i].path);
    }
  }
  return files;
}

bool is_file(const std::filesystem::path& output) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(std::filesystem::symlink_status(output, ignored));
}

void commit_told(OutputFile& file, std::string_view text, std::string_view next) {
  file.commit(text);
  if (is_file(file.path())) {
    log_info("wrote " + file.path().string() + (next.empty() ? "" : "; " + std::string(next)));
  }
}

}  // namespace gpusim::cli

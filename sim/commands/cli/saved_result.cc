// SPDX-License-Identifier: MIT
#include "sim/commands/cli/saved_result.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "sim/base/problem.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/input_file.h"
#include "sim/output/report/report.h"

namespace gpusim::cli {
namespace {

/// Far above what to_json() writes for the largest kernels.
constexpr std::uintmax_t kLargestResult = 1U << 30U;

std::string read_all(const std::string& file) {
  if (file.empty()) {
    throw UsageError("a name is empty where a saved result is wanted");
  }
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    throw InputError({{file, 0, 0}, "no such file", other_kind_hint(file, nullptr)});
  }
  std::ifstream in = open_input(file);
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (!error && size > kLargestResult) {
    throw InputError({{file, 0, 0}, "is too large for a result", ""});
  }
  std::string text;
  if (!error) {
    text.resize(size);
    in.read(text.data(), static_cast<std::streamsize>(size));
    text.resize(static_cast<std::size_t>(in.gcount()));
  }
  // A pipe has no size, and a file that is being written may have grown.
  std::ostringstream rest;
  rest << in.rdbuf();
  text += rest.str();
  return text;
}

}  // namespace

stats::Result load_result(const std::string& file) {
  return report::parse_json(read_all(file), file);
}

}  // namespace gpusim::cli

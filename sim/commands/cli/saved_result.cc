// SPDX-License-Identifier: MIT
#include "sim/commands/cli/saved_result.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "sim/base/problem.h"
#include "sim/commands/cli/input_file.h"
#include "sim/output/report/report.h"

namespace gpusim::cli {
namespace {

/// Far above what to_json() writes for the largest kernels.
constexpr std::uintmax_t kLargestResult = 1U << 30U;

std::string read_all(const std::string& file) {
  std::ifstream in = open_input(file);
  std::error_code error;
  if (std::filesystem::file_size(file, error) > kLargestResult && !error) {
    throw InputError({{file, 0, 0}, "is too large for a result", ""});
  }
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

stats::Result load_result(const std::string& file) {
  return report::parse_json(read_all(file), file);
}

}  // namespace gpusim::cli

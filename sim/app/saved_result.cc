// SPDX-License-Identifier: MIT
#include "sim/app/saved_result.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "sim/base/problem.h"
#include "sim/report/report.h"

namespace gpusim::app {
namespace {

/// Far above what to_json() writes for the largest kernels.
constexpr std::uintmax_t kLargestResult = 1U << 30U;

std::string read_all(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw InputError({{file, 0, 0}, "is a folder, not a file", ""});
  }
  if (!std::filesystem::exists(file, error)) {
    throw InputError({{file, 0, 0}, "no such file", ""});
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw InputError({{file, 0, 0}, "cannot be read", ""});
  }
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

}  // namespace gpusim::app

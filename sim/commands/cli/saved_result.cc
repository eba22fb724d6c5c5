// SPDX-License-Identifier: MIT
#include "sim/commands/cli/saved_result.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "sim/base/problem.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/input_file.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"

namespace gpusim::cli {
namespace {

/// Far above what to_json() writes for the largest kernels.
constexpr std::size_t kLargestResult = 1U << 30U;
constexpr std::size_t kPiece = 1U << 20U;

std::string read_all(const std::string& file) {
  if (file.empty()) {
    throw UsageError("a name is empty where a saved result is wanted");
  }
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    refuse_absent(file);
  }
  std::ifstream in = open_input(file);
  // A pipe has no size, and a file that is being written may have grown.
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  std::string text;
  for (std::size_t more = error ? kPiece : size + 1; in && text.size() <= kLargestResult; more = kPiece) {
    const std::size_t before = text.size();
    text.resize(before + std::min<std::size_t>(more, kLargestResult + 1 - before));
    in.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<std::size_t>(in.gcount()));
  }
  if (text.size() > kLargestResult) {
    throw InputError({{file, 0, 0}, "is too large for a result", "at most 1 GiB"});
  }
  return text;
}

}  // namespace

stats::Result load_result(const std::string& file) {
  return report::parse_json(read_all(file), file);
}

}  // namespace gpusim::cli

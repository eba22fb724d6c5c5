// SPDX-License-Identifier: MIT
// A saved result, rendered again.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "sim/app/commands.h"
#include "sim/app/console.h"
#include "sim/app/input_file.h"
#include "sim/app/program.h"
#include "sim/app/render.h"
#include "sim/base/problem.h"

namespace gpusim::app {
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

int report_command(const ReportOptions& options, const Common& common) {
  const stats::Result result = report::parse_json(read_all(options.file), options.file);
  print(render(result, options.format, text_options(common, options.details)));
  return Exit::kDone;
}

}  // namespace gpusim::app

// SPDX-License-Identifier: MIT
#include "sim/commands/cli/input_file.h"

#include <filesystem>
#include <system_error>

#include "sim/base/problem.h"

namespace gpusim::cli {

std::ifstream open_input(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw InputError({{file, 0, 0}, "is a folder, not a file", ""});
  }
  if (!std::filesystem::exists(file, error)) {
    throw InputError({{file, 0, 0}, "no such file", ""});
  }
  if (std::filesystem::is_character_file(file, error) || std::filesystem::is_block_file(file, error)) {
    throw InputError({{file, 0, 0}, "is a device, not a file", ""});
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw InputError({{file, 0, 0}, "cannot be read", ""});
  }
  return in;
}

}  // namespace gpusim::cli

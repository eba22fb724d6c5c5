// SPDX-License-Identifier: MIT
#include "sim/commands/lab/course/file_text.h"

#include <fstream>
#include <iterator>
#include <system_error>

#include "sim/base/problem.h"
#include "sim/base/text.h"

namespace gpusim::lab {

std::string text_of(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    throw InputError({{file.string(), 0, 0}, "is not a file that can be read", ""});
  }
  if (std::filesystem::file_size(file, error) > kLargestFile) {
    throw InputError({{file.string(), 0, 0}, "is larger than " + with_binary_prefix(kLargestFile), ""});
  }
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) {
    throw InputError({{file.string(), 0, 0}, "cannot be read", ""});
  }
  return text;
}

}  // namespace gpusim::lab

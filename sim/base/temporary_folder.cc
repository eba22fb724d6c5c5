// SPDX-License-Identifier: MIT
#include "sim/base/temporary_folder.h"

#include <cstdlib>
#include <string>

#include "sim/base/problem.h"

namespace gpusim {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  std::string pattern = (base / "gpusim-XXXXXX").string();
  if (error || ::mkdtemp(pattern.data()) == nullptr) {
    throw InputError({{error ? "TMPDIR" : base.string(), 0, 0},
                      "no temporary folder can be made there",
                      "set TMPDIR to a folder that can be written"});
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace gpusim

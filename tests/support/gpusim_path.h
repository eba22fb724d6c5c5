// SPDX-License-Identifier: MIT
// GPUSIM_PATH for as long as an object lives.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace gpusim::testing {

/// A folder whose files come before those that came along.
class GpusimPath {
 public:
  explicit GpusimPath(const std::filesystem::path& folder) { ::setenv("GPUSIM_PATH", folder.c_str(), 1); }
  GpusimPath(const GpusimPath&) = delete;
  GpusimPath& operator=(const GpusimPath&) = delete;
  ~GpusimPath() { ::unsetenv("GPUSIM_PATH"); }
};

}  // namespace gpusim::testing

// SPDX-License-Identifier: MIT
// A folder for files that nobody needs any more when the work is done.
#pragma once

#include <filesystem>

namespace gpusim {

/// A folder of our own below the system's folder for temporary files. It goes away with the object, and so does what
/// was written into it.
class TemporaryFolder {
 public:
  /// Throws InputError when no folder can be made there.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace gpusim

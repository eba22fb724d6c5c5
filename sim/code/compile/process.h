// SPDX-License-Identifier: MIT
// Other programs, started with a list of arguments and never through a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gpusim::compile {

/// A folder of our own below the system's folder for temporary files, which goes away with the object.
class TemporaryFolder {
 public:
  /// Throws InputError when there is no place for one.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct Ended {
  int code = 0;        ///< its exit code; 128 and the number of the signal that ended it
  std::string output;  ///< what it printed, standard output and errors together, cut where it is very long
};

/// Runs a program to its end; `scratch` is a folder for what it prints. Throws InputError when it cannot be started.
[[nodiscard]] Ended run_program(const std::vector<std::string>& command, const std::filesystem::path& scratch);

}  // namespace gpusim::compile

// SPDX-License-Identifier: MIT
// Where the records of one experiment go. They are written to FILE.part as they come, each line whole, so that a crash
// keeps them, and appended to FILE in one write when the experiment is over, so that FILE never holds half of one.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace gpusim::silicon {

class Journal {
 public:
  /// Begins an empty FILE.part. Throws std::runtime_error when that is not possible.
  explicit Journal(std::filesystem::path file);

  void write(std::string_view line);
  /// Appends everything written to FILE and removes FILE.part.
  void commit();

 private:
  std::filesystem::path file_;
  std::filesystem::path part_;
  std::ofstream stream_;
  std::string text_;
};

}  // namespace gpusim::silicon

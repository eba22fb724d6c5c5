// SPDX-License-Identifier: MIT
// A file that is written at the end of a long run: that it can be written is known at the start, and nobody ever sees
// half of it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gpusim::app {

class OutputFile {
 public:
  /// Makes a temporary file beside `path` (or opens `path` itself when it is a device or a pipe). Throws InputError
  /// when that fails.
  explicit OutputFile(const std::string& path);
  /// Removes the temporary file when commit() was not reached.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes the text and moves it to its place. Throws InputError when the disk is full or the like.
  void commit(std::string_view text);

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;  ///< path_ itself for devices and pipes
  bool committed_ = false;
};

}  // namespace gpusim::app

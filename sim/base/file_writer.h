// SPDX-License-Identifier: MIT
// A file that is written bit by bit: nobody ever sees half of it, and what was there before stays until it is whole.
#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace gpusim {

class FileWriter {
 public:
  /// Makes a temporary file beside `path`, or opens `path` itself where it is no file, such as a pipe. Throws
  /// InputError when that fails.
  explicit FileWriter(const std::filesystem::path& path);
  /// Removes the temporary file when commit() was not reached.
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  /// Throws InputError when the disk is full or the like.
  void write(std::string_view bytes);
  /// Moves it to its place. Throws InputError when something of it could not be written; the place is then as it was.
  void commit();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  void check() const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;  ///< path_ itself where that is no file
  std::ofstream out_;
  bool committed_ = false;
};

}  // namespace gpusim

// SPDX-License-Identifier: MIT
// A file that is written bit by bit: that it can be written is known at the start, nobody ever sees half of it, and
// what was there before stays until it is whole.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

namespace gpusim {

class OutputFile {
 public:
  /// Makes a temporary file beside `path`, under a name that nobody has; opens `path` itself where it is not a file,
  /// such as a pipe. Throws InputError when it cannot be written, as everything below does.
  explicit OutputFile(std::filesystem::path path);
  /// Removes the temporary file when commit() was not reached.
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  /// Nothing more will be written, and all of it is handed to the system, under the temporary name.
  void close();
  /// Moves it to its place. When that fails, and when something could not be written, the place is as it was.
  void commit();
  /// All of it in one go.
  void commit(std::string_view text);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[noreturn]] void fail(std::string_view why) const;
  void open_beside();

  std::filesystem::path path_;
  std::filesystem::path temporary_;  ///< path_ itself where that is not a file
  std::unique_ptr<std::FILE, Close> file_;
  bool committed_ = false;
};

/// Throws InputError about `output` when it is the same file as `input`, however it is named.
void refuse_to_replace(const std::filesystem::path& output, const std::filesystem::path& input);

/// Removes the temporary files of all outputs that are not at their places, for a process that has to end at once. It
/// allocates nothing.
void remove_unfinished_outputs() noexcept;

}  // namespace gpusim

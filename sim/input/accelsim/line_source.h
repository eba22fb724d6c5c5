// SPDX-License-Identifier: MIT
// The lines of a text file, plain or xz-compressed, one at a time and in bounded memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/problem.h"

namespace gpusim::frontend::accelsim {

/// Whether the name says that the file is of the framework's newer, paged form, which this reader does not know.
[[nodiscard]] bool is_paged_form(const std::filesystem::path& path);

/// Hears of each so many bytes of a file that have been read; 0 where only more of them was decompressed.
using OnBytes = std::function<void(std::uint64_t)>;

class LineSource {
 public:
  /// A longer line is an error: the longest honest one lists 32 addresses or a mangled kernel name.
  static constexpr std::size_t kMostLineBytes = 1 << 20;

  /// Throws InputError when the file cannot be read, is a directory, is empty, or is of a form this reader refuses.
  explicit LineSource(const std::filesystem::path& path, const OnBytes& on_bytes = {});
  ~LineSource();
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;

  /// The next line without its line break, valid until the next call; false at the end. Throws InputError when the
  /// compressed data is damaged or cut off, or a line is too long.
  bool next(std::string_view& line);
  /// The place of the line that next() gave last: its number from 1, and column 0.
  [[nodiscard]] SourceLocation where() const { return {name_, line_number_, 0}; }
  [[nodiscard]] std::uint32_t line_number() const { return line_number_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  class Bytes;
  bool refill();

  std::string name_;
  std::unique_ptr<Bytes> bytes_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::uint32_t line_number_ = 0;
  bool at_end_ = false;
};

}  // namespace gpusim::frontend::accelsim

// SPDX-License-Identifier: MIT
// The lines of a trace, plain, xz-compressed or of the form .tracez, one at a time and in bounded memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/problem.h"
#include "sim/input/accelsim/byte_source.h"

namespace gpusim::frontend::accelsim {

class LineSource {
 public:
  /// A longer line is an error: the longest honest one lists 32 addresses or a mangled kernel name.
  static constexpr std::size_t kMostLineBytes = 1 << 20;

  /// Throws InputError when the file cannot be read, is a directory, is empty, or is of a form this reader refuses.
  explicit LineSource(const std::filesystem::path& path, const OnBytes& on_bytes = {});

  /// The next line without its line break, valid until the next call; false at the end. Throws InputError when the
  /// compressed data is damaged or cut off, or a line is too long.
  bool next(std::string_view& line);
  /// The place of the line that next() gave last: its number from 1, and column 0.
  [[nodiscard]] SourceLocation where() const { return {name_, line_number_, 0}; }
  [[nodiscard]] std::uint32_t line_number() const { return line_number_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  bool refill();

  std::string name_;
  std::unique_ptr<ByteSource> bytes_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::uint32_t line_number_ = 0;
  bool at_end_ = false;
};

}  // namespace gpusim::frontend::accelsim

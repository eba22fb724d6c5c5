// SPDX-License-Identifier: MIT
// A binary file that is read at any place, and the numbers in a part of it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/input/accelsim/byte_source.h"

namespace gpusim::frontend::accelsim {

class PagedFile {
 public:
  /// Throws InputError when the file cannot be read.
  PagedFile(const std::filesystem::path& path, OnBytes on_bytes);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// All of `into` must lie in the file. Throws InputError when the file has become shorter.
  void read(std::uint64_t at, std::span<char> into);

  /// Throws an InputError about the file: it is damaged.
  [[noreturn]] void fail_damaged(const std::string& what) const;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string name_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;
  OnBytes on_bytes_;
};

/// Takes little-endian numbers from one part of a file, one after the other.
class PagedNumbers {
 public:
  /// The bytes from `begin` up to `end` of `file`, which must outlive this. `what` says what has ended where fewer are
  /// left: "its index ends within a CTA".
  PagedNumbers(PagedFile& file, std::uint64_t begin, std::uint64_t end, const char* what)
      : file_(&file), at_(begin), end_(end), what_(what) {}

  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] std::uint64_t left() const { return end_ - at_; }
  void skip(std::uint64_t bytes) { at_ += bytes; }
  // Throw InputError when fewer bytes are left.
  [[nodiscard]] std::uint32_t next_32() { return static_cast<std::uint32_t>(next(4)); }
  [[nodiscard]] std::uint64_t next_64() { return next(8); }

 private:
  static constexpr std::size_t kWindowBytes = 64 << 10;
  std::uint64_t next(std::size_t bytes);

  PagedFile* file_;
  std::uint64_t at_;
  std::uint64_t end_;
  const char* what_;
  std::vector<char> window_;  ///< bytes of the file from window_at_ on
  std::uint64_t window_at_ = 0;
};

}  // namespace gpusim::frontend::accelsim

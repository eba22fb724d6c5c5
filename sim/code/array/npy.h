// SPDX-License-Identifier: MIT
// Arrays as files of NumPy's form (.npy). Format: numpy.lib.format, versions 1 to 3: a magic number, a header that is a
// Python dictionary of three keys, then the elements. Why not a library: the form has one header, and what reads files
// from anywhere must hold under fuzzing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/code/array/element.h"

namespace gpusim::array {

/// What stands before the elements.
struct NpyHeader {
  std::string type;  ///< as NumPy writes it, without the order of bytes: "f4"
  unsigned element_bytes = 0;
  std::vector<std::uint64_t> shape;  ///< none: one number
  std::uint64_t count = 1;           ///< number of elements
  std::size_t begin = 0;             ///< where the elements begin, in bytes
};

/// The header of a file of `size` bytes that begins with `bytes`. Throws InputError about `name` for what is no such
/// file, is cut off, has an order of bytes or dimensions that are not C's, or elements that are not numbers.
[[nodiscard]] NpyHeader read_npy_header(std::string_view bytes, std::uint64_t size, const std::string& name);

/// A file, opened: its header is known, its elements are read when they are asked for.
class NpyFile {
 public:
  /// Throws InputError as read_npy_header(), and when there is no such file.
  explicit NpyFile(const std::filesystem::path& path);
  [[nodiscard]] const NpyHeader& header() const { return header_; }
  [[nodiscard]] std::uint64_t bytes() const { return header_.count * header_.element_bytes; }
  /// Copies all elements to `to`, which has bytes().
  void read(char* to) const;

 private:
  std::filesystem::path path_;
  NpyHeader header_;
};

/// The header of an array of these elements.
[[nodiscard]] std::string npy_header(Element element, const std::vector<std::uint64_t>& shape);

}  // namespace gpusim::array

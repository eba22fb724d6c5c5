// SPDX-License-Identifier: MIT
// Bytes of a file, read with every bound checked. All numbers are little-endian, as in cubins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpusim::cubin {

/// Throws InputError about the file.
[[noreturn]] void fail(const std::string& file, const std::string& message, const std::string& hint = "");

/// A part of a file. It points into the file's bytes, which have to outlive it.
class Bytes {
 public:
  Bytes(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(&file) {}

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::string_view view() const { return bytes_; }
  [[nodiscard]] const std::string& file() const { return *file_; }

  [[nodiscard]] bool has(std::uint64_t at, std::uint64_t count) const {
    return at <= bytes_.size() && count <= bytes_.size() - at;
  }
  /// The part from `at`; throws InputError when the file ends before, as all below do.
  [[nodiscard]] Bytes part(std::uint64_t at, std::uint64_t count, std::string_view what) const;

  [[nodiscard]] std::uint8_t u8(std::uint64_t at) const { return static_cast<std::uint8_t>(number(at, 1)); }
  [[nodiscard]] std::uint16_t u16(std::uint64_t at) const { return static_cast<std::uint16_t>(number(at, 2)); }
  [[nodiscard]] std::uint32_t u32(std::uint64_t at) const { return static_cast<std::uint32_t>(number(at, 4)); }
  [[nodiscard]] std::uint64_t u64(std::uint64_t at) const { return number(at, 8); }
  /// What stands before the next byte 0.
  [[nodiscard]] std::string_view text(std::uint64_t at) const;

 private:
  [[nodiscard]] std::uint64_t number(std::uint64_t at, unsigned width) const;

  std::string_view bytes_;
  const std::string* file_;
};

}  // namespace gpusim::cubin

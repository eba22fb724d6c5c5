// SPDX-License-Identifier: MIT
#include "sim/code/cubin/lines.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "sim/code/sass/code.h"

namespace gpusim::cubin {
namespace {

constexpr std::size_t kMostRows = 1U << 24U;

/// Reads on and on.
class Cursor {
 public:
  Cursor(const Bytes& bytes, std::uint64_t begin, std::uint64_t end) : bytes_(bytes), at_(begin), end_(end) {}

  [[nodiscard]] bool at_end() const { return at_ >= end_; }
  [[nodiscard]] std::uint64_t at() const { return at_; }
  /// Never back, and never beyond the end.
  void go_to(std::uint64_t at) { at_ = std::max(at_, std::min(at, end_)); }

  std::uint8_t u8() { return take<std::uint8_t>(bytes_.u8(at_), 1); }
  std::uint16_t u16() { return take<std::uint16_t>(bytes_.u16(at_), 2); }
  std::uint32_t u32() { return take<std::uint32_t>(bytes_.u32(at_), 4); }
  std::uint64_t u64() { return take<std::uint64_t>(bytes_.u64(at_), 8); }
  std::string_view text() {
    const std::string_view text = bytes_.text(at_);
    at_ += text.size() + 1;
    return text;
  }
  /// LEB128; bits beyond 64 are dropped.
  std::uint64_t unsigned_number() { return leb128(false); }
  std::int64_t signed_number() { return static_cast<std::int64_t>(leb128(true)); }

 private:
  template <class T>
  T take(T value, std::uint64_t bytes) {
    at_ += bytes;
    return value;
  }
  std::uint64_t leb128(bool has_sign) {
    constexpr unsigned kBits = 7;
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint8_t byte = 0;
    do {
      byte = u8();
      value |= shift < 64 ? std::uint64_t{byte & 0x7fU} << shift : 0;
      shift += kBits;
    } while ((byte & 0x80U) != 0);
    const bool negative = has_sign && (byte & 0x40U) != 0 && shift < 64;
    return negative ? value | ~std::uint64_t{0} << shift : value;
  }

  const Bytes& bytes_;
  std::uint64_t at_;
  std::uint64_t end_;
};

/// One line program: a unit of the compiler.
class LineProgram {
 public:
  LineProgram(const Bytes& section, const Locate& locate, LineTable& table)
      : section_(section), locate_(locate), table_(table) {}

  /// Returns where the next one begins.
  std::uint64_t run(std::uint64_t begin) {
    const std::uint64_t length = section_.u32(begin);
    const std::uint64_t end = begin + 4 + length;
    static_cast<void>(section_.part(begin, 4 + length, "the line table"));
    Cursor cursor(section_, begin + 4, end);
    const std::uint16_t version = cursor.u16();
    constexpr std::uint16_t kOldest = 2;
    constexpr std::uint16_t kNewest = 4;
    if (version < kOldest || version > kNewest) {
      return end;  // no lines, but no reason to refuse the code
    }
    const std::uint64_t header = cursor.u32();
    const std::uint64_t code = cursor.at() + header;
    read_header(cursor, version);
    cursor.go_to(code);
    while (!cursor.at_end()) {
      step(cursor);
    }
    return end;
  }

 private:
  void read_header(Cursor& cursor, std::uint16_t version) {
    least_length_ = cursor.u8();
    if (version >= 4) {
      cursor.u8();  // operations an instruction
    }
    cursor.u8();  // whether rows begin statements
    line_base_ = sass::sign_extended(cursor.u8(), 8);
    line_range_ = cursor.u8();
    const unsigned opcodes = cursor.u8();
    for (unsigned i = 1; i < opcodes; ++i) {
      lengths_.push_back(cursor.u8());
    }
    std::vector<std::string> folders(1);
    for (std::string_view folder = cursor.text(); !folder.empty(); folder = cursor.text()) {
      folders.emplace_back(folder);
    }
    for (std::string_view file = cursor.text(); !file.empty(); file = cursor.text()) {
      add_file(cursor, file, folders);
    }
  }

  void add_file(Cursor& cursor, std::string_view file, const std::vector<std::string>& folders) {
    const std::uint64_t folder = cursor.unsigned_number();
    cursor.unsigned_number();  // time
    cursor.unsigned_number();  // bytes
    std::string path(file);
    if (folder < folders.size() && !folders[folder].empty() && !path.starts_with('/')) {
      path = folders[folder] + "/" + path;
    }
    files_.push_back(static_cast<std::uint32_t>(table_.files.size()));
    table_.files.push_back(std::move(path));
  }

  void step(Cursor& cursor) {
    const std::uint8_t opcode = cursor.u8();
    if (opcode == 0) {
      extended(cursor);
    } else if (opcode <= lengths_.size()) {
      standard(cursor, opcode);
    } else if (line_range_ != 0) {
      const unsigned adjusted = opcode - static_cast<unsigned>(lengths_.size()) - 1;
      address_ += std::uint64_t{adjusted / line_range_} * least_length_;
      line_ += static_cast<std::uint64_t>(line_base_) + adjusted % line_range_;
      add_row();
    }
  }

  void standard(Cursor& cursor, std::uint8_t opcode) {
    switch (opcode) {
      case 1: add_row(); break;
      case 2: address_ += cursor.unsigned_number() * least_length_; break;
      case 3: line_ += static_cast<std::uint64_t>(cursor.signed_number()); break;
      case 4: file_ = cursor.unsigned_number(); break;
      case 8: address_ += line_range_ == 0 ? 0 : ((255U - lengths_.size() - 1) / line_range_) * least_length_; break;
      case 9: address_ += cursor.u16(); break;
      default:
        for (unsigned i = 0; i < lengths_[opcode - 1U]; ++i) {
          cursor.unsigned_number();
        }
    }
  }

  void extended(Cursor& cursor) {
    const std::uint64_t length = cursor.unsigned_number();
    const std::uint64_t begin = cursor.at();
    if (length == 0) {
      return;
    }
    const std::uint8_t opcode = cursor.u8();
    constexpr std::uint8_t kEndSequence = 1;
    constexpr std::uint8_t kSetAddress = 2;
    if (opcode == kEndSequence) {
      function_.reset();
      address_ = 0;
      file_ = 1;
      line_ = 1;
    } else if (opcode == kSetAddress) {
      const std::uint64_t place = cursor.at();
      function_ = locate_(place, cursor.u64());
      address_ = function_ ? function_->address : 0;
    }
    cursor.go_to(begin + length);  // NVIDIA has more of them, about functions that were inlined
  }

  void add_row() {
    if (!function_ || file_ == 0 || file_ > files_.size() || line_ > std::numeric_limits<std::uint32_t>::max()) {
      return;
    }
    if (table_.rows.size() == kMostRows) {
      fail(section_.file(), "has more than " + std::to_string(kMostRows) + " lines in its line table");
    }
    table_.rows.push_back({function_->function, address_, files_[file_ - 1], static_cast<std::uint32_t>(line_)});
  }

  const Bytes& section_;
  const Locate& locate_;
  LineTable& table_;
  std::vector<std::uint8_t> lengths_;  ///< operands of the standard opcodes
  std::vector<std::uint32_t> files_;
  std::uint64_t least_length_ = 1;
  std::int64_t line_base_ = 0;
  std::uint8_t line_range_ = 1;
  std::optional<CodeAddress> function_;
  std::uint64_t address_ = 0;
  std::uint64_t file_ = 1;
  std::uint64_t line_ = 1;  ///< differences are added modulo 2^64
};

}  // namespace

LineTable read_lines(const Bytes& section, const Locate& locate) {
  LineTable table;
  for (std::uint64_t at = 0; at < section.size();) {
    at = LineProgram(section, locate, table).run(at);
  }
  return table;
}

}  // namespace gpusim::cubin

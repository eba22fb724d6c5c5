// SPDX-License-Identifier: MIT
#include "sim/code/array/npy.h"

#include <algorithm>
#include <fstream>

#include "sim/base/problem.h"
#include "sim/base/text.h"

namespace gpusim::array {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
/// NumPy itself refuses to read longer headers unless it is asked to.
constexpr std::size_t kMostHeader = 10000;
constexpr std::size_t kMostDimensions = 64;
constexpr std::uint64_t kMostBytes = 1ULL << 44U;

[[noreturn]] void fail_in(const std::string& name, const std::string& message, const std::string& hint = "") {
  throw InputError({{name, 0, 0}, message, hint});
}

/// Reads the dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class DictionaryReader {
 public:
  DictionaryReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader read() {
    expect("{");
    while (!accept("}")) {
      const std::string_view key = text();
      expect(":");
      take_value(key);
      if (!accept(",")) {
        expect("}");
        break;
      }
    }
    if (type_.empty() || !has_order_ || !has_shape_) {
      damaged();
    }
    set_type();
    return std::move(header_);
  }

 private:
  [[noreturn]] void damaged() const { fail_in(name_, "has a damaged header", "expected what numpy.save() writes"); }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \n\t", at_), text_.size()); }

  bool accept(std::string_view word) {
    skip_blanks();
    const bool is_here = text_.substr(at_).starts_with(word);
    at_ += is_here ? word.size() : 0;
    return is_here;
  }

  void expect(std::string_view word) {
    if (!accept(word)) {
      damaged();
    }
  }

  std::string_view text() {
    expect("'");
    const std::size_t end = text_.find('\'', at_);
    if (end == text_.npos) {
      damaged();
    }
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }

  void take_value(std::string_view key) {
    if (key == "descr") {
      skip_blanks();
      if (text_.substr(at_).starts_with('[')) {
        fail_in(name_, "has elements of several fields", "save one field: numpy.save('x.npy', a['field'])");
      }
      type_ = text();
    } else if (key == "fortran_order") {
      has_order_ = true;
      is_fortran_ = accept("True");
      if (!is_fortran_) {
        expect("False");
      }
    } else if (key == "shape") {
      take_shape();
    } else {
      damaged();
    }
  }

  void take_shape() {
    expect("(");
    has_shape_ = true;
    while (!accept(")")) {
      skip_blanks();
      const std::size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
      const std::optional<std::uint64_t> size = parse_unsigned(text_.substr(at_, end - at_));
      if (!size || header_.shape.size() == kMostDimensions) {
        damaged();
      }
      at_ = end;
      header_.shape.push_back(*size);
      if (*size != 0 && header_.count > kMostBytes / *size) {
        fail_in(name_, "says that it has more elements than any machine");
      }
      header_.count *= *size;
      if (!accept(",")) {
        expect(")");
        break;
      }
    }
  }

  void set_type() {
    const char order = type_[0];
    const std::string_view bare = type_.substr(order == '<' || order == '>' || order == '|' || order == '=' ? 1 : 0);
    const std::optional<std::uint64_t> bytes = bare.empty() ? std::nullopt : parse_unsigned(bare.substr(1));
    const bool is_known =
        element_of_numpy(bare).has_value() || (bare.starts_with('V') && bytes && (*bytes == 1 || *bytes == 2));
    if (!is_known || !bytes) {
      fail_in(name_, "has elements of type '" + printable(clipped(type_, 20)) + "'",
              "expected numbers of 1 to 8 bytes, such as float32 or int64");
    }
    if (order == '>' && *bytes > 1) {
      fail_in(name_, "has its bytes in the order of other machines", "save it as a.astype(a.dtype.newbyteorder('<'))");
    }
    const auto is_long = [](std::uint64_t size) { return size > 1; };
    if (is_fortran_ && std::ranges::count_if(header_.shape, is_long) > 1) {
      fail_in(name_, "has its columns one after another, as Fortran has",
              "save it by rows: numpy.save('x.npy', numpy.ascontiguousarray(a))");
    }
    header_.type = bare;
    header_.element_bytes = static_cast<unsigned>(*bytes);
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::string_view type_;
  bool has_order_ = false;
  bool is_fortran_ = false;
  bool has_shape_ = false;
  NpyHeader header_;
};

}  // namespace

NpyHeader read_npy_header(std::string_view bytes, std::uint64_t size, const std::string& name) {
  constexpr std::size_t kBeforeLength = 8;
  if (!bytes.starts_with(kMagic) || bytes.size() < kBeforeLength + 4) {
    fail_in(name, "is not a .npy file", "expected what numpy.save() writes");
  }
  const auto version = static_cast<unsigned char>(bytes[kMagic.size()]);
  if (version < 1 || version > 3) {
    fail_in(name, "is of version " + std::to_string(version) + " of the .npy form", "versions 1 to 3 are read");
  }
  const unsigned length_bytes = version == 1 ? 2 : 4;
  const std::uint64_t length = bits_at(bytes.data() + kBeforeLength, length_bytes);
  const std::size_t begin = kBeforeLength + length_bytes;
  if (length > kMostHeader) {
    fail_in(name, "has a header of " + with_thousands(length) + " bytes", "at most " + with_thousands(kMostHeader));
  }
  if (bytes.size() < begin + length) {
    fail_in(name, "is cut off within its header", "copy or save it again");
  }
  NpyHeader header = DictionaryReader(bytes.substr(begin, length), name).read();
  header.begin = begin + length;
  const std::uint64_t needed = header.count * header.element_bytes;
  if (size - header.begin < needed) {
    fail_in(name,
            "is cut off: its elements need " + with_thousands(needed) + " bytes, and it has " +
                with_thousands(size - header.begin),
            "copy or save it again");
  }
  return header;
}

NpyFile::NpyFile(const std::filesystem::path& path) : path_(path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    fail_in(path.string(), "no such file");
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    fail_in(path.string(), "is not a file", "expected what numpy.save() writes");
  }
  const std::uint64_t size = std::filesystem::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  std::string bytes(kMostHeader + 16, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  if (error || in.bad()) {
    fail_in(path.string(), "cannot be read");
  }
  header_ = read_npy_header(bytes, size, path.string());
}

void NpyFile::read(char* to) const {
  std::ifstream in(path_, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(header_.begin));
  in.read(to, static_cast<std::streamsize>(bytes()));
  if (static_cast<std::uint64_t>(in.gcount()) != bytes()) {
    fail_in(path_.string(), "cannot be read to its end", "is it being written?");
  }
}

std::string npy_header(Element element, const std::vector<std::uint64_t>& shape) {
  const ElementInfo& type = info(element);
  const bool has_order = type.bytes > 1 && !type.numpy.starts_with('V');
  std::string text = "{'descr': '" + std::string(has_order ? "<" : "|") + std::string(type.numpy) +
                     "', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  text += shape.size() == 1 ? ",), }" : "), }";
  // The elements begin at a multiple of 64 bytes, and the header ends its line.
  constexpr std::size_t kAlignment = 64;
  const std::size_t before = kMagic.size() + 4;
  text.append(kAlignment - 1 - (before + text.size()) % kAlignment, ' ');
  text += '\n';
  std::string header(kMagic);
  header += '\1';
  header += '\0';
  header.resize(before);
  put_bits(header.data() + before - 2, text.size(), 2);
  return header + text;
}

}  // namespace gpusim::array

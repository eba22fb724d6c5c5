// SPDX-License-Identifier: MIT
// Types of the elements of arrays: what a kernel's buffers and scalars hold.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::array {

enum class Element : std::uint8_t {
  kBool,
  kI8,
  kU8,
  kI16,
  kU16,
  kI32,
  kU32,
  kI64,
  kU64,
  kF8E4M3,
  kF8E5M2,
  kF16,
  kBF16,
  kF32,
  kF64
};
inline constexpr std::size_t kElements = 15;

enum class ElementKind : std::uint8_t { kBool, kSigned, kUnsigned, kFloat };

struct ElementInfo {
  std::string_view name;  ///< "f32"
  unsigned bytes;
  ElementKind kind;
  /// How NumPy writes the type in a file, without the order of bytes: "f4". What NumPy has no type for is "V" and
  /// bytes.
  std::string_view numpy;
  /// Other names, of CUDA C++, Triton and NumPy.
  std::vector<std::string_view> aliases;
};

[[nodiscard]] const ElementInfo& info(Element element);
[[nodiscard]] inline unsigned bytes_of(Element element) {
  return info(element).bytes;
}
[[nodiscard]] inline std::string name_of(Element element) {
  return std::string(info(element).name);
}

/// "f32", "float" and "fp32" are one.
[[nodiscard]] std::optional<Element> find_element(std::string_view name);
/// For messages: "did you mean 'f32'?", or all names.
[[nodiscard]] std::string element_suggestion(std::string_view name);

/// Whether the bytes of these types of NumPy's can stand for the elements.
[[nodiscard]] bool is_numpy(Element element, std::string_view numpy);
/// The element that NumPy means; nothing for what has none, such as "V2", which is any type of two bytes.
[[nodiscard]] std::optional<Element> element_of_numpy(std::string_view numpy);

/// A number, exactly: elements of 64 bits have more digits than a double.
struct Number {
  bool is_whole = true;
  std::int64_t whole = 0;
  double real = 0;
  friend bool operator==(const Number&, const Number&) = default;
};
[[nodiscard]] Number whole(std::int64_t value);
[[nodiscard]] Number real(double value);
/// "12", "-2.5", "1e-3", "inf", "nan"; nothing for any other text.
[[nodiscard]] std::optional<Number> parse_number(std::string_view text);

/// The bits of a number as an element; nothing when an integer has no place for it. Floating point rounds to nearest,
/// ties to even, and becomes infinite (NaN in f8e4m3, which has no infinity) beyond the largest number.
[[nodiscard]] std::optional<std::uint64_t> encode(Element element, const Number& number);
/// The value of an element, rounded to a double; `bytes` has bytes_of(element).
[[nodiscard]] double decode(Element element, const char* bytes);
/// As people write it: "1.5", "-3".
[[nodiscard]] std::string text_of(Element element, const char* bytes);

/// Little-endian.
void put_bits(char* to, std::uint64_t bits, unsigned bytes);
[[nodiscard]] std::uint64_t bits_at(const char* from, unsigned bytes);

}  // namespace gpusim::array

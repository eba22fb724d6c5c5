// SPDX-License-Identifier: MIT
#include "sim/code/array/element.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "sim/base/nearest.h"
#include "sim/code/array/small_float.h"

namespace gpusim::array {
namespace {

const std::array<ElementInfo, kElements>& table() {
  using Kind = ElementKind;
  static const std::array<ElementInfo, kElements> kTable{
      {{"bool", 1, Kind::kBool, "b1", {"i1"}},
       {"i8", 1, Kind::kSigned, "i1", {"int8", "int8_t", "char", "signed char"}},
       {"u8", 1, Kind::kUnsigned, "u1", {"uint8", "uint8_t", "unsigned char"}},
       {"i16", 2, Kind::kSigned, "i2", {"int16", "int16_t", "short"}},
       {"u16", 2, Kind::kUnsigned, "u2", {"uint16", "uint16_t", "unsigned short"}},
       {"i32", 4, Kind::kSigned, "i4", {"int32", "int32_t", "int"}},
       {"u32", 4, Kind::kUnsigned, "u4", {"uint32", "uint32_t", "unsigned int", "unsigned"}},
       {"i64", 8, Kind::kSigned, "i8", {"int64", "int64_t", "long", "long long"}},
       {"u64", 8, Kind::kUnsigned, "u8", {"uint64", "uint64_t", "unsigned long", "unsigned long long", "size_t"}},
       {"f8e4m3", 1, Kind::kFloat, "V1", {"fp8e4nv", "f8e4m3fn", "float8_e4m3fn", "__nv_fp8_e4m3"}},
       {"f8e5m2", 1, Kind::kFloat, "V1", {"fp8e5", "float8_e5m2", "__nv_fp8_e5m2"}},
       {"f16", 2, Kind::kFloat, "f2", {"fp16", "half", "__half", "float16"}},
       {"bf16", 2, Kind::kFloat, "V2", {"bfloat16", "__nv_bfloat16"}},
       {"f32", 4, Kind::kFloat, "f4", {"fp32", "float", "float32"}},
       {"f64", 8, Kind::kFloat, "f8", {"fp64", "double", "float64"}}}};
  return kTable;
}

/// The formats that the host has no type for.
const SmallFloat& format_of(Element element) {
  static constexpr SmallFloat kE4M3{4, 3, false};
  static constexpr SmallFloat kE5M2{5, 2, true};
  static constexpr SmallFloat kHalf{5, 10, true};
  static constexpr SmallFloat kBrain{8, 7, true};
  switch (element) {
    case Element::kF8E4M3: return kE4M3;
    case Element::kF8E5M2: return kE5M2;
    case Element::kBF16: return kBrain;
    default: return kHalf;
  }
}

std::optional<std::uint64_t> encode_integer(const ElementInfo& type, const Number& number) {
  // Doubles from 2^63 on have no int64_t.
  constexpr double kBeyond = 9223372036854775808.0;
  if (!number.is_whole && !(std::trunc(number.real) == number.real && std::fabs(number.real) < kBeyond)) {
    return std::nullopt;
  }
  const std::int64_t value = number.is_whole ? number.whole : static_cast<std::int64_t>(number.real);
  const unsigned bits = type.kind == ElementKind::kBool ? 1 : 8 * type.bytes;
  if (bits < 64) {
    const std::int64_t least = type.kind == ElementKind::kSigned ? -(std::int64_t{1} << (bits - 1)) : 0;
    const std::int64_t most = (std::int64_t{1} << (type.kind == ElementKind::kSigned ? bits - 1 : bits)) - 1;
    if (value < least || value > most) {
      return std::nullopt;
    }
  } else if (type.kind == ElementKind::kUnsigned && value < 0) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(value);
}

std::int64_t signed_at(const char* bytes, unsigned width) {
  const unsigned unused = 64 - 8 * width;
  return static_cast<std::int64_t>(bits_at(bytes, width) << unused) >> unused;
}

}  // namespace

const ElementInfo& info(Element element) {
  return table()[static_cast<std::size_t>(element)];
}

std::optional<Element> find_element(std::string_view name) {
  for (std::size_t i = 0; i < kElements; ++i) {
    const ElementInfo& type = table()[i];
    if (type.name == name || std::ranges::find(type.aliases, name) != type.aliases.end()) {
      return static_cast<Element>(i);
    }
  }
  return std::nullopt;
}

std::string element_suggestion(std::string_view name) {
  std::vector<std::string_view> names;
  std::string all;
  for (const ElementInfo& type : table()) {
    names.push_back(type.name);
    all += (all.empty() ? "known: " : ", ") + std::string(type.name);
  }
  const std::string_view near = nearest(name, names);
  return near.empty() ? all : "did you mean '" + std::string(near) + "'?";
}

bool is_numpy(Element element, std::string_view numpy) {
  const ElementInfo& type = info(element);
  return type.numpy == numpy || numpy == "V" + std::to_string(type.bytes);
}

std::optional<Element> element_of_numpy(std::string_view numpy) {
  for (std::size_t i = 0; i < kElements; ++i) {
    if (table()[i].numpy == numpy && !numpy.starts_with('V')) {
      return static_cast<Element>(i);
    }
  }
  return std::nullopt;
}

Number whole(std::int64_t value) {
  return {true, value, static_cast<double>(value)};
}

Number real(double value) {
  return {false, 0, value};
}

std::optional<Number> parse_number(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto [stop, error] = std::from_chars(text.data(), end, integer); error == std::errc() && stop == end) {
    return whole(integer);
  }
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && !text.empty() ? std::optional(real(value)) : std::nullopt;
}

std::optional<std::uint64_t> encode(Element element, const Number& number) {
  const ElementInfo& type = info(element);
  if (type.kind != ElementKind::kFloat) {
    return encode_integer(type, number);
  }
  const double value = number.is_whole ? static_cast<double>(number.whole) : number.real;
  switch (element) {
    case Element::kF64: return std::bit_cast<std::uint64_t>(value);
    case Element::kF32: return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    default: return to_bits(format_of(element), value);
  }
}

double decode(Element element, const char* bytes) {
  const ElementInfo& type = info(element);
  const std::uint64_t bits = bits_at(bytes, type.bytes);
  switch (type.kind) {
    case ElementKind::kBool: return bits == 0 ? 0 : 1;
    case ElementKind::kUnsigned: return static_cast<double>(bits);
    case ElementKind::kSigned: return static_cast<double>(signed_at(bytes, type.bytes));
    case ElementKind::kFloat: break;
  }
  switch (element) {
    case Element::kF64: return std::bit_cast<double>(bits);
    case Element::kF32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    default: return from_bits(format_of(element), static_cast<std::uint32_t>(bits));
  }
}

std::string text_of(Element element, const char* bytes) {
  const ElementInfo& type = info(element);
  switch (type.kind) {
    case ElementKind::kBool: return bits_at(bytes, 1) == 0 ? "false" : "true";
    case ElementKind::kUnsigned: return std::to_string(bits_at(bytes, type.bytes));
    case ElementKind::kSigned: return std::to_string(signed_at(bytes, type.bytes));
    case ElementKind::kFloat: break;
  }
  std::array<char, 32> digits{};
  const double value = decode(element, bytes);
  // The fewest digits that tell a number from its neighbours; the small types have less than a float.
  const auto written = element == Element::kF64
                           ? std::to_chars(digits.begin(), digits.end(), value)
                           : std::to_chars(digits.begin(), digits.end(), static_cast<float>(value));
  return {digits.data(), written.ptr};
}

void put_bits(char* to, std::uint64_t bits, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) {
    to[i] = static_cast<char>(bits >> (8 * i));
  }
}

std::uint64_t bits_at(const char* from, unsigned bytes) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    bits |= std::uint64_t{static_cast<unsigned char>(from[i])} << (8 * i);
  }
  return bits;
}

}  // namespace gpusim::array

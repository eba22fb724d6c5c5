// SPDX-License-Identifier: MIT
#include "sim/code/launch/value_argument.h"

#include <algorithm>
#include <optional>

#include "sim/base/text.h"
#include "sim/code/array/element.h"
#include "sim/code/array/npy.h"
#include "sim/code/launch/fail.h"

namespace gpusim::launch {
namespace {

using array::Element;

/// A floating-point type of this size.
std::optional<Element> float_of(std::uint32_t bytes) {
  return bytes == 2   ? std::optional(Element::kF16)
         : bytes == 4 ? std::optional(Element::kF32)
         : bytes == 8 ? std::optional(Element::kF64)
                      : std::nullopt;
}

/// The bits of an integer in a parameter of which nobody knows whether it has a sign.
std::uint64_t integer_bits(std::int64_t value, std::uint32_t bytes, const Given& given) {
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
    fail(given.text->where, "parameter " + given.shown + " is a struct by value, not a number",
         "give its bytes: bytes:FILE.npy, or bytes:00ff...");
  }
  const unsigned bits = 8 * bytes;
  if (bits < 64 && (value < -(std::int64_t{1} << (bits - 1)) || value >= std::int64_t{1} << bits)) {
    fail(given.text->where, std::to_string(value) + " does not fit parameter " + given.shown, "");
  }
  return static_cast<std::uint64_t>(value);
}

std::uint64_t bits_of(const Given& given, Names& names) {
  const ParameterType& type = given.parameter->type;
  std::optional<Element> element = given.form.element;
  if (!element && type.kind == ParameterType::Kind::kNumber) {
    element = type.element;
  }
  const std::optional<array::Number> written = array::parse_number(given.form.text);
  const bool is_real = written && !written->is_whole;
  if (!element && is_real) {
    element = float_of(given.parameter->size);
  }
  const array::Number number = is_real ? *written : array::whole(names.value(given.form.text, given.text->where));
  if (number.is_whole) {
    names.set(given.name, number.whole);
    names.set(given.text->name, number.whole);
  }
  if (!element) {
    return integer_bits(number.whole, given.parameter->size, given);
  }
  if (array::bytes_of(*element) != given.parameter->size) {
    fail(given.text->where, array::name_of(*element) + " has " + counted(array::bytes_of(*element), "byte") +
                                ", and parameter " + given.shown + " has " + std::to_string(given.parameter->size));
  }
  const std::optional<std::uint64_t> bits = array::encode(*element, number);
  if (!bits) {
    fail(given.text->where, "'" + given.form.text + "' is not a number of type " + array::name_of(*element), "");
  }
  return *bits;
}

}  // namespace

Argument number_argument(const Given& given, Names& names) {
  Argument out;
  out.offset = given.parameter->offset;
  out.bytes.resize(given.parameter->size);
  const bool is_pointer = given.parameter->type.kind == ParameterType::Kind::kPointer;
  if (is_pointer && given.form.kind == ArgumentText::Kind::kNumber && given.form.text != "0") {
    fail(given.text->where, "parameter " + given.shown + " is a pointer, and '" + given.form.text + "' is not a buffer",
         "such as f32[1024]:random, or the name of one");
  }
  if (given.form.kind == ArgumentText::Kind::kNumber) {
    array::put_bits(out.bytes.data(), bits_of(given, names), std::min(given.parameter->size, kPointerBytes));
  }
  return out;
}

Argument bytes_argument(const Given& given) {
  Argument out;
  out.offset = given.parameter->offset;
  out.bytes = given.form.text;
  if (!given.form.fill.file.empty()) {
    const array::NpyFile file(given.form.fill.file);
    out.bytes.resize(file.bytes() == given.parameter->size ? file.bytes() : 0);
    if (out.bytes.empty()) {
      fail(given.text->where, given.form.fill.file + " has " + counted(file.bytes(), "byte") + ", and parameter " +
                                  given.shown + " has " + std::to_string(given.parameter->size));
    }
    file.read(out.bytes.data());
  }
  if (out.bytes.size() != given.parameter->size) {
    fail(given.text->where, "has " + counted(out.bytes.size(), "byte") + ", and parameter " + given.shown + " has " +
                                std::to_string(given.parameter->size));
  }
  return out;
}

}  // namespace gpusim::launch

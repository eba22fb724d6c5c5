// SPDX-License-Identifier: MIT
// The value of an argument as it is written: "1048576", "2.0", "f32[n*2]:random", "x.npy", "bytes:0010ff".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/code/array/element.h"
#include "sim/code/array/fill.h"

namespace gpusim::launch {

/// A tensor map of the buffer behind it: "map(64, 64, swizzle=128):".
struct MapText {
  std::string box;            ///< elements of a copy in each dimension, the innermost last
  std::string swizzle = "0";  ///< bytes
};

struct ArgumentText {
  enum class Kind : std::uint8_t {
    kNumber,   ///< `text`, an expression or a decimal number; maybe of type `element`
    kBuffer,   ///< `count` elements with `fill`; without `element` as the parameter says
    kFile,     ///< a buffer with the elements of a .npy file, `fill.file`
    kAddress,  ///< address of element `count` of the buffer `text`: "&x[n]"
    kBytes,    ///< the bytes in `text`, or those of the .npy file `fill.file`: a struct by value
    kNull
  };
  Kind kind = Kind::kNumber;
  std::optional<array::Element> element;
  std::string text;
  std::string count;
  array::Fill fill;
  std::optional<MapText> map;  ///< kBuffer, kFile, or kNumber with the name of a buffer
};

/// A form of an argument, for the documents.
struct ArgumentForm {
  std::string_view form;
  std::string_view meaning;
};
[[nodiscard]] const std::vector<ArgumentForm>& argument_forms();

/// Throws InputError about `where`.
[[nodiscard]] ArgumentText parse_argument(std::string_view text, const SourceLocation& where);

}  // namespace gpusim::launch

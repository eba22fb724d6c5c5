// SPDX-License-Identifier: MIT
#include "sim/model/isa/wgmma.h"

#include <charconv>
#include <optional>

namespace gpusim::isa {
namespace {

constexpr unsigned kWgmmaRows = 64;
constexpr unsigned kColumnStep = 8;
constexpr unsigned kMostColumns = 256;
/// N of integers and bits has larger steps from here on (ptxas 13.0, which refuses all others).
constexpr unsigned kMostNarrow = 32;
constexpr unsigned kIntegerStep = 16;
/// A row of A (a column of B) that one operation takes: 16 values of 16 bits, 8 of 32, 32 of 8, 256 of one.
constexpr unsigned kDepthBits = 256;

/// Whether ".part" is among the modifiers.
bool name_says(std::string_view opcode, std::string_view part) {
  for (std::size_t dot = opcode.find('.'); dot != std::string_view::npos; dot = opcode.find('.', dot + 1)) {
    const std::string_view rest = opcode.substr(dot + 1);
    if (rest.substr(0, rest.find('.')) == part) {
      return true;
    }
  }
  return false;
}

struct Shape {
  unsigned m = 0;
  unsigned n = 0;
  unsigned k = 0;
};

/// "64x128x16"
std::optional<Shape> parse_shape(std::string_view part) {
  Shape shape;
  const char* at = part.data();
  const char* const end = part.data() + part.size();
  for (unsigned* dimension : {&shape.m, &shape.n, &shape.k}) {
    const auto [stop, error] = std::from_chars(at, end, *dimension);
    const bool last = dimension == &shape.k;
    if (error != std::errc{} || (last ? stop != end : stop == end || *stop != 'x')) {
      return std::nullopt;
    }
    at = last ? stop : stop + 1;
  }
  return shape;
}

std::optional<Shape> shape_of(std::string_view opcode) {
  for (std::size_t dot = opcode.find('.'); dot != std::string_view::npos; dot = opcode.find('.', dot + 1)) {
    const std::string_view rest = opcode.substr(dot + 1);
    if (const auto shape = parse_shape(rest.substr(0, rest.find('.')))) {
      return shape;
    }
  }
  return std::nullopt;
}

FlopClass flop_class_of(std::string_view opcode, bool half_accumulators) {
  switch (opcode.front()) {
    case 'I': return FlopClass::kTensorInt8;
    case 'B': return FlopClass::kTensorBinary;
    case 'Q': return half_accumulators ? FlopClass::kTensorFp8Fp16Acc : FlopClass::kTensorFp8;
    default: break;
  }
  if (name_says(opcode, "BF16")) {
    return FlopClass::kTensorBf16;
  }
  if (name_says(opcode, "TF32")) {
    return FlopClass::kTensorTf32;
  }
  return half_accumulators ? FlopClass::kTensorFp16Fp16Acc : FlopClass::kTensorFp16;
}

unsigned element_bits(FlopClass flop_class) {
  switch (flop_class) {
    case FlopClass::kTensorTf32: return 32;
    case FlopClass::kTensorFp8:
    case FlopClass::kTensorFp8Fp16Acc:
    case FlopClass::kTensorInt8: return 8;
    case FlopClass::kTensorBinary: return 1;
    default: return 16;
  }
}

}  // namespace

std::variant<WgmmaName, std::string> parse_wgmma(std::string_view opcode) {
  const std::optional<Shape> shape = shape_of(opcode);
  if (!shape || shape->m != kWgmmaRows) {
    return "'" + std::string(opcode) + "' names no shape: expected 64 x N x K, as in 'HGMMA.64x128x16.F32'";
  }
  if (shape->n == 0 || shape->n > kMostColumns || shape->n % kColumnStep != 0) {
    return "N is " + std::to_string(shape->n) + ": expected a multiple of 8 from 8 to 256";
  }
  const bool counts = opcode.front() == 'I' || opcode.front() == 'B';
  if (counts && shape->n > kMostNarrow && shape->n % kIntegerStep != 0) {
    return "N is " + std::to_string(shape->n) +
           ": expected 8, 16, 24, or a multiple of 16 from 32 to 256 for integers and bits";
  }
  WgmmaName name;
  name.half_accumulators = name_says(opcode, "F16") && !name_says(opcode, "F32");
  name.flop_class = flop_class_of(opcode, name.half_accumulators);
  name.wgmma.sparse = name_says(opcode, "SP");
  const unsigned depth = (name.wgmma.sparse ? 2 : 1) * kDepthBits / element_bits(name.flop_class);
  if (shape->k != depth) {
    return "K is " + std::to_string(shape->k) + ": expected " + std::to_string(depth) + " for this type";
  }
  name.wgmma.columns = static_cast<std::uint16_t>(shape->n);
  name.wgmma.depth = static_cast<std::uint16_t>(shape->k);
  return name;
}

std::uint32_t flops_per_warp(const WgmmaForm& form) {
  constexpr std::uint32_t kRowsPerWarp = kWgmmaRows / 4;
  return 2 * kRowsPerWarp * form.columns * form.depth / (form.sparse ? 2U : 1U);
}

}  // namespace gpusim::isa

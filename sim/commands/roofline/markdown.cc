// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/roofline/operations.h"
#include "sim/commands/roofline/roofline.h"

namespace gpusim::roofline {
namespace {

std::string formulas_markdown() {
  std::string out = "| operation | on | FLOPs | bytes of DRAM | counted so |\n| --- | --- | --- | --- | --- |\n";
  for (const Operation& op : operations()) {
    out += fmt::format("| {} | {} | `{}` | `{}` | {} |\n", op.name, op.shape, op.flops_formula, op.bytes_formula,
                       op.assumes);
  }
  return out;
}

std::string intensities_markdown(Shape shape) {
  constexpr double kHalf = 2;
  constexpr double kSingle = 4;
  std::string out = "| operation | FLOPs | bytes at 2 B | FLOP/byte at 2 B | FLOP/byte at 4 B |\n";
  out += "| --- | ---: | ---: | ---: | ---: |\n";
  for (const Operation& op : operations()) {
    shape.element_bytes = kHalf;
    const Letters half(shape);
    shape.element_bytes = kSingle;
    const Letters single(shape);
    out += fmt::format("| {} | {} | {} | {} | {} |\n", op.name, with_si_prefix(op.flops(half), "FLOP"),
                       with_si_prefix(op.bytes(half), "B"), intensity_text(op.flops(half) / op.bytes(half)),
                       intensity_text(op.flops(single) / op.bytes(single)));
  }
  return out;
}

}  // namespace

std::string operations_markdown(const Shape& shape) {
  return formulas_markdown() +
         fmt::format("\nFor B = {}, N = {}, H = {}, d = {}, E = {}, F = {}, Br = {}, Bc = {}:\n\n", shape.batch,
                     shape.seq, shape.heads, shape.head_dim, shape.hidden, shape.ffn, shape.block_rows,
                     shape.block_columns) +
         intensities_markdown(shape);
}

}  // namespace gpusim::roofline

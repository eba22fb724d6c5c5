// SPDX-License-Identifier: MIT
// FLOPs and bytes of the operations that transformers are made of, exactly, from their shapes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gpusim::roofline {

struct Shape {
  std::uint64_t batch = 2;           ///< B, sequences
  std::uint64_t seq = 2048;          ///< N, tokens in each
  std::uint64_t heads = 16;          ///< H
  std::uint64_t head_dim = 128;      ///< d
  std::uint64_t hidden = 2048;       ///< E, width of the residual stream
  std::uint64_t ffn = 8192;          ///< F, width of the feed-forward layer
  std::uint64_t block_rows = 128;    ///< Br, rows of Q that FlashAttention keeps
  std::uint64_t block_columns = 64;  ///< Bc, rows of K and V that it loads at once
  double element_bytes = 2;          ///< s
};

/// A size of a Shape by name.
struct ShapeField {
  std::string_view name;  ///< "head_dim"
  std::uint64_t Shape::*member;
  std::uint64_t most;
  std::string_view meaning;
};
[[nodiscard]] std::span<const ShapeField> shape_fields();

/// A shape in the letters of the formulas, as numbers that do not overflow.
struct Letters {
  explicit Letters(const Shape& shape);

  double B, N, H, d, E, F;
  double T;              ///< tokens, B N
  double row_blocks;     ///< blocks of rows of Q, ceil(N/Br)
  double column_blocks;  ///< blocks of columns of K and V, ceil(N/Bc)
  double s;
};

/// Every addition, multiplication, comparison, exponential, reciprocal, square root and tanh counts one FLOP. Bytes are
/// those that have to come from and go to DRAM if each kernel reads its inputs and writes its outputs once.
struct Operation {
  std::string_view name;
  std::string_view shape;  ///< what it works on, in letters
  std::string_view flops_formula;
  std::string_view bytes_formula;
  std::string_view assumes;  ///< how the FLOPs are counted, what stays on chip
  double (*flops)(const Letters&);
  double (*bytes)(const Letters&);
};

/// From element-wise to FlashAttention.
[[nodiscard]] std::span<const Operation> operations();

/// The operations with formulas and intensities for a shape, as Markdown tables: the generated part of
/// docs/roofline.md.
[[nodiscard]] std::string operations_markdown(const Shape& shape);

}  // namespace gpusim::roofline

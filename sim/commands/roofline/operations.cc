// SPDX-License-Identifier: MIT
#include "sim/commands/roofline/operations.h"

#include <array>
#include <cmath>

namespace gpusim::roofline {
namespace {

// FlashAttention-2, a row and a block of w columns: 2dw for the scores; w each to scale, compare, subtract and
// exponentiate; w+1 to bring the sum on; 2 for the correction of what was summed before, d to apply it; 2dw for P V.
constexpr double flash_attention_flops(const Letters& l) {
  return l.B * l.H * l.N * (4 * l.N * l.d + 5 * l.N + (l.d + 3) * l.column_blocks + l.d + 1);
}

// A row of a softmax: N-1 comparisons, N subtractions, N exponentials, N-1 additions, a reciprocal, N multiplications.
// A row of a layer norm: E-1 additions and a multiplication for the mean; E subtractions; E squares, E-1 additions, a
// multiplication, an addition and a reciprocal root for the deviation; E each for deviation, gamma and beta.
constexpr std::array<Operation, 11> kOperations{{
    {"residual add", "T x E", "T E", "3 s T E", "both operands are read, the sum is written",
     [](const Letters& l) { return l.T * l.E; }, [](const Letters& l) { return 3 * l.s * l.T * l.E; }},
    {"ReLU", "T x F", "T F", "2 s T F", "a comparison an element", [](const Letters& l) { return l.T * l.F; },
     [](const Letters& l) { return 2 * l.s * l.T * l.F; }},
    {"GELU", "T x F", "9 T F", "2 s T F", "0.5 x (1 + tanh(c (x + 0.044715 x^3))), x^3 as two products",
     [](const Letters& l) { return 9 * l.T * l.F; }, [](const Letters& l) { return 2 * l.s * l.T * l.F; }},
    {"layer norm", "T rows of E", "T (7 E + 2)", "s (2 T E + 2 E)", "a row stays on chip; gamma and beta are read once",
     [](const Letters& l) { return l.T * (7 * l.E + 2); },
     [](const Letters& l) { return l.s * (2 * l.T * l.E + 2 * l.E); }},
    {"softmax", "B H N rows of N", "B H N (5 N - 1)", "2 s B H N^2", "a row stays on chip",
     [](const Letters& l) { return l.B * l.H * l.N * (5 * l.N - 1); },
     [](const Letters& l) { return 2 * l.s * l.B * l.H * l.N * l.N; }},
    {"naive attention", "B H heads, N x d", "B H N (4 N d + 6 N - 1)", "s B H (4 N d + 4 N^2)",
     "three kernels: scores and probabilities go through DRAM twice each; the first also scales",
     [](const Letters& l) { return l.B * l.H * l.N * (4 * l.N * l.d + 6 * l.N - 1); },
     [](const Letters& l) { return l.s * l.B * l.H * (4 * l.N * l.d + 4 * l.N * l.N); }},
    {"FlashAttention, KV re-read", "B H heads, N x d", "B H N (4 N d + 5 N + (d + 3) ceil(N/Bc) + d + 1)",
     "s B H N d (2 + 2 ceil(N/Br))", "every block of Br rows of Q reads all of K and V from DRAM",
     flash_attention_flops, [](const Letters& l) { return l.s * l.B * l.H * l.N * l.d * (2 + 2 * l.row_blocks); }},
    {"FlashAttention, KV in L2", "B H heads, N x d", "B H N (4 N d + 5 N + (d + 3) ceil(N/Bc) + d + 1)", "4 s B H N d",
     "K and V come from DRAM once: L2 keeps them for the other blocks of Q", flash_attention_flops,
     [](const Letters& l) { return 4 * l.s * l.B * l.H * l.N * l.d; }},
    {"attention, one new token", "B H heads, 1 x d on N x d", "B H (4 N d + 6 N - 1)", "s B H (2 N d + 2 d)",
     "decoding with a KV cache in one kernel",
     [](const Letters& l) { return l.B * l.H * (4 * l.N * l.d + 6 * l.N - 1); },
     [](const Letters& l) { return l.s * l.B * l.H * (2 * l.N * l.d + 2 * l.d); }},
    {"linear layer", "T x E by E x F", "2 T E F", "s (T E + E F + T F)", "each matrix crosses DRAM once; no bias",
     [](const Letters& l) { return 2 * l.T * l.E * l.F; },
     [](const Letters& l) { return l.s * (l.T * l.E + l.E * l.F + l.T * l.F); }},
    {"linear layer, one token", "1 x E by E x F", "2 E F", "s (E + E F + F)",
     "decoding, batch 1: a matrix times a vector", [](const Letters& l) { return 2 * l.E * l.F; },
     [](const Letters& l) { return l.s * (l.E + l.E * l.F + l.F); }},
}};

constexpr std::array<ShapeField, 8> kShapeFields{{
    {"batch", &Shape::batch, 1U << 16U, "Sequences"},
    {"seq", &Shape::seq, 1U << 24U, "Tokens in each"},
    {"heads", &Shape::heads, 1U << 16U, "Attention heads"},
    {"head_dim", &Shape::head_dim, 1U << 16U, "Width of a head"},
    {"hidden", &Shape::hidden, 1U << 24U, "Width of the model (default: heads x head-dim)"},
    {"ffn", &Shape::ffn, 1U << 24U, "Width of the feed-forward layer (default: 4 x hidden)"},
    {"block_rows", &Shape::block_rows, 1U << 24U, "Rows of Q that FlashAttention keeps"},
    {"block_columns", &Shape::block_columns, 1U << 24U, "Rows of K and V that it loads at once"},
}};

double number(std::uint64_t count) {
  return static_cast<double>(count);
}

}  // namespace

Letters::Letters(const Shape& shape)
    : B(number(shape.batch)),
      N(number(shape.seq)),
      H(number(shape.heads)),
      d(number(shape.head_dim)),
      E(number(shape.hidden)),
      F(number(shape.ffn)),
      T(B * N),
      row_blocks(std::ceil(N / number(shape.block_rows))),
      column_blocks(std::ceil(N / number(shape.block_columns))),
      s(shape.element_bytes) {}

std::span<const ShapeField> shape_fields() {
  return kShapeFields;
}

std::span<const Operation> operations() {
  return kOperations;
}

}  // namespace gpusim::roofline

// SPDX-License-Identifier: MIT
// The options that give the shape of "gpusim roofline --operations".
#pragma once

#include <array>
#include <cstdint>

#include "sim/roofline/operations.h"

namespace gpusim::app {

struct ShapeOption {
  const char* name;
  std::uint64_t roofline::Shape::*member;
  std::uint64_t most;
  const char* what;
};

inline constexpr std::array<ShapeOption, 8> kShapeOptions{{
    {"--batch", &roofline::Shape::batch, 1U << 16U, "Sequences"},
    {"--seq", &roofline::Shape::seq, 1U << 24U, "Tokens in each"},
    {"--heads", &roofline::Shape::heads, 1U << 16U, "Attention heads"},
    {"--head-dim", &roofline::Shape::head_dim, 1U << 16U, "Width of a head"},
    {"--hidden", &roofline::Shape::hidden, 1U << 24U, "Width of the model (default: heads x head-dim)"},
    {"--ffn", &roofline::Shape::ffn, 1U << 24U, "Width of the feed-forward layer (default: 4 x hidden)"},
    {"--block-rows", &roofline::Shape::block_rows, 1U << 24U, "Rows of Q a block of FlashAttention keeps"},
    {"--block-columns", &roofline::Shape::block_columns, 1U << 24U, "Rows of K and V it loads at once"},
}};

}  // namespace gpusim::app

// SPDX-License-Identifier: MIT
// The formulas against counting: each operation is carried out here step by step, and every step counted.
#include "sim/commands/roofline/operations.h"

#include <algorithm>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/support/golden.h"

using namespace gpusim;
using namespace gpusim::roofline;

namespace {

/// Small, with sizes that no block divides, so that every term shows.
constexpr Shape kSmall{.batch = 2,
                       .seq = 37,
                       .heads = 3,
                       .head_dim = 8,
                       .hidden = 24,
                       .ffn = 40,
                       .block_rows = 16,
                       .block_columns = 5,
                       .element_bytes = 2};

const Operation& operation(std::string_view name) {
  const auto found = std::ranges::find(operations(), name, &Operation::name);
  REQUIRE(found != operations().end());
  return *found;
}

double flops(std::string_view name, const Shape& shape = kSmall) {
  return operation(name).flops(Letters(shape));
}

double bytes(std::string_view name, const Shape& shape = kSmall) {
  return operation(name).bytes(Letters(shape));
}

double intensity(std::string_view name, const Shape& shape) {
  return flops(name, shape) / bytes(name, shape);
}

/// A tally of a kernel's work and traffic.
struct Tally {
  std::uint64_t flops = 0;
  std::uint64_t elements = 0;  ///< to and from DRAM
  double bytes() const { return kSmall.element_bytes * static_cast<double>(elements); }
};

/// A product of an m x k and a k x n matrix: a multiplication and an addition for each of the three indices.
std::uint64_t product(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < m; ++i) {
    for (std::uint64_t j = 0; j < n; ++j) {
      for (std::uint64_t x = 0; x < k; ++x) {
        count += 2;
      }
    }
  }
  return count;
}

std::uint64_t softmax_of_row(std::uint64_t size) {
  const std::uint64_t compare = size - 1;
  const std::uint64_t subtract = size;
  const std::uint64_t exponential = size;
  const std::uint64_t add = size - 1;
  const std::uint64_t reciprocal = 1;
  const std::uint64_t multiply = size;
  return compare + subtract + exponential + add + reciprocal + multiply;
}

Tally naive_attention(const Shape& shape) {
  Tally tally;
  const std::uint64_t matrix = shape.seq * shape.head_dim;
  const std::uint64_t scores = shape.seq * shape.seq;
  for (std::uint64_t head = 0; head < shape.batch * shape.heads; ++head) {
    tally.flops += product(shape.seq, shape.seq, shape.head_dim) + scores;  // S = Q K^T / sqrt(d)
    tally.elements += 2 * matrix + scores;
    for (std::uint64_t row = 0; row < shape.seq; ++row) {
      tally.flops += softmax_of_row(shape.seq);
      tally.elements += 2 * shape.seq;
    }
    tally.flops += product(shape.seq, shape.head_dim, shape.seq);  // O = P V
    tally.elements += scores + 2 * matrix;
  }
  return tally;
}

/// As the loop over blocks goes; `l2_keeps` says whether K and V cross DRAM once a head or once a block of rows.
Tally flash_attention(const Shape& shape, bool l2_keeps) {
  Tally tally;
  for (std::uint64_t head = 0; head < shape.batch * shape.heads; ++head) {
    for (std::uint64_t row = 0; row < shape.seq; row += shape.block_rows) {
      const std::uint64_t rows = std::min(shape.block_rows, shape.seq - row);
      tally.elements += 2 * rows * shape.head_dim;  // Q, O
      tally.elements += l2_keeps && row > 0 ? 0 : 2 * shape.seq * shape.head_dim;
      for (std::uint64_t column = 0; column < shape.seq; column += shape.block_columns) {
        const std::uint64_t columns = std::min(shape.block_columns, shape.seq - column);
        tally.flops += product(rows, columns, shape.head_dim) + product(rows, shape.head_dim, columns);
        tally.flops += rows * 4 * columns;        // scale, compare with the maximum so far, subtract it, exponential
        tally.flops += rows * (columns - 1 + 2);  // sum of the block; alpha l + sum
        tally.flops += rows * 2;                  // alpha = exp(old maximum - new)
        tally.flops += rows * shape.head_dim;     // O alpha
      }
      tally.flops += rows * (1 + shape.head_dim);  // O times 1 / l
    }
  }
  return tally;
}

}  // namespace

TEST_CASE("element-wise operations do so many FLOPs an element and move each operand once") {
  Tally add;
  Tally relu;
  Tally gelu;
  for (std::uint64_t token = 0; token < kSmall.batch * kSmall.seq; ++token) {
    for (std::uint64_t i = 0; i < kSmall.hidden; ++i) {
      add.flops += 1;
      add.elements += 3;
    }
    for (std::uint64_t i = 0; i < kSmall.ffn; ++i) {
      relu.flops += 1;
      relu.elements += 2;
      gelu.flops += 2 + 1 + 1 + 1 + 1 + 1 + 2;  // x x x, times 0.044715, plus x, times c, tanh, plus 1, times x / 2
      gelu.elements += 2;
    }
  }
  CHECK(flops("residual add") == static_cast<double>(add.flops));
  CHECK(bytes("residual add") == add.bytes());
  CHECK(flops("ReLU") == static_cast<double>(relu.flops));
  CHECK(bytes("ReLU") == relu.bytes());
  CHECK(flops("GELU") == static_cast<double>(gelu.flops));
  CHECK(bytes("GELU") == gelu.bytes());
}

TEST_CASE("a layer norm reads a row once and gamma and beta once in all") {
  Tally tally;
  const std::uint64_t width = kSmall.hidden;
  for (std::uint64_t token = 0; token < kSmall.batch * kSmall.seq; ++token) {
    tally.flops += width - 1 + 1;                    // mean
    tally.flops += width;                            // x - mean
    tally.flops += width + (width - 1) + 1 + 1 + 1;  // squares, their sum, / E, + epsilon, 1 / sqrt
    tally.flops += width * 3;                        // times that, times gamma, plus beta
    tally.elements += 2 * width;
  }
  tally.elements += 2 * width;
  CHECK(flops("layer norm") == static_cast<double>(tally.flops));
  CHECK(bytes("layer norm") == tally.bytes());
}

TEST_CASE("a softmax reads and writes each score once") {
  Tally tally;
  for (std::uint64_t row = 0; row < kSmall.batch * kSmall.heads * kSmall.seq; ++row) {
    tally.flops += softmax_of_row(kSmall.seq);
    tally.elements += 2 * kSmall.seq;
  }
  CHECK(flops("softmax") == static_cast<double>(tally.flops));
  CHECK(bytes("softmax") == tally.bytes());
}

TEST_CASE("naive attention is three kernels that leave scores and probabilities in DRAM") {
  const Tally tally = naive_attention(kSmall);
  CHECK(flops("naive attention") == static_cast<double>(tally.flops));
  CHECK(bytes("naive attention") == tally.bytes());
}

TEST_CASE("FlashAttention counts what its loop over blocks does") {
  const Tally again = flash_attention(kSmall, false);
  CHECK(flops("FlashAttention, KV re-read") == static_cast<double>(again.flops));
  CHECK(bytes("FlashAttention, KV re-read") == again.bytes());
  const Tally once = flash_attention(kSmall, true);
  CHECK(flops("FlashAttention, KV in L2") == static_cast<double>(once.flops));
  CHECK(bytes("FlashAttention, KV in L2") == once.bytes());
}

TEST_CASE("attention of one new token reads the whole cache for a row of scores") {
  Tally tally;
  for (std::uint64_t head = 0; head < kSmall.batch * kSmall.heads; ++head) {
    tally.flops += product(1, kSmall.seq, kSmall.head_dim) + kSmall.seq + softmax_of_row(kSmall.seq);
    tally.flops += product(1, kSmall.head_dim, kSmall.seq);
    tally.elements += 2 * kSmall.seq * kSmall.head_dim + 2 * kSmall.head_dim;
  }
  CHECK(flops("attention, one new token") == static_cast<double>(tally.flops));
  CHECK(bytes("attention, one new token") == tally.bytes());
}

TEST_CASE("a linear layer moves its three matrices once") {
  for (const auto& [name, tokens] :
       {std::pair{"linear layer", kSmall.batch * kSmall.seq}, {"linear layer, one token", std::uint64_t{1}}}) {
    Tally tally;
    tally.flops = product(tokens, kSmall.ffn, kSmall.hidden);
    tally.elements = tokens * kSmall.hidden + kSmall.hidden * kSmall.ffn + tokens * kSmall.ffn;
    CHECK(flops(name) == static_cast<double>(tally.flops));
    CHECK(bytes(name) == tally.bytes());
  }
}

TEST_CASE("every formula that is shown names the letters of its function") {
  for (const Operation& op : operations()) {
    INFO(op.name);
    for (const auto& [letter, member] : {std::pair{'B', &Shape::batch},
                                         {'H', &Shape::heads},
                                         {'d', &Shape::head_dim},
                                         {'E', &Shape::hidden},
                                         {'F', &Shape::ffn}}) {
      Shape larger = kSmall;
      larger.*member *= 2;
      const bool by_tokens = letter == 'B' && op.flops_formula.find('T') != std::string_view::npos;
      const bool named = by_tokens || op.flops_formula.find(letter) != std::string_view::npos;
      CHECK(named == (op.flops(Letters(larger)) != op.flops(Letters(kSmall))));
    }
  }
}

TEST_CASE("intensities are of the order that teaching material gives") {
  const Shape half;
  Shape single;
  single.element_bytes = 4;
  CHECK(intensity("residual add", single) == Approx(1.0 / 12));
  CHECK(intensity("ReLU", half) == 0.25);
  CHECK(intensity("layer norm", single) == Approx(0.875).epsilon(0.01));
  CHECK(intensity("softmax", half) == Approx(1.25).epsilon(0.01));
  CHECK(intensity("naive attention", single) == Approx(30.5).epsilon(0.01));
  CHECK(intensity("FlashAttention, KV re-read", half) > 100);
  CHECK(intensity("FlashAttention, KV in L2", half) > 1000);
  CHECK(intensity("linear layer", half) > 100);
  CHECK(intensity("linear layer, one token", half) == Approx(1).epsilon(0.01));
}

TEST_CASE("the largest shapes stay finite") {
  Shape huge;
  huge.batch = huge.heads = huge.head_dim = huge.hidden = huge.ffn = 1U << 24U;
  huge.seq = std::uint64_t{1} << 40U;
  huge.block_rows = huge.block_columns = 1;
  for (const Operation& op : operations()) {
    CHECK(std::isfinite(op.flops(Letters(huge))));
    CHECK(std::isfinite(op.bytes(Letters(huge))));
  }
}

TEST_CASE("docs/roofline.md holds the table of the program") {
  const std::string begin =
      "<!-- generated from the table of operations: GPUSIM_REGENERATE=1 test_commands_roofline -->\n\n";
  const std::string end = "\n<!-- end of generated part -->\n";
  const std::string file = "docs/roofline.md";
  std::ifstream in(std::filesystem::path(GPUSIM_SOURCE_DIR) / file);
  std::stringstream content;
  content << in.rdbuf();
  const std::string page = content.str();
  const std::size_t from = page.find(begin);
  const std::size_t to = page.find(end, from);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  const std::string expected = page.substr(0, from) + begin + operations_markdown(Shape{}) + page.substr(to);
  const bool up_to_date = golden(file, expected) == expected;
  CHECK(up_to_date);
}

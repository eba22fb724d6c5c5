// SPDX-License-Identifier: MIT
// Products of matrices in registers: HMMA, IMMA, DMMA. A warp multiplies a tile of 8 or 16 rows by 8 columns.
#include <algorithm>
#include <cmath>

#include "sim/exec/lanes/rows.h"
#include "sim/exec/lanes/sums.h"

namespace gpusim::exec::GPUSIM_LANES {
namespace {

using sass::Mod;
using sass::Op;

/// D = A B + C with 16 rows. `kBlock`: products that the tensor cores add up before they round.
template <class Element, unsigned kChunks, bool kWide, unsigned kBlock>
void multiply_floats(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  constexpr unsigned kDepth = kChunks * kChunk<Element>;
  TileA<double, 16, kDepth> a;
  TileB<double, kDepth> b;
  Sums<double> sums;
  open_a<Element, 16, kChunks>(warp.row(op.sources[0]), a);
  open_b<Element, kChunks>(warp.row(op.sources[1]), b);
  read_floats<kWide>(warp.row(op.sources[2]), sums);
  for (unsigned row = 0; row < 16; ++row) {
    multiply_row<kBlock, kDepth>(a.at[row], b, sums.at[row]);
  }
  write_floats<kWide>(warp.row(op.destinations[0]), mask, sums);
}

template <class Element, unsigned kChunks, bool kWide>
Handler with_block(sass::Generation generation) {
  constexpr unsigned kNarrow = Element::kBits == 32 ? 2 : 1;  // TF32: half as many
  switch (generation) {
    case sass::Generation::kSm75: return multiply_floats<Element, kChunks, kWide, 4 / kNarrow>;
    case sass::Generation::kSm90: return multiply_floats<Element, kChunks, kWide, 16 / kNarrow>;
    default: return multiply_floats<Element, kChunks, kWide, 8 / kNarrow>;
  }
}

template <class Element>
Handler float_product(sass::Generation generation, unsigned depth, bool wide) {
  if (depth == kChunk<Element>) {
    return wide ? with_block<Element, 1, true>(generation) : with_block<Element, 1, false>(generation);
  }
  if (depth == 2 * kChunk<Element>) {
    return wide ? with_block<Element, 2, true>(generation) : with_block<Element, 2, false>(generation);
  }
  return nullptr;
}

/// Rows of a matrix operand, of which the handler reads `count`.
bool matrix_source(Lowering& lowering, std::size_t to, std::size_t operand_at, unsigned count) {
  const sass::Operand& operand = lowering.operand(operand_at);
  if (operand.kind == sass::OperandKind::kRegister && operand.index == isa::kRZ) {
    static constexpr std::uint32_t kZeros[8] = {};
    lowering.op().sources[to] = {};
    lowering.op().sources[to].pooled = true;
    lowering.op().sources[to].offset = lowering.pooled(kZeros);
    return count <= std::size(kZeros);
  }
  lowering.source(to, operand_at);
  return operand.kind == sass::OperandKind::kRegister && operand.width >= count;
}

/// How many registers the operands of a product have.
struct Registers {
  unsigned d = 0;
  unsigned a = 0;
  unsigned b = 0;
};

/// D, A, B and C; false where they have other numbers of registers.
bool lower_product(Lowering& lowering, const Registers& registers) {
  lowering.destination(0, 0);
  const sass::Operand& d = lowering.operand(0);
  return d.index != isa::kRZ && d.width >= registers.d && matrix_source(lowering, 0, 1, registers.a) &&
         matrix_source(lowering, 1, 2, registers.b) && matrix_source(lowering, 2, 3, registers.d);
}

/// The registers of D, A and B for a product with so many rows, such a depth and elements of so many bits.
Registers registers_of(unsigned rows, unsigned depth, unsigned bits, unsigned of_d) {
  const unsigned chunks = depth * bits / 128;
  return {of_d, chunks * rows / 8, chunks};
}

void lower_hmma(Lowering& lowering) {
  constexpr unsigned kDepths[] = {8, 16, 4, 32};
  const unsigned depth = kDepths[lowering.modifier(Mod::kShape) & 3U];
  const bool wide = lowering.has(Mod::kFloatResult);
  const sass::Generation generation = lowering.instruction().generation;
  const auto type = static_cast<sass::MatrixType>(lowering.modifier(Mod::kMatrixType));
  const unsigned bits = type == sass::MatrixType::kTf32 ? 32 : 16;
  if (lowering.has(Mod::kSparse) || !lower_product(lowering, registers_of(16, depth, bits, wide ? 4 : 2))) {
    return;
  }
  switch (type) {
    case sass::MatrixType::kF16: lowering.op().handler = float_product<HalfElement>(generation, depth, wide); break;
    case sass::MatrixType::kBf16: lowering.op().handler = float_product<BfloatElement>(generation, depth, wide); break;
    case sass::MatrixType::kTf32: lowering.op().handler = float_product<Tf32Element>(generation, depth, wide); break;
  }
}

/// Whether sums that leave 32 bits become the nearest number that does not.
constexpr std::size_t kSaturatesByte = 0;

template <class A, class B, unsigned kRows, unsigned kChunks>
void multiply_integers(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  constexpr unsigned kDepth = kChunks * kChunk<A>;
  TileA<std::int32_t, kRows, kDepth> a;
  TileB<std::int32_t, kDepth> b;
  Sums<std::uint32_t> sums{};
  open_a<A, kRows, kChunks>(warp.row(op.sources[0]), a);
  open_b<B, kChunks>(warp.row(op.sources[1]), b);
  for (unsigned row = 0; row < kRows; ++row) {
    multiply_row<kDepth>(a.at[row], b, sums.at[row]);
  }
  write_integers<kRows>(warp.row(op.destinations[0]), mask, warp.row(op.sources[2]), sums,
                        op.bytes[kSaturatesByte] != 0);
}

template <class A, class B>
Handler integer_product(unsigned rows, unsigned depth) {
  if (rows == 8 && depth == kChunk<A>) {
    return multiply_integers<A, B, 8, 1>;
  }
  if (rows == 16 && depth == kChunk<A>) {
    return multiply_integers<A, B, 16, 1>;
  }
  return rows == 16 && depth == 2 * kChunk<A> ? multiply_integers<A, B, 16, 2> : nullptr;
}

template <class A>
Handler integer_product_by(unsigned type_b, unsigned rows, unsigned depth) {
  const bool is_signed = (type_b & 1U) != 0;
  return is_signed ? integer_product<A, IntegerElement<A::kBits, true>>(rows, depth)
                   : integer_product<A, IntegerElement<A::kBits, false>>(rows, depth);
}

void lower_imma(Lowering& lowering) {
  // By the modifier's value: 8816, none, 8832, none, 16816, 16832, 16864.
  constexpr unsigned kShapes[][2] = {{8, 16}, {0, 0}, {8, 32}, {0, 0}, {16, 16}, {16, 32}, {16, 64}, {0, 0}};
  const auto [rows, depth] = kShapes[lowering.modifier(Mod::kShape) & 7U];
  const unsigned type_a = lowering.modifier(Mod::kTypeA);
  const unsigned type_b = lowering.modifier(Mod::kTypeB);
  const bool as_stored =
      lowering.operand(1).part == sass::Part::kRow && lowering.operand(2).part == sass::Part::kColumn;
  constexpr unsigned kFirst4Bits = 2;
  const bool narrow = type_a >= kFirst4Bits;
  if (lowering.has(Mod::kSparse) || !as_stored || narrow != (type_b >= kFirst4Bits) ||
      !lower_product(lowering, registers_of(rows, depth, narrow ? 4 : 8, rows / 4))) {
    return;
  }
  MicroOp& op = lowering.op();
  op.bytes[kSaturatesByte] = lowering.has(Mod::kSat) ? 1 : 0;
  switch (type_a) {
    case 0: op.handler = integer_product_by<IntegerElement<8, false>>(type_b, rows, depth); break;
    case 1: op.handler = integer_product_by<IntegerElement<8, true>>(type_b, rows, depth); break;
    case 2: op.handler = integer_product_by<IntegerElement<4, false>>(type_b, rows, depth); break;
    default: op.handler = integer_product_by<IntegerElement<4, true>>(type_b, rows, depth); break;
  }
}

double wide_value(const std::uint32_t* rows, unsigned lane) {
  return std::bit_cast<double>(rows[lane] | std::uint64_t{rows[kRow + lane]} << 32U);
}

/// FP64: each result is a chain of fused multiply-adds along k. Registers are pairs.
template <unsigned kRows, unsigned kChunks>
void multiply_doubles(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  constexpr unsigned kHalves = kRows / 8;
  const std::uint32_t* const of_a = warp.row(op.sources[0]);
  const std::uint32_t* const of_b = warp.row(op.sources[1]);
  const std::uint32_t* const of_c = warp.row(op.sources[2]);
  double results[kRows / 4][kWarpLanes];
  for (unsigned i = 0; i < kRows / 4; ++i) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const unsigned column = lane % 4 * 2 + i % 2;
      double sum = wide_value(of_c + 2 * i * kRow, lane);
      for (unsigned k = 0; k < 4 * kChunks; ++k) {
        const double a = wide_value(of_a + 2 * (k / 4 * kHalves + i / 2) * kRow, lane / 4 * 4 + k % 4);
        sum = std::fma(a, wide_value(of_b + 2 * (k / 4) * kRow, column * 4 + k % 4), sum);
      }
      results[i][lane] = sum;
    }
  }
  for (unsigned i = 0; i < kRows / 4; ++i) {
    write_wide_lanes(warp.row(op.destinations[0]) + 2 * i * kRow, mask,
                     [&](unsigned lane) { return std::bit_cast<std::uint64_t>(results[i][lane]); });
  }
}

void lower_dmma(Lowering& lowering) {
  constexpr Handler kHandlers[] = {multiply_doubles<8, 1>, multiply_doubles<16, 1>, multiply_doubles<16, 2>,
                                   multiply_doubles<16, 4>};
  constexpr Registers kRegisters[] = {{4, 2, 2}, {8, 4, 2}, {8, 8, 4}, {8, 16, 8}};
  if (lowering.modifier(Mod::kRounding) != 0 ||
      !lower_product(lowering, kRegisters[lowering.modifier(Mod::kShape) & 3U])) {
    return;
  }
  const MicroOp& op = lowering.op();
  const auto has_sign = [](const Source& source) { return source.negated || source.absolute; };
  if (std::none_of(op.sources.begin(), op.sources.end(), has_sign)) {
    lowering.op().handler = kHandlers[lowering.modifier(Mod::kShape) & 3U];
  }
}

}  // namespace

std::span<const LowerRow> matrix_rows() {
  static constexpr LowerRow kRows[] = {{Op::kHmma, lower_hmma}, {Op::kImma, lower_imma}, {Op::kDmma, lower_dmma}};
  return kRows;
}

}  // namespace gpusim::exec::GPUSIM_LANES

// SPDX-License-Identifier: MIT
// Products of matrices in registers: HMMA, IMMA, DMMA, BMMA. A warp multiplies a tile of 8 or 16 rows by 8 columns.
#include <algorithm>
#include <cmath>

#include "sim/exec/lanes/rows.h"
#include "sim/exec/lanes/sparse.h"
#include "sim/exec/lanes/sums.h"

namespace gpusim::exec::GPUSIM_LANES {
namespace {

using sass::Mod;
using sass::Op;

constexpr std::size_t kSelectorByte = 1;
constexpr std::size_t kMetadataSource = 3;

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

/// The same where half of A is there, in `kChunks` chunks. That it rounds as a dense product does is a guess.
template <class Element, unsigned kChunks, bool kWide, unsigned kBlock>
void multiply_sparse_floats(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  constexpr unsigned kKept = kChunks * kChunk<Element>;
  TileA<double, 16, kKept> a;
  TileB<double, 2 * kKept> b;
  Picks<kKept> picks;
  Sums<double> sums;
  open_a<Element, 16, kChunks>(warp.row(op.sources[0]), a);
  open_b<Element, 2 * kChunks>(warp.row(op.sources[1]), b);
  read_picks<Element>(warp.row(op.sources[kMetadataSource]), op.bytes[kSelectorByte], picks);
  read_floats<kWide>(warp.row(op.sources[2]), sums);
  for (unsigned row = 0; row < 16; ++row) {
    multiply_row<kBlock, kKept>(a.at[row], b, sums.at[row], picks.row_of(row));
  }
  write_floats<kWide>(warp.row(op.destinations[0]), mask, sums);
}

template <class Element, unsigned kChunks, bool kWide>
Handler with_block(sass::Generation generation, bool sparse) {
  constexpr unsigned kNarrow = Element::kBits == 32 ? 2 : 1;  // TF32: half as many
  switch (generation) {
    case sass::Generation::kSm75: return sparse ? nullptr : multiply_floats<Element, kChunks, kWide, 4 / kNarrow>;
    case sass::Generation::kSm90:
      return sparse ? multiply_sparse_floats<Element, kChunks, kWide, 16 / kNarrow>
                    : multiply_floats<Element, kChunks, kWide, 16 / kNarrow>;
    default:
      return sparse ? multiply_sparse_floats<Element, kChunks, kWide, 8 / kNarrow>
                    : multiply_floats<Element, kChunks, kWide, 8 / kNarrow>;
  }
}

/// `depth`: values of a row of A that are there.
template <class Element>
Handler float_product(sass::Generation generation, unsigned depth, bool wide, bool sparse) {
  if (depth == kChunk<Element>) {
    return wide ? with_block<Element, 1, true>(generation, sparse) : with_block<Element, 1, false>(generation, sparse);
  }
  if (depth == 2 * kChunk<Element>) {
    return wide ? with_block<Element, 2, true>(generation, sparse) : with_block<Element, 2, false>(generation, sparse);
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

/// The registers of D, A and B for a product with so many rows, such a depth of what is there of A, and elements of so
/// many bits.
Registers registers_of(unsigned rows, unsigned depth, unsigned bits, unsigned of_d, bool sparse) {
  const unsigned chunks = depth * bits / 128;
  return {of_d, chunks * rows / 8, sparse ? 2 * chunks : chunks};
}

/// The operands behind C say which values of A are there.
void lower_metadata(Lowering& lowering) {
  constexpr std::size_t kMetadataAt = 4;
  constexpr std::size_t kSelectorAt = 5;
  lowering.source(kMetadataSource, kMetadataAt);
  lowering.op().bytes[kSelectorByte] = static_cast<std::uint8_t>(lowering.operand(kSelectorAt).value);
}

void lower_hmma(Lowering& lowering) {
  constexpr unsigned kDepths[] = {8, 16, 4, 32};
  const bool sparse = lowering.has(Mod::kSparse);
  const unsigned depth = kDepths[lowering.modifier(Mod::kShape) & 3U] / (sparse ? 2 : 1);
  const bool wide = lowering.has(Mod::kFloatResult);
  const sass::Generation by = lowering.instruction().generation;
  const auto type = static_cast<sass::MatrixType>(lowering.modifier(Mod::kMatrixType));
  const unsigned bits = type == sass::MatrixType::kTf32 ? 32 : 16;
  if (!lower_product(lowering, registers_of(16, depth, bits, wide ? 4 : 2, sparse))) {
    return;
  }
  if (sparse) {
    lower_metadata(lowering);
  }
  Handler& handler = lowering.op().handler;
  switch (type) {
    case sass::MatrixType::kF16: handler = float_product<HalfElement>(by, depth, wide, sparse); break;
    case sass::MatrixType::kBf16: handler = float_product<BfloatElement>(by, depth, wide, sparse); break;
    case sass::MatrixType::kTf32: handler = float_product<Tf32Element>(by, depth, wide, sparse); break;
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

template <class A, class B, unsigned kChunks>
void multiply_sparse_integers(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  constexpr unsigned kKept = kChunks * kChunk<A>;
  TileA<std::int32_t, 16, kKept> a;
  TileB<std::int32_t, 2 * kKept> b;
  Picks<kKept> picks;
  Sums<std::uint32_t> sums{};
  open_a<A, 16, kChunks>(warp.row(op.sources[0]), a);
  open_b<B, 2 * kChunks>(warp.row(op.sources[1]), b);
  read_picks<A>(warp.row(op.sources[kMetadataSource]), op.bytes[kSelectorByte], picks);
  for (unsigned row = 0; row < 16; ++row) {
    multiply_row<kKept>(a.at[row], b, sums.at[row], picks.row_of(row));
  }
  write_integers<16>(warp.row(op.destinations[0]), mask, warp.row(op.sources[2]), sums, op.bytes[kSaturatesByte] != 0);
}

/// `depth`: values of a row of A that are there.
template <class A, class B>
Handler integer_product(unsigned rows, unsigned depth, bool sparse) {
  if (rows == 8 && depth == kChunk<A> && !sparse) {
    return multiply_integers<A, B, 8, 1>;
  }
  if (rows == 16 && depth == kChunk<A>) {
    return sparse ? multiply_sparse_integers<A, B, 1> : multiply_integers<A, B, 16, 1>;
  }
  if (rows == 16 && depth == 2 * kChunk<A>) {
    return sparse ? multiply_sparse_integers<A, B, 2> : multiply_integers<A, B, 16, 2>;
  }
  return nullptr;
}

template <class A>
Handler integer_product_by(unsigned type_b, unsigned rows, unsigned depth, bool sparse) {
  const bool is_signed = (type_b & 1U) != 0;
  return is_signed ? integer_product<A, IntegerElement<A::kBits, true>>(rows, depth, sparse)
                   : integer_product<A, IntegerElement<A::kBits, false>>(rows, depth, sparse);
}

/// A by rows and B by columns, which is how registers have them.
bool as_stored(const Lowering& lowering) {
  return lowering.operand(1).part == sass::Part::kRow && lowering.operand(2).part == sass::Part::kColumn;
}

void lower_imma(Lowering& lowering) {
  // By the modifier's value: 8816, none, 8832, none, 16816, 16832, 16864, 168128.
  constexpr unsigned kShapes[][2] = {{8, 16}, {0, 0}, {8, 32}, {0, 0}, {16, 16}, {16, 32}, {16, 64}, {16, 128}};
  const bool sparse = lowering.has(Mod::kSparse);
  const auto [rows, whole_depth] = kShapes[lowering.modifier(Mod::kShape) & 7U];
  const unsigned depth = whole_depth / (sparse ? 2 : 1);
  const unsigned type_a = lowering.modifier(Mod::kTypeA);
  const unsigned type_b = lowering.modifier(Mod::kTypeB);
  constexpr unsigned kFirst4Bits = 2;
  const bool narrow = type_a >= kFirst4Bits;
  if (!as_stored(lowering) || narrow != (type_b >= kFirst4Bits) ||
      !lower_product(lowering, registers_of(rows, depth, narrow ? 4 : 8, rows / 4, sparse))) {
    return;
  }
  if (sparse) {
    lower_metadata(lowering);
  }
  MicroOp& op = lowering.op();
  op.bytes[kSaturatesByte] = lowering.has(Mod::kSat) ? 1 : 0;
  switch (type_a) {
    case 0: op.handler = integer_product_by<IntegerElement<8, false>>(type_b, rows, depth, sparse); break;
    case 1: op.handler = integer_product_by<IntegerElement<8, true>>(type_b, rows, depth, sparse); break;
    case 2: op.handler = integer_product_by<IntegerElement<4, false>>(type_b, rows, depth, sparse); break;
    default: op.handler = integer_product_by<IntegerElement<4, true>>(type_b, rows, depth, sparse); break;
  }
}

/// D = C + the numbers of bits that are set in both A and B, or in one of the two.
template <unsigned kRows, unsigned kChunks, bool kExclusive>
void multiply_bits(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  constexpr unsigned kDepth = kChunks * kChunk<WordElement>;
  TileA<std::uint32_t, kRows, kDepth> a;
  TileB<std::uint32_t, kDepth> b;
  Sums<std::uint32_t> sums{};
  open_a<WordElement, kRows, kChunks>(warp.row(op.sources[0]), a);
  open_b<WordElement, kChunks>(warp.row(op.sources[1]), b);
  for (unsigned row = 0; row < kRows; ++row) {
    multiply_row_of_bits<kDepth, kExclusive>(a.at[row], b, sums.at[row]);
  }
  write_integers<kRows>(warp.row(op.destinations[0]), mask, warp.row(op.sources[2]), sums, false);
}

void lower_bmma(Lowering& lowering) {
  // By the modifier's value: 88128, 168128, 168256; each with AND and with XOR.
  constexpr Handler kHandlers[][2] = {{multiply_bits<8, 1, true>, multiply_bits<8, 1, false>},
                                      {multiply_bits<16, 1, true>, multiply_bits<16, 1, false>},
                                      {multiply_bits<16, 2, true>, multiply_bits<16, 2, false>}};
  constexpr Registers kRegisters[] = {{2, 1, 1}, {4, 2, 1}, {4, 4, 2}};
  const unsigned shape = lowering.modifier(Mod::kShape);
  if (shape < std::size(kHandlers) && as_stored(lowering) && lowering.has(Mod::kPopulation) &&
      lower_product(lowering, kRegisters[shape])) {
    lowering.op().handler = kHandlers[shape][lowering.has(Mod::kBitOperation) ? 1 : 0];
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
  static constexpr LowerRow kRows[] = {
      {Op::kHmma, lower_hmma}, {Op::kImma, lower_imma}, {Op::kDmma, lower_dmma}, {Op::kBmma, lower_bmma}};
  return kRows;
}

}  // namespace gpusim::exec::GPUSIM_LANES

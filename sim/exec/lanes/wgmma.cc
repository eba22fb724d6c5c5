// SPDX-License-Identifier: MIT
// Products of matrices by a warpgroup (HGMMA, QGMMA, IGMMA, BGMMA). Each of its four warps makes 16 of the 64 rows, by
// itself, when it issues the instruction: with B from shared memory, and A from there or from registers. That the
// products of a real warpgroup end later cannot be seen by a program that waits for them. Descriptors: PTX
// ISA 8.7, 9.7.15.5, and for matrices whose rows are k the layouts that CUTLASS names in cute/arch/mma_sm90_desc.hpp.
#include <array>
#include <cstring>

#include "sim/code/sass/warpgroup_shape.h"
#include "sim/exec/core/cta.h"
#include "sim/exec/core/watch.h"
#include "sim/exec/lanes/rows.h"
#include "sim/exec/lanes/sparse.h"
#include "sim/exec/lanes/sums.h"
#include "sim/exec/memory/fault.h"
#include "sim/exec/memory/swizzle.h"

namespace gpusim::exec::GPUSIM_LANES {
namespace {

using sass::Mod;
using sass::Op;

constexpr unsigned kPieceBytes = 16;
constexpr unsigned kEight = 8;  ///< rows that lie together
/// Bytes of a row of A that an instruction multiplies. Of B too, and twice as many where A is sparse.
constexpr unsigned kDepthBytes = 32;

/// Where a matrix lies in the shared memory of the CTA.
class SharedMatrix {
 public:
  SharedMatrix(Cta& cta, std::uint64_t descriptor, bool transposed)
      : cta_(cta),
        start_((descriptor & 0x3fffU) * kPieceBytes),
        leading_((descriptor >> 16U & 0x3fffU) * kPieceBytes),
        stride_((descriptor >> 32U & 0x3fffU) * kPieceBytes),
        transposed_(transposed) {
    constexpr std::array<unsigned, 4> kSwizzles = {0, 128, 64, 32};
    swizzle_ = kSwizzles[descriptor >> 62U];
  }

  /// 16 bytes of row `row`, k from 16 bytes times `piece` on; transposed: 16 bytes along the rows, of one k.
  [[nodiscard]] const std::byte* along_k(unsigned row, unsigned piece) const {
    const Address group = start_ + Address{row / kEight} * stride_;
    return swizzle_ == 0 ? at(group + row % kEight * kPieceBytes + piece * leading_)
                         : at(group + row % kEight * swizzle_ + piece * kPieceBytes);
  }
  /// The same where k goes from row to row: the 16 bytes that begin at row `row`, of one k.
  [[nodiscard]] const std::byte* along_rows(unsigned row, unsigned k, unsigned element_bytes) const {
    const Address byte = Address{row} * element_bytes;
    if (swizzle_ == 0) {
      return at(start_ + byte / kPieceBytes * stride_ + k / kEight * leading_ + k % kEight * kPieceBytes);
    }
    return at(start_ + byte / swizzle_ * leading_ + k / kEight * stride_ + k % kEight * swizzle_ + byte % swizzle_);
  }
  [[nodiscard]] bool transposed() const { return transposed_; }
  /// Whether the swizzle keeps so many bytes of a row together. Nothing says where the rest would lie.
  void require_row(unsigned bytes) const {
    if (!transposed_ && swizzle_ != 0 && swizzle_ < bytes) {
      throw AccessFault(AccessFault::Why::kOutOfBounds, 0,
                        "a sparse WGMMA operation takes " + std::to_string(bytes) + " bytes of each row of B",
                        "its matrix descriptor swizzles by " + std::to_string(swizzle_) + " bytes");
    }
  }

 private:
  [[nodiscard]] const std::byte* at(Address address) const {
    const Address place = swizzled(address, swizzle_);
    const std::span<const std::byte> shared = cta_.shared();
    if (kPieceBytes > shared.size() || place > shared.size() - kPieceBytes) {
      throw AccessFault(AccessFault::Why::kOutOfBounds, 0, "a matrix descriptor leads out of shared memory",
                        "there are " + std::to_string(shared.size()) + " bytes");
    }
    if (Watch* const watch = cta_.watch(); watch != nullptr) [[unlikely]] {
      watch->accesses(cta_, 0, place, kPieceBytes, AccessKind::kRead);
    }
    return shared.data() + place;
  }

  Cta& cta_;
  Address start_;
  Address leading_;
  Address stride_;
  unsigned swizzle_ = 0;
  bool transposed_;
};

template <class Element>
inline constexpr unsigned kDepth = kDepthBytes * 8 / Element::kBits;

/// Calls take(row, k, value) for eight rows of the matrix from `first` on, for `kBytes` of k.
template <class Element, unsigned kBytes, class Take>
void read_eight(const SharedMatrix& matrix, unsigned first, const Take& take) {
  constexpr unsigned kWords = kPieceBytes / 4;
  std::uint32_t words[kWords];
  if (!matrix.transposed()) {
    for (unsigned row = 0; row < kEight; ++row) {
      for (unsigned piece = 0; piece < kBytes / kPieceBytes; ++piece) {
        std::memcpy(words, matrix.along_k(first + row, piece), kPieceBytes);
        for (unsigned i = 0; i < kWords * kPerRegister<Element>; ++i) {
          const unsigned k = piece * kWords * kPerRegister<Element> + i;
          take(row, k, element_of<Element>(words[i / kPerRegister<Element>], i % kPerRegister<Element>));
        }
      }
    }
  } else if constexpr (Element::kBits == 16) {
    for (unsigned k = 0; k < kBytes / sizeof(std::uint16_t); ++k) {
      std::memcpy(words, matrix.along_rows(first, k, 2), kPieceBytes);
      for (unsigned row = 0; row < kEight; ++row) {
        take(row, k, element_of<Element>(words[row / 2], row % 2));
      }
    }
  }
}

constexpr std::size_t kTilesByte = 0;
constexpr std::size_t kTransposedAByte = 1;
constexpr std::size_t kTransposedBByte = 2;
constexpr std::size_t kNegatesByte = 3;
constexpr std::size_t kClampsByte = 4;       ///< integers: whether sums saturate
constexpr std::size_t kLanesOfPairByte = 5;  ///< sparse A: the sparsity selector
constexpr std::size_t kPicksSource = 3;      ///< sparse A: its metadata

std::uint64_t descriptor_of(const std::uint32_t* rows) {
  return rows[0] | std::uint64_t{rows[kRow]} << 32U;
}

/// The 16 rows of A that this warp multiplies.
template <class Element, bool kFromRegisters>
void read_a(Warp& warp, const MicroOp& op, TileA<typename Element::Value, 16, kDepth<Element>>& a) {
  if constexpr (kFromRegisters) {
    open_a<Element, 16, 2>(warp.row(op.sources[1]), a);
  } else {
    constexpr unsigned kWarpsOfGroup = 4;
    const SharedMatrix matrix(warp.cta(), descriptor_of(warp.row(op.sources[0])), op.bytes[kTransposedAByte] != 0);
    for (unsigned half = 0; half < 2; ++half) {
      read_eight<Element, kDepthBytes>(
          matrix, warp.index() % kWarpsOfGroup * 16 + half * kEight,
          [&](unsigned row, unsigned k, typename Element::Value value) { a.at[half * kEight + row][k] = value; });
    }
  }
}

/// Where B lies: its descriptor is behind that of A.
SharedMatrix matrix_b(Warp& warp, const MicroOp& op) {
  return {warp.cta(), descriptor_of(warp.row(op.sources[0]) + 2 * kRow), op.bytes[kTransposedBByte] != 0};
}

template <bool kSparse>
inline constexpr unsigned kTimesOfB = kSparse ? 2 : 1;

/// Which rows of B the values of A are multiplied with: those of the metadata, or their own k.
template <class Element, bool kSparse>
class RowsOfB {
 public:
  RowsOfB(const Warp& warp, const MicroOp& op, const SharedMatrix& b) {
    if constexpr (kSparse) {
      b.require_row(kTimesOfB<kSparse> * kDepthBytes);
      read_picks<Element>(warp.row(op.sources[kPicksSource]), op.bytes[kLanesOfPairByte], picks_);
    }
  }
  [[nodiscard]] auto of(unsigned row) const {
    if constexpr (kSparse) {
      return picks_.row_of(row);
    } else {
      return OwnK{};
    }
  }

 private:
  Picks<kSparse ? kDepth<Element> : 1> picks_;
};

/// Source 0: descriptors of A and B, that of A without a meaning if A is in registers. Source 1: these. Source 2: C.
template <class Element, class ElementB, bool kWide, bool kFromRegisters, bool kSparse>
void multiply_warpgroup(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  constexpr unsigned kBlock = 16 * 16 / Element::kBits;
  TileA<double, 16, kDepth<Element>> a;
  read_a<Element, kFromRegisters>(warp, op, a);
  const SharedMatrix matrix = matrix_b(warp, op);
  const RowsOfB<Element, kSparse> rows(warp, op, matrix);
  const double sign = op.bytes[kNegatesByte] != 0 ? -1 : 1;
  const bool adds = (warp.lanes_of(op.predicates[0]) & mask) != 0;
  for (unsigned tile = 0; tile < op.bytes[kTilesByte]; ++tile) {
    TileB<double, kTimesOfB<kSparse> * kDepth<Element>> b;
    read_eight<ElementB, kTimesOfB<kSparse> * kDepthBytes>(
        matrix, tile * kColumns, [&](unsigned column, unsigned k, double value) { b.at[k][column] = sign * value; });
    Sums<double> sums{};
    const unsigned at = tile * kSumRegisters<kWide> * kRow;
    if (adds) {
      read_floats<kWide>(warp.row(op.sources[2]) + at, sums);
    }
    for (unsigned row = 0; row < 16; ++row) {
      multiply_row<kBlock, kDepth<Element>>(a.at[row], b, sums.at[row], rows.of(row));
    }
    write_floats<kWide>(warp.row(op.destinations[0]) + at, mask, sums);
  }
}

/// The addends of a tile's sums, where they are added at all.
const std::uint32_t* addends_of(const Warp& warp, const MicroOp& op, LaneMask mask, unsigned at) {
  static constexpr std::uint32_t kNothing[kSumRegisters<true> * kRow] = {};
  return (warp.lanes_of(op.predicates[0]) & mask) != 0 ? warp.row(op.sources[2]) + at : kNothing;
}

/// The same of integers.
template <class Element, class ElementB, bool kFromRegisters, bool kSparse>
void multiply_integers_of_warpgroup(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  TileA<std::int32_t, 16, kDepth<Element>> a;
  read_a<Element, kFromRegisters>(warp, op, a);
  const SharedMatrix matrix = matrix_b(warp, op);
  const RowsOfB<Element, kSparse> rows(warp, op, matrix);
  for (unsigned tile = 0; tile < op.bytes[kTilesByte]; ++tile) {
    TileB<std::int32_t, kTimesOfB<kSparse> * kDepth<Element>> b;
    read_eight<ElementB, kTimesOfB<kSparse> * kDepthBytes>(
        matrix, tile * kColumns, [&](unsigned column, unsigned k, std::int32_t value) { b.at[k][column] = value; });
    Sums<std::uint32_t> sums{};
    for (unsigned row = 0; row < 16; ++row) {
      multiply_row<kDepth<Element>>(a.at[row], b, sums.at[row], rows.of(row));
    }
    const unsigned at = tile * kSumRegisters<true> * kRow;
    write_integers<16>(warp.row(op.destinations[0]) + at, mask, addends_of(warp, op, mask, at), sums,
                       op.bytes[kClampsByte] != 0);
  }
}

/// The same of bits: counts those that are set in both A and B. They lie as elements of 32 bits do.
template <bool kFromRegisters>
void multiply_bits_of_warpgroup(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  TileA<std::uint32_t, 16, kDepth<WordElement>> a;
  read_a<WordElement, kFromRegisters>(warp, op, a);
  const SharedMatrix matrix = matrix_b(warp, op);
  for (unsigned tile = 0; tile < op.bytes[kTilesByte]; ++tile) {
    TileB<std::uint32_t, kDepth<WordElement>> b;
    read_eight<WordElement, kDepthBytes>(
        matrix, tile * kColumns, [&](unsigned column, unsigned k, std::uint32_t value) { b.at[k][column] = value; });
    Sums<std::uint32_t> sums{};
    for (unsigned row = 0; row < 16; ++row) {
      multiply_row_of_bits<kDepth<WordElement>, false>(a.at[row], b, sums.at[row]);
    }
    const unsigned at = tile * kSumRegisters<true> * kRow;
    write_integers<16>(warp.row(op.destinations[0]) + at, mask, addends_of(warp, op, mask, at), sums, false);
  }
}

template <class Element, class ElementB, bool kWide, bool kFromRegisters>
Handler by_sparsity(const Lowering& lowering) {
  return lowering.has(Mod::kSparse) ? multiply_warpgroup<Element, ElementB, kWide, kFromRegisters, true>
                                    : multiply_warpgroup<Element, ElementB, kWide, kFromRegisters, false>;
}

template <class Element, class ElementB, bool kFromRegisters>
Handler float_handler(const Lowering& lowering) {
  return lowering.has(Mod::kFloatResult) ? by_sparsity<Element, ElementB, true, kFromRegisters>(lowering)
                                         : by_sparsity<Element, ElementB, false, kFromRegisters>(lowering);
}

template <bool kFromRegisters>
Handler hgmma_handler(const Lowering& lowering) {
  const bool wide = lowering.has(Mod::kFloatResult);
  switch (static_cast<sass::MatrixType>(lowering.modifier(Mod::kMatrixType))) {
    case sass::MatrixType::kF16: return float_handler<HalfElement, HalfElement, kFromRegisters>(lowering);
    case sass::MatrixType::kBf16:
      return wide ? by_sparsity<BfloatElement, BfloatElement, true, kFromRegisters>(lowering) : nullptr;
    case sass::MatrixType::kTf32:
      return wide ? by_sparsity<Tf32Element, Tf32Element, true, kFromRegisters>(lowering) : nullptr;
  }
  return nullptr;
}

/// FP8: each matrix has its own kind.
template <bool kFromRegisters>
Handler qgmma_handler(const Lowering& lowering) {
  const bool a_is_e5m2 = lowering.has(Mod::kTypeA);
  if (lowering.has(Mod::kTypeB)) {
    return a_is_e5m2 ? float_handler<E5m2Element, E5m2Element, kFromRegisters>(lowering)
                     : float_handler<E4m3Element, E5m2Element, kFromRegisters>(lowering);
  }
  return a_is_e5m2 ? float_handler<E5m2Element, E4m3Element, kFromRegisters>(lowering)
                   : float_handler<E4m3Element, E4m3Element, kFromRegisters>(lowering);
}

template <class Element, class ElementB, bool kFromRegisters>
Handler integer_handler(const Lowering& lowering) {
  return lowering.has(Mod::kSparse) ? multiply_integers_of_warpgroup<Element, ElementB, kFromRegisters, true>
                                    : multiply_integers_of_warpgroup<Element, ElementB, kFromRegisters, false>;
}

/// Integers of 8 bits, each matrix with or without a sign.
template <bool kFromRegisters>
Handler igmma_handler(const Lowering& lowering) {
  using Signed = IntegerElement<8, true>;
  using Unsigned = IntegerElement<8, false>;
  if (lowering.has(Mod::kTypeB)) {
    return lowering.has(Mod::kTypeA) ? integer_handler<Signed, Signed, kFromRegisters>(lowering)
                                     : integer_handler<Unsigned, Signed, kFromRegisters>(lowering);
  }
  return lowering.has(Mod::kTypeA) ? integer_handler<Signed, Unsigned, kFromRegisters>(lowering)
                                   : integer_handler<Unsigned, Unsigned, kFromRegisters>(lowering);
}

template <bool kFromRegisters>
Handler bgmma_handler(const Lowering&) {
  return multiply_bits_of_warpgroup<kFromRegisters>;
}

/// The descriptors, behind A if it is in registers, stand before C and the predicate that says whether C is added. The
/// metadata and the selector of a sparse A are behind these.
template <bool kFromRegisters, Handler (*kHandlerOf)(const Lowering&)>
void lower_warpgroup(Lowering& lowering) {
  constexpr std::size_t kDescriptorAt = kFromRegisters ? 2 : 1;
  constexpr std::size_t kAddendAt = kFromRegisters ? 3 : 2;
  const sass::Operand& d = lowering.operand(0);
  const sass::Operand& c = lowering.operand(kAddendAt);
  const bool is_tf32 = static_cast<sass::MatrixType>(lowering.modifier(Mod::kMatrixType)) == sass::MatrixType::kTf32;
  const bool transposes = lowering.has(Mod::kTransposedA) || lowering.has(Mod::kTransposedB);
  if (d.index == isa::kRZ || (transposes && is_tf32)) {
    return;
  }
  MicroOp& op = lowering.op();
  const sass::ShapeCode code = sass::shape_code_of(lowering.instruction().op);
  op.bytes[kTilesByte] =
      static_cast<std::uint8_t>(sass::warpgroup_shape(code, lowering.modifier(Mod::kShape)).columns / kColumns);
  op.bytes[kTransposedAByte] = lowering.has(Mod::kTransposedA) ? 1 : 0;
  op.bytes[kTransposedBByte] = lowering.has(Mod::kTransposedB) ? 1 : 0;
  op.bytes[kNegatesByte] = lowering.has(Mod::kNegatedA) != lowering.has(Mod::kNegatedB) ? 1 : 0;
  op.bytes[kClampsByte] = lowering.has(Mod::kSat) ? 1 : 0;
  lowering.destination(0, 0);
  lowering.predicate(0, kAddendAt + 1);
  op.sources[0].offset = lowering.image().layout.uniform(lowering.operand(kDescriptorAt).index);
  if (kFromRegisters) {
    lowering.source(1, 1);
  }
  if (c.index == isa::kRZ) {  // the sum begins with 0, whatever the predicate says
    op.predicates[0] = {isa::kPT, true};
  } else {
    lowering.source(2, kAddendAt);
  }
  if (lowering.has(Mod::kSparse)) {
    lowering.source(kPicksSource, kAddendAt + 2);
    op.bytes[kLanesOfPairByte] = static_cast<std::uint8_t>(lowering.operand(kAddendAt + 3).value);
  }
  op.handler = kHandlerOf(lowering);
}

}  // namespace

std::span<const LowerRow> warpgroup_rows() {
  static constexpr LowerRow kRows[] = {{Op::kHgmma, lower_warpgroup<false, hgmma_handler<false>>},
                                       {Op::kHgmmaRegister, lower_warpgroup<true, hgmma_handler<true>>},
                                       {Op::kQgmma, lower_warpgroup<false, qgmma_handler<false>>},
                                       {Op::kQgmmaRegister, lower_warpgroup<true, qgmma_handler<true>>},
                                       {Op::kIgmma, lower_warpgroup<false, igmma_handler<false>>},
                                       {Op::kIgmmaRegister, lower_warpgroup<true, igmma_handler<true>>},
                                       {Op::kBgmma, lower_warpgroup<false, bgmma_handler<false>>},
                                       {Op::kBgmmaRegister, lower_warpgroup<true, bgmma_handler<true>>}};
  return kRows;
}

}  // namespace gpusim::exec::GPUSIM_LANES

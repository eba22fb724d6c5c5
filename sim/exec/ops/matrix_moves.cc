// SPDX-License-Identifier: MIT
// Matrices of 8 x 8 numbers of 16 bits: from shared memory to the lanes that a matrix product wants them in, and back.
// Lane n holds, of each matrix, the numbers 2 (n % 4) and 2 (n % 4) + 1 of row n / 4 (PTX: ldmatrix).
#include <algorithm>
#include <array>
#include <cstring>

#include "sim/exec/core/context.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/ops/addresses.h"
#include "sim/exec/ops/families.h"

namespace gpusim::exec {
namespace {

using sass::Mod;

constexpr std::size_t kTransposedByte = 3;
constexpr unsigned kRowsOfMatrix = 8;
constexpr unsigned kRowBytes = 16;

/// The rows' addresses, lane 8 m + r having that of row r of matrix m. Lanes behind the matrices take no part.
void row_addresses(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  const LaneMask asked = op.width == 4 ? kAllLanes : (LaneMask{1} << (kRowsOfMatrix * op.width)) - 1;
  context.access.space = isa::MemSpace::kShared;
  context.access.bytes = kRowBytes;
  small_addresses(warp, op, mask, context.access.addresses);
  const Address first = context.access.addresses.of[0];
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((asked >> lane & 1U) == 0) {
      context.access.addresses.of[lane] = first;
    }
  }
}

/// A word of two numbers of a matrix in registers: number (row, 2 pair) and the one behind.
using Matrix = std::array<std::array<std::uint16_t, kRowsOfMatrix>, kRowsOfMatrix>;

std::uint32_t fragment_of(const Matrix& matrix, unsigned lane, bool transposed) {
  const unsigned row = lane / 4;
  const unsigned column = lane % 4 * 2;
  return transposed ? std::uint32_t{matrix[column][row]} | std::uint32_t{matrix[column + 1][row]} << 16U
                    : std::uint32_t{matrix[row][column]} | std::uint32_t{matrix[row][column + 1]} << 16U;
}

void set_fragment(Matrix& matrix, unsigned lane, bool transposed, std::uint32_t word) {
  const unsigned row = lane / 4;
  const unsigned column = lane % 4 * 2;
  const auto low = static_cast<std::uint16_t>(word);
  const auto high = static_cast<std::uint16_t>(word >> 16U);
  (transposed ? matrix[column][row] : matrix[row][column]) = low;
  (transposed ? matrix[column + 1][row] : matrix[row][column + 1]) = high;
}

/// Where the row of a lane is.
std::byte* row_bytes(const Context& context, Warp& warp, unsigned lane, AccessKind kind) {
  return shared_bytes(warp.cta(), lane, context.access.addresses.of[lane], kRowBytes, kind);
}

void check_rows(const Context& context, Warp& warp, const MicroOp& op, AccessKind kind) {
  for (unsigned lane = 0; lane < op.width * kRowsOfMatrix; ++lane) {
    static_cast<void>(row_bytes(context, warp, lane, kind));
  }
}

void load_matrices(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  row_addresses(context, warp, op, mask);
  if (!context.image.has_values()) {
    return check_rows(context, warp, op, AccessKind::kRead);
  }
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for (unsigned number = 0; number < op.width; ++number) {
    Matrix matrix;
    for (unsigned row = 0; row < kRowsOfMatrix; ++row) {
      const unsigned lane = number * kRowsOfMatrix + row;
      std::memcpy(matrix[row].data(), row_bytes(context, warp, lane, AccessKind::kRead), kRowBytes);
    }
    for_each_lane(mask, [&](unsigned lane) {
      to[number * kRow + lane] = fragment_of(matrix, lane, op.bytes[kTransposedByte] != 0);
    });
  }
}

void store_matrices(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  row_addresses(context, warp, op, mask);
  if (!context.image.has_values()) {
    return check_rows(context, warp, op, AccessKind::kWrite);
  }
  const std::uint32_t* const from = warp.row(op.sources[2]);
  for (unsigned number = 0; number < op.width; ++number) {
    Matrix matrix{};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      set_fragment(matrix, lane, op.bytes[kTransposedByte] != 0, from[number * kRow + lane]);
    }
    for (unsigned row = 0; row < kRowsOfMatrix; ++row) {
      const unsigned lane = number * kRowsOfMatrix + row;
      std::memcpy(row_bytes(context, warp, lane, AccessKind::kWrite), matrix[row].data(), kRowBytes);
    }
  }
}

void lower_matrices(Lowering& lowering, std::size_t address_at, Handler handler) {
  MicroOp& op = lowering.op();
  const std::uint8_t form = lowering.modifier(Mod::kTransposed);
  lowering.address(address_at);
  op.width = static_cast<std::uint8_t>(1U << std::min<unsigned>(lowering.modifier(Mod::kMatrices), 2));
  op.bytes[kTransposedByte] = form;
  op.handler = form <= 1 ? handler : nullptr;
}

void lower_ldsm(Lowering& lowering) {
  lowering.destination(0, 0);
  lower_matrices(lowering, 1, load_matrices);
}

void lower_stsm(Lowering& lowering) {
  lowering.source(2, 1);
  lower_matrices(lowering, 0, store_matrices);
}

/// MOVM: a matrix in registers, transposed.
void transpose_matrix(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const std::uint32_t* const from = warp.row(op.sources[0]);
  Matrix matrix{};
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    set_fragment(matrix, lane, false, from[lane]);
  }
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for_each_lane(mask, [&](unsigned lane) { to[lane] = fragment_of(matrix, lane, true); });
}

void lower_movm(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.source(0, 1);
  lowering.op().handler = lowering.modifier(Mod::kTransposed) == 0 ? transpose_matrix : nullptr;
}

}  // namespace

std::span<const LowerRow> matrix_move_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {{Op::kLdsm, lower_ldsm}, {Op::kStsm, lower_stsm}, {Op::kMovm, lower_movm}};
  return kRows;
}

}  // namespace gpusim::exec

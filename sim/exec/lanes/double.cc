// SPDX-License-Identifier: MIT
// FP64 arithmetic: sums, products, comparisons.
#include <cmath>

#include "sim/exec/lanes/float32.h"
#include "sim/exec/lanes/lanes.h"
#include "sim/exec/lanes/rows.h"
#include "sim/exec/ops/directed.h"

namespace gpusim::exec::GPUSIM_LANES {
namespace {

using sass::Mod;

/// An FP64 source with its sign, in two rows.
class DoubleSource {
 public:
  DoubleSource(const Warp& warp, const Source& source)
      : row_(warp.row(source)),
        keep_(source.absolute ? ~std::uint64_t{0} >> 1U : ~std::uint64_t{0}),
        flip_(source.negated ? std::uint64_t{1} << 63U : 0) {}
  std::uint64_t bits(unsigned lane) const {
    return ((row_[lane] | std::uint64_t{row_[kRow + lane]} << 32U) & keep_) ^ flip_;
  }
  double operator()(unsigned lane) const { return std::bit_cast<double>(bits(lane)); }

 private:
  const std::uint32_t* row_;
  std::uint64_t keep_;
  std::uint64_t flip_;
};

template <class Calculate>
void write_doubles(Warp& warp, const MicroOp& op, LaneMask mask, const Calculate& calculate) {
  write_wide_lanes(warp.row(op.destinations[0]), mask,
                   [&](unsigned lane) { return std::bit_cast<std::uint64_t>(calculate(lane)); });
}

void add_doubles(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const DoubleSource a(warp, op.sources[0]);
  const DoubleSource b(warp, op.sources[1]);
  write_doubles(warp, op, mask, [&](unsigned lane) { return a(lane) + b(lane); });
}

void multiply_doubles(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const DoubleSource a(warp, op.sources[0]);
  const DoubleSource b(warp, op.sources[1]);
  write_doubles(warp, op, mask, [&](unsigned lane) { return a(lane) * b(lane); });
}

void multiply_add_doubles(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const DoubleSource a(warp, op.sources[0]);
  const DoubleSource b(warp, op.sources[1]);
  const DoubleSource c(warp, op.sources[2]);
  write_doubles(warp, op, mask, [&](unsigned lane) { return std::fma(a(lane), b(lane), c(lane)); });
}

void lower_double(Lowering& lowering, std::size_t sources, Handler handler, Handler directed) {
  lowering.destination(0, 0);
  for (std::size_t i = 0; i < sources; ++i) {
    lowering.source(i, 1 + i);
  }
  keep_float_modes(lowering);
  lowering.op().handler = lowering.has(Mod::kRounding) ? directed : handler;
}

void compare_doubles(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const DoubleSource a(warp, op.sources[0]);
  const DoubleSource b(warp, op.sources[1]);
  set_joined(warp, op, op.bytes[2], compared_floats(op.bytes[1], a, b), mask);
}

/// DSETP.MIN and .MAX: the first predicate says that the result is a, the second that both are not numbers. -0 is below
/// +0.
void choose_double(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const DoubleSource a(warp, op.sources[0]);
  const DoubleSource b(warp, op.sources[1]);
  const auto in_order = [](std::uint64_t bits) {
    const auto value = static_cast<std::int64_t>(bits);
    return value ^ static_cast<std::int64_t>(static_cast<std::uint64_t>(value >> 63) >> 1U);
  };
  const bool wants_less = op.bytes[1] == 0;
  const LaneMask nan_a = lanes_where([&](unsigned lane) { return a(lane) != a(lane); });
  const LaneMask nan_b = lanes_where([&](unsigned lane) { return b(lane) != b(lane); });
  const LaneMask less = lanes_where([&](unsigned lane) { return in_order(a.bits(lane)) < in_order(b.bits(lane)); });
  const LaneMask first = ((wants_less ? less : ~less) | nan_b) & ~nan_a;
  const LaneMask with = warp.lanes_of(op.predicates[0]);
  warp.set_predicate(op.predicate_destinations[0], joined_lanes(op.bytes[2], first, with), mask);
  warp.set_predicate(op.predicate_destinations[1], joined_lanes(op.bytes[2], nan_a & nan_b, with), mask);
}

void lower_dsetp(Lowering& lowering) {
  MicroOp& op = lowering.op();
  lowering.predicate_destination(0, 0);
  lowering.predicate_destination(1, 1);
  lowering.source(0, 2);
  lowering.source(1, 3);
  lowering.predicate(0, 4);
  op.bytes[1] = lowering.modifier(Mod::kFloatCompare);
  op.bytes[2] = lowering.modifier(Mod::kBoolean);
  const auto which = static_cast<sass::FloatCompare>(op.bytes[1]);
  op.handler =
      which == sass::FloatCompare::kFalse || which == sass::FloatCompare::kTrue ? choose_double : compare_doubles;
}

}  // namespace

std::span<const LowerRow> double_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {
      {Op::kDadd, [](Lowering& lowering) { lower_double(lowering, 2, add_doubles, directed_add_double); }},
      {Op::kDmul, [](Lowering& lowering) { lower_double(lowering, 2, multiply_doubles, directed_multiply_double); }},
      {Op::kDfma,
       [](Lowering& lowering) { lower_double(lowering, 3, multiply_add_doubles, directed_multiply_add_double); }},
      {Op::kDsetp, lower_dsetp},
  };
  return kRows;
}

}  // namespace gpusim::exec::GPUSIM_LANES

// SPDX-License-Identifier: MIT
// Barriers of the CTA.
#include "sim/exec/core/context.h"
#include "sim/exec/core/cta.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/memory/fault.h"
#include "sim/exec/ops/families.h"

namespace gpusim::exec {
namespace {

using sass::Mod;

enum class BarrierMode : std::uint8_t { kSync, kArrive, kReduce, kScan };
constexpr std::size_t kWaitsByte = 0;
constexpr std::size_t kReducesByte = 1;
constexpr std::size_t kResultByte = 2;
constexpr std::size_t kPackedByte = 3;

/// A barrier whose number and count may be in registers, where they are the same for all lanes.
void arrive(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  const unsigned lane = lowest_lane(mask);
  std::uint32_t number = warp.row(op.sources[0])[lane];
  std::uint32_t threads = warp.row(op.sources[1])[lane];
  if (op.bytes[kPackedByte] != 0) {  // one register has both
    threads = number >> 16U & 0xfffU;
    number &= 0xffU;
  }
  if (number >= kNamedBarriers) {
    throw LaneFault(lane, "there is no barrier " + std::to_string(number), "a CTA has barriers 0 to 15");
  }
  Cta::Arrival arrival;
  arrival.barrier = static_cast<std::uint8_t>(number);
  arrival.threads = threads;
  arrival.waits = op.bytes[kWaitsByte] != 0;
  arrival.voters = op.bytes[kReducesByte] != 0 ? mask & warp.lanes_of(op.predicates[0]) : 0;
  arrival.reduction = op.bytes[kResultByte];
  warp.cta().arrive(warp, arrival);
}

void lower_bar(Lowering& lowering) {
  MicroOp& op = lowering.op();
  const auto mode = static_cast<BarrierMode>(lowering.modifier(Mod::kBarrierMode));
  lowering.source(0, 0);
  lowering.source(1, 1);
  lowering.predicate(0, 2);
  op.bytes[kWaitsByte] = mode == BarrierMode::kArrive ? 0 : 1;
  op.bytes[kReducesByte] = mode == BarrierMode::kReduce ? 1 : 0;
  op.bytes[kResultByte] = lowering.modifier(Mod::kBarrierResult);
  const bool both = lowering.operand(0).kind == sass::OperandKind::kRegister &&
                    lowering.operand(1).kind == sass::OperandKind::kRegister;
  op.bytes[kPackedByte] = both ? 1 : 0;
  op.handler = mode == BarrierMode::kScan ? nullptr : arrive;
}

/// B2R.RESULT: what the last BAR.RED gave.
void read_result(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for_each_lane(mask, [&](unsigned lane) { to[lane] = warp.barrier_count; });
  warp.set_predicate(op.predicate_destinations[0], warp.barrier_flag ? kAllLanes : 0, mask);
}

void lower_b2r(Lowering& lowering) {
  constexpr std::uint8_t kResult = 2;
  lowering.destination(0, 0);
  lowering.predicate_destination(0, 1);
  lowering.op().handler = lowering.modifier(Mod::kBarrierRead) == kResult ? read_result : nullptr;
}

}  // namespace

std::span<const LowerRow> barrier_rows() {
  static constexpr LowerRow kRows[] = {{sass::Op::kBar, lower_bar}, {sass::Op::kB2r, lower_b2r}};
  return kRows;
}

}  // namespace gpusim::exec

// SPDX-License-Identifier: MIT
// Branches, calls, ends, and how lanes part and meet.
#include <array>

#include "sim/base/address_space.h"
#include "sim/code/sass/code.h"
#include "sim/exec/core/context.h"
#include "sim/exec/core/cta.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/memory/fault.h"
#include "sim/exec/ops/families.h"

namespace gpusim::exec {
namespace {

using sass::Mod;

enum class BranchMode : std::uint8_t { kPlain, kUniform, kIfDiverged, kIfConverged };

void nothing(Context&, Warp&, const MicroOp&, LaneMask) {}

void lower_nothing(Lowering& lowering) {
  lowering.op().handler = nothing;
}

void branch(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  warp.branch(mask & warp.lanes_of(op.predicates[0]), op.target);
}

/// BRA.ANY: all branch where one would.
void branch_if_any(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  warp.branch((mask & warp.lanes_of(op.predicates[0])) != 0 ? mask : 0, op.target);
}

/// BRA.DIV, BRA.CONV: whether the lanes of a uniform register's mask that live are all here.
void branch_by_convergence(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const std::uint32_t named = warp.row(op.sources[0])[0] ^ (op.sources[0].inverted ? ~std::uint32_t{0} : 0);
  const bool converged = (named & warp.live() & ~warp.active) == 0;
  const bool wants = static_cast<BranchMode>(op.bytes[0]) == BranchMode::kIfConverged;
  warp.branch(converged == wants ? mask : 0, op.target);
}

void lower_bra(Lowering& lowering) {
  MicroOp& op = lowering.op();
  const auto mode = static_cast<BranchMode>(lowering.modifier(Mod::kBranchMode));
  lowering.predicate(0, 0);
  lowering.target(1);
  op.bytes[0] = lowering.modifier(Mod::kBranchMode);
  if (mode == BranchMode::kIfDiverged || mode == BranchMode::kIfConverged) {
    op.sources[0] = {};
    op.sources[0].inverted = true;
    op.handler = branch_by_convergence;
  } else {
    op.handler = lowering.has(Mod::kAnyLane) ? branch_if_any : branch;
  }
}

void lower_bra_div(Lowering& lowering) {
  lowering.source(0, 0);
  lowering.target(1);
  lowering.op().bytes[0] = lowering.modifier(Mod::kBranchMode);
  lowering.op().handler = branch_by_convergence;
}

/// The instruction at an address that code has calculated.
std::uint32_t index_of(const Context& context, unsigned lane, Address address) {
  const Address end = context.image.instructions.size() * sass::kInstructionBytes;
  if (address >= kUndefined) {
    throw LaneFault(lane, "it calls a function that the file does not have, such as printf or malloc",
                    "a kernel that is executed here can call its own functions only");
  }
  if (address % sass::kInstructionBytes != 0 || address >= end) {
    throw LaneFault(lane, "it goes to address " + address_text(address) + ", where the kernel has no code",
                    "the code has " + std::to_string(end) + " bytes");
  }
  return static_cast<std::uint32_t>(address / sass::kInstructionBytes);
}

/// Each lane goes to MicroOp::offset plus its pair of registers.
void jump_indirect(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  const std::uint32_t* const low = warp.row(op.sources[0]);
  std::array<std::uint32_t, kWarpLanes> targets{};
  for_each_lane(mask, [&](unsigned lane) {
    const Address base = low[lane] | Address{low[kRow + lane]} << 32U;
    targets[lane] = index_of(context, lane, base + static_cast<Address>(op.offset));
  });
  if (mask != 0) {
    warp.scatter(mask, targets);
  }
}

std::int64_t behind(const Lowering& lowering) {
  return (std::int64_t{lowering.pc()} + 1) * sass::kInstructionBytes;
}

void lower_indirect(Lowering& lowering) {
  lowering.source(0, 0);
  lowering.op().offset = 0;
  lowering.op().handler = jump_indirect;
}

/// BRX and kin: relative to the instruction behind.
void lower_relative(Lowering& lowering) {
  lower_indirect(lowering);
  lowering.op().offset = behind(lowering) + lowering.operand(1).value;
}

/// RET.REL counts from a place in the code, which is its begin; RET.ABS from an address.
void lower_ret(Lowering& lowering) {
  lower_indirect(lowering);
  lowering.op().offset =
      lowering.has(Mod::kAbsolute) ? lowering.operand(2).value : behind(lowering) + lowering.operand(1).value;
}

void lower_call(Lowering& lowering) {
  lowering.predicate(0, 1);
  lowering.target(0);
  lowering.op().handler = branch;
}

/// To an address that stands in the instruction.
void jump_fixed(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask != 0) {
    warp.branch(mask, index_of(context, lowest_lane(mask), static_cast<Address>(op.offset)));
  }
}

void lower_jump(Lowering& lowering) {
  lowering.op().offset = lowering.operand(0).value;
  lowering.op().handler = jump_fixed;
}

void exit(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  warp.exit(mask & warp.lanes_of(op.predicates[0]));
}

void lower_exit(Lowering& lowering) {
  lowering.predicate(0, 0);
  lowering.op().handler = exit;
}

void lower_kill(Lowering& lowering) {
  lowering.predicate(0, MicroOp::kSources);
  lowering.op().handler = exit;
}

void begin_convergence(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  warp.begin_convergence(mask, op.bytes[0]);
}

void lower_bssy(Lowering& lowering) {
  lowering.op().bytes[0] = lowering.operand(0).index;
  lowering.op().handler = begin_convergence;
}

void converge(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  warp.converge(mask & warp.lanes_of(op.predicates[0]), op.bytes[0]);
}

void leave_convergence(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  warp.leave_convergence(mask & warp.lanes_of(op.predicates[0]), op.bytes[0]);
}

void lower_bsync(Lowering& lowering) {
  lowering.predicate(0, 0);
  lowering.op().bytes[0] = lowering.operand(1).index;
  lowering.op().handler = lowering.instruction().op == sass::Op::kBreak ? leave_convergence : converge;
}

/// BMOV from a barrier, into a register or a place that holds barriers while functions use them.
void barrier_to_register(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for_each_lane(mask, [&](unsigned lane) {
    to[lane] = warp.barrier(op.bytes[0], lane);
    if (op.bytes[1] != 0) {
      warp.set_barrier(op.bytes[0], lane, 0);
    }
  });
}

void lower_bmov_from(Lowering& lowering) {
  MicroOp& op = lowering.op();
  lowering.destination(0, 0);
  op.bytes[0] = lowering.operand(1).index;
  op.bytes[1] = lowering.has(Mod::kClear) ? 1 : 0;
  op.handler = op.bytes[0] < kConvergenceBarriers ? barrier_to_register : nullptr;
}

void register_to_barrier(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const std::uint32_t* const from = warp.row(op.sources[0]);
  for_each_lane(mask, [&](unsigned lane) { warp.set_barrier(op.bytes[0], lane, from[lane]); });
}

void lower_bmov_to(Lowering& lowering) {
  MicroOp& op = lowering.op();
  lowering.source(0, 1);
  op.bytes[0] = lowering.operand(0).index;
  op.handler = op.bytes[0] < kConvergenceBarriers ? register_to_barrier : nullptr;
}

void meet_lanes(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask != 0) {
    warp.meet_lanes(warp.row(op.sources[0])[lowest_lane(mask)]);
  }
}

void lower_warpsync(Lowering& lowering) {
  lowering.source(0, 0);
  if (lowering.operand(0).kind == sass::OperandKind::kImmediate && lowering.operand(0).value == 0) {
    lowering.constant_source(0, kAllLanes);  // all of the warp: printed without a mask
  }
  lowering.op().handler = meet_lanes;
}

void yield(Context&, Warp& warp, const MicroOp&, LaneMask) {
  warp.yield();
}

void lower_yield(Lowering& lowering) {
  lowering.op().handler = yield;
}

void write_return_pc(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const std::uint32_t* const from = warp.row(op.sources[0]);
  for_each_lane(mask, [&](unsigned lane) { warp.return_pc[op.bytes[0]][lane] = from[lane]; });
}

void lower_rpcmov_to(Lowering& lowering) {
  lowering.op().bytes[0] = lowering.operand(0).index & 1U;
  lowering.source(0, 1);
  lowering.op().handler = write_return_pc;
}

void read_return_pc(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for_each_lane(mask, [&](unsigned lane) { to[lane] = warp.return_pc[op.bytes[0]][lane]; });
}

void lower_rpcmov_from(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.op().bytes[0] = lowering.operand(1).index & 1U;
  lowering.op().handler = read_return_pc;
}

void load_pc(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for_each_lane(mask, [&](unsigned lane) {
    to[lane] = op.immediate;
    to[kRow + lane] = 0;
  });
}

void lower_lepc(Lowering& lowering) {
  lowering.destination(0, 0);
  lowering.op().immediate = static_cast<std::uint32_t>(behind(lowering));
  lowering.op().handler = load_pc;
}

void trap(Context&, Warp&, const MicroOp&, LaneMask mask) {
  if (mask != 0) {
    throw LaneFault(lowest_lane(mask), "the kernel stops itself: an assertion failed, or __trap() was called");
  }
}

void lower_bpt(Lowering& lowering) {
  constexpr std::uint8_t kTrap = 3;
  lowering.op().handler = lowering.modifier(Mod::kTrap) == kTrap ? trap : nothing;
}

}  // namespace

std::span<const LowerRow> control_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {
      {Op::kBra, lower_bra},
      {Op::kBraDiv, lower_bra_div},
      {Op::kBraUniform, lower_bra},
      {Op::kBrx, lower_relative},
      {Op::kBrxu, lower_relative},
      {Op::kJmp, lower_jump},
      {Op::kJmx, lower_indirect},
      {Op::kCallRel, lower_call},
      {Op::kCallAbs, lower_jump},
      {Op::kCallAbsRegister, lower_indirect},
      {Op::kCallRelRegister, lower_relative},
      {Op::kRet, lower_ret},
      {Op::kExit, lower_exit},
      {Op::kKill, lower_kill},
      {Op::kBssy, lower_bssy},
      {Op::kBsync, lower_bsync},
      {Op::kBreak, lower_bsync},
      {Op::kBmovFrom, lower_bmov_from},
      {Op::kBmovTo, lower_bmov_to},
      {Op::kWarpsync, lower_warpsync},
      {Op::kRpcmovTo, lower_rpcmov_to},
      {Op::kRpcmovFrom, lower_rpcmov_from},
      {Op::kNanosleep, lower_yield},
      {Op::kYield, lower_yield},
      {Op::kNop, lower_nothing},
      {Op::kPmtrig, lower_nothing},
      // The lanes that WARPSYNC.COLLECTIVE has brought together go on behind it, where each would have gone.
      {Op::kEndcollective, lower_nothing},
      {Op::kBpt, lower_bpt},
      {Op::kLepc, lower_lepc},
      // Order: everything is done in the order of the program, before the next instruction of the warp.
      {Op::kDepbar, lower_nothing},
      {Op::kLdgdepbar, lower_nothing},
      {Op::kMembar, lower_nothing},
      {Op::kErrbar, lower_nothing},
      {Op::kCctl, lower_nothing},
      {Op::kCgaerrbar, lower_nothing},
      {Op::kPreexit, lower_nothing},
      {Op::kAcqbulk, lower_nothing},
  };
  return kRows;
}

}  // namespace gpusim::exec

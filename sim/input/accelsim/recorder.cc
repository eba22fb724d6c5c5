// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/recorder.h"

#include <algorithm>
#include <array>

#include "sim/base/problem.h"
#include "sim/model/trace/recorded_command.h"

namespace gpusim::frontend::accelsim {

void fail_changed(const std::string& file) {
  throw InputError(Problem{{file, 0, 0}, "the file changed while it was read", "try again"});
}

Recorder::Recorder(const StaticProgram& program, const trace::Kernel& kernel, const std::string& file,
                   const Wanted& wanted, trace::WarpSink& sink)
    : program_(program),
      kernel_(kernel),
      file_(file),
      wanted_(wanted),
      index_(program.indexes()),
      lanes_(kernel, program.is_given()),
      sink_(sink) {}

void Recorder::begin_warp(std::uint64_t cta, std::uint32_t warp, std::uint32_t /*rank*/) {
  if (wanted_.in_order && cta < cta_) {
    fail_changed(file_);
  }
  cta_ = cta;
  is_wanted_ = wanted_.begin <= cta && cta < wanted_.end;
  if (is_wanted_) {
    sink_.begin_warp(cta, warp);
  }
  previous_ = StaticProgram::kUnknown;
  previous_is_pair_ = false;
  lanes_.begin_warp(warp);
}

const isa::Instr& Recorder::instruction(const InstructionLine& line, std::uint32_t /*line_number*/) {
  const std::uint32_t entry = program_.find(line, previous_);
  if (entry == StaticProgram::kUnknown) {
    fail_changed(file_);
  }
  const std::uint32_t pc = index_[entry];
  const isa::Instr& instr = kernel_.code[pc];
  const bool second_of_pair = instr.kind == isa::OpKind::kAsyncCopy && entry == previous_ && !previous_is_pair_;
  const LaneMask active = second_of_pair ? 0 : lanes_.step(pc, line.mask);
  if (is_wanted_ && second_of_pair) {
    record_access(instr, line, true);
  } else if (is_wanted_) {
    record(program_.entries()[entry], pc, active, line);
  }
  previous_is_pair_ = second_of_pair;
  previous_ = entry;
  return instr;
}

void Recorder::end_warp(std::uint32_t line_number) {
  try {
    if (is_wanted_) {
      sink_.end_warp();
    }
  } catch (const InputError& error) {
    // The sink cannot keep so much of a recording: the user wants to know where that is.
    throw InputError(Problem{{file_, line_number, 0}, error.problems()[0].message, error.problems()[0].hint});
  }
}

void Recorder::record(const StaticProgram::Entry& entry, std::uint32_t pc, LaneMask active,
                      const InstructionLine& line) {
  const isa::Instr& instr = kernel_.code[pc];
  if (line.mask != 0 && trace::has_command(instr)) {
    record_commands(pc, active, line);
    return;
  }
  if (line.mask != 0 && line.has_addresses && instr.space == isa::MemSpace::kClusterShared) {
    record_by_rank(pc, active, line);
    return;
  }
  sink_.step(pc, active, line.mask);
  record_access(instr, line, false);
  if (instr.kind == isa::OpKind::kAsyncCopy && !entry.has_pair && line.has_addresses && line.mask != 0) {
    record_side_by_side(instr, line.mask);
  }
}

/// Lanes that ask nothing of what is simulated take the time of the instruction all the same.
void Recorder::record_commands(std::uint32_t pc, LaneMask active, const InstructionLine& line) {
  bool is_recorded = false;
  for (Command command : commands_.read(line)) {
    if (is_told(command)) {
      sink_.step(pc, active, command.lanes);
      sink_.command(command.operands, command.rank);
      is_recorded = true;
    }
  }
  if (!is_recorded) {
    sink_.step(pc, active, line.mask);
  }
}

/// Whether the machine hears of it, with the mbarrier that it names: of none where mbarriers are not simulated.
bool Recorder::is_told(Command& command) const {
  using trace::AsyncAction;
  const AsyncAction action = command.operands.action;
  const bool names_mbarrier = !trace::is_copy(action) || action == AsyncAction::kLoad;
  const std::uint64_t number = command.mbarrier / trace::kMbarrierBytes;
  if (names_mbarrier && number < kernel_.mbarriers_per_cta()) {
    command.operands.barrier = static_cast<std::uint32_t>(number);
    return true;
  }
  return trace::is_copy(action);
}

/// One step for the lanes that go to each CTA.
void Recorder::record_by_rank(std::uint32_t pc, LaneMask active, const InstructionLine& line) {
  const Windows& windows = program_.windows();
  for (LaneMask rest = line.mask; rest != 0;) {
    const std::uint64_t rank = windows.rank_of(line.addresses[first_lane(rest)]);
    LaneMask lanes = 0;
    std::array<Address, kWarpLanes> addresses{};
    for (LaneMask left = rest; left != 0; left &= left - 1) {
      const std::size_t lane = first_lane(left);
      if (windows.rank_of(line.addresses[lane]) == rank) {
        lanes |= LaneMask{1} << lane;
        addresses[lane] = windows.offset(line.addresses[lane], isa::MemSpace::kShared);
      }
    }
    sink_.step(pc, active, lanes);
    sink_.access(trace::AccessSlot::kPrimary, addresses, lanes);
    rest &= ~lanes;
  }
}

void Recorder::record_access(const isa::Instr& instr, const InstructionLine& line, bool second_of_pair) {
  using trace::AccessSlot;
  if (!line.has_addresses || line.mask == 0) {
    return;
  }
  std::array<Address, kWarpLanes> addresses = line.addresses;
  const Windows& windows = program_.windows();
  const bool shared = windows.is_of_shared_side(addresses[first_lane(line.mask)]);
  AccessSlot slot = AccessSlot::kPrimary;
  isa::MemSpace space = instr.space;
  if (instr.kind == isa::OpKind::kAsyncCopy) {
    const bool first_is_shared = second_of_pair ? first_is_shared_ : shared;
    first_is_shared_ = first_is_shared;
    const bool is_destination = first_is_shared != second_of_pair;
    slot = is_destination ? AccessSlot::kSharedDestination : AccessSlot::kPrimary;
    space = is_destination ? isa::MemSpace::kShared : space;
  }
  for (Address& address : addresses) {
    address = windows.offset(address, space);
  }
  sink_.access(slot, addresses, line.mask);
}

/// A copy whose line for shared memory was left out, as Accel-Sim 2.0 does: its lanes are taken to write side by side.
void Recorder::record_side_by_side(const isa::Instr& instr, LaneMask mask) {
  std::array<Address, kWarpLanes> addresses{};
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    addresses[lane] = lane * instr.bytes_per_lane;
  }
  sink_.access(trace::AccessSlot::kSharedDestination, addresses, mask);
}

}  // namespace gpusim::frontend::accelsim

// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/command.h"

#include <algorithm>
#include <bit>

#include "sim/base/address_space.h"
#include "sim/base/text.h"
#include "sim/input/accelsim/box_of_rows.h"
#include "sim/input/accelsim/signature.h"
#include "sim/model/trace/recorded_command.h"

namespace gpusim::frontend::accelsim {
namespace {

using trace::AsyncAction;
using trace::AsyncOperands;

constexpr std::uint64_t kMostCount = trace::kMostMbarrierCount;
constexpr const char* kCountHint = "an mbarrier counts up to 1048575";
constexpr Address kMostRank = 0xffff;  ///< no cluster has so many
constexpr Address kOffsetMask = (Address{1} << kRankBit) - 1;

bool has(std::string_view opcode, std::string_view part) {
  for (std::size_t at = opcode.find(part); at != std::string_view::npos; at = opcode.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    if (opcode[at - 1] == '.' && (end == opcode.size() || opcode[end] == '.')) {
      return true;
    }
  }
  return false;
}

/// kNone: between shared memories, or unknown.
AsyncAction copy_action(std::string_view opcode) {
  const std::string_view base = opcode.substr(0, opcode.find('.'));
  if (opcode.find(".S.S") != std::string_view::npos) {
    return AsyncAction::kNone;
  }
  if (base == "UTMALDG") {
    return AsyncAction::kLoad;
  }
  if (base == "UBLKCP") {
    return opcode.find(".S.G") != std::string_view::npos   ? AsyncAction::kLoad
           : opcode.find(".G.S") != std::string_view::npos ? AsyncAction::kStore
                                                           : AsyncAction::kNone;
  }
  if (base == "UTMASTG") {
    return AsyncAction::kStore;
  }
  return base == "UTMAREDG" || base == "UBLKRED" ? AsyncAction::kReduce : AsyncAction::kPrefetch;
}

/// The value of the last source, for each lane; null where the line has not the values of all its registers.
const InstructionLine::Values* operand_values(const InstructionLine& line) {
  const std::size_t registers = line.what->registers();
  return line.what->sources.empty() || line.values.size() < registers ? nullptr : &line.values[registers - 1];
}

/// How many arrivals an mbarrier's first state asks for: bits 1 to 20 have them, negative (sim/exec/async/mbarrier.h).
std::uint32_t arrivals_in(std::uint64_t state) {
  return static_cast<std::uint32_t>(0 - (state >> 1U)) & static_cast<std::uint32_t>(trace::kMostMbarrierCount);
}

/// The parity of the phase that is waited for (measured on code of ptxas 13.0, as in sim/exec/async/mbarrier_ops.cc).
bool parity_in(std::uint64_t value) {
  return (value >> 31U & 1U) != 0;
}

bool same(const AsyncOperands& a, const AsyncOperands& b) {
  return a.action == b.action && a.parity == b.parity && a.count == b.count && a.bytes == b.bytes;
}

}  // namespace

std::span<const Command> CommandReader::read(const InstructionLine& line) {
  commands_.clear();
  facts_ = {};
  if (line.what->is_transfer) {
    read_copy(line);
  } else if (line.what->opcode.starts_with("SYNCS") || line.what->opcode.starts_with("ARRIVES")) {
    read_mbarrier(line);
  }
  if (!facts_.lacks.empty() || !facts_.wrong.empty()) {
    std::erase_if(commands_, [](const Command& command) { return !is_copy(command.operands.action); });
  }
  return commands_;
}

void CommandReader::lack(const InstructionLine& line, const char* what) {
  facts_.lacks = std::string(line.what->opcode) + " " + what;
}

/// One command of all lanes, as of the uniform datapath.
void CommandReader::add_all(const InstructionLine& line, const AsyncOperands& operands) {
  const Address address = line.addresses[first_lane(line.mask)];
  commands_.push_back({line.mask, operands, 0, address & kOffsetMask});
}

/// A command for each mbarrier and each value.
template <class Operands>
void CommandReader::add_by_lane(const InstructionLine& line, const Operands& operands_of) {
  for (LaneMask rest = line.mask; rest != 0; rest &= rest - 1) {
    const std::size_t lane = first_lane(rest);
    const AsyncOperands operands = operands_of(lane);
    const Address offset = line.addresses[lane] & kOffsetMask;
    const Address rank_of_lane = std::min(line.addresses[lane] >> kRankBit, kMostRank);
    const auto rank = facts_.names_rank ? static_cast<std::uint32_t>(rank_of_lane) : 0U;
    const auto known = std::ranges::find_if(commands_, [&](const Command& command) {
      return command.rank == rank && command.mbarrier == offset && same(command.operands, operands);
    });
    if (known != commands_.end()) {
      known->lanes |= LaneMask{1} << lane;
    } else {
      commands_.push_back({LaneMask{1} << lane, operands, rank, offset});
    }
  }
}

void CommandReader::read_mbarrier(const InstructionLine& line) {
  const std::string_view opcode = line.what->opcode;
  if (has(opcode, "IVALL")) {
    return;
  }
  AsyncOperands operands;
  const InstructionLine::Values* const values = operand_values(line);
  if (!line.has_addresses) {
    lack(line, "does not say which mbarrier it names");
  } else if (opcode.starts_with("SYNCS.EXCH")) {
    operands.action = AsyncAction::kInitialise;
    operands.count = values == nullptr ? 0 : arrivals_in((*values)[first_lane(line.mask)]);
    if (operands.count == 0) {
      lack(line, "does not say how many arrivals its mbarrier expects");
    }
    add_all(line, operands);
  } else if (opcode.starts_with("SYNCS.CCTL")) {
    operands.action = AsyncAction::kInvalidate;
    add_all(line, operands);
  } else if (opcode.starts_with("SYNCS.PHASECHK")) {
    if (values == nullptr) {
      lack(line, "does not say which phase it waits for");
      return;
    }
    operands.action = AsyncAction::kWait;
    add_by_lane(line, [&](std::size_t lane) {
      operands.parity = parity_in((*values)[lane]);
      return operands;
    });
  } else {
    read_arrival(line);
  }
}

void CommandReader::read_arrival(const InstructionLine& line) {
  const std::string_view opcode = line.what->opcode;
  AsyncOperands operands;
  const AsyncAction arrives = has(opcode, "OPTOUT") ? AsyncAction::kDrop : AsyncAction::kArrive;
  operands.action = arrives;
  operands.count = 1;
  if (opcode.starts_with("ARRIVES.LDGSTSBAR") && has(opcode, "ARVCNT")) {
    operands.action = AsyncAction::kArriveOnCopies;
    operands.count = 0;
    add_by_lane(line, [&operands](std::size_t) { return operands; });
    return;
  }
  const bool is_known = opcode.starts_with("SYNCS.ARRIVE.TRANS64") && !has(opcode, "A0T1") &&
                        opcode.find("DROP") == std::string_view::npos;
  if (!is_known) {
    lack(line, "does something else with its mbarrier than what is known");
    return;
  }
  facts_.names_rank = has(opcode, "RED");
  if (has(opcode, "A1T0")) {
    add_by_lane(line, [&operands](std::size_t) { return operands; });
    return;
  }
  const InstructionLine::Values* const values = operand_values(line);
  if (values == nullptr) {
    lack(line, "does not say how many arrivals or bytes it means");
    return;
  }
  const bool is_count = has(opcode, "ART0");
  const bool has_come = has(opcode, "A0TX");
  operands.action = has_come ? AsyncAction::kComplete : arrives;
  operands.count = has_come || has(opcode, "A0TR") ? 0 : 1;
  add_by_lane(line, [&](std::size_t lane) {
    const std::uint64_t value = std::min<std::uint64_t>((*values)[lane], kMostCount + 1);
    operands.count = is_count ? static_cast<std::uint32_t>(value) : operands.count;
    operands.bytes = is_count ? 0 : value;
    return operands;
  });
  for (const Command& command : commands_) {
    const auto lanes = static_cast<std::uint64_t>(std::popcount(command.lanes));
    if (std::max<std::uint64_t>(command.operands.count, command.operands.bytes) * lanes > kMostCount) {
      facts_.wrong = counted((*values)[first_lane(command.lanes)], is_count ? "arrival" : "byte") + " of each of " +
                     counted(lanes, "lane");
      facts_.hint = kCountHint;
    }
  }
}

void CommandReader::read_copy(const InstructionLine& line) {
  const TransferLine& transfer = line.transfer;
  AsyncOperands operands;
  operands.action = copy_action(line.what->opcode);
  const bool loads = operands.action == AsyncAction::kLoad;
  if (operands.action == AsyncAction::kNone) {
    lack(line, "copies between shared memories");
    return;
  }
  if (!transfer.is_complete && (loads || transfer.addresses.empty())) {
    lack(line, loads ? "does not say which mbarrier its bytes are for" : "does not say what it copies");
  }
  find_bytes(transfer, operands);
  if (operands.bytes == 0 || !facts_.wrong.empty()) {
    return;
  }
  operands.multicast = loads ? transfer.ranks : std::uint16_t{0};
  facts_.names_rank = operands.multicast != 0;
  if (facts_.names_rank && operands.bytes % trace::kBulkUnit != 0) {
    facts_.wrong = "a copy of " + counted(operands.bytes, "byte") + " to several CTAs";
    facts_.hint = "expected a multiple of 16";
  }
  commands_.push_back({line.mask, operands, 0, loads && transfer.is_complete ? transfer.barrier & kOffsetMask : 0});
}

/// All that an mbarrier counts of the copy, and where in global memory the bytes are that lie in the tensor.
void CommandReader::find_bytes(const TransferLine& transfer, AsyncOperands& operands) {
  const std::uint64_t listed = transfer.addresses.size() * transfer.width;
  operands.bytes = transfer.is_complete ? transfer.bytes : listed;
  facts_.has_outside = transfer.outside_bytes != 0 && listed == transfer.bytes;
  if (transfer.is_complete && !facts_.has_outside && listed + transfer.outside_bytes != transfer.bytes) {
    facts_.wrong = "a copy of " + counted(transfer.bytes, "byte") + ", " + std::to_string(transfer.outside_bytes) +
                   " of them outside the tensor, lists " + counted(transfer.addresses.size(), "piece") + " of " +
                   counted(transfer.width, "byte");
    facts_.hint = "the pieces and what lies outside must make up the copy";
  } else if (operands.bytes > kMostCount) {
    facts_.wrong = "a copy of " + counted(operands.bytes, "byte");
    facts_.hint = kCountHint;
  } else if (operands.bytes != 0) {
    find_box(transfer, listed, operands);
  }
}

void CommandReader::find_box(const TransferLine& transfer, std::uint64_t inside, AsyncOperands& operands) {
  box_ = {};
  operands.map = &box_;
  if (transfer.addresses.empty()) {
    box_.size[0] = box_.box[0] = 0;
    return;
  }
  operands.global = transfer.addresses.front();
  if (const auto box = box_of_rows(transfer.addresses, transfer.width)) {
    box_ = *box;
  } else {
    facts_.is_no_box = true;
    box_.size[0] = box_.box[0] = static_cast<std::uint32_t>(inside);
    operands.global = std::min(operands.global, kGlobalEnd - inside);
  }
  if (box_.rank == 1 && inside == operands.bytes) {
    operands.map = nullptr;
  }
}

}  // namespace gpusim::frontend::accelsim

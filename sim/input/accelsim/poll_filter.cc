// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/poll_filter.h"

#include <bit>

#include "sim/model/isa/decode.h"

namespace gpusim::frontend::accelsim {
namespace {

/// What a loop of polls consists of, besides them.
bool is_of_loop(isa::OpKind kind) {
  return kind == isa::OpKind::kBranch || kind == isa::OpKind::kSleep || kind == isa::OpKind::kNop;
}

}  // namespace

bool PollFilter::is_repeat(const InstructionLine& line) {
  const bool is_poll = line.opcode.starts_with("SYNCS.PHASECHK");
  if (!is_poll && !polls_) {
    return false;
  }
  if (!is_poll) {
    const isa::OpKind kind = isa::decode_opcode(line.opcode).kind;
    polls_ = is_of_loop(kind) || kind == isa::OpKind::kCompute;
    repeats_ = repeats_ && is_of_loop(kind);
    return repeats_;
  }
  if (line.mask == 0) {
    return repeats_;
  }
  const auto lane = static_cast<std::size_t>(std::countr_zero(line.mask));
  const Address mbarrier = line.has_addresses ? line.addresses[lane] : line.pc;
  const std::uint64_t parity = line.values.empty() ? 0 : line.values.back()[lane];
  repeats_ = polls_ && mbarrier == mbarrier_ && parity == parity_;
  polls_ = true;
  mbarrier_ = mbarrier;
  parity_ = parity;
  return repeats_;
}

}  // namespace gpusim::frontend::accelsim

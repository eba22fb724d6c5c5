// SPDX-License-Identifier: MIT
#include "sim/machine/sm/warps/scoreboard.h"

#include <algorithm>

#include "sim/machine/lower/flow_graph.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::sm {
namespace {

/// Fixed latencies are measured with results that pass by the registers. Without such a bypass a result is first
/// written, then read: a cycle each.
constexpr Cycle kWithoutBypass = 2;

}  // namespace

Scoreboard::Scoreboard(const lower::KernelImage& image, std::uint32_t warp_slots)
    : image_(image), registers_(image.registers->count()), entries_(warp_slots * registers_) {}

void Scoreboard::begin_warp(std::uint32_t slot) {
  std::fill_n(entries_.begin() + static_cast<std::ptrdiff_t>(slot * registers_), registers_, Entry{});
}

void Scoreboard::issue(std::uint32_t slot, std::uint32_t pc, Cycle now) {
  const lower::WarpOp& op = image_.ops[pc];
  if (op.kind == isa::OpKind::kWgmma) {
    return;  // asynchronous: WARPGROUP.DEPBAR alone guards its registers
  }
  const bool fixed = isa::info(image_.kernel->code[pc].timing).kind == isa::LatencyKind::kFixed;
  Entry pending{now + op.latency, pc, op.producer == lower::ProducerClass::kLong ? Kind::kLong : Kind::kShort};
  if (fixed) {
    pending = {now + op.latency + kWithoutBypass, pc, Kind::kFixed};
  } else if (op.pipe == isa::Pipe::kLsu) {
    pending.ready = kNever;
  }
  for (const std::uint16_t reg : image_.registers->writes(pc)) {
    entry(slot, reg) = pending;
  }
}

void Scoreboard::complete(std::uint32_t slot, std::uint32_t pc, Cycle now) {
  for (const std::uint16_t reg : image_.registers->writes(pc)) {
    Entry& pending = entry(slot, reg);
    if (pending.ready == kNever) {
      pending.ready = now;
    }
  }
}

Scoreboard::Needs Scoreboard::needs(std::uint32_t slot, std::uint32_t pc) const {
  Needs needs;
  const auto need = [&](std::uint16_t reg) {
    const Entry& pending = entry(slot, reg);
    switch (pending.kind) {
      case Kind::kFixed: needs.fixed = std::max(needs.fixed, pending.ready); break;
      case Kind::kShort: needs.by_short.put_off({pending.ready, pending.producer}); break;
      case Kind::kLong: needs.by_long.put_off({pending.ready, pending.producer}); break;
    }
  };
  std::ranges::for_each(image_.registers->reads(pc), need);
  std::ranges::for_each(image_.registers->writes(pc), need);
  return needs;
}

}  // namespace gpusim::sm

// SPDX-License-Identifier: MIT
#include "sim/model/trace/dump.h"

#include <array>
#include <bit>
#include <cinttypes>
#include <cstdio>

#include "sim/base/problem.h"
#include "sim/model/isa/decode.h"
#include "sim/model/trace/dump_command.h"
#include "sim/model/trace/dump_stream.h"
#include "sim/model/trace/walker.h"

namespace gpusim::trace {
namespace {

template <class... Args>
std::string format(const char* pattern, Args... args) {
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(), pattern, args...);
  return text.data();
}

Address lane_address(const LaneAddresses& addresses, unsigned lane) {
  return addresses.base + static_cast<Address>(addresses.offsets[lane]);
}

/// "0x7f0000000000 + 4*lane" when that says it all, else one address for each lane of `mask`.
std::string describe(const LaneAddresses& addresses, LaneMask mask) {
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  const LaneMask others = mask & (mask - 1);
  const unsigned second = others == 0 ? first : static_cast<unsigned>(std::countr_zero(others));
  const auto distance = static_cast<std::int64_t>(lane_address(addresses, second) - lane_address(addresses, first));
  const std::int64_t stride = second == first ? 0 : distance / static_cast<std::int64_t>(second - first);
  const Address lane0 = lane_address(addresses, first) - static_cast<Address>(stride) * first;
  std::string list;
  bool affine = true;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((mask >> lane & 1U) != 0) {
      affine = affine && lane_address(addresses, lane) == lane0 + static_cast<Address>(stride) * lane;
      list += format("%s0x%" PRIx64, list.empty() ? "" : " ", lane_address(addresses, lane));
    }
  }
  if (!affine) {
    return list;
  }
  return format("0x%" PRIx64, lane0) + (stride == 0 ? "" : format(" + %" PRId64 "*lane", stride));
}

std::string describe_accesses(Walker& walker, const Kernel& kernel, const Step& step) {
  const isa::Instr& instr = kernel.code[step.pc];
  const LaneMask mask = step.mask;
  if (mask != 0 && has_command(instr)) {
    const AsyncOperands operands = walker.async_operands();
    const std::string command = describe_command(kernel, operands);
    const std::string rank = is_move(operands.action) ? format("rank %u: ", walker.target_rank()) : "";
    return command.empty() ? "" : "  @ " + rank + command;
  }
  if (!instr.is_memory() || mask == 0) {
    return "";
  }
  std::string text = "  @ ";
  if (instr.space == isa::MemSpace::kClusterShared) {
    text += format("rank %u: ", walker.target_rank());
  }
  if (instr.kind == isa::OpKind::kAsyncCopy) {
    text += describe(walker.addresses(AccessSlot::kSharedDestination), mask) + " <- ";
  }
  return text + describe(walker.addresses(AccessSlot::kPrimary), mask);
}

void check_place(const Kernel& kernel, CtaId cta, std::uint32_t warp) {
  if (cta.x >= kernel.grid.x || cta.y >= kernel.grid.y || cta.z >= kernel.grid.z) {
    throw InputError(Problem{{},
                             format("kernel '%.60s' has no CTA (%u,%u,%u)", kernel.name.c_str(), cta.x, cta.y, cta.z),
                             format("its grid is (%u,%u,%u)", kernel.grid.x, kernel.grid.y, kernel.grid.z)});
  }
  if (warp >= kernel.warps_per_cta()) {
    throw InputError(Problem{{},
                             format("kernel '%.60s' has no warp %u", kernel.name.c_str(), warp),
                             format("its CTAs have %u warps", kernel.warps_per_cta())});
  }
}

/// What a recording says of an instruction's accesses; programs say it where they are written.
std::string describe_sources(const Kernel& kernel, std::uint32_t pc) {
  const Recording* recording = recording_of(kernel.behaviour);
  if (recording == nullptr) {
    return "";
  }
  const auto& sites = recording->sites.of[pc];
  const auto source = [&](AccessSlot slot) {
    const std::uint32_t site = sites[static_cast<std::size_t>(slot)];
    const bool has_addresses = site != kNoSite && recording->sites.uses[site] != SiteUse::kCommand;
    return has_addresses ? describe_stream(*recording, site) : "";
  };
  const std::string destination = source(AccessSlot::kSharedDestination);
  const std::string primary = source(AccessSlot::kPrimary);
  return primary.empty() ? "" : "  @ " + destination + (destination.empty() ? "" : " <- ") + primary;
}

}  // namespace

std::string dump_program(const Kernel& kernel) {
  std::string text = format("kernel %.80s\n", kernel.name.c_str());
  for (std::uint32_t i = 0; i < kernel.code.size(); ++i) {
    const isa::InstrText& line = kernel.texts[i];
    text += format("%06" PRIx64 "  ", line.pc);
    if (kernel.code[i].has_control) {
      text += isa::to_text(kernel.code[i].control) + "  ";
    }
    text += line.text + describe_sources(kernel, i) + (line.line != 0 ? format("  # line %u", line.line) : "") + '\n';
  }
  return text;
}

std::string dump_warp(const Kernel& kernel, CtaId cta, std::uint32_t warp, std::uint64_t most) {
  check_place(kernel, cta, warp);
  std::string text = format("kernel %.60s, CTA (%u,%u,%u), warp %u\n", kernel.name.c_str(), cta.x, cta.y, cta.z, warp);
  Walker walker(kernel, cta, warp);
  Step step;
  std::uint64_t steps = 0;
  while (steps < most && walker.next(step)) {
    const isa::InstrText& line = kernel.texts[step.pc];
    text += format("%8" PRIu64 "  %06" PRIx64 "  %08x  ", steps, line.pc, step.mask) + line.text +
            describe_accesses(walker, kernel, step) + '\n';
    ++steps;
  }
  if (steps == most && walker.next(step)) {
    text += format("... only the first %" PRIu64 " steps are shown\n", most);
  }
  return text;
}

}  // namespace gpusim::trace

// SPDX-License-Identifier: MIT
#include "sim/output/timeline/why.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/model/isa/decode.h"
#include "sim/output/timeline/watch_rows.h"

namespace gpusim::timeline {
namespace {

using stats::Stall;
using stats::WatchInterval;

[[noreturn]] void refuse(const std::string& message, const std::string& hint = "") {
  throw InputError({{"--why", 0, 0}, message, hint});
}

bool covers(const WatchInterval& interval, Cycle cycle) {
  return interval.begin <= cycle && cycle < interval.end;
}

void require_number(std::string_view name, std::uint64_t value, std::uint64_t count, const std::string& of) {
  if (value >= count) {
    refuse(fmt::format("{}={}: there is no such {} in {}", name, value, name, of),
           count == 0 ? "there is none" : "allowed: 0 to " + with_thousands(count - 1));
  }
}

void require_there(const stats::Result& result, const Moment& moment) {
  require_number("kernel", moment.kernel, result.kernels.size(), "the run");
  const stats::KernelResult& kernel = result.kernels[moment.kernel];
  require_number("sm", moment.sm, result.machine.sms, printable(result.arch_name));
  require_number("warp", moment.warp_slot, kernel.occupancy.max_warps_per_sm, "an SM");
  require_number("cycle", moment.cycle, kernel.cycles,
                 fmt::format("kernel {}, which has {} cycles", moment.kernel, with_thousands(kernel.cycles)));
}

/// "SM 0: cycles 100 to 400; SM 3: ..." of a kernel.
std::string recorded(const stats::Result& result, std::uint32_t kernel) {
  std::string text;
  const auto of_kernel = [&](const WatchInterval& i) { return i.kernel == kernel; };
  std::set<std::uint32_t> sms;
  for (const WatchInterval& interval : result.watch) {
    if (!of_kernel(interval) || !sms.insert(interval.sm).second) {
      continue;
    }
    Cycle begin = interval.begin;
    Cycle end = interval.end;
    for (const WatchInterval& other : result.watch) {
      if (of_kernel(other) && other.sm == interval.sm) {
        begin = std::min(begin, other.begin);
        end = std::max(end, other.end);
      }
    }
    text += fmt::format("{}SM {}, cycles {} to {}", text.empty() ? "recorded: " : "; ", interval.sm,
                        with_thousands(begin), with_thousands(end - 1));
  }
  return text.empty() ? "record them with --record warps=SM[:A..B]" : text;
}

/// Nothing is known of the slot in that cycle: because nobody recorded it, or because it is empty.
[[noreturn]] void refuse_empty(const stats::Result& result, const Moment& moment) {
  std::string slots;
  for (const WatchInterval& i : result.watch) {
    if (i.kernel == moment.kernel && i.sm == moment.sm && covers(i, moment.cycle)) {
      slots += (slots.empty() ? "" : ", ") + std::to_string(i.warp_slot);
    }
  }
  if (slots.empty()) {
    refuse(fmt::format("no warp of SM {} is recorded in cycle {}", moment.sm, with_thousands(moment.cycle)),
           recorded(result, moment.kernel));
  }
  refuse(fmt::format("warp={}: no warp is in this slot of SM {} in cycle {}", moment.warp_slot, moment.sm,
                     with_thousands(moment.cycle)),
         "slots with warps: " + slots);
}

/// What releases a warp, and what is in its way, where that is no other instruction of its own.
struct Words {
  std::string_view releaser;
  std::string_view obstacle;
};

Words words_of(Stall state) {
  switch (state) {
    case Stall::kDrain: return {"the memory system, when the warp's last store has arrived", "stores on their way"};
    case Stall::kSleeping: return {"the timer of its NANOSLEEP", "the timer"};
    case Stall::kBarrier: return {"the last warp that arrives at the barrier", "a barrier"};
    case Stall::kMembar: return {"the fence, when earlier accesses are visible", "accesses on their way"};
    case Stall::kGmma: return {"the tensor core, when the WGMMA operations have ended", "WGMMA operations in flight"};
    case Stall::kNoInstruction: return {"the instruction fetch", "an empty instruction buffer"};
    case Stall::kBranchResolving: return {"the branch unit, when the target is known", "the branch before"};
    case Stall::kImcMiss: return {"the constant cache, when the constant has come", "a constant that it lacks"};
    case Stall::kLongScoreboard: return {"a result from L1TEX", "a dependence counter"};
    case Stall::kShortScoreboard: return {"a result from the MIO", "a dependence counter"};
    case Stall::kWait: return {"the stall count of the instruction before", "a fixed latency"};
    case Stall::kDispatchStall: return {"the register ports, a conflict at a time", "the register ports"};
    case Stall::kLgThrottle: return {"the load/store unit, when it takes an access", "its queue for local and global"};
    case Stall::kTexThrottle: return {"the texture unit, when it takes an access", "the texture queue"};
    case Stall::kMioThrottle: return {"the MIO, when it takes an instruction", "the MIO queue"};
    case Stall::kMathPipeThrottle: return {"the pipe, when it takes an instruction", "a math pipe"};
    case Stall::kMisc: return {"nothing that is known", "nothing that is known"};
    case Stall::kNotSelected: return {"the warp scheduler, when it picks this warp", "the issue slot"};
    case Stall::kSelected: return {"nothing: it issues", "nothing"};
  }
  return {};
}

/// "barrier 1 of the CTA" of the BAR that the warp has issued.
std::string barrier_text(const stats::PcResult& barrier) {
  if (!barrier.opcode.starts_with("BAR")) {
    return "the barrier of the cluster";
  }
  constexpr std::string_view kDigits = "0123456789";
  const std::string_view text = barrier.text;
  const std::size_t operand = text.find(barrier.opcode) + barrier.opcode.size();
  const std::size_t number = text.find("0x", operand);
  const std::size_t first = number == std::string_view::npos ? text.find_first_of(kDigits, operand) : number;
  return "barrier " +
         (first == std::string_view::npos ? "" : std::string(text.substr(first, text.find(',', first) - first)) + " ") +
         "of the CTA";
}

/// A register, a barrier, a queue, a pipe.
std::string obstacle_of(const stats::Result& result, const Reason& reason) {
  const WatchInterval& i = reason.interval;
  const std::vector<stats::PcResult>& pcs = result.kernels[i.kernel].pcs;
  const stats::PcResult& waiter = pcs[i.pc];
  if (i.producer != stats::kNoProducer) {
    const std::string registers = shared_registers(pcs[i.producer], waiter);
    if (!registers.empty()) {
      return fmt::format("{}, of {} and {}", registers, place_text(pcs[i.producer]), place_text(waiter));
    }
  }
  if (i.state == Stall::kBarrier && reason.previous) {
    return barrier_text(pcs[*reason.previous]);
  }
  if (i.state == Stall::kMathPipeThrottle) {
    const auto pipe = static_cast<std::size_t>(isa::decode_opcode(waiter.opcode).pipe());
    return fmt::format("the {} pipe of sub-core {}", isa::kPipeNames[pipe], i.sub_core);
  }
  if (i.state == Stall::kNotSelected || i.state == Stall::kDispatchStall) {
    return fmt::format("{} of sub-core {}", words_of(i.state).obstacle, i.sub_core);
  }
  if (waiter.opcode.starts_with("DEPBAR")) {
    const std::size_t counter = waiter.text.find("SB");
    return "dependence counter " + (counter == std::string::npos ? "" : waiter.text.substr(counter, 3));
  }
  return std::string(words_of(i.state).obstacle);
}

std::string line_of(std::string_view head, const std::string& text, const TextOptions& options) {
  constexpr std::size_t kHead = 14;
  return layout::paint(fmt::format("  {:<{}}", head, kHead - 2), layout::Style::kFaint, options) +
         clipped(text, options.width - kHead) + "\n";
}

std::string when_text(const Reason& reason, const std::string& waiter) {
  const WatchInterval& i = reason.interval;
  const std::string then =
      !reason.next ? std::string("the recording ends there")
                   : (reason.next->state == Stall::kSelected ? "then it issues"
                                                             : fmt::format("then {}", info_of(reason.next->state).key));
  return fmt::format("cycles {} to {} ({}); {}; next: {}", with_thousands(i.begin), with_thousands(i.end - 1),
                     with_thousands(i.end - i.begin), then, waiter);
}

}  // namespace

Reason why(const stats::Result& result, const Moment& moment) {
  require_there(result, moment);
  const auto of_slot = [&](const WatchInterval& i) {
    return i.kernel == moment.kernel && i.sm == moment.sm && i.warp_slot == moment.warp_slot;
  };
  const auto found =
      std::ranges::find_if(result.watch, [&](const WatchInterval& i) { return of_slot(i) && covers(i, moment.cycle); });
  if (found == result.watch.end()) {
    refuse_empty(result, moment);
  }
  Reason reason{moment, *found};
  const auto of_warp = [&](const WatchInterval& i) {
    return of_slot(i) && i.cta == found->cta && i.warp == found->warp;
  };
  if (const auto next = found + 1; next != result.watch.end() && of_warp(*next)) {
    reason.next = *next;
  }
  for (auto at = found; at != result.watch.begin() && of_warp(*(at - 1)) && !reason.produced_at;) {
    --at;
    if (at->state == Stall::kSelected) {
      reason.previous = reason.previous.value_or(at->pc);
      if (at->pc == found->producer) {
        reason.produced_at = at->begin;
      }
    }
  }
  const auto other = std::ranges::find_if(result.watch, [&](const WatchInterval& i) {
    return i.kernel == moment.kernel && i.sm == moment.sm && i.sub_core == found->sub_core &&
           i.state == Stall::kSelected && covers(i, moment.cycle);
  });
  if (other != result.watch.end()) {
    reason.other = *other;
  }
  return reason;
}

std::string to_text(const stats::Result& result, const Reason& reason, const TextOptions& options) {
  const WatchInterval& i = reason.interval;
  const stats::KernelResult& kernel = result.kernels[i.kernel];
  const stats::StallInfo& info = info_of(i.state);
  std::string releaser(words_of(i.state).releaser);
  if (i.producer != stats::kNoProducer) {
    releaser = placed_text(kernel.pcs[i.producer]) +
               (reason.produced_at ? ", issued in cycle " + with_thousands(*reason.produced_at) : "");
  }
  std::string other = fmt::format("sub-core {} issued nothing in that cycle", i.sub_core);
  if (reason.other) {
    other = fmt::format("sub-core {} issued {} of {}", i.sub_core, placed_text(kernel.pcs[reason.other->pc]),
                        reason.other->warp_slot == i.warp_slot ? "this warp" : warp_label(*reason.other));
  }
  const std::string head = fmt::format(
      "warp {} of SM {} ({}.{}), cycle {}: {}", i.warp_slot, i.sm, i.cta, i.warp, with_thousands(reason.moment.cycle),
      i.state == Stall::kSelected ? "selected, it issues" : fmt::format("{}, it waits for {}", info.key, info.what));
  return layout::paint(layout::wrapped(head, 0, options.width), layout::Style::kStrong, options) +
         line_of("when", when_text(reason, placed_text(kernel.pcs[i.pc])), options) +
         line_of("released by", releaser, options) + line_of("in the way", obstacle_of(result, reason), options) +
         line_of("meanwhile", other, options);
}

}  // namespace gpusim::timeline

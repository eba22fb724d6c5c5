// SPDX-License-Identifier: MIT
#include "sim/output/timeline/why_words.h"

#include <string_view>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/model/isa/decode.h"
#include "sim/output/timeline/watch_rows.h"
#include "sim/output/view/instruction.h"

namespace gpusim::timeline {

using stats::Stall;
using stats::StallDetail;
using stats::WatchInterval;

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

std::string obstacle_text(const stats::Result& result, const Reason& reason) {
  const WatchInterval& i = reason.interval;
  const std::vector<stats::PcResult>& pcs = result.kernels[i.kernel].pcs;
  const stats::PcResult& waiter = pcs[i.pc];
  const stats::StallInfo& state = info_of(i.state);
  if (i.producer != stats::kNoProducer) {
    const std::string registers = shared_registers(pcs[i.producer], waiter);
    if (!registers.empty()) {
      return fmt::format("{}, of {} and {}", registers, place_text(pcs[i.producer]), place_text(waiter));
    }
    if (state.detail == StallDetail::kCounter && !waiter.opcode.starts_with("DEPBAR")) {
      return fmt::format("a dependence counter: it is zero only when {} is done as well, of which {} reads no register",
                         place_text(pcs[i.producer]), place_text(waiter));
    }
  }
  if (state.detail == StallDetail::kBarrier && reason.previous) {
    return barrier_text(pcs[*reason.previous]);
  }
  if (state.detail == StallDetail::kPipe) {
    const auto pipe = static_cast<std::size_t>(isa::decode_opcode(waiter.opcode).pipe());
    return fmt::format("the {} pipe of sub-core {}", isa::kPipeNames[pipe], i.sub_core);
  }
  if (state.detail == StallDetail::kSubCore) {
    return fmt::format("{} of sub-core {}", state.obstacle, i.sub_core);
  }
  if (waiter.opcode.starts_with("DEPBAR")) {
    const std::size_t counter = waiter.text.find("SB");
    return "dependence counter " + (counter == std::string::npos ? "" : waiter.text.substr(counter, 3));
  }
  return std::string(state.obstacle);
}

std::string whole_text(const stats::PcResult& pc) {
  constexpr std::size_t kLongest = 400;  // files may hold anything
  return place_text(pc) + ": " + clipped(report::instruction_text(pc), kLongest);
}

std::string releaser_text(const stats::Result& result, const Reason& reason) {
  const WatchInterval& i = reason.interval;
  const std::vector<stats::PcResult>& pcs = result.kernels[i.kernel].pcs;
  if (i.producer != stats::kNoProducer) {
    return whole_text(pcs[i.producer]) +
           (reason.produced_at ? ", issued in cycle " + with_thousands(*reason.produced_at) : "");
  }
  if (reason.last_arrival) {
    return fmt::format("{}, the last warp at the barrier: it arrives in cycle {}, with {}",
                       warp_label(*reason.last_arrival), with_thousands(reason.last_arrival->begin),
                       whole_text(pcs[reason.last_arrival->pc]));
  }
  return std::string(info_of(i.state).releaser);
}

std::string next_text(const stats::Result& result, const Reason& reason) {
  if (reason.leaves) {
    return "then the warp leaves";
  }
  if (!reason.next) {
    return "the recording ends there";
  }
  const WatchInterval& next = *reason.next;
  const stats::StallInfo& info = info_of(next.state);
  const bool issues_now = reason.interval.state == Stall::kSelected;
  if (!issues_now || next.state == Stall::kDrain) {
    return next.state == Stall::kSelected ? "then it issues" : fmt::format("then {}", info.key);
  }
  const std::string instruction = whole_text(result.kernels[next.kernel].pcs[next.pc]);
  if (next.state == Stall::kSelected) {
    return "then it issues " + instruction;
  }
  return fmt::format("then {} up to cycle {}, for {}; next: {}", info.key, with_thousands(next.end - 1), info.what,
                     instruction);
}

}  // namespace gpusim::timeline

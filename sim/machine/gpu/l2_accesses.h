// SPDX-License-Identifier: MIT
// What L2 would see of an instruction's accesses to global memory if the machine took no time. Owns a coalescer; one a
// worker.
#pragma once

#include <cstdint>
#include <span>

#include "sim/machine/gpu/floorplan.h"
#include "sim/machine/gpu/memory_side.h"
#include "sim/machine/sm/memory/coalescer.h"
#include "sim/machine/sm/memory/ideal_access.h"
#include "sim/model/arch/words.h"
#include "sim/model/isa/instr.h"
#include "sim/model/trace/async.h"
#include "sim/model/trace/box.h"
#include "sim/model/trace/step.h"

namespace gpusim::gpu {

/// The half of L2 near the SM that runs the CTA of this number, where CTAs are handed out in turn.
[[nodiscard]] inline std::uint32_t half_of_cta(const Floorplan& plan, std::uint64_t cta) {
  return plan.half_of_gpc[plan.gpc_of_sm[cta % plan.gpc_of_sm.size()]];
}

class L2Accesses {
 public:
  L2Accesses(const MemorySide& memory, arch::Coalescing coalescing) : memory_(memory), coalescing_(coalescing) {}

  /// Whether it may find data in L2. Local memory is written before it is read.
  [[nodiscard]] static bool may_have(const isa::Instr& instr) {
    const bool is_global = instr.space == isa::MemSpace::kGlobal && instr.kind != isa::OpKind::kAsyncCommit;
    return instr.kind == isa::OpKind::kTensorCopy || is_global;
  }

  /// Calls `take` with each access of the lanes in `mask`, by an SM near `half` of L2.
  template <class Take>
  void of_lanes(const isa::Instr& instr, LaneMask mask, const trace::LaneAddresses& addresses, std::uint32_t half,
                Take&& take) {
    if (addresses.is_nowhere) {
      return;
    }
    const msg::Kind kind = request_kind(instr.kind);
    const sm::DataPath path = kind == msg::Kind::kWrite ? sm::DataPath::kWrites : sm::DataPath::kSkips;
    const sm::AccessWidth width{instr.bytes_per_lane, instr.matrices, path};
    const bool is_ideal =
        coalescing_ == arch::Coalescing::kIdeal && (kind == msg::Kind::kRead || kind == msg::Kind::kWrite);
    const std::span<const sm::LineAccess> lines =
        is_ideal ? ideal_lines(addresses, mask, width) : coalescer_.lines(addresses, mask, width);
    for (const sm::LineAccess& line : lines) {
      const trace::LinePart part{static_cast<Address>(line.line), line.sectors, line.full, 0};
      FunctionalAccess access = memory_.functional_access(kind, part, half, instr.fetch_sectors);
      access.request.parts = {line.pairs};
      take(access);
    }
  }

  /// The same of a copy by the TMA.
  template <class Take>
  void of_copy(const trace::AsyncOperands& copy, std::uint32_t half, Take&& take) const {
    if (copy.action == trace::AsyncAction::kNone || trace::is_move(copy.action)) {
      return;
    }
    const msg::Kind kind = copy.action == trace::AsyncAction::kStore    ? msg::Kind::kWrite
                           : copy.action == trace::AsyncAction::kReduce ? msg::Kind::kReduction
                                                                        : msg::Kind::kRead;
    for (trace::BoxLines lines(copy); !lines.done();) {
      take(memory_.functional_access(kind, lines.next(), half));
    }
  }

 private:
  static msg::Kind request_kind(isa::OpKind kind) {
    switch (kind) {
      case isa::OpKind::kStore: return msg::Kind::kWrite;
      case isa::OpKind::kAtomic: return msg::Kind::kAtomic;
      case isa::OpKind::kReduction: return msg::Kind::kReduction;
      default: return msg::Kind::kRead;
    }
  }

  std::span<const sm::LineAccess> ideal_lines(const trace::LaneAddresses& addresses, LaneMask mask,
                                              const sm::AccessWidth& width) {
    coalescer_.coalesce(addresses, mask, width, {}, ideal_);
    sm::coalesce_ideally(addresses, mask, width, {}, ideal_);
    return {ideal_.lines.data(), ideal_.line_count};
  }

  const MemorySide& memory_;
  arch::Coalescing coalescing_;
  sm::Coalescer coalescer_;
  sm::CoalescedAccess ideal_;  ///< accesses of the what-if
};

}  // namespace gpusim::gpu

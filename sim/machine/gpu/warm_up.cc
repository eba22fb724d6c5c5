// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/warm_up.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "sim/base/prefetch.h"
#include "sim/machine/engine/crew.h"
#include "sim/machine/engine/failure.h"
#include "sim/machine/engine/worker.h"
#include "sim/machine/gpu/floorplan.h"
#include "sim/machine/gpu/l2_accesses.h"
#include "sim/model/arch/arch.h"
#include "sim/model/trace/walker.h"

namespace gpusim::gpu {
namespace {

using isa::OpKind;

/// Steps between two questions whether to go on, and at most so many of one warp before the others' turn.
constexpr std::uint32_t kStepsPerCheck = 1U << 16;

/// Accesses that the host looks up side by side: enough to keep its memory busy.
constexpr std::size_t kAccessesAtOnce = 64;

/// Warps whose accesses are found before they are applied to the tags. What the pass does must not depend on the number
/// of threads, and so neither does this.
constexpr std::size_t kWarpsAtOnce = 512;

/// Pieces of work for each thread, where there are several: some take longer than others.
constexpr std::uint32_t kPiecesAThread = 4;

/// By operation of the kernel's program: the first from there on at which a walk has to look, because it may go
/// elsewhere or may access L2. Empty where the behaviour is recorded.
std::vector<std::uint32_t> stops_of(const trace::Kernel& kernel) {
  const trace::Program* const program = kernel.behaviour->program();
  if (program == nullptr) {
    return {};
  }
  std::vector<std::uint32_t> stops(program->ops.size());
  auto stop = static_cast<std::uint32_t>(stops.size());
  for (std::uint32_t at = stop; at-- > 0;) {
    const trace::FlowOp& op = program->ops[at];
    const bool passes = op.kind == trace::FlowKind::kPlain && !L2Accesses::may_have(kernel.code[op.instr]);
    stop = passes ? stop : at;
    stops[at] = stop;
  }
  return stops;
}

struct WalkingWarp {
  trace::Walker walker;
  std::uint32_t half = 0;  ///< half of L2 that is near its SM
  std::uint64_t steps = 0;
};

/// The accesses found in one piece of work, by the number of their tags modulo the number of pieces.
using FoundAccesses = std::vector<std::vector<FunctionalAccess>>;

/// Walks warps to their next access of global memory. One a worker.
class alignas(kHostLineBytes) AccessFinder {
 public:
  AccessFinder(const trace::Kernel& kernel, std::span<const std::uint32_t> stops, const MemorySide& memory,
               arch::Coalescing coalescing)
      : kernel_(kernel), stops_(stops), memory_(memory), accesses_(memory, coalescing) {}

  /// Appends what the next instruction of the warp that accesses global memory accesses; not every call comes to one.
  /// Returns false when the warp has none any more.
  bool advance(WalkingWarp& warp, FoundAccesses& found) {
    trace::Step step;
    for (std::uint32_t steps = 0; steps < kStepsPerCheck;) {
      const std::uint32_t skipped = warp.walker.skip(stops_);
      if (!warp.walker.next(step)) {
        return false;
      }
      steps += skipped + 1;
      warp.steps += skipped + 1;
      steps_ += skipped + 1;
      const isa::Instr& instr = kernel_.code[step.pc];
      if (step.mask != 0 && L2Accesses::may_have(instr)) {
        find(warp, step, instr, found);
        return true;
      }
    }
    return true;
  }

  /// That all warps have taken.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  void find(WalkingWarp& warp, const trace::Step& step, const isa::Instr& instr, FoundAccesses& found) {
    const auto take = [this, &found](const FunctionalAccess& access) {
      const std::size_t piece = found.size() == 1 ? 0 : memory_.tags_number(access) % found.size();
      found[piece].push_back(access);
    };
    if (instr.kind == OpKind::kTensorCopy) {
      accesses_.of_copy(warp.walker.async_operands(), warp.half, take);
    } else {
      accesses_.of_lanes(instr, step.mask, warp.walker.addresses(trace::AccessSlot::kPrimary), warp.half, take);
    }
  }

  const trace::Kernel& kernel_;
  std::span<const std::uint32_t> stops_;
  const MemorySide& memory_;
  L2Accesses accesses_;
  std::uint64_t steps_ = 0;
};

/// Applies the functional accesses of warps to the tags, in the same order for any number of threads: each thread first
/// finds the accesses of its own warps, then applies those to its own part of the tags.
class WarmUp {
 public:
  WarmUp(const trace::Kernel& kernel, const MemorySide& memory, arch::Coalescing coalescing, unsigned threads)
      : stops_(stops_of(kernel)),
        memory_(memory),
        crew_(threads),
        finders_(threads, AccessFinder(kernel, stops_, memory, coalescing)),
        pieces_(threads == 1 ? 1 : threads * kPiecesAThread),
        found_(pieces_.size(), FoundAccesses(pieces_.size())),
        due_(threads) {
    std::iota(pieces_.begin(), pieces_.end(), 0);
    for (std::vector<const FunctionalAccess*>& due : due_) {
      due.reserve(kAccessesAtOnce);
    }
  }

  /// Applies the next access of each warp to the tags, in order; warps without one leave.
  void advance(std::vector<WalkingWarp*>& walking) {
    for (std::span<WalkingWarp*> rest = walking; !rest.empty();) {
      warps_ = rest.first(std::min(rest.size(), kWarpsAtOnce));
      rest = rest.subspan(warps_.size());
      run(&WarmUp::find);
      run(&WarmUp::apply);
    }
    std::erase(walking, nullptr);
  }

  /// Whether it is time to ask if to go on.
  bool check_is_due() {
    std::uint64_t steps = 0;
    for (const AccessFinder& finder : finders_) {
      steps += finder.steps();
    }
    if (steps - checked_steps_ < kStepsPerCheck) {
      return false;
    }
    checked_steps_ = steps;
    return true;
  }

 private:
  /// Does the step for all pieces. What it throws, for lack of memory too, is thrown once all workers are done: until
  /// then they use what this object holds.
  void run(void (WarmUp::*step)(std::uint32_t)) {
    crew_.run(pieces_, [this, step](std::uint32_t piece) {
      try {
        (this->*step)(piece);
      } catch (...) {
        failure_.note(piece);
      }
    });
    failure_.rethrow();
  }

  /// The accesses of a piece of the warps.
  void find(std::uint32_t piece) {
    AccessFinder& finder = finders_[engine::worker_index()];
    const std::size_t end = warps_.size() * (piece + 1) / pieces_.size();
    for (std::size_t i = warps_.size() * piece / pieces_.size(); i < end; ++i) {
      warps_[i] = finder.advance(*warps_[i], found_[piece]) ? warps_[i] : nullptr;
    }
  }

  /// Applies the accesses of all pieces to a piece of the tags.
  void apply(std::uint32_t piece) {
    std::vector<const FunctionalAccess*>& due = due_[engine::worker_index()];
    for (const FoundAccesses& found : found_) {
      for (const FunctionalAccess& access : found[piece]) {
        due.push_back(&access);
        if (due.size() == kAccessesAtOnce) {
          memory_.apply(due);
          due.clear();
        }
      }
    }
    memory_.apply(due);
    due.clear();
    for (FoundAccesses& found : found_) {
      found[piece].clear();
    }
  }

  std::vector<std::uint32_t> stops_;
  const MemorySide& memory_;
  engine::Crew crew_;
  engine::FirstFailure failure_;
  std::vector<AccessFinder> finders_;                      ///< by worker
  std::vector<std::uint32_t> pieces_;                      ///< their numbers
  std::span<WalkingWarp*> warps_;                          ///< at hand
  std::vector<FoundAccesses> found_;                       ///< by piece of the warps
  std::vector<std::vector<const FunctionalAccess*>> due_;  ///< by worker
  std::uint64_t checked_steps_ = 0;
};

/// Warps of CTAs [begin, end), which run side by side.
std::vector<WalkingWarp> start_warps(const Floorplan& plan, const trace::Kernel& kernel, const WarmUpCtas& ctas,
                                     std::uint64_t begin, std::uint64_t end, std::uint64_t most_walked) {
  std::vector<WalkingWarp> warps((end - begin) * kernel.warps_per_cta());
  auto next = warps.begin();
  for (std::uint64_t cta = begin; cta < end; ++cta) {
    for (std::uint32_t warp = 0; warp < kernel.warps_per_cta(); ++warp, ++next) {
      next->walker.start(kernel, trace::cta_at(cta, kernel.grid), warp, trace::PollAnswers::kAlwaysYes,
                         trace::Simt::kStack, most_walked);
      next->half = half_of_cta(plan, cta - ctas.first);
    }
  }
  return warps;
}

}  // namespace

WarmUpEnd warm_up(const arch::Arch& arch, const trace::Kernel& kernel, const MemorySide& memory, const WarmUpCtas& ctas,
                  const WarmUpLimits& limits, unsigned threads) {
  WarmUp pass(kernel, memory, arch.sm.lsu.coalescing, threads);
  const Floorplan plan = floorplan(arch);
  const std::uint64_t side_by_side = std::uint64_t{arch.sm.count} * ctas.per_sm;
  const auto went_too_far = [&limits](const WalkingWarp* warp) { return warp->steps > limits.steps_of_a_warp; };
  for (std::uint64_t begin = ctas.first; begin < ctas.end; begin += side_by_side) {
    std::vector<WalkingWarp> warps =
        start_warps(plan, kernel, ctas, begin, std::min(begin + side_by_side, ctas.end), limits.most_walked);
    std::vector<WalkingWarp*> walking;
    for (WalkingWarp& warp : warps) {
      walking.push_back(&warp);
    }
    while (!walking.empty()) {
      pass.advance(walking);
      if (pass.check_is_due()) {
        if (std::ranges::any_of(walking, went_too_far)) {
          return WarmUpEnd::kLimit;
        }
        const double walked = 1 - static_cast<double>(walking.size()) / static_cast<double>(warps.size());
        const double ctas_done = static_cast<double>(begin - ctas.first) + walked * static_cast<double>(side_by_side);
        const double share = std::min(1.0, ctas_done / static_cast<double>(ctas.end - ctas.first));
        if (limits.keep_going && !limits.keep_going(share)) {
          return WarmUpEnd::kStopped;
        }
      }
    }
  }
  return WarmUpEnd::kDone;
}

}  // namespace gpusim::gpu

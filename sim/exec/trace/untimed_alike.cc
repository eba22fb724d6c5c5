// SPDX-License-Identifier: MIT
#include "sim/exec/trace/untimed_alike.h"

#include <vector>

#include "sim/exec/alike/alike_ctas.h"
#include "sim/exec/alike/replayed_cta.h"
#include "sim/exec/memory/checking_port.h"
#include "sim/exec/trace/untimed_run.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::exec {
namespace {

/// The warps take the turns that they took.
trace::RunEnd replay(const std::shared_ptr<const CtaRecord>& record, std::uint64_t number, const Dim3& grid,
                     std::uint64_t steps_of_a_warp, trace::RunVisitor& visitor) {
  ReplayedCta cta(record, trace::cta_at(number, grid));
  std::vector<std::uint64_t> steps(record->warps.size());
  for (const CtaRecord::Turn& turn : record->turns) {
    trace::ExecutedWarp& warp = cta.warp(turn.warp);
    for (std::uint32_t i = 0; i < turn.steps; ++i) {
      trace::Step step;
      warp.next(step, 0);
      if (!visitor.step(number, turn.warp, step, warp)) {
        return trace::RunEnd::kStopped;
      }
    }
    steps[turn.warp] += turn.steps;
    if (steps[turn.warp] > steps_of_a_warp) {
      return trace::RunEnd::kLimit;
    }
  }
  visitor.end_cta(number);
  return trace::RunEnd::kDone;
}

}  // namespace

trace::RunEnd run_alike(const Image& image, const trace::Kernel& kernel, AlikeCtas& alike, PatternTable& patterns,
                        GlobalMemory& memory, const trace::RunRange& range, trace::RunVisitor& visitor) {
  CheckingPort port(memory);
  for (std::uint64_t number = range.first; number < range.end; ++number) {
    const auto record = alike.record_for(trace::cta_at(number, kernel.grid), memory);
    trace::RunEnd end = trace::RunEnd::kDone;
    if (record != nullptr && record->most_steps() <= range.most_walked) {
      end = replay(record, number, kernel.grid, range.steps_of_a_warp, visitor);
    } else {
      trace::RunRange one = range;
      one.first = number;
      one.end = number + 1;
      end = run_untimed(image, kernel, patterns, port, one, visitor);
    }
    if (end != trace::RunEnd::kDone) {
      return end;
    }
  }
  return trace::RunEnd::kDone;
}

}  // namespace gpusim::exec

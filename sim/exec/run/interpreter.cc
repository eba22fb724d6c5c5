// SPDX-License-Identifier: MIT
#include "sim/exec/run/interpreter.h"

#include <algorithm>
#include <array>
#include <string>

#include "sim/base/problem.h"
#include "sim/exec/memory/fault.h"

namespace gpusim::exec {
namespace {

std::string triple(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

}  // namespace

std::string lane_text(const Warp& warp, unsigned lane) {
  const Dim3& block = warp.cta().image().launch.block;
  const CtaPlace cta = warp.cta().place();
  const std::uint32_t thread = warp.index() * kWarpLanes + lane;
  return "lane " + std::to_string(lane) + " of warp " + std::to_string(warp.index()) + " in CTA " +
         triple(cta.x, cta.y, cta.z) + ", thread " +
         triple(thread % block.x, thread / block.x % block.y, thread / block.x / block.y);
}

bool is_bulk_copy(sass::Op op) {
  using sass::Op;
  return op == Op::kUblkcp || op == Op::kUtmaldg || op == Op::kUtmaldgExtra || op == Op::kUtmastg;
}

StepResult Interpreter::step_watched(Warp& warp, Watch& watch) {
  if (!warp.resume()) {
    return warp.has_exited() ? StepResult::kExited : StepResult::kWaits;
  }
  const MicroOp& op = context_.image.code[warp.pc];
  const LaneMask mask = begin(warp, op);
  watch.begins(warp, context_.executed);
  execute_possible(warp, op, mask, watch);
  watch.done(warp);
  return StepResult::kExecuted;
}

/// Registers that a handler has loaded before its fault may be those that addresses come from: they are put back.
void Interpreter::execute_possible(Warp& warp, const MicroOp& op, LaneMask mask, Watch& watch) {
  constexpr std::size_t kMostLoaded = 4;  // rows
  const std::uint32_t first = op.destinations[0];
  const std::size_t words = std::min<std::size_t>(kMostLoaded, context_.image.layout.rows() - first / kRow) * kRow;
  std::array<std::uint32_t, kMostLoaded * kRow> kept;
  std::copy_n(warp.row(first), words, kept.data());
  for (LaneMask left = mask;;) {
    try {
      op.handler(context_, warp, op, left);
      return;
    } catch (const AccessFault& fault) {
      if (!watch.faulted(warp, fault)) {
        rethrow(warp);
      }
      std::copy_n(kept.data(), words, warp.row(first));
      const LaneMask others = left & ~(LaneMask{1} << fault.lane);
      if (others == left || others == 0 || op.uniform || is_bulk_copy(context_.image.instructions[executed().pc].op)) {
        return;
      }
      left = others;
    } catch (const std::runtime_error&) {
      rethrow(warp);
    }
  }
}

void Interpreter::rethrow(const Warp& warp) const {
  try {
    throw;
  } catch (const LaneFault& fault) {
    const Image& image = context_.image;
    SourceLocation where;
    if (const cubin::LineEntry* const line = image.line_of(executed().pc);
        line != nullptr && line->file < image.files.size()) {
      where.file = image.files[line->file];
      where.line = line->line;
    }
    throw InputError(Problem{where,
                             std::string(fault.what()) + "; by " + lane_text(warp, fault.lane) + ", in " +
                                 image.kernel + " at " + image.instruction_text(executed().pc),
                             fault.hint});
  }
}

}  // namespace gpusim::exec

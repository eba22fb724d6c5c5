// SPDX-License-Identifier: MIT
#include "sim/exec/run/interpreter.h"

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

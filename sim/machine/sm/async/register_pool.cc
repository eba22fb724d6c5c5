// SPDX-License-Identifier: MIT
#include "sim/machine/sm/async/register_pool.h"

#include "sim/base/problem.h"

namespace gpusim::sm {

void RegisterPool::fail(std::uint32_t pc, std::uint32_t has, bool gives) const {
  throw InputError(Problem{{kernel_.where.file, kernel_.texts[pc].line, 0},
                           "kernel '" + kernel_.name + "': '" + kernel_.texts[pc].text + "' in a warp that has " +
                               std::to_string(has) + " registers a thread",
                           gives ? ".DEALLOC leaves at most as many" : ".TRY_ALLOC asks for at least as many"});
}

void RegisterPool::give_back(std::uint32_t cta, std::uint32_t warp, std::uint32_t registers, std::uint32_t pc,
                             Cycle now) {
  if (registers > of_warp_[warp]) {
    fail(pc, of_warp_[warp], true);
  }
  free_[cta] += of_warp_[warp] - registers;
  of_warp_[warp] = registers;
  waits_.release(now,
                 [&](const Poll& poll) { return poll.cta == cta && poll.object == Poll::kRegisterPool && take(poll); });
}

void RegisterPool::ask(const Poll& poll, Cycle now) {
  if (poll.registers < of_warp_[poll.warp]) {
    fail(poll.pc, of_warp_[poll.warp], false);
  }
  take(poll) ? waits_.yes(poll, now) : waits_.not_yet(poll, now);
}

bool RegisterPool::take(const Poll& poll) {
  const std::uint32_t more = poll.registers - of_warp_[poll.warp];
  if (more > free_[poll.cta]) {
    return false;
  }
  free_[poll.cta] -= more;
  of_warp_[poll.warp] = poll.registers;
  return true;
}

}  // namespace gpusim::sm

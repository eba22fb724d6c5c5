// SPDX-License-Identifier: MIT
#include "sim/exec/trace/execution.h"

namespace gpusim::exec {

CtaWalk::CtaWalk(const Image& image, trace::CtaId place, WalkPlace& walk_place)
    : cta_(image, {place.x, place.y, place.z}) {
  walks_.reserve(cta_.warps().size());
  for (Warp& warp : cta_.warps()) {
    walks_.emplace_back(warp, walk_place);
  }
}

TimedExecution::TimedExecution(const Image& image, const trace::Kernel& kernel, GlobalMemory& memory, std::uint32_t sms,
                               std::uint64_t most_walked)
    : image_(image), grid_(kernel.grid), cluster_(kernel.cluster), windows_(sms) {
  ports_.reserve(sms);
  for (std::uint32_t sm = 0; sm < sms; ++sm) {
    ports_.emplace_back(memory);
    sms_.push_back(
        std::make_unique<Sm>(image, kernel, ports_.back(), exchanges_, patterns_, sm, most_walked, windows_[sm]));
  }
}

std::unique_ptr<trace::ExecutedCta> TimedExecution::begin_cta(std::uint32_t sm, std::uint64_t cta) {
  auto walk = std::make_unique<CtaWalk>(image_, trace::cta_at(cta, grid_), sms_[sm]->place);
  if (cluster_.volume() > 1) {
    walk->sit({cta, grid_, cluster_}, running_, windows_[sm]);
  }
  return walk;
}

void TimedExecution::exchange() {
  exec::exchange(ports_);
  if (cluster_.volume() > 1) {
    running_.exchange(windows_);
  }
  ++exchanges_;
}

}  // namespace gpusim::exec

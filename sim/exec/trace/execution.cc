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
  checks_.reserve(sms);
  for (std::uint32_t sm = 0; sm < sms; ++sm) {
    WindowPort* const keeps = image.has_values ? &ports_.emplace_back(memory) : nullptr;
    GlobalPort& port = keeps != nullptr ? static_cast<GlobalPort&>(*keeps) : checks_.emplace_back(memory);
    Sm& own = *sms_.emplace_back(std::make_unique<Sm>(image, kernel, port, patterns_));
    own.interpreter.context().sm = sm;
    own.place.most_walked = most_walked;
    own.place.port = keeps;
    own.place.exchanges = &exchanges_;
    own.place.window = &windows_[sm];
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

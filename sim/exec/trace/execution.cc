// SPDX-License-Identifier: MIT
#include "sim/exec/trace/execution.h"

#include <utility>

#include "sim/exec/alike/replayed_cta.h"

namespace gpusim::exec {

CtaWalk::CtaWalk(const Image& image, trace::CtaId place, WalkPlace& walk_place)
    : cta_(image, {place.x, place.y, place.z}) {
  walks_.reserve(cta_.warps().size());
  for (Warp& warp : cta_.warps()) {
    walks_.emplace_back(warp, walk_place);
  }
}

TimedExecution::TimedExecution(const Shared& shared, GlobalMemory& memory, std::uint32_t sms, std::uint64_t most_walked)
    : shared_(shared), memory_(memory), most_walked_(most_walked), windows_(sms) {
  ports_.reserve(sms);
  checks_.reserve(sms);
  for (std::uint32_t sm = 0; sm < sms; ++sm) {
    WindowPort* const keeps = shared.image.has_values() ? &ports_.emplace_back(memory) : nullptr;
    GlobalPort& port = keeps != nullptr ? static_cast<GlobalPort&>(*keeps) : checks_.emplace_back(memory);
    Sm& own = *sms_.emplace_back(std::make_unique<Sm>(shared.image, shared.kernel, port, shared.patterns));
    own.interpreter.context().sm = sm;
    own.place.most_walked = most_walked;
    own.place.port = keeps;
    own.place.exchanges = &exchanges_;
    own.place.window = &windows_[sm];
  }
}

std::unique_ptr<trace::ExecutedCta> TimedExecution::begin_cta(std::uint32_t sm, std::uint64_t cta) {
  const trace::CtaId place = trace::cta_at(cta, shared_.kernel.grid);
  if (auto record = shared_.alike.record_for(place, memory_);
      record != nullptr && record->most_steps() <= most_walked_) {
    return std::make_unique<ReplayedCta>(std::move(record), place);
  }
  auto walk = std::make_unique<CtaWalk>(shared_.image, place, sms_[sm]->place);
  if (shared_.kernel.cluster.volume() > 1) {
    walk->sit({cta, shared_.kernel.grid, shared_.kernel.cluster}, running_, windows_[sm]);
  }
  return walk;
}

void TimedExecution::exchange() {
  exec::exchange(ports_);
  if (shared_.kernel.cluster.volume() > 1) {
    running_.exchange(windows_);
  }
  ++exchanges_;
}

}  // namespace gpusim::exec
